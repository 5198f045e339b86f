"""The counterfactual evaluation as measures, tables and plots.

Spearman's rho says whether the sensitivities of the fact types agree with the importance that
people gave them (the rank with its sign turned). Its p comes from permuting the ranks within each
case, so that neither ties nor the few types of a case ask for an approximation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Final, get_args

from countercase.evaluation import statistics as stats
from countercase.evaluation.counterfactual import labels
from countercase.evaluation.counterfactual.labels import LABELS, CaseResult, Labelled, Point
from countercase.evaluation.counterfactual.readings import Unmeasured
from countercase.evaluation.experiment import declared_tables, measure, table
from countercase.evaluation.report import Cell, Measure, Plot, Section, Series, Table, bars
from countercase.registry import FACT_TYPES

_TYPE: Final[Callable[[Labelled], str]] = attrgetter("reading.fact_type")

LEVEL: Final = 0.05
"""The false discovery rate over the facts of all cases (Benjamini and Hochberg, JRSS B 57, 1995)."""

SHOWN: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)
"""The thresholds that the table shows; the plot has all of them."""


def counterfactual_section(
    results: Sequence[CaseResult], threshold: float, seed: int = 0
) -> Section:
    """Report what was measured of labelled cases, facts above the threshold being dispositive."""
    facts = [fact for result in results for fact in result.facts]
    types = [label for result in results for label in result.types]
    rhos = [stats.rank_correlation(*result.order) for result in results]
    points = labels.sweep(labels.values_of(facts, True), labels.values_of(facts, False))
    said = stats.share(it.dispositive for it in facts if it.reading.carries(threshold, nulls=True))
    measures = (
        measure("counterfactual.coverage", labels.coverage(facts)),
        *_accuracies("facts", facts, threshold),
        *_accuracies("facts.nulls", facts, threshold),
        measure("counterfactual.verdict.right", said, at=threshold),
        *_accuracies("types", types, threshold),
        *calibrated_measures(results),
        *_separations(facts, points),
        *_correlations(results, rhos, seed),
        *_validator(results),
    )
    shown = (point for point in points if point.threshold in {*SHOWN, threshold})
    tables = (
        _by_trait(facts, threshold, "fact type", _TYPE),
        verdict_table(facts, threshold),
        _unmeasured(facts),
        _by_trait(facts, threshold, "area", lambda it: it.case.area),
        _by_trait(facts, threshold, "design", lambda it: it.case.design),
        _by_trait(types, threshold, "fact type", _TYPE, "counterfactual.types"),
        table("counterfactual.sweep", shown),
        _operations(facts),
        _case_orders(results, rhos),
        _edits_judged(results),
        _misread(facts, threshold),
    )
    plots = (_curve(points, threshold), _sensitivities(results, facts, threshold))
    pairs = zip(results, rhos, strict=True)
    cases = [labels.case_details(result, rho, threshold) for result, rho in pairs]
    title = "Counterfactual: the facts that should matter and those that should not"
    details = {"threshold": threshold, "cases": cases}
    return Section("counterfactual", title, measures, tables, plots, details)


# Measures


def _accuracies(key: str, labelled: Sequence[Labelled], threshold: float) -> Iterator[Measure]:
    for label, name in LABELS.items():
        right = labels.accuracy(labelled, label, threshold, nulls=key.endswith("nulls"))
        words = {"label": name.replace("-", "_"), "Label": name.capitalize(), "at": threshold}
        yield measure(f"counterfactual.{{label}}.{key}", right, **words)


def calibrated_measures(results: Sequence[CaseResult]) -> Iterator[Measure]:
    """Return the accuracies of the calibrated criterion over all facts; none without the floor.

    An inconclusive fact is not called dispositive, so it is a miss where the label says that it is;
    so is a fact that was not measured, whatever its label.
    """
    said = [(fact.reading.calibrated, fact.dispositive) for it in results for fact in it.facts]
    if not any(verdict for verdict, _ in said):
        return
    for label, name in LABELS.items():
        right = stats.share(
            verdict and (verdict == "dispositive") == label for verdict, own in said if own == label
        )
        yield measure(f"counterfactual.{name.replace('-', '_')}.facts.calibrated", right)
    unsure = stats.share(verdict == "inconclusive" for verdict, _ in said)
    yield measure("counterfactual.inconclusive", unsure)
    agreed = stats.share(label for verdict, label in said if verdict == "dispositive")
    yield measure("counterfactual.verdict.right.calibrated", agreed)
    from scipy.stats import false_discovery_control

    p = [fact.p for result in results for fact in result.reading.facts if fact.p is not None]
    found = stats.share(q <= LEVEL for q in (false_discovery_control(p) if p else ()))
    yield measure("counterfactual.beyond_words", found, level=LEVEL)


def _separations(facts: Sequence[Labelled], points: Sequence[Point]) -> Iterator[Measure]:
    """Say how well any threshold at all, and salience alone, part the facts of both labels."""
    yield measure("counterfactual.auc", labels.separation(facts))
    for name, own in stats.group_by(facts, _TYPE).items():
        area = stats.Estimate(labels.separation(own).value, len(own))
        yield measure("counterfactual.auc.{type}", area, type=name)
    if best := labels.best_point(points):
        figure = stats.Estimate(best.balanced, labels.coverage(facts).count)
        yield measure("counterfactual.best_balanced", figure, at=best.threshold)
    high, low = (
        [it.reading.salience for it in facts if it.dispositive == label and it.reading.salience]
        for label in LABELS
    )
    salience = stats.Estimate(stats.area_under_curve(high, low), len(high) + len(low))
    yield measure("counterfactual.salience.auc", salience)


def _correlations(
    results: Sequence[CaseResult], rhos: Sequence[stats.Estimate], seed: int
) -> Iterator[Measure]:
    orders = [result.order for result in results]
    for key, within in (("pooled", False), ("within", True)):
        rho = stats.pooled_correlation(orders, seed, within)
        p = f" Permutation p = {rho.p:.4f}, two-sided, within cases." if rho.p is not None else ""
        yield measure(f"counterfactual.rho.{key}", rho, p=p)
    own = [rho.value for rho in rhos if rho.value is not None]
    few = sum(rho.n < stats.LEAST_PAIRS for rho in rhos)
    mean = stats.Estimate(_mean(own), len(own))
    yield measure("counterfactual.rho.mean", mean, few=few, tied=len(rhos) - len(own) - few)


def _validator(results: Sequence[CaseResult]) -> Iterator[Measure]:
    judged = [state for result in results for state in result.reading.judged]
    single = stats.share(state.accepted for state in judged if len(state.fact_types) == 1)
    beyond = sum(result.reading.proposed for result in results) - single.of
    yield measure("counterfactual.accept_rate", single, beyond=beyond)
    states = stats.share(state.accepted for state in judged)
    yield measure("counterfactual.accept_rate.states", states)


# Tables


def _by_trait(
    labelled: Sequence[Labelled],
    threshold: float,
    trait: str,
    group: Callable[[Labelled], str],
    key: str = "counterfactual.facts",
) -> Table:
    """Show both accuracies, what was not measured and the AUC, by a trait of the labels."""
    types = FACT_TYPES.names()
    members = stats.group_by(labelled, group)
    names = sorted(members, key=lambda key: (types.index(key) if key in types else -1, key))
    if len(names) > 1:
        members["all"] = list(labelled)
        names.append("all")
    rows = []
    for name in names:
        right, others = (labels.accuracy(members[name], label, threshold) for label in LABELS)
        measured, area = labels.coverage(members[name]), labels.separation(members[name]).value
        missing = measured.of - measured.count
        rows.append((name, right.of, right.value, others.of, others.value, missing, area))
    return table(key, rows, trait=trait, at=threshold)


def verdict_table(facts: Sequence[Labelled], threshold: float) -> Table:
    """Show for each criterion and verdict how many of the facts that got it agree with their label.

    An inconclusive fact is neither right nor wrong; its row says how many were dispositive.
    """
    words = {None: "", True: "dispositive", False: "not dispositive"}
    called = [
        ("threshold", words[it.reading.carries(threshold, nulls=True)], it.dispositive)
        for it in facts
    ]
    called += [("calibrated", it.reading.calibrated, it.dispositive) for it in facts]
    rows: list[tuple[Cell, ...]] = []
    for name, group in sorted(stats.group_by(called, lambda it: it[:2]).items(), reverse=True):
        right = stats.share(label != (name[1] == "not dispositive") for *_, label in group)
        if name[1]:
            rows.append((*name, right.count, right.of, *right.cells))
    return table("counterfactual.verdicts", rows)


def _unmeasured(facts: Sequence[Labelled]) -> Table:
    """Show why labelled facts have no sensitivity."""
    rows = []
    for why in get_args(Unmeasured):
        own = [fact for fact in facts if fact.reading.unmeasured == why]
        by_label = (sum(fact.dispositive == label for fact in own) for label in LABELS)
        by_type = (sum(_TYPE(fact) == name for fact in own) for name in FACT_TYPES.names())
        rows.append((why, *by_label, *by_type))
    return table("counterfactual.unmeasured", rows, FACT_TYPES.names())


def _operations(facts: Sequence[Labelled]) -> Table:
    """Show how far what-ifs of each operation moved the precedents, by the label of their fact."""
    moves = [(*move, fact.dispositive) for fact in facts for move in fact.reading.moves]
    rows = []
    for operation, own in sorted(stats.group_by(moves, lambda it: it[0]).items()):
        high, low = ([moved for _, moved, of in own if of == label] for label in LABELS)
        area = stats.area_under_curve(high, low)
        rows.append((operation, len(high), _mean(high), len(low), _mean(low), area))
    return table("counterfactual.operations", rows)


def _case_orders(results: Sequence[CaseResult], rhos: Sequence[stats.Estimate]) -> Table:
    """Show Spearman's rho of each case."""
    rows = []
    for result, rho in zip(results, rhos, strict=True):
        few, ties = rho.n < stats.LEAST_PAIRS, rho.value is None
        left_out = "fewer than 3 measured types" if few else "all ties" if ties else ""
        rows.append((result.case.case_id, rho.n, rho.value, rho.p, left_out))
    return table("counterfactual.orders", rows)


