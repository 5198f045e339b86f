"""The counterfactual evaluation as measures, tables and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, get_args

from countercase.evaluation import statistics
from countercase.evaluation.counterfactual.readings import Unmeasured
from countercase.evaluation.counterfactual.verdicts import calibrated_measures, verdict_table
from countercase.evaluation.counterfactual_eval import (
    LABELS,
    CaseResult,
    Labelled,
    accuracy,
    case_rho,
    coverage,
    pooled_rho,
    values_of,
)
from countercase.evaluation.report import (
    Bar,
    Measure,
    Plot,
    Section,
    Series,
    Table,
    bars,
)
from countercase.registry import FACT_TYPES

ACCURACY_TARGET: Final = 0.7
RHO_TARGET: Final = 0.5

SHOWN: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)
"""The thresholds that the table shows; the plot has all of them."""

_ACCURACIES: Final[dict[str, Callable[[statistics.Point], float | None]]] = {
    "dispositive accuracy": lambda point: point.high,
    "non-dispositive accuracy": lambda point: point.low,
    "mean of both": lambda point: point.balanced,
}


def counterfactual_section(
    results: Sequence[CaseResult], threshold: float, seed: int = 0
) -> Section:
    """Report what was measured of labelled cases, facts above the threshold being dispositive."""
    facts = [fact for result in results for fact in result.facts]
    types = [label for result in results for label in result.types]
    rhos = [case_rho(result.order) for result in results]
    points = statistics.sweep(values_of(facts, True), values_of(facts, False))

    def groups(by: str, group: Callable[[Labelled], str]) -> Table:
        return _groups(f"Facts by {by}", by, facts, threshold, group)

    return Section(
        "counterfactual",
        "Counterfactual: the facts that should matter and those that should not",
        (
            _coverage(facts),
            *_accuracies("facts", "facts", facts, threshold, ACCURACY_TARGET),
            *_accuracies("facts.nulls", "facts, null edits heeded", facts, threshold),
            _verdict(facts, threshold),
            *_accuracies("types", "fact types", types, threshold),
            *calibrated_measures(results),
            *_thresholds(facts, points),
            *_salience(facts),
            *_rhos(results, rhos, seed),
            *_validator(results),
        ),
        (
            groups("fact type", lambda fact: fact.reading.fact_type),
            verdict_table(facts, threshold),
            _unmeasured(facts),
            groups("area", lambda fact: fact.case.area),
            groups("design", lambda fact: fact.case.design),
            _groups("Fact types", "fact type", types, threshold, lambda it: it.reading.fact_type),
            _sweep_table(points, threshold),
            _operations(facts),
            _case_orders(results, rhos),
            _edits_judged(results),
            _misread(facts, threshold),
        ),
        (_curve(points, threshold), _sensitivities(results, facts, threshold)),
        {
            "threshold": threshold,
            "cases": [
                result.details(rho, threshold) for result, rho in zip(results, rhos, strict=True)
            ],
        },
    )


def _coverage(facts: Sequence[Labelled]) -> Measure:
    """The share of the labelled facts that were measured."""
    measured = coverage(facts)
    note = f"{measured.count} of {measured.of}; a fact that was not measured is wrong below."
    return Measure.of("counterfactual.coverage", "Facts measured", measured, note=note)


def _verdict(facts: Sequence[Labelled], threshold: float) -> Measure:
    """Of the labelled facts that are said to move the list, the share that should."""
    said = (fact for fact in facts if fact.reading.carries(threshold, nulls=True))
    right = statistics.share(fact.dispositive for fact in said)
    title = f"Facts said to move the list at {threshold:g} that are labelled dispositive"
    note = f"{right.count} of {right.of}; a restatement moved the list less far."
    return Measure.of("counterfactual.verdict.right", title, right, note=note)


def _accuracies(
    key: str,
    title: str,
    labelled: Sequence[Labelled],
    threshold: float,
    target: float | None = None,
) -> Iterator[Measure]:
    for dispositive, name in LABELS.items():
        right = accuracy(labelled, dispositive, threshold, nulls=key.endswith("nulls"))
        name_key = f"counterfactual.{name.replace('-', '_')}.{key}"
        title_at = f"{name.capitalize()} accuracy at {threshold:g}: {title}"
        note = f"{right.count} of {right.of}."
        yield Measure.of(name_key, title_at, right, target=target, note=note)


def _thresholds(facts: Sequence[Labelled], points: Sequence[statistics.Point]) -> Iterator[Measure]:
    """How well any threshold at all parts the facts of both labels."""
    high, low = values_of(facts, True), values_of(facts, False)
    title = "AUC: dispositive facts above the others"
    area, count = statistics.area_under_curve(high, low), len(high) + len(low)
    note = "Over all thresholds; 1 parts the two without error, .5 is chance."
    yield Measure("counterfactual.auc", title, area, count, note=note)
    for name in dict.fromkeys(fact.reading.fact_type for fact in facts):
        own = [fact for fact in facts if fact.reading.fact_type == name]
        area = statistics.area_under_curve(values_of(own, True), values_of(own, False))
        yield Measure(f"counterfactual.auc.{name}", f"The same within {name}", area, len(own))
    if best := statistics.best_point(points):
        title = "Best mean of both accuracies at any threshold"
        note = f"At {best.threshold:g}; read off these same labels, so on the hopeful side."
        yield Measure("counterfactual.best_balanced", title, best.balanced, count, note=note)


def _salience(facts: Sequence[Labelled]) -> Iterator[Measure]:
    """How well the estimate of salience alone, which no verdict rests on, parts the two labels."""
    high, low = (
        [it.reading.salience for it in facts if it.dispositive == label and it.reading.salience]
        for label in LABELS
    )
    title = "Salience alone: AUC, dispositive facts above the others"
    note = "What a model has learnt that courts turn on; it weighs statements, never a move."
    area = statistics.area_under_curve(high, low)
    yield Measure("counterfactual.salience.auc", title, area, len(high) + len(low), note=note)


def _rhos(
    results: Sequence[CaseResult], rhos: Sequence[statistics.Correlation], seed: int
) -> Iterator[Measure]:
    orders = [result.order for result in results]
    for within, key, title, target, note in (
        (False, "pooled", "Spearman's rho of sensitivity and importance, pooled", RHO_TARGET,
         "All fact types of all cases."),
        (True, "within", "The same, sensitivities ranked case by case", None,
         "How much a case moves altogether does not count."),
    ):  # fmt: skip
        pooled = pooled_rho(orders, seed, within)
        if pooled.p is not None:
            note += f" Permutation p = {pooled.p:.4f}, two-sided, within cases."
        values = (pooled.rho, pooled.n, pooled.low, pooled.high, target)
        yield Measure(f"counterfactual.rho.{key}", title, *values, note=note)
    own = [rho.rho for rho in rhos if rho.rho is not None]
    few = sum(not order.enough for order in orders)
    tied = len(orders) - len(own) - few
    note = f"Left out: {few} cases with fewer than 3 measured types, {tied} all ties."
    title = "Mean of the rho of each case"
    yield Measure("counterfactual.rho.mean", title, _mean(own), len(own), note=note)


def _validator(results: Sequence[CaseResult]) -> Iterator[Measure]:
    judged = [state for result in results for state in result.reading.judged]
    single = [state for state in judged if len(state.fact_types) == 1]
    beyond = sum(result.reading.proposed for result in results) - len(single)
    for key, title, states, more in (
        ("accept_rate", "single edits", single,
         f"; {beyond} more beyond the limits were not judged"),
        ("accept_rate.states", "all states", judged, ""),
    ):  # fmt: skip
        accepted = statistics.share(state.accepted for state in states)
        note = f"{accepted.count} accepted, {accepted.of - accepted.count} refused{more}."
        title = f"Accept rate of the validator: {title}"
        yield Measure.of(f"counterfactual.{key}", title, accepted, note=note)


def _groups(
    title: str,
    column: str,
    labelled: Sequence[Labelled],
    threshold: float,
    group: Callable[[Labelled], str],
) -> Table:
    """Both accuracies, what was not measured and the AUC, by a trait of the labels."""
    members = statistics.group_by(labelled, group)
    types = FACT_TYPES.names()
    names = sorted(members, key=lambda key: (types.index(key) if key in types else -1, key))
    if len(names) > 1:
        members["all"] = list(labelled)
        names.append("all")
    rows = []
    for name in names:
        right, others = (accuracy(members[name], label, threshold) for label in LABELS)
        measured = coverage(members[name])
        missing = measured.of - measured.count
        area = statistics.area_under_curve(*(values_of(members[name], label) for label in LABELS))
        rows.append((name, right.of, right.value, others.of, others.value, missing, area))
    columns = (column, "dispositive", "right", "others", "others right", "not measured", "AUC")
    note = f"Counts of all that is labelled and shares read rightly at {threshold:g}."
    return Table(title, columns, tuple(rows), note)


def _unmeasured(facts: Sequence[Labelled]) -> Table:
    """Why labelled facts have no sensitivity."""
    rows = []
    for why in get_args(Unmeasured):
        labels = [fact for fact in facts if fact.reading.unmeasured == why]
        dispositive = sum(fact.dispositive for fact in labels)
        counts = Counter(fact.reading.fact_type for fact in labels)
        by_type = (counts[name] for name in FACT_TYPES.names())
        rows.append((why, dispositive, len(labels) - dispositive, *by_type))
    columns = ("why", *LABELS.values(), *FACT_TYPES.names())
    note = "They are wrong in either accuracy."
    return Table("Facts that could not be measured", columns, tuple(rows), note)


def _operations(facts: Sequence[Labelled]) -> Table:
    """How far the what-ifs of each operation moved the precedents, by the label of their fact."""
    moves = [(move, fact.dispositive) for fact in facts for move in fact.reading.moves]
    rows = []
    for operation, own in sorted(statistics.group_by(moves, lambda it: it[0].operation).items()):
        high, low = ([move.displacement for move, of in own if of == label] for label in LABELS)
        area = statistics.area_under_curve(high, low)
        rows.append((operation, len(high), _mean(high), len(low), _mean(low), area))
    columns = ("operation", "dispositive", "mean", "others", "mean of others", "AUC")
    note = "What-ifs of labelled facts, and how far they moved the precedents on average."
    return Table("By operation", columns, tuple(rows), note)


def _sweep_table(points: Sequence[statistics.Point], threshold: float) -> Table:
    """Both accuracies at some of the thresholds."""
    shown = [point for point in points if point.threshold in {*SHOWN, threshold}]
    rows = tuple((it.threshold, it.high, it.low, it.balanced) for it in shown)
    return Table("Sweep over thresholds", ("threshold", *_ACCURACIES), rows)


def _case_orders(results: Sequence[CaseResult], rhos: Sequence[statistics.Correlation]) -> Table:
    """Spearman's rho of each case."""
    rows = []
    for result, rho in zip(results, rhos, strict=True):
        ties = "all ties" if rho.rho is None else ""
        left_out = ties if result.order.enough else "fewer than 3 measured types"
        rows.append((result.case.case_id, rho.n, rho.rho, rho.p, left_out))
    columns = ("case", "types", "rho", "p", "left out")
    note = "p is exact over all orders of the ranks: of 4 types without ties at least .083."
    return Table("Sensitivity against importance, case by case", columns, tuple(rows), note)


