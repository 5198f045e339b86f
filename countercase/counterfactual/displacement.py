"""How far a ranking moved.

The displacement of a precedent is |rank in parent − rank in child|; one that stands in only one of
the two top-K lists has rank K + 1 in the other. The mean over the union of both lists is Spearman's
footrule on top-K lists with location parameter K + 1 (Fagin, Kumar and Sivakumar, "Comparing top k
lists", SIAM J. Discrete Math. 17, 2003), divided by the size of the union.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countercase.errors import InputError


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


def displacement(before: Sequence[str], after: Sequence[str], k: int = 10) -> Displacement:
    """How far a ranking moved between two lists of ids.

    Args:
        before, after: ids, best first; only the first `k` of each count.

    Raises:
        InputError: `k` is below 1, or one of the first `k` ids of a list stands in it twice.

    >>> displacement(["a", "b", "c"], ["b", "a", "d"], k=3).mean
    1.0
    """
    if k < 1:
        raise InputError(f"k = {k}: a ranking has at least one place")
    before, after = before[:k], after[:k]
    for ids in (before, after):
        if len(set(ids)) != len(ids):
            raise InputError(f"a ranking names an id twice: {list(ids)}")
    old_ranks = {case: rank for rank, case in enumerate(before, start=1)}
    new_ranks = {case: rank for rank, case in enumerate(after, start=1)}
    by_case = {
        case: abs(old_ranks.get(case, k + 1) - new_ranks.get(case, k + 1))
        for case in [*before, *(case for case in after if case not in old_ranks)]
    }
    return Displacement(
        mean=sum(by_case.values()) / len(by_case) if by_case else 0.0,
        by_case=by_case,
        dropped=tuple(case for case in before if case not in new_ranks),
        new=tuple(case for case in after if case not in old_ranks),
    )
