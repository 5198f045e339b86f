"""Means over queries, as measures with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from countercase.evaluation.report import Measure
from countercase.evaluation.statistics import bootstrap_interval


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are known; None where there is none."""
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def mean_measure(
    key: str, title: str, values: Iterable[float | None], seed: int = 0, note: str = ""
) -> Measure:
    """The mean over queries with its 95% bootstrap interval; unknown values are left out."""
    known = [float(value) for value in values if value is not None]
    low, high = bootstrap_interval(known, seed) or (None, None)
    return Measure(key, title, mean(known), len(known), low, high, note=note)