def _edits_judged(results: Sequence[CaseResult]) -> Table:
    """What the validator accepted and refused, by the fact type of single edits, and all states."""
    judged = [state for result in results for state in result.reading.judged]
    single = [state for state in judged if len(state.fact_types) == 1]
    groups = {name: [it for it in single if name in it.fact_types] for name in FACT_TYPES.names()}
    groups |= {"single edits": single}
    groups |= {"several edits": [state for state in judged if len(state.fact_types) > 1]}
    rows = []
    for name, states in groups.items():
        said = statistics.share(state.accepted for state in states)
        rows.append((name, said.of, said.count, said.of - said.count, said.value))
    columns = ("edits", "judged", "accepted", "refused", "accept rate")
    return Table("What the validator said", columns, tuple(rows))


def _misread(facts: Sequence[Labelled], threshold: float) -> Table:
    """The facts that were read against their label, the clearest first."""

    def clearest_first(fact: Labelled) -> tuple[float, str, str]:
        miss = abs((fact.sensitivity or 0.0) - threshold)
        return -miss, fact.case.case_id, fact.reading.fact_id

    rows = tuple(
        (fact.case.case_id, read.fact_id, read.value, LABELS[fact.dispositive], read.sensitivity,
         read.noise, len(read.moves))
        for fact in sorted(facts, key=clearest_first)
        if not fact.correct(threshold) and (read := fact.reading)
    )  # fmt: skip
    columns = ("case", "fact", "value", "label", "sensitivity", "null edits", "edges")
    note = "The furthest from the threshold first; the best to look at when labels are revised."
    return Table("Facts read against their label", columns, rows, note)


