"""The pictures of the counterfactual evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from countercase.evaluation.counterfactual_eval import CaseResult
from countercase.evaluation.measure import Plot, Series
from countercase.evaluation.thresholds import Point
from countercase.facts.vocabulary import FACT_TYPES

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
