"""The tables and pictures of the counterfactual evaluation.

The tables of the counterfactual evaluation.

The pictures of the counterfactual evaluation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeVar, get_args

import numpy as np

from countercase.evaluation.counterfactual.importance import Rho, TypeOrder
from countercase.evaluation.counterfactual.readings import Unmeasured
from countercase.evaluation.counterfactual_eval import (
    CaseResult,
    LabelledFact,
    LabelledType,
    accuracy,
    values_of,
)
from countercase.evaluation.report import Cell, Plot, Series, Table
from countercase.evaluation.statistics import Point, area_under_curve
from countercase.facts.vocabulary import FACT_TYPES

SHOWN: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)


"""The thresholds that the table shows; the plot has all of them."""


_One = TypeVar("_One", LabelledFact, LabelledType)


def groups(
    title: str,
    column: str,
    labelled: Sequence[_One],
    threshold: float,
    group: Callable[[_One], str],
) -> Table:
    """Both accuracies, what was not measured and the AUC, by a trait of the labels."""
    found: dict[str, list[_One]] = {}
    for one in labelled:
        found.setdefault(group(one), []).append(one)
    kinds = [str(kind) for kind in FACT_TYPES]
    names = sorted(found, key=lambda key: (kinds.index(key) if key in kinds else -1, key))
    rows = [_group(key, found[key], threshold) for key in names]
    if len(rows) > 1:
        rows.append(_group("all", labelled, threshold))
    return Table(
        title,
        (column, "dispositive", "right", "others", "others right", "not measured", "AUC"),
        tuple(rows),
        note=f"Counts of what was measured and shares read rightly at {threshold:g}.",
    )


def _group(key: str, members: Sequence[_One], threshold: float) -> tuple[Cell, ...]:
    high = accuracy(members, True, threshold)
    low = accuracy(members, False, threshold)
    area = area_under_curve(values_of(members, True), values_of(members, False))
    missing = len(members) - high.of - low.of
    return (key, high.of, high.value, low.of, low.value, missing, area)


def unmeasured(facts: Sequence[LabelledFact]) -> Table:
    """Why labelled facts have no sensitivity."""
    rows: list[tuple[Cell, ...]] = []
    for why in get_args(Unmeasured):
        of = [fact for fact in facts if fact.reading.unmeasured == why]
        counts = Counter(fact.reading.fact_type for fact in of)
        rows.append(
            (
                why,
                sum(fact.dispositive for fact in of),
                sum(not fact.dispositive for fact in of),
                *(counts[kind] for kind in FACT_TYPES),
            )
        )
    return Table(
        "Facts that could not be measured",
        ("why", "dispositive", "non-dispositive", *FACT_TYPES),
        tuple(rows),
        note="They are in neither accuracy.",
    )


def rules(facts: Sequence[LabelledFact]) -> Table:
    """How far the edits of each rule moved the precedents, by the label of their fact.

    A rule that moves the facts of both labels alike says nothing about the law.
    """
    found: dict[str, tuple[list[float], list[float]]] = {}
    for fact in facts:
        for move in fact.reading.moves:
            found.setdefault(move.rule, ([], []))[not fact.dispositive].append(move.displacement)
    return Table(
        "By rule of the edit",
        ("rule", "dispositive", "mean", "others", "mean of others", "AUC"),
        tuple(
            (rule, len(high), _mean(high), len(low), _mean(low), area_under_curve(high, low))
            for rule, (high, low) in sorted(found.items())
        ),
        note="Edges of labelled facts, and how far they moved the precedents on average.",
    )


def sweep_table(points: Sequence[Point], threshold: float) -> Table:
    """Both accuracies at some of the thresholds."""
    shown = [point for point in points if point.threshold in {*SHOWN, threshold}]
    return Table(
        "Sweep over thresholds",
        ("threshold", "dispositive accuracy", "non-dispositive accuracy", "mean of both"),
        tuple((point.threshold, point.high, point.low, point.balanced) for point in shown),
    )


def case_orders(orders: Sequence[TypeOrder], rhos: Sequence[Rho]) -> Table:
    """Spearman's rho of each case."""
    rows: list[tuple[Cell, ...]] = []
    for order, rho in zip(orders, rhos, strict=True):
        why = "" if order.enough else "fewer than 3 measured types"
        if order.enough and rho.value is None:
            why = "all ties"
        rows.append((order.case_id, rho.n, rho.value, rho.p, why))
    return Table(
        "Sensitivity against importance, case by case",
        ("case", "types", "rho", "p", "left out"),
        tuple(rows),
        note="p is exact over all orders of the ranks: of 4 types without ties at least .083.",
    )


