"""Does the order of the sensitivities agree with the order of importance that people gave?

Spearman's rho between the sensitivities of the fact types and their importance, which is the rank
with its sign turned, because rank 1 is the most important. Ties get the mean of their ranks. Its
p comes from permuting the importance ranks within each case, so that neither ties nor the few
types of a case ask for an approximation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from countercase.evaluation.statistics import (
    LEAST_PAIRS,
    Correlation,
    bootstrap_interval,
    rank_correlation,
)

PERMUTATIONS: Final = 9_999
RESAMPLES: Final = 2_000
_SLACK: Final = 1e-9


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
        return len(self.ranks) >= LEAST_PAIRS


def order_of(
    case_id: str, sensitivity: Mapping[str, float | None], ranking: Mapping[str, int]
) -> TypeOrder:
    """The types that were both measured and ranked, in the order of the ranking's keys."""
    pairs = [(sensitivity.get(kind), rank) for kind, rank in ranking.items()]
    known = [(value, rank) for value, rank in pairs if value is not None]
    return TypeOrder(case_id, tuple(value for value, _ in known), tuple(rank for _, rank in known))


def case_rho(order: TypeOrder) -> Correlation:
    """Rho of one case, with the exact p over all orders of its importance ranks."""
    return rank_correlation(order.sensitivities, [-rank for rank in order.ranks])


def pooled_rho(
    orders: Sequence[TypeOrder], seed: int = 0, within: bool = False, times: int = PERMUTATIONS
) -> Correlation:
    """Rho over the types of all cases together, with a 95% interval by resampling cases.

    Args:
        within: rank the sensitivities case by case first, so that only the order inside each
            case counts and not how much a case moves altogether.
        times: permutations of the importance ranks, each within its own case. By hand: scipy's
            permutation test permutes a sample as a whole.
    """
    import numpy as np

    count = sum(len(order.ranks) for order in orders)
    if count < LEAST_PAIRS:
        return Correlation(None, None, count)
    moved, ranked = _centred_ranks(orders, within)
    scale = math.sqrt((moved**2).sum() * (ranked**2).sum())
    if scale == 0:
        return Correlation(None, None, count)
    product = float(moved @ ranked)
    rng = np.random.default_rng(seed)
    ends = np.cumsum([len(order.ranks) for order in orders])
    shuffled = np.hstack([
        rng.permuted(np.tile(ranks, (times, 1)), axis=1) for ranks in np.split(ranked, ends[:-1])
    ])  # fmt: skip
    reached = int((np.abs(shuffled @ moved) >= abs(product) - _SLACK).sum())
    interval = bootstrap_interval(
        range(len(orders)),
        seed,
        resamples=RESAMPLES,
        statistic=lambda cases: _rho([orders[at] for at in cases], within),
    )
    return Correlation(
        product / scale, (reached + 1) / (times + 1), count, *(interval or (None, None))
    )


def _rho(orders: Sequence[TypeOrder], within: bool) -> float:
    """Rho over the types of these cases; NaN where one side is all ties."""
    moved, ranked = _centred_ranks(orders, within)
    scale = math.sqrt((moved**2).sum() * (ranked**2).sum())
    return float(moved @ ranked) / scale if scale > 0 else math.nan


def _centred_ranks(orders: Sequence[TypeOrder], within: bool) -> tuple[Any, Any]:
    """Ranks of the sensitivities and of the importance, less their mean; case after case."""
    import numpy as np
    from scipy.stats import rankdata

    values = [
        rankdata(order.sensitivities) - (len(order.ranks) + 1) / 2
        if within
        else np.array(order.sensitivities)
        for order in orders
    ]
    importance = [-rank for order in orders for rank in order.ranks]
    middle = (len(importance) + 1) / 2
    return rankdata(np.concatenate(values)) - middle, rankdata(importance) - middle