def _curve(points: Sequence[statistics.Point], threshold: float) -> Plot:
    """Both accuracies and their mean against the threshold."""
    series = []
    for name, height in _ACCURACIES.items():
        known = [(at.threshold, value) for at in points if (value := height(at)) is not None]
        series.append(Series(name, tuple(x for x, _ in known), tuple(y for _, y in known)))
    title, x_title = "Accuracy against the threshold", "threshold (mean rank displacement)"
    note = f"The evaluation's own threshold is {threshold:g}."
    return Plot(title, "lines", x_title, "accuracy", tuple(series), note=note)


def _sensitivities(
    results: Sequence[CaseResult], facts: Sequence[Labelled], threshold: float
) -> Plot:
    """Plot the mean sensitivity per fact type: of the facts of either label, and of null edits."""
    moves = {
        name: [(it.reading.fact_type, it.sensitivity) for it in facts if it.dispositive == label]
        for label, name in ((True, "labelled dispositive"), (False, "labelled not"))
    }
    moves["null edits"] = [null for result in results for null in result.reading.nulls]

    def bar(name: str, fact_type: str) -> Bar | None:
        values = [value for kind, value in moves[name] if kind == fact_type and value is not None]
        mean, low, high = statistics.mean_estimate(values).cells
        if mean is None:
            return None
        return mean, (mean if low is None else low, mean if high is None else high)

    return bars(
        "Sensitivity per fact type",
        "fact type",
        "mean rank displacement",
        FACT_TYPES.names(),
        {name: [bar(name, kind) for kind in FACT_TYPES.names()] for name in moves},
        f"A fact above {threshold:g} is read as dispositive.",
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