def edits_judged(results: Sequence[CaseResult]) -> Table:
    """What the validator accepted and refused, by the fact type of single edits, and all states."""
    judged = [state for one in results for state in one.reading.judged]
    rows: list[tuple[Cell, ...]] = []
    for name, states in (
        *((kind, [s for s in judged if s.fact_types == (kind,)]) for kind in FACT_TYPES),
        ("single edits", [s for s in judged if len(s.fact_types) == 1]),
        ("several edits", [s for s in judged if len(s.fact_types) > 1]),
    ):
        accepted = sum(state.accepted for state in states)
        share = accepted / len(states) if states else None
        rows.append((name, len(states), accepted, len(states) - accepted, share))
    return Table(
        "What the validator said",
        ("edits", "judged", "accepted", "refused", "accept rate"),
        tuple(rows),
    )


def misread(facts: Sequence[LabelledFact], threshold: float) -> Table:
    """The facts that were read against their label, the clearest first."""

    def miss(fact: LabelledFact) -> float:
        return abs((fact.reading.sensitivity or 0.0) - threshold)

    wrong = sorted(
        (fact for fact in facts if fact.correct(threshold) is False),
        key=lambda fact: (-miss(fact), fact.case.case_id, fact.reading.fact_id),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            fact.case.case_id,
            fact.reading.fact_id,
            fact.reading.value,
            "dispositive" if fact.dispositive else "non-dispositive",
            fact.reading.sensitivity,
            fact.reading.noise,
            len(fact.reading.moves),
        )
        for fact in wrong
    ]
    return Table(
        "Facts read against their label",
        ("case", "fact", "value", "label", "sensitivity", "null edits", "edges"),
        tuple(rows),
        note="The furthest from the threshold first; the best to look at when labels are revised.",
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


_RESAMPLES: Final = 2_000


def curve(points: Sequence[Point], threshold: float) -> Plot:
    """Both accuracies and their mean against the threshold."""
    series = []
    for name, values in (
        ("dispositive accuracy", [point.high for point in points]),
        ("non-dispositive accuracy", [point.low for point in points]),
        ("mean of both", [point.balanced for point in points]),
    ):
        known = [
            (point.threshold, value)
            for point, value in zip(points, values, strict=True)
            if value is not None
        ]
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

    Each series gives `x` as the place of its fact type among the labels, and leaves out a type
    of which it has nothing. Intervals are 95%, by resampling.
    """
    facts = [fact.reading for one in results for fact in one.facts]
    labels = [fact.dispositive for one in results for fact in one.facts]
    groups: list[tuple[str, list[tuple[str, float]]]] = [
        (
            name,
            [
                (fact.fact_type, fact.sensitivity)
                for fact, label in zip(facts, labels, strict=True)
                if label == dispositive and fact.sensitivity is not None
            ],
        )
        for name, dispositive in (("labelled dispositive", True), ("labelled not", False))
    ]
    groups.append(("null edits", [move for one in results for move in one.reading.nulls]))
    return Plot(
        "Sensitivity per fact type",
        "bars",
        "fact type",
        "mean rank displacement",
        tuple(_bars(name, moves, seed) for name, moves in groups),
        labels=FACT_TYPES,
        note=f"A fact above {threshold:g} is read as dispositive.",
    )


def _bars(name: str, moves: Sequence[tuple[str, float]], seed: int) -> Series:
    rng = np.random.default_rng(seed)
    places, means, lows, highs = [], [], [], []
    for place, kind in enumerate(FACT_TYPES):
        values = np.asarray([value for of, value in moves if of == kind], dtype=np.float64)
        if not len(values):
            continue
        drawn = values[rng.integers(len(values), size=(_RESAMPLES, len(values)))].mean(axis=1)
        low, high = np.percentile(drawn, (2.5, 97.5))
        places.append(float(place))
        means.append(float(values.mean()))
        lows.append(float(low))
        highs.append(float(high))
    return Series(name, tuple(places), tuple(means), tuple(lows), tuple(highs))
