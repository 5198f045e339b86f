"""How far a ranking moved.

The displacement of a precedent is |rank in parent − rank in child|; one that stands in only one of
the two top-K lists has rank K + 1 in the other. The mean over the union of both lists is Spearman's
footrule on top-K lists with location parameter K + 1 (Fagin, Kumar and Sivakumar, "Comparing top k
lists", SIAM J. Discrete Math. 17, 2003), divided by the size of the union.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Displacement:
    """What changed between two rankings.

    Attributes:
        mean: mean rank displacement, 0 (same lists) to K + 1.
        by_case: displacement of every precedent in either list, 0 to K.
        dropped: in the parent's list only, in its rank order.
        new: in the child's list only, in its rank order.
    """

    mean: float
    by_case: dict[str, int]
    dropped: tuple[str, ...]
    new: tuple[str, ...]


def mean_rank_displacement(parent: Sequence[str], child: Sequence[str], k: int) -> Displacement:
    """The displacement between two top-K lists of case ids, best first.

    Raises:
        ValueError: a list is longer than `k` or names a case twice.
    """
    for listed in (parent, child):
        if len(listed) > k or len(set(listed)) != len(listed):
            raise ValueError(f"not a top-{k} list: {list(listed)}")
    before = {case: rank for rank, case in enumerate(parent, start=1)}
    after = {case: rank for rank, case in enumerate(child, start=1)}
    union = [*parent, *(case for case in child if case not in before)]
    by_case = {case: abs(before.get(case, k + 1) - after.get(case, k + 1)) for case in union}
    mean = sum(by_case.values()) / len(union) if union else 0.0
    return Displacement(
        mean=mean,
        by_case=by_case,
        dropped=tuple(case for case in parent if case not in after),
        new=tuple(case for case in child if case not in before),
    )
