"""The counterfactual evaluation as measures, tables and plots.

Spearman's rho says whether the sensitivities of the fact types agree with the importance that
people gave them; its p comes from permuting the ranks within each case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, get_args

from countercase.evaluation import statistics as stats
from countercase.evaluation.counterfactual import labels
from countercase.evaluation.counterfactual.labels import CaseResult, Labelled
from countercase.evaluation.report import Cell, Plot, Section, Series, declared_tables
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
    title = "Counterfactual: the facts that should matter and those that should not"
    found, facts = Section("counterfactual", title), [it for case in results for it in case.facts]
    rhos = [stats.rank_correlation(*result.order) for result in results]
    _add_accuracies(found, results, facts, threshold)
    add_calibrated_measures(found, results)
    _add_separations(found, facts, threshold)
    _add_correlations(found, results, rhos, seed)
    judged = [state for result in results for state in result.reading.judged]
    single = [state for state in judged if len(state.fact_types) == 1]
    beyond = sum(result.reading.proposed for result in results) - len(single)
    groups = {name: [it for it in single if name in it.fact_types] for name in FACT_TYPES.names()}
    groups["single edits"] = single
    groups["several edits"] = [state for state in judged if len(state.fact_types) > 1]
    rates = {name: stats.share(it.accepted for it in states) for name, states in groups.items()}
    accepted = stats.share(state.accepted for state in judged)
    found.add_measure("counterfactual.accept_rate", rates["single edits"], beyond=beyond)
    found.add_measure("counterfactual.accept_rate.states", accepted)
    rows = ((name, it.n, it.count, it.n - it.count, it.value) for name, it in rates.items())
    found.add_table("counterfactual.judged", rows)
    misread = [
        (it.case.case_id, read.fact_id, read.value, labels.LABELS[it.dispositive], read.sensitivity,
         read.noise, len(read.moves))
        for it in facts
        if not it.correct(threshold) and (read := it.reading)
    ]  # fmt: skip
    misread.sort(key=lambda row: (-abs((row[4] or 0.0) - threshold), *row[:2]))
    found.add_table("counterfactual.misread", misread)
    moves: dict[str, list[tuple[str, float | None]]] = {
        "labelled dispositive": [(_TYPE(it), it.sensitivity) for it in facts if it.dispositive],
        "labelled not": [(_TYPE(it), it.sensitivity) for it in facts if not it.dispositive],
        "null edits": [null for result in results for null in result.reading.nulls],
    }

    def bar(own: Sequence[tuple[str, float | None]], fact_type: str) -> stats.Cells:
        values = [value for kind, value in own if kind == fact_type and value is not None]
        mean, low, high = stats.mean_estimate(values).cells
        return mean, mean if low is None else low, mean if high is None else high

    names = FACT_TYPES.names()
    found.add_bars(
        "Sensitivity per fact type", "fact type", "mean rank displacement", names,
        {name: [bar(own, kind) for kind in names] for name, own in moves.items()},
        f"A fact above {threshold:g} is read as dispositive.",
    )  # fmt: skip
    cases = zip(results, rhos, strict=True)
    details = [_case_details(result, rho, threshold) for result, rho in cases]
    found.details = {"threshold": threshold, "cases": details}
    return found


def _add_accuracies(
    found: Section, results: Sequence[CaseResult], facts: Sequence[Labelled], threshold: float
) -> None:
    """Show what was measured, how often it agrees with the labels, and why the rest was not."""
    types = [label for result in results for label in result.types]
    said = stats.share(it.dispositive for it in facts if it.reading.carries(threshold, nulls=True))
    found.add_measure("counterfactual.coverage", labels.coverage(facts))
    for key, labelled in (("facts", facts), ("facts.nulls", facts), ("types", types)):
        if key == "types":
            found.add_measure("counterfactual.verdict.right", said, at=threshold)
        for label, name in labels.LABELS.items():
            right = labels.accuracy(labelled, label, threshold, nulls=key == "facts.nulls")
            words = {"label": name.replace("-", "_"), "Label": name.capitalize(), "at": threshold}
            found.add_measure(f"counterfactual.{{label}}.{key}", right, **words)
    _add_traits(found, facts, threshold, "fact type", _TYPE)
    add_verdict_table(found, facts, threshold)
    rows = []
    for why in get_args(labels.Unmeasured):
        own = [fact for fact in facts if fact.reading.unmeasured == why]
        by_label = (sum(fact.dispositive == label for fact in own) for label in labels.LABELS)
        by_type = (sum(_TYPE(fact) == name for fact in own) for name in FACT_TYPES.names())
        rows.append((why, *by_label, *by_type))
    found.add_table("counterfactual.unmeasured", rows, FACT_TYPES.names())
    _add_traits(found, facts, threshold, "area", lambda it: it.case.area)
    _add_traits(found, facts, threshold, "design", lambda it: it.case.design)
    _add_traits(found, types, threshold, "fact type", _TYPE, "counterfactual.types")


def _add_traits(
    found: Section,
    labelled: Sequence[Labelled],
    threshold: float,
    trait: str,
    group: Callable[[Labelled], str],
    key: str = "counterfactual.facts",
) -> None:
    """Show both accuracies, what was not measured and the AUC, by a trait of the labels."""
    types = FACT_TYPES.names()
    members = stats.group_by(labelled, group)
    names = sorted(members, key=lambda key: (types.index(key) if key in types else -1, key))
    if len(names) > 1:
        members["all"] = list(labelled)
        names.append("all")
    rows = []
    for name in names:
        right, others = (
            labels.accuracy(members[name], label, threshold) for label in labels.LABELS
        )
        measured, area = labels.coverage(members[name]), labels.separation(members[name]).value
        missing = measured.n - measured.count
        rows.append((name, right.n, right.value, others.n, others.value, missing, area))
    found.add_table(key, rows, trait=trait, at=threshold)


def add_verdict_table(found: Section, facts: Sequence[Labelled], threshold: float) -> None:
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
            rows.append((*name, right.count, right.n, *right.cells))
    found.add_table("counterfactual.verdicts", rows)


def add_calibrated_measures(found: Section, results: Sequence[CaseResult]) -> None:
    """Add the accuracies of the calibrated criterion over all facts; none without the floor.

    An inconclusive fact is not called dispositive; a fact that was not measured is wrong.
    """
    said = [(fact.reading.calibrated, fact.dispositive) for it in results for fact in it.facts]
    if not any(verdict for verdict, _ in said):
        return
    from scipy.stats import false_discovery_control

    p = [fact.p for result in results for fact in result.reading.facts if fact.p is not None]
    counts: dict[str, Sequence[object]] = {
        f"{name.replace('-', '_')}.facts.calibrated": [
            verdict and (verdict == "dispositive") == label for verdict, own in said if own == label
        ]
        for label, name in labels.LABELS.items()
    }
    counts |= {
        "inconclusive": [verdict == "inconclusive" for verdict, _ in said],
        "verdict.right.calibrated": [own for verdict, own in said if verdict == "dispositive"],
        "beyond_words": [q <= LEVEL for q in (false_discovery_control(p) if p else ())],
    }
    for key, counted in counts.items():
        found.add_measure(f"counterfactual.{key}", stats.share(counted), level=LEVEL)


def _add_separations(found: Section, facts: Sequence[Labelled], threshold: float) -> None:
    """Say how well any threshold at all, each operation, and salience alone part both labels."""
    known = [(it.dispositive, it.sensitivity) for it in facts if it.sensitivity is not None]
    points = labels.sweep(*([moved for of, moved in known if of == it] for it in labels.LABELS))
    found.add_measure("counterfactual.auc", labels.separation(facts))
    for name, own in stats.group_by(facts, _TYPE).items():
        area = stats.Estimate(labels.separation(own).value, len(own))
        found.add_measure("counterfactual.auc.{type}", area, type=name)
    if balanced := {it.threshold: it.balanced for it in points if it.balanced is not None}:
        best = max(balanced, key=balanced.__getitem__)  # the lowest threshold of several
        figure = stats.Estimate(balanced[best], len(known))
        found.add_measure("counterfactual.best_balanced", figure, at=best)
    weighed = [(it.dispositive, value) for it in facts if (value := it.reading.salience)]
    salience = stats.Estimate(stats.area_under_curve(weighed), len(weighed))
    found.add_measure("counterfactual.salience.auc", salience)
    shown = (point for point in points if point.threshold in {*SHOWN, threshold})
    found.add_table("counterfactual.sweep", shown)
    series = []
    for at, name in enumerate(declared_tables()["counterfactual.sweep"].columns[1:], start=1):
        drawn = [(point.threshold, y) for point in points if (y := point[at]) is not None]
        series.append(Series(name, tuple(x for x, _ in drawn), tuple(y for _, y in drawn)))
    found.plots.append(Plot(
        "Accuracy against the threshold", "lines", "threshold (mean rank displacement)", "accuracy",
        tuple(series), note=f"The evaluation's own threshold is {threshold:g}.",
    ))  # fmt: skip
    moves = [(*move, fact.dispositive) for fact in facts for move in fact.reading.moves]
    rows = []
    for operation, listed in sorted(stats.group_by(moves, lambda it: it[0]).items()):
        high, low = ([moved for _, moved, of in listed if of == label] for label in labels.LABELS)
        parted = stats.area_under_curve((of, moved) for _, moved, of in listed)
        means = stats.mean_of(high), stats.mean_of(low)
        rows.append((operation, len(high), means[0], len(low), means[1], parted))
    found.add_table("counterfactual.operations", rows)


def _add_correlations(
    found: Section, results: Sequence[CaseResult], rhos: Sequence[stats.Estimate], seed: int
) -> None:
    """Show how sensitivity and importance of the fact types agree, over all and case by case."""
    orders = [result.order for result in results]
    for key, within in (("pooled", False), ("within", True)):
        rho = stats.pooled_correlation(orders, seed, within)
        p = f" Permutation p = {rho.p:.4f}, two-sided, within cases." if rho.p is not None else ""
        found.add_measure(f"counterfactual.rho.{key}", rho, p=p)
    rows = []
    for result, rho in zip(results, rhos, strict=True):
        few, ties = rho.n < stats.LEAST_PAIRS, rho.value is None
        left_out = "fewer than 3 measured types" if few else "all ties" if ties else ""
        rows.append((result.case.case_id, rho.n, rho.value, rho.p, left_out))
    own = [rho.value for rho in rhos if rho.value is not None]
    tied = sum(left_out == "all ties" for *_, left_out in rows)
    words = {"few": len(rhos) - len(own) - tied, "tied": tied}
    mean = stats.Estimate(stats.mean_of(own), len(own))
    found.add_measure("counterfactual.rho.mean", mean, **words)
    found.add_table("counterfactual.orders", rows)


def _case_details(result: CaseResult, rho: stats.Estimate, threshold: float) -> dict[str, Any]:
    case, reading = result.case, result.reading

    def row(label: Labelled) -> dict[str, Any]:
        read = label.reading
        return {
            "fact_id": read.fact_id,
            "fact_type": read.fact_type,
            "value": read.value,
            "label": labels.LABELS[label.dispositive],
            "sensitivity": read.sensitivity,
            "noise": read.noise,
            "verdict": read.calibrated or None,
            "p": read.p,
            "edges": len(read.moves),
            "unmeasured": read.unmeasured,
            "correct": label.correct(threshold),
            "correct_beyond_nulls": label.correct(threshold, nulls=True),
        }

    of_type = ("fact_type", "label", "sensitivity", "correct")
    refused = [state for state in reading.judged if not state.accepted]
    return {
        "case_id": case.case_id,
        "area": case.area,
        "design": case.design,
        "facts": list(map(row, result.facts)),
        "types": [{key: row(it)[key] for key in of_type} for it in result.types],
        "sensitivity": reading.sensitivity,
        "importance": dict(case.expert_importance_ranking),
        "rho": rho.value,
        "rho_p": rho.p,
        "accepted": len(reading.judged) - len(refused),
        "refused": [{"fact_types": list(it.fact_types), "reason": it.reason} for it in refused],
    }
