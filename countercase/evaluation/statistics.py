"""Intervals, tests, correlations and areas under the curve, by scipy and scikit-learn.

What is not defined is None, never 0.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any, Final, Literal, TypeVar

RESAMPLES: Final = 10_000
"""Resamples of a bootstrap, and random sign assignments of a test that cannot count all."""

CASE_RESAMPLES: Final = 2_000
"""Resamples of the interval of a figure over the items of several cases."""
LEAST_PAIRS: Final = 3
"""Pairs that a rank correlation needs; of two, it is 1 or -1 by a coin."""

_BATCH: Final = 500
_DECIMALS: Final = 12
"""Statistics are rounded so before they are compared: two ways of adding up the same numbers tie."""

Interval = tuple[float, float] | tuple[None, None]
"""Both ends of a 95% interval; None twice where there is none."""
Cells = tuple[float | None, float | None, float | None]
Scored = tuple[bool, float] | tuple[bool, float, float]
"""Label and score of an item, and its length where that is asked for."""
_Name = TypeVar("_Name")
_Item = TypeVar("_Item")


def bootstrap_interval(
    values: Sequence[float],
    seed: int = 0,
    resamples: int = RESAMPLES,
    statistic: Callable[..., Any] | None = None,
) -> Interval:
    """Compute the 95% percentile bootstrap interval of a statistic, by `scipy.stats.bootstrap`.

    There is none for fewer than two values, or where no resample has the statistic.

    Args:
        values: numbers, or the positions of the items that `statistic` looks up.
        statistic: of one resample, an array; with a parameter `axis`, of many at once. NaN where
            it is not defined. The mean by default.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
    """
    if len(values) < 2:
        return None, None
    import numpy as np
    from scipy.stats import DegenerateDataWarning, bootstrap

    of_one = statistic or (lambda sample, axis: sample.mean(axis=axis))
    options: Any = {"method": "percentile", "rng": np.random.default_rng(seed), "batch": _BATCH}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)
        result: Any = bootstrap((np.asarray(values),), of_one, n_resamples=resamples, **options)
    # The percentiles are taken here: scipy's are NaN as soon as one resample's statistic is.
    defined = result.bootstrap_distribution[~np.isnan(result.bootstrap_distribution)]
    if not len(defined):
        return None, None
    outside = (1 - 0.95) / 2 * 100
    low, high = np.percentile(defined, (outside, 100 - outside))
    return float(low), float(high)


@dataclass(frozen=True)
class Estimate:
    """A figure over `n` items with its 95% interval; None where one of them is not defined.

    `count` is, of a share, how many items it counts; `p`, of a correlation, how often it is as far
    from 0 by chance, two-sided, by permutation.
    """

    value: float | None
    n: int = 0
    low: float | None = None
    high: float | None = None
    p: float | None = None
    count: int = 0

    @property
    def cells(self) -> Cells:
        """The figure and the ends of its interval, for three columns."""
        return self.value, self.low, self.high


def mean_of(values: Sequence[float]) -> float | None:
    """Take the mean of some values; None of none."""
    return math.fsum(values) / len(values) if values else None


def mean_estimate(values: Sequence[float], seed: int = 0) -> Estimate:
    """Take the mean of some values, with its bootstrap interval."""
    return Estimate(mean_of(values), len(values), *bootstrap_interval(values, seed))


@cache
def rate(count: int, n: int) -> Estimate:
    """Compute the share `count` of `n`, with its Wilson interval; not known where n is 0.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if not n:
        return Estimate(None)
    from scipy.stats import binomtest

    ends = binomtest(count, n).proportion_ci(confidence_level=0.95, method="wilson")
    return Estimate(count / n, n, float(ends.low), float(ends.high), count=count)


def share(verdicts: Iterable[object]) -> Estimate:
    """Compute the share of some verdicts that are true."""
    given = [bool(verdict) for verdict in verdicts]
    return rate(sum(given), len(given))


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Name]) -> dict[_Name, list[_Item]]:
    """Put items under their keys, in the order in which the keys come first."""
    groups: dict[_Name, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def randomisation_test(
    first: Sequence[float], second: Sequence[float], seed: int = 0, resamples: int = RESAMPLES
) -> float:
    """Compute the two-sided p of the paired randomisation test, by `scipy.stats.permutation_test`.

    If two systems were alike, each query's difference could as well have had the other sign. p is
    the share of all assignments of signs whose mean differs from 0 at least as much as the
    observed one: over all of them where there are no more than `resamples` (differences of 0 are
    left out), else over random ones, (1 + count) / (1 + resamples), so that p is never 0.

    Sources: Fisher, "The Design of Experiments", 1935; Smucker, Allan and Carterette, CIKM 2007;
    Phipson and Smyth, "Permutation p-values should never be zero", SAGMB 9(1), 2010.
    """
    import numpy as np

    leads = np.array([one - other for one, other in zip(first, second, strict=True)], np.float64)
    leads /= np.abs(leads).sum() or 1.0
    leads = leads[np.round(leads, _DECIMALS) != 0]
    return 1.0 if len(leads) < 2 else _permutation_p(leads, 1.0, "samples", seed, resamples)


def _permutation_p(
    sample: Any, weights: Any, kind: Literal["samples", "pairings"], seed: int, resamples: int
) -> float:
    """Count how often the weighted sum of a permuted sample is as far from 0 as that of the sample."""
    import numpy as np
    from scipy.stats import permutation_test

    result: Any = permutation_test(
        (sample,),
        lambda values, axis: np.round(np.abs((values * weights).sum(axis=axis)), _DECIMALS),
        permutation_type=kind,
        alternative="greater",
        n_resamples=resamples,
        batch=_BATCH,
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)


def rank_correlation(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Estimate:
    """Compute Spearman's rho, ties at the mean of their ranks, with p by `scipy.stats.permutation_test`.

    None for fewer than `LEAST_PAIRS` pairs, or where one side is all ties. p is the share of the
    pairings that are as far from 0, in either direction: of all of them where they are no more
    than `RESAMPLES`, else of that many random ones.
    """
    left, right = centre_ranks(first), centre_ranks(second)
    if len(first) < LEAST_PAIRS or (rho := cosine(left, right)) is None:
        return Estimate(None, len(first))
    return Estimate(rho, len(first), p=_permutation_p(left, right, "pairings", seed, RESAMPLES))


def centre_ranks(values: Any) -> Any:
    """Rank values, ties at the mean of their ranks, less the mean rank."""
    from scipy.stats import rankdata

    return rankdata(values) - (len(values) + 1) / 2


def cosine(first: Any, second: Any) -> float | None:
    """Return the cosine of two vectors; None where one has no length."""
    scale = math.sqrt((first**2).sum() * (second**2).sum())
    return float(first @ second) / scale if scale else None


def area_under_curve(items: Iterable[Scored]) -> float | None:
    """Return how often an item labelled true has the higher value of one that is not, ties half.

    The area under the ROC curve (Hanley and McNeil, Radiology 143, 1982), by scikit-learn; None
    where one label is missing.
    """
    rows = list(items)
    labels = [row[0] for row in rows]
    if len(set(labels)) < 2:
        return None
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels, [row[1] for row in rows]))