def _edits_judged(results: Sequence[CaseResult]) -> Table:
    """Show what the validator accepted and refused, by fact type of single edits, and all states."""
    judged = [state for result in results for state in result.reading.judged]
    single = [state for state in judged if len(state.fact_types) == 1]
    groups = {name: [it for it in single if name in it.fact_types] for name in FACT_TYPES.names()}
    groups["single edits"] = single
    groups["several edits"] = [state for state in judged if len(state.fact_types) > 1]
    rows = []
    for name, states in groups.items():
        said = stats.share(state.accepted for state in states)
        rows.append((name, said.of, said.count, said.of - said.count, said.value))
    return table("counterfactual.judged", rows)


def _misread(facts: Sequence[Labelled], threshold: float) -> Table:
    """Show the facts that were read against their label, the clearest first."""
    rows = [
        (it.case.case_id, read.fact_id, read.value, LABELS[it.dispositive], read.sensitivity,
         read.noise, len(read.moves))
        for it in facts
        if not it.correct(threshold) and (read := it.reading)
    ]  # fmt: skip
    rows.sort(key=lambda row: (-abs((row[4] or 0.0) - threshold), *row[:2]))
    return table("counterfactual.misread", rows)


# Plots


def _curve(points: Sequence[Point], threshold: float) -> Plot:
    """Plot both accuracies and their mean against the threshold."""
    series = []
    for at, name in enumerate(declared_tables()["counterfactual.sweep"].columns[1:], start=1):
        known = [(point.threshold, y) for point in points if (y := point[at]) is not None]
        series.append(Series(name, tuple(x for x, _ in known), tuple(y for _, y in known)))
    return Plot(
        "Accuracy against the threshold", "lines", "threshold (mean rank displacement)", "accuracy",
        tuple(series), note=f"The evaluation's own threshold is {threshold:g}.",
    )  # fmt: skip


def _sensitivities(
    results: Sequence[CaseResult], facts: Sequence[Labelled], threshold: float
) -> Plot:
    """Plot the mean sensitivity per fact type: of the facts of either label, and of null edits."""
    names = FACT_TYPES.names()
    moves: dict[str, list[tuple[str, float | None]]] = {
        "labelled dispositive": [(_TYPE(it), it.sensitivity) for it in facts if it.dispositive],
        "labelled not": [(_TYPE(it), it.sensitivity) for it in facts if not it.dispositive],
        "null edits": [null for result in results for null in result.reading.nulls],
    }

    def bar(own: Sequence[tuple[str, float | None]], fact_type: str) -> stats.Cells:
        values = [value for kind, value in own if kind == fact_type and value is not None]
        mean, low, high = stats.mean_estimate(values).cells
        return mean, mean if low is None else low, mean if high is None else high

    return bars(
        "Sensitivity per fact type", "fact type", "mean rank displacement", names,
        {name: [bar(own, kind) for kind in names] for name, own in moves.items()},
        f"A fact above {threshold:g} is read as dispositive.",
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
