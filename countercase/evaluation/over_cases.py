"""Figures over the items of several cases, with intervals that resample cases.

Items of one case are not independent, so cases are drawn and not items (cluster bootstrap: Davison
and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from countercase.counterfactual.null_floor import holm
from countercase.evaluation.statistics import (
    LEAST_PAIRS,
    Estimate,
    area_under_curve,
    bootstrap_interval,
    centre_ranks,
    cosine,
    mean_estimate,
    randomisation_test,
)

RESAMPLES: Final = 2_000
PERMUTATIONS: Final = 9_999
_SLACK: Final = 1e-9
_TIE: Final = 1e-12
_Item = TypeVar("_Item")


def estimate_over_cases(
    cases: Sequence[_Item], figure: Callable[[Sequence[_Item]], float | None], seed: int = 0
) -> Estimate:
    """Compute a figure of some cases, None where it is not defined, with an interval over cases."""
    value = figure(cases) if cases else None
    if value is None:
        return Estimate(None, len(cases))

    def of_resample(chosen: Iterable[int]) -> float:
        again = figure([cases[int(at)] for at in chosen])
        return math.nan if again is None else again

    places = range(len(cases))
    interval = bootstrap_interval(places, seed, resamples=RESAMPLES, statistic=of_resample)
    return Estimate(value, len(cases), *(interval or (None, None)))


Pairs = tuple[Sequence[float], Sequence[float]]
"""Both sides of one case, as long as each other."""


def pooled_correlation(
    cases: Sequence[Pairs], seed: int = 0, within: bool = False, times: int = PERMUTATIONS
) -> Estimate:
    """Compute Spearman's rho over the pairs of all cases together, with an interval over cases.

    Args:
        within: rank the first sides case by case first, so that only the order inside each case
            counts and not how much a case moves altogether.
        times: permutations of the second sides, each within its own case; by hand, since scipy's
            permutation test permutes a sample as a whole.
    """
    import numpy as np

    def ranks(chosen: Sequence[Pairs]) -> list[Any]:
        rows = [centre_ranks(row) if within else row for row, _ in chosen]
        return [centre_ranks(np.concatenate(side)) for side in (rows, [row for _, row in chosen])]

    count = sum(len(row) for row, _ in cases)
    if count < LEAST_PAIRS or (rho := cosine(*ranks(cases))) is None:
        return Estimate(None, count)
    first, second = ranks(cases)
    rng = np.random.default_rng(seed)
    ends = np.cumsum([len(row) for row, _ in cases])
    shuffled = np.hstack([
        rng.permuted(np.tile(row, (times, 1)), axis=1) for row in np.split(second, ends[:-1])
    ])  # fmt: skip
    reached = int((np.abs(shuffled @ first) >= abs(float(first @ second)) - _SLACK).sum())
    found = estimate_over_cases(cases, lambda chosen: cosine(*ranks(chosen)), seed)
    return replace(found, value=rho, n=count, p=(reached + 1) / (times + 1))


@dataclass(frozen=True)
class Scores:
    """A score and a label of each item of one case, and its length in words."""

    labels: tuple[bool, ...]
    values: tuple[float, ...]
    length: tuple[float, ...] = ()

    def with_label(self, label: bool) -> list[float]:
        """Return the scores of the items with this label."""
        return [v for own, v in zip(self.labels, self.values, strict=True) if own == label]


def mean_auc(cases: Sequence[Scores], seed: int = 0) -> Estimate:
    """Take the mean over cases of the AUC within each; cases with one label only are left out."""
    areas = [area_under_curve(case.with_label(True), case.with_label(False)) for case in cases]
    return mean_estimate([area for area in areas if area is not None], seed)


def pooled_auc(cases: Sequence[Scores], seed: int = 0) -> Estimate:
    """Compute the AUC over the items of all cases together."""

    def area(chosen: Sequence[Scores]) -> float | None:
        high, low = ([v for case in chosen for v in case.with_label(it)] for it in (True, False))
        return area_under_curve(high, low)

    return estimate_over_cases(cases, area, seed)


def partial_correlation(cases: Sequence[Scores], seed: int = 0) -> Estimate:
    """Correlate score and label with length held fixed, on ranks within each case, -1 to 1.

    Spearman's partial correlation: ranks within the case, centred, and then
    (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)), z being the length.
    """
    import numpy as np

    rows = [
        np.array([centre_ranks(row) for row in (it.values, it.labels, it.length)])
        for it in cases
        if len(set(it.labels)) == 2
    ]

    def partial(chosen: Sequence[Any]) -> float | None:
        x, y, z = np.hstack(chosen)
        xy, xz, yz = (cosine(*pair) for pair in ((x, y), (x, z), (y, z)))
        if xy is None or xz is None or yz is None:
            return None
        rest = (1 - xz**2) * (1 - yz**2)
        return (xy - xz * yz) / math.sqrt(rest) if rest > 1e-12 else None

    return estimate_over_cases(rows, partial, seed)


def compare_systems(
    values: Mapping[str, Sequence[float]], baseline: str, seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Test each system against the baseline on one measure, case by case.

    Args:
        values: by system, its value for each case, the cases in one order.

    Returns:
        By system other than the baseline: the mean by which the baseline is better with its 95%
        interval, p of the paired randomisation test, p adjusted by Holm's method over the systems,
        and the cases that the baseline won, tied and lost.
    """
    base = values[baseline]
    others = {name: row for name, row in values.items() if name != baseline}
    p = {name: randomisation_test(base, row, seed) for name, row in others.items()}
    adjusted = holm(p)
    found = {}
    for name, row in others.items():
        leads = [ours - theirs for ours, theirs in zip(base, row, strict=True)]
        wins, losses = (sum(sign * lead > _TIE for lead in leads) for sign in (1, -1))
        _, low, high = mean_estimate(leads, seed).cells
        found[name] = {
            "mean": math.fsum(leads) / len(leads), "low": low, "high": high,
            "p": p[name], "adjusted": adjusted[name],
            "wins": wins, "ties": len(leads) - wins - losses, "losses": losses,
        }  # fmt: skip
    return found