def estimate_over_cases(
    cases: Sequence[_Item], figure: Callable[[Sequence[_Item]], float | None], seed: int = 0
) -> Estimate:
    """Compute a figure of some cases, None where it is not defined, with an interval over cases.

    Items of one case are not independent, so cases are drawn (cluster bootstrap: Davison and Hinkley,
    "Bootstrap Methods and their Application", 1997, section 3.8).
    """

    def of_resample(chosen: Iterable[int]) -> float:
        value = figure([cases[int(at)] for at in chosen])
        return math.nan if value is None else value

    places = range(len(cases))
    value = figure(cases) if cases else None
    known = value is not None
    ends = bootstrap_interval(places, seed, CASE_RESAMPLES, of_resample) if known else ()
    return Estimate(value, len(cases), *ends)


Pairs = tuple[Sequence[float], Sequence[float]]
"""Both sides of one case, as long as each other."""


def pooled_correlation(
    cases: Sequence[Pairs], seed: int = 0, within: bool = False, times: int = 9_999
) -> Estimate:
    """Compute Spearman's rho over the pairs of all cases together, with an interval over cases.

    p permutes the second sides `times`, each within its own case; by hand, since scipy's permutation
    test permutes a sample as a whole.

    Args:
        within: rank the first sides case by case first, so that only the order inside each case
            counts and not how much a case moves altogether.
    """
    import numpy as np

    def ranks(chosen: Sequence[Pairs]) -> list[Any]:
        rows = [centre_ranks(row) if within else row for row, _ in chosen]
        return [centre_ranks(np.concatenate(side)) for side in (rows, [row for _, row in chosen])]

    count = sum(len(row) for row, _ in cases)
    if count < LEAST_PAIRS or cosine(*ranks(cases)) is None:
        return Estimate(None, count)
    first, second = ranks(cases)
    rng = np.random.default_rng(seed)
    ends = np.cumsum([len(row) for row, _ in cases])
    shuffled = np.hstack([
        rng.permuted(np.tile(row, (times, 1)), axis=1) for row in np.split(second, ends[:-1])
    ])  # fmt: skip
    reached = int((np.abs(shuffled @ first) >= abs(float(first @ second)) - 1e-9).sum())
    found = estimate_over_cases(cases, lambda chosen: cosine(*ranks(chosen)), seed)
    return replace(found, n=count, p=(reached + 1) / (times + 1))


def mean_auc(cases: Sequence[Sequence[Scored]], seed: int = 0) -> Estimate:
    """Take the mean over cases of the AUC within each; cases with one label only are left out."""
    areas = map(area_under_curve, cases)
    return mean_estimate([area for area in areas if area is not None], seed)


def pooled_auc(cases: Sequence[Sequence[Scored]], seed: int = 0) -> Estimate:
    """Compute the AUC over the items of all cases together."""
    return estimate_over_cases(cases, lambda own: area_under_curve(chain.from_iterable(own)), seed)


def partial_correlation(cases: Sequence[Sequence[Scored]], seed: int = 0) -> Estimate:
    """Correlate score and label with length z held fixed, on centred ranks within each case.

    Spearman's partial correlation: (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)).
    """
    import numpy as np

    rows = []
    for case in cases:
        labels, values, lengths = zip(*case, strict=True)
        if len(set(labels)) == 2:
            rows.append(np.array([centre_ranks(row) for row in (values, labels, lengths)]))

    def partial(chosen: Sequence[Any]) -> float | None:
        x, y, z = np.hstack(chosen)
        xy, xz, yz = cosine(x, y), cosine(x, z), cosine(y, z)
        if xy is None or xz is None or yz is None:
            return None
        rest = (1 - xz**2) * (1 - yz**2)
        return (xy - xz * yz) / math.sqrt(rest) if rest > 1e-12 else None

    return estimate_over_cases(rows, partial, seed)
