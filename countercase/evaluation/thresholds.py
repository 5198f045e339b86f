"""Where to draw the line: shares on either side of a threshold, the sweep over it, and the AUC.

The area under the ROC curve is the Mann-Whitney statistic: how often a value that should be high
is above one that should be low, ties counting half (Hanley and McNeil, Radiology 143, 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SWEEP: Final = tuple(step * 0.25 for step in range(1, 33))
"""Thresholds from .25 to 8, in mean rank displacement."""


@dataclass(frozen=True)
class Share:
    """So many of so many, with the 95% Wilson interval."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The Wilson score interval (Wilson, J. Am. Stat. Assoc. 22, 1927); None of nothing."""
        if not self.n:
            return None
        from scipy.stats import binomtest

        ends = binomtest(self.hits, self.n).proportion_ci(method="wilson")
        return float(ends.low), float(ends.high)


@dataclass(frozen=True)
class Point:
    """Both shares at one threshold.

    Attributes:
        high: share of what should be high that is above the threshold; None where there is none.
        low: share of what should be low that is not above it; None where there is none.
    """

    threshold: float
    high: float | None
    low: float | None

    @property
    def balanced(self) -> float | None:
        """The mean of both shares; .5 is what a coin gets."""
        return None if self.high is None or self.low is None else (self.high + self.low) / 2


def above(values: Sequence[float], threshold: float) -> Share:
    """How many values lie above the threshold; one that equals it does not."""
    return Share(sum(value > threshold for value in values), len(values))


def at_most(values: Sequence[float], threshold: float) -> Share:
    """How many values do not lie above the threshold."""
    return Share(sum(value <= threshold for value in values), len(values))


def sweep(
    high: Sequence[float], low: Sequence[float], thresholds: Sequence[float] = SWEEP
) -> tuple[Point, ...]:
    """Both shares at each of the thresholds.

    Args:
        high: values that should be above a good threshold.
        low: values that should not.
    """
    return tuple(
        Point(threshold, above(high, threshold).value, at_most(low, threshold).value)
        for threshold in thresholds
    )


def best_point(points: Sequence[Point]) -> Point | None:
    """The threshold with the best mean of both shares, the lowest of several such."""
    known = [point for point in points if point.balanced is not None]
    return max(known, key=lambda point: (point.balanced or 0.0, -point.threshold), default=None)


def area_under_curve(high: Sequence[float], low: Sequence[float]) -> float | None:
    """How often a value of `high` is above one of `low`, ties half; None where one is empty.

    1: some threshold parts them without error; .5: no better than chance.
    """
    if not high or not low:
        return None
    from scipy.stats import rankdata

    ranks = rankdata([*high, *low])
    first = float(ranks[: len(high)].sum()) - len(high) * (len(high) + 1) / 2
    return first / (len(high) * len(low))
