"""How well a score orders the items of each case, with intervals that resample cases.

Items of one case are not independent, so cases are drawn and not items (cluster bootstrap: Davison
and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from countercase.evaluation.statistics import (
    Estimate,
    area_under_curve,
    bootstrap_interval,
    mean_estimate,
)

RESAMPLES: Final = 2_000


@dataclass(frozen=True)
class Scores:
    """A score and a label of each item of one case, and its length in words."""

    labels: tuple[bool, ...]
    values: tuple[float, ...]
    length: tuple[float, ...] = ()

    @property
    def auc(self) -> float | None:
        """Share of the pairs (true, false) that the score orders rightly, ties half."""
        high, low = _split(self)
        return area_under_curve(high, low)


def mean_auc(cases: Sequence[Scores], seed: int = 0) -> Estimate:
    """The mean over cases of the AUC within each; cases with one label only are left out."""
    return mean_estimate([area for case in cases if (area := case.auc) is not None], seed)


def pooled_auc(cases: Sequence[Scores], seed: int = 0) -> Estimate:
    """The AUC over the items of all cases together."""

    def area(chosen: Sequence[Scores]) -> float | None:
        parts = [_split(case) for case in chosen]
        return area_under_curve([v for high, _ in parts for v in high],
                                [v for _, low in parts for v in low])  # fmt: skip

    return _estimate(cases, area, seed)


def partial_correlation(cases: Sequence[Scores], seed: int = 0) -> Estimate:
    """Correlation of score and label with length held fixed, on ranks within each case, -1 to 1.

    Spearman's partial correlation: ranks within the case, centred, and then
    (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)), z being the length.
    """
    import numpy as np
    from scipy.stats import rankdata

    rows = [
        np.array([rankdata(row) - (len(row) + 1) / 2 for row in (it.values, it.labels, it.length)])
        for it in cases
        if len(set(it.labels)) == 2
    ]
    return _estimate(rows, lambda chosen: _partial(np.hstack(chosen)), seed)


def _partial(ranks: Any) -> float | None:
    products = ranks @ ranks.T
    scale = [math.sqrt(products[at][at]) for at in range(3)]
    if not all(scale):
        return None
    xy, xz, yz = (products[a][b] / (scale[a] * scale[b]) for a, b in ((0, 1), (0, 2), (1, 2)))
    rest = (1 - xz**2) * (1 - yz**2)
    return float((xy - xz * yz) / math.sqrt(rest)) if rest > 1e-12 else None


def _estimate(items: Sequence[Any], figure: Callable[[Any], float | None], seed: int) -> Estimate:
    value = figure(items) if items else None
    if value is None:
        return Estimate(None, len(items))

    def resampled(chosen: Iterable[int]) -> float:
        again = figure([items[int(at)] for at in chosen])
        return math.nan if again is None else again

    interval = bootstrap_interval(range(len(items)), seed, resamples=RESAMPLES, statistic=resampled)
    return Estimate(value, len(items), *(interval or (None, None)))


def _split(case: Scores) -> tuple[list[float], list[float]]:
    pairs = list(zip(case.labels, case.values, strict=True))
    return [v for label, v in pairs if label], [v for label, v in pairs if not label]
