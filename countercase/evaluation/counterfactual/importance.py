"""Does the order of the sensitivities agree with the order of importance that people gave?

Spearman's rho between the sensitivities of the fact types and their importance, which is the rank
with its sign turned, because rank 1 is the most important. Ties get the mean of their ranks. Its
p comes from permuting the importance ranks within each case, so that neither ties nor the few
types of a case ask for an approximation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEAST_TYPES: Final = 3
"""Fact types that a case needs for a rho of its own; of two, rho is 1 or -1 by a coin."""

PERMUTATIONS: Final = 9_999
RESAMPLES: Final = 2_000
_SLACK: Final = 1e-12

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TypeOrder:
    """The fact types of one case that have both a sensitivity and an importance rank.

    Attributes:
        sensitivities: mean rank displacements.
        ranks: 1 is the most important; ties are allowed.
    """

    case_id: str
    sensitivities: tuple[float, ...]
    ranks: tuple[int, ...]

    @property
    def enough(self) -> bool:
        """Whether the case has a rho of its own, if its values are not all alike."""
        return len(self.ranks) >= LEAST_TYPES


@dataclass(frozen=True)
class Rho:
    """Spearman's rho.

    Attributes:
        value: -1 to 1; None where it is not defined: too few types, or one side all ties.
        p: permutation p: how often rho is as far from 0, on either side, by chance.
        low, high: 95% interval by resampling cases; None where it was not asked for.
        n: pairs of sensitivity and importance.
    """

    value: float | None
    p: float | None
    n: int
    low: float | None = None
    high: float | None = None


def order_of(
    case_id: str, sensitivity: Mapping[str, float | None], ranking: Mapping[str, int]
) -> TypeOrder:
    """The types that were both measured and ranked, in the order of the ranking's keys."""
    pairs = [(sensitivity.get(kind), rank) for kind, rank in ranking.items()]
    known = [(value, rank) for value, rank in pairs if value is not None]
    return TypeOrder(case_id, tuple(v for v, _ in known), tuple(r for _, r in known))


def case_rho(order: TypeOrder) -> Rho:
    """Rho of one case, with the exact p over all orders of its importance ranks."""
    if not order.enough:
        return Rho(None, None, len(order.ranks))
    moved = _centred(order.sensitivities)
    importance = _centred([-rank for rank in order.ranks])
    value = _correlation(moved, importance)
    if value is None:
        return Rho(None, None, len(order.ranks))
    every = [_correlation(moved, np.asarray(p)) or 0.0 for p in permutations(importance)]
    p = sum(abs(other) >= abs(value) - _SLACK for other in every) / len(every)
    return Rho(value, p, len(order.ranks))


def pooled_rho(
    orders: Sequence[TypeOrder], seed: int = 0, within: bool = False, times: int = PERMUTATIONS
) -> Rho:
    """Rho over the types of all cases together.

    Args:
        within: rank the sensitivities case by case first, so that only the order inside each
            case counts and not how much a case moves altogether.
        times: permutations of the importance ranks, each within its own case.
    """
    values, groups = _pool(orders, within)
    importance = [-float(rank) for order in orders for rank in order.ranks]
    if len(values) < LEAST_TYPES:
        return Rho(None, None, len(values))
    moved, ranked = _centred(values), _centred(importance)
    value = _correlation(moved, ranked)
    if value is None:
        return Rho(None, None, len(values))
    rng = np.random.default_rng(seed)
    scale = float(np.sqrt((moved**2).sum() * (ranked**2).sum()))
    reached = 0
    for _ in range(times):
        drawn = ranked.copy()
        for start, end in groups:
            drawn[start:end] = rng.permutation(ranked[start:end])
        reached += abs(float(moved @ drawn) / scale) >= abs(value) - _SLACK
    low, high = _bootstrap(orders, within, rng)
    return Rho(value, (reached + 1) / (times + 1), len(values), low, high)


def _pool(orders: Sequence[TypeOrder], within: bool) -> tuple[list[float], list[tuple[int, int]]]:
    """Sensitivities of all cases one after another, and where each case begins and ends."""
    values: list[float] = []
    groups: list[tuple[int, int]] = []
    for order in orders:
        start = len(values)
        own = order.sensitivities
        values += [float(v) for v in _centred(own)] if within else own
        groups.append((start, len(values)))
    return values, groups


def _bootstrap(
    orders: Sequence[TypeOrder], within: bool, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    found = []
    for _ in range(RESAMPLES if len(orders) > 1 else 0):
        drawn = [orders[at] for at in rng.integers(len(orders), size=len(orders))]
        values, _ = _pool(drawn, within)
        importance = [-float(rank) for order in drawn for rank in order.ranks]
        value = _correlation(_centred(values), _centred(importance))
        if value is not None:
            found.append(value)
    if not found:
        return None, None
    low, high = np.percentile(found, (2.5, 97.5))
    return float(low), float(high)


def _centred(values: Sequence[float]) -> Floats:
    """Ranks, ties at their mean, less the mean rank."""
    from scipy.stats import rankdata

    ranks = np.asarray(rankdata(values), dtype=np.float64)
    centred: Floats = ranks - ranks.mean() if len(ranks) else ranks
    return centred


def _correlation(left: Floats, right: Floats) -> float | None:
    """Pearson's r of centred ranks; None where one side is all ties."""
    scale = float(np.sqrt((left**2).sum() * (right**2).sum()))
    return float(left @ right) / scale if scale > 0 else None
