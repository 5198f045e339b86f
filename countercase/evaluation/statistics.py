"""Intervals, tests, thresholds and areas under the curve.

How sure a difference is: paired randomisation test, Holm's correction, bootstrap intervals.

Where to draw the line: shares on either side of a threshold, the sweep over it, and the AUC.

The area under the ROC curve is the Mann-Whitney statistic: how often a value that should be high
is above one that should be low, ties counting half (Hanley and McNeil, Radiology 143, 1982).

A rate with the interval that its sample leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

EXACT_UP_TO: Final = 12


"""With so many differences other than 0, all 2^n assignments of signs are counted."""


RESAMPLES: Final = 10_000


"""Assignments or resamples drawn where not all are counted."""


_ROWS_AT_ONCE: Final = 500


_NEARLY: Final = 1e-12


_Name = TypeVar("_Name")


def randomisation_test(
    first: Sequence[float], second: Sequence[float], seed: int = 0, resamples: int = RESAMPLES
) -> float:
    """Two-sided p of the paired randomisation test on the mean difference.

    If two systems were alike, each query's difference could as well have had the other sign. p is
    the share of all assignments of signs whose mean differs from 0 at least as much as the one
    observed: counted over all of them up to `EXACT_UP_TO` differences other than 0 (those of 0
    change nothing), else over `resamples` drawn ones with the observed one counted in,
    (1 + count) / (1 + resamples), so that p is never 0.

    Sources: Fisher, "The Design of Experiments", 1935; Smucker, Allan and Carterette, "A
    comparison of statistical significance tests for information retrieval evaluation", CIKM 2007;
    Phipson and Smyth, "Permutation p-values should never be zero", Stat. Appl. Genet. Mol. Biol.
    9(1), 2010.

    Raises:
        ValueError: the sequences differ in length or are empty.
    """
    import numpy as np

    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if not len(differences):
        raise ValueError("nothing to compare")
    spread = float(np.abs(differences).sum())
    differences = differences[np.abs(differences) > _NEARLY * max(spread, 1.0)]
    count = len(differences)
    if not count:
        return 1.0
    bound = abs(float(differences.sum())) - _NEARLY * spread
    if count <= EXACT_UP_TO:
        bits = np.arange(2**count)[:, np.newaxis] >> np.arange(count) & 1
        return float((np.abs((1.0 - 2.0 * bits) @ differences) >= bound).mean())
    draw = np.random.default_rng(seed)
    extreme = 0
    for start in range(0, resamples, _ROWS_AT_ONCE):
        rows = min(_ROWS_AT_ONCE, resamples - start)
        signs = 1.0 - 2.0 * draw.integers(0, 2, size=(rows, count), dtype=np.int8)
        extreme += int((np.abs(signs @ differences) >= bound).sum())
    return (1 + extreme) / (1 + resamples)


def holm(p_values: Mapping[_Name, float]) -> dict[_Name, float]:
    """p-values of one family adjusted by Holm's step-down method, in the order given.

    The smallest of m is multiplied by m, the next by m − 1, and so on; none is smaller than the
    one before it or greater than 1. Rejecting where the adjusted p is at most α keeps the chance
    of any false rejection in the family at α, whatever the dependence.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6(2), 1979.
    """
    adjusted: dict[_Name, float] = {}
    least = 0.0
    for place, name in enumerate(sorted(p_values, key=lambda one: p_values[one])):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[name]))
        adjusted[name] = least
    return {name: adjusted[name] for name in p_values}


def bootstrap_interval(
    values: Sequence[float], seed: int = 0, level: float = 0.95, resamples: int = RESAMPLES
) -> tuple[float, float] | None:
    """Percentile interval of the mean over queries drawn again with replacement.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.

    Returns:
        Its ends, or None for fewer than two values: one query says nothing of others.
    """
    import numpy as np

    if len(values) < 2:
        return None
    given = np.asarray(values, dtype=np.float64)
    draw = np.random.default_rng(seed)
    means = [
        given[draw.integers(0, len(given), size=(rows, len(given)))].mean(axis=1)
        for start in range(0, resamples, _ROWS_AT_ONCE)
        for rows in (min(_ROWS_AT_ONCE, resamples - start),)
    ]
    outside = (1 - level) / 2 * 100
    low, high = np.percentile(np.concatenate(means), (outside, 100 - outside))
    return float(low), float(high)


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


Z95: Final = 1.959963984540054


"""The standard normal quantile of a two-sided 95% interval."""


@dataclass(frozen=True)
class Rate:
    """`count` of `of`, with its Wilson 95% interval; all three None where `of` is 0.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212.
    """

    count: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.of:
            raise ValueError(f"not a rate: {self.count} of {self.of}")

    @property
    def value(self) -> float | None:
        """The share, 0 to 1."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The lower and the upper end, each 0 to 1."""
        if not self.of:
            return None
        share, spread = self.count / self.of, Z95 * Z95 / self.of
        middle = share + spread / 2
        half = Z95 * math.sqrt(share * (1 - share) / self.of + spread / (4 * self.of))
        low = 0.0 if self.count == 0 else (middle - half) / (1 + spread)
        high = 1.0 if self.count == self.of else (middle + half) / (1 + spread)
        return low, high

    def to_dict(self) -> dict[str, Any]:
        """As JSON: `count`, `of`, `rate`, `low`, `high`."""
        low, high = self.interval or (None, None)
        return {"count": self.count, "of": self.of, "rate": self.value, "low": low, "high": high}
