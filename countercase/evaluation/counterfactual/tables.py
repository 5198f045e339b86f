"""The tables and plots of the counterfactual evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeVar, get_args

from countercase.evaluation.counterfactual.importance import TypeOrder
from countercase.evaluation.counterfactual.readings import Unmeasured
from countercase.evaluation.counterfactual_eval import (
    CaseResult,
    LabelledFact,
    LabelledType,
    accuracy,
    values_of,
)
from countercase.evaluation.report import Bar, Plot, Series, Table, bars, mean_cells, table_of
from countercase.evaluation.statistics import Correlation, Point, Rate, area_under_curve
from countercase.registry import FACT_TYPES

SHOWN: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)
"""The thresholds that the table shows; the plot has all of them."""

_Labelled = TypeVar("_Labelled", LabelledFact, LabelledType)


def groups(
    title: str,
    column: str,
    labelled: Sequence[_Labelled],
    threshold: float,
    group: Callable[[_Labelled], str],
) -> Table:
    """Both accuracies, what was not measured and the AUC, by a trait of the labels."""
    members: dict[str, list[_Labelled]] = {}
    for label in labelled:
        members.setdefault(group(label), []).append(label)
    types = FACT_TYPES.names()
    names = sorted(members, key=lambda key: (types.index(key) if key in types else -1, key))
    if len(names) > 1:
        members["all"] = list(labelled)
        names.append("all")

    def right(name: str, dispositive: bool) -> Rate:
        return accuracy(members[name], dispositive, threshold)

    return table_of(
        title,
        names,
        {
            column: str,
            "dispositive": lambda name: right(name, True).of,
            "right": lambda name: right(name, True).value,
            "others": lambda name: right(name, False).of,
            "others right": lambda name: right(name, False).value,
            "not measured": lambda name: (
                len(members[name]) - right(name, True).of - right(name, False).of
            ),
            "AUC": lambda name: area_under_curve(
                values_of(members[name], True), values_of(members[name], False)
            ),
        },
        f"Counts of what was measured and shares read rightly at {threshold:g}.",
    )


def unmeasured(facts: Sequence[LabelledFact]) -> Table:
    """Why labelled facts have no sensitivity."""
    rows = []
    for why in get_args(Unmeasured):
        labels = [fact for fact in facts if fact.reading.unmeasured == why]
        dispositive = sum(fact.dispositive for fact in labels)
        counts = Counter(fact.reading.fact_type for fact in labels)
        by_type = (counts[name] for name in FACT_TYPES.names())
        rows.append((why, dispositive, len(labels) - dispositive, *by_type))
    return Table(
        "Facts that could not be measured",
        ("why", "dispositive", "non-dispositive", *FACT_TYPES.names()),
        tuple(rows),
        "They are in neither accuracy.",
    )


def rules(facts: Sequence[LabelledFact]) -> Table:
    """How far the edits of each rule moved the precedents, by the label of their fact.

    A rule that moves the facts of both labels alike says nothing about the law.
    """
    moves: dict[str, tuple[list[float], list[float]]] = {}
    for fact in facts:
        for move in fact.reading.moves:
            moves.setdefault(move.rule, ([], []))[not fact.dispositive].append(move.displacement)
    return table_of(
        "By rule of the edit",
        sorted(moves),
        {
            "rule": str,
            "dispositive": lambda rule: len(moves[rule][0]),
            "mean": lambda rule: _mean(moves[rule][0]),
            "others": lambda rule: len(moves[rule][1]),
            "mean of others": lambda rule: _mean(moves[rule][1]),
            "AUC": lambda rule: area_under_curve(*moves[rule]),
        },
        "Edges of labelled facts, and how far they moved the precedents on average.",
    )


def sweep_table(points: Sequence[Point], threshold: float) -> Table:
    """Both accuracies at some of the thresholds."""
    return table_of(
        "Sweep over thresholds",
        [point for point in points if point.threshold in {*SHOWN, threshold}],
        {
            "threshold": lambda point: point.threshold,
            "dispositive accuracy": lambda point: point.high,
            "non-dispositive accuracy": lambda point: point.low,
            "mean of both": lambda point: point.balanced,
        },
    )


def case_orders(orders: Sequence[TypeOrder], rhos: Sequence[Correlation]) -> Table:
    """Spearman's rho of each case."""

    def left_out(order: TypeOrder, rho: Correlation) -> str:
        if not order.enough:
            return "fewer than 3 measured types"
        return "all ties" if rho.rho is None else ""

    return table_of(
        "Sensitivity against importance, case by case",
        list(zip(orders, rhos, strict=True)),
        {
            "case": lambda row: row[0].case_id,
            "types": lambda row: row[1].n,
            "rho": lambda row: row[1].rho,
            "p": lambda row: row[1].p,
            "left out": lambda row: left_out(*row),
        },
        "p is exact over all orders of the ranks: of 4 types without ties at least .083.",
    )


