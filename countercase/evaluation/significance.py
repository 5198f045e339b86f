"""How sure a difference is: paired randomisation test, Holm's correction, bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

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