def edits_judged(results: Sequence[CaseResult]) -> Table:
    """What the validator accepted and refused, by the fact type of single edits, and all states."""
    judged = [state for result in results for state in result.reading.judged]
    states = {
        name: [state for state in judged if state.fact_types == (name,)]
        for name in FACT_TYPES.names()
    }
    states["single edits"] = [state for state in judged if len(state.fact_types) == 1]
    states["several edits"] = [state for state in judged if len(state.fact_types) > 1]
    accepted = {
        name: Rate(sum(state.accepted for state in row), len(row)) for name, row in states.items()
    }
    return table_of(
        "What the validator said",
        list(states),
        {
            "edits": str,
            "judged": lambda name: accepted[name].of,
            "accepted": lambda name: accepted[name].count,
            "refused": lambda name: accepted[name].of - accepted[name].count,
            "accept rate": lambda name: accepted[name].value,
        },
    )


def misread(facts: Sequence[LabelledFact], threshold: float) -> Table:
    """The facts that were read against their label, the clearest first."""

    def miss(fact: LabelledFact) -> float:
        return abs((fact.sensitivity or 0.0) - threshold)

    return table_of(
        "Facts read against their label",
        sorted(
            (fact for fact in facts if fact.correct(threshold) is False),
            key=lambda fact: (-miss(fact), fact.case.case_id, fact.reading.fact_id),
        ),
        {
            "case": lambda fact: fact.case.case_id,
            "fact": lambda fact: fact.reading.fact_id,
            "value": lambda fact: fact.reading.value,
            "label": lambda fact: label_name(fact.dispositive),
            "sensitivity": lambda fact: fact.sensitivity,
            "null edits": lambda fact: fact.reading.noise,
            "edges": lambda fact: len(fact.reading.moves),
        },
        "The furthest from the threshold first; the best to look at when labels are revised.",
    )


def label_name(dispositive: bool) -> str:
    """A label as tables and files say it."""
    return "dispositive" if dispositive else "non-dispositive"


def curve(points: Sequence[Point], threshold: float) -> Plot:
    """Both accuracies and their mean against the threshold."""
    lines: dict[str, Callable[[Point], float | None]] = {
        "dispositive accuracy": lambda point: point.high,
        "non-dispositive accuracy": lambda point: point.low,
        "mean of both": lambda point: point.balanced,
    }
    series = []
    for name, height in lines.items():
        known = [(at.threshold, value) for at in points if (value := height(at)) is not None]
        series.append(Series(name, tuple(x for x, _ in known), tuple(y for _, y in known)))
    return Plot(
        "Accuracy against the threshold",
        "lines",
        "threshold (mean rank displacement)",
        "accuracy",
        tuple(series),
        note=f"The evaluation's own threshold is {threshold:g}.",
    )


def sensitivities(results: Sequence[CaseResult], threshold: float, seed: int = 0) -> Plot:
    """Mean sensitivity per fact type: of the facts of either label, and of null edits.

    A type of which a series has nothing is left out. Intervals are 95%, by resampling.
    """
    facts = [fact for result in results for fact in result.facts]
    moves: dict[str, list[tuple[str, float]]] = {
        name: [
            (fact.reading.fact_type, fact.sensitivity)
            for fact in facts
            if fact.dispositive == dispositive and fact.sensitivity is not None
        ]
        for name, dispositive in (("labelled dispositive", True), ("labelled not", False))
    }
    moves["null edits"] = [null for result in results for null in result.reading.nulls]

    def bar(of: Sequence[tuple[str, float]], fact_type: str) -> Bar | None:
        mean, low, high = mean_cells([value for name, value in of if name == fact_type], seed)
        if mean is None:
            return None
        return mean, (mean if low is None else low, mean if high is None else high)

    return bars(
        "Sensitivity per fact type",
        "fact type",
        "mean rank displacement",
        FACT_TYPES.names(),
        {
            name: [bar(of, fact_type) for fact_type in FACT_TYPES.names()]
            for name, of in moves.items()
        },
        f"A fact above {threshold:g} is read as dispositive.",
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
