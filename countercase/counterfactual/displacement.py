"""How far a ranking moved: one figure, and a panel of measures at several depths.

The displacement of a precedent is |rank in parent − rank in child|; one that stands in only one of
the two top-K lists has rank K + 1 in the other. The mean over the union of both lists is Spearman's
footrule on top-K lists with location parameter K + 1, divided by the size of the union.

One number at one K can mislead: a precedent that leaves a list of ten counts as if it stood at rank
11, wherever it went, and ties are broken by id. The panel says whether a conclusion holds for other
measures and other K. It reads scores as they were before ties were broken.

Sources: Fagin, Kumar and Sivakumar, "Comparing top k lists", SIAM Journal on Discrete Mathematics 17,
2003 (footrule and Kendall's tau); Webber, Moffat and Zobel, "A similarity measure for indefinite
rankings", ACM Transactions on Information Systems 28(4), 2010 (rank-biased overlap; ties in section
4.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from countercase.errors import COUNT, InputError, takes


@dataclass(frozen=True)
class Displacement:
    """What changed between two rankings.

    `mean` is the mean rank displacement, 0 (same lists) to K + 1, and `by_case` that of every
    precedent in either list, 0 to K; `dropped` and `new` stand in one list only, in its rank order.
    """

    mean: float
    by_case: dict[str, int]
    dropped: tuple[str, ...]
    new: tuple[str, ...]


@takes(before=[str], after=[str], k=COUNT)
def displacement(before: Sequence[str], after: Sequence[str], k: int = 10) -> Displacement:
    """Return how far a ranking moved between two lists of ids, best first; the first `k` count.

    InputError where `k` is below 1 or an id stands twice among them.

    >>> displacement(["a", "b", "c"], ["b", "a", "d"], k=3).mean
    1.0
    """
    before, after = before[:k], after[:k]
    for ids in (before, after):
        if len(set(ids)) != len(ids):
            raise InputError(f"a ranking names an id twice: {list(ids)}")
    old_ranks, new_ranks = ({case: n for n, case in enumerate(it, 1)} for it in (before, after))
    dropped = tuple(case for case in before if case not in new_ranks)
    new = tuple(case for case in after if case not in old_ranks)
    ranks = ((it, old_ranks.get(it, k + 1), new_ranks.get(it, k + 1)) for it in (*before, *new))
    by_case = {case: abs(old - now) for case, old, now in ranks}
    mean = sum(by_case.values()) / len(by_case) if by_case else 0.0
    return Displacement(mean, by_case, dropped, new)


DEPTHS: Final = (5, 10, 20, 50)
"""The K at which a move is measured."""

Scored: TypeAlias = Sequence[tuple[str, float]]
"""Ids with scores, best first; neighbours of equal score are tied."""


@dataclass(frozen=True)
class Distances:
    """How far apart two rankings are at one K; each is 0 for the same ranking.

    Attributes:
        displacement: mean rank displacement, 0 to K + 1.
        overlap: 1 − rank-biased overlap, 0 to 1; p = 1 − 1/K, so K is the depth expected to be read.
        turnover: share of the first K that the other list does not have, 0 to 1.
        tau: Kendall distance of top-K lists as a share of that of lists without a common member,
            0 to 1. A pair of which one list says nothing, or that one list ties, counts half.
        shift: mean change of score of what stands below K in both lists, as a share of the first
            score; what the top K cannot show. None where nothing stands there.
        censored: share of the ranks behind `displacement` that are unknown and taken as K + 1.
    """

    k: int
    displacement: float
    overlap: float
    turnover: float
    tau: float
    shift: float | None
    censored: float


def distances(before: Scored, after: Scored, k: int) -> Distances:
    """The distances of two rankings at one K, the number of places from 1."""
    old, new = [case for case, _ in before], [case for case, _ in after]
    move = displacement(old, new, k)
    first, later = before[:k], dict(after[k:])
    shifts = [abs(later[case] - score) for case, score in before[k:] if case in later]
    top = before[0][1] if before else 0.0
    gone, come, size = len(move.dropped), len(move.new), len(move.by_case)
    return Distances(
        k,
        move.mean,
        1.0 - rank_biased_overlap(before, after, k),
        gone / len(first) if first else 0.0,
        kendall_distance(first, after[:k]),
        sum(shifts) / len(shifts) / top if shifts and top > 0 else None,
        (gone + come) / (2 * size) if size else 0.0,
    )


def tied_ranks(ranking: Scored) -> dict[str, int]:
    """The rank from 1 of each id; those that are tied all have the first rank of their group."""
    scores = np.array([score for _, score in ranking])
    firsts = np.flatnonzero(np.diff(scores, prepend=np.nan))  # of each run of equal scores
    ranks = firsts[np.searchsorted(firsts, np.arange(len(scores)), side="right") - 1] + 1
    return {case: rank for (case, _), rank in zip(ranking, ranks.tolist(), strict=True)}


def rank_biased_overlap(before: Scored, after: Scored, depth: int) -> float:
    """Extrapolated rank-biased overlap of two rankings down to `depth`, 0 to 1.

    At depth d a list holds all whose tied rank is at most d; the agreement is twice the number in
    common, divided by the number in both lists together. The chance that a reader goes on to the next
    rank is 1 − 1/depth.
    """
    old, new = tied_ranks(before), tied_ranks(after)
    depth = min(depth, max(len(old), len(new)))
    if not depth:
        return 1.0
    p = 1.0 - 1.0 / depth
    depths, both = np.arange(1, depth + 1), [max(old[it], new[it]) for it in old.keys() & new]
    ranks = sorted(both), sorted([*old.values(), *new.values()])
    common, held = (np.searchsorted(it, depths, side="right") for it in ranks)
    agreements = 2 * common / held
    return float(agreements[-1] * p**depth + (1 - p) * (agreements * p ** (depths - 1)).sum())


def kendall_distance(before: Scored, after: Scored) -> float:
    """Kendall's distance K^(1/2) of two lists, as a share of that of disjoint lists, 0 to 1.

    A pair counts 1 where the lists contradict each other, an absent id standing below all that are
    present; ½ where both ids are absent from one list, or tied in one list and not in the other.
    """
    old, new = tied_ranks(before), tied_ranks(after)
    below = max(len(old), len(new)) + 1
    cases = dict.fromkeys([*old, *new])
    first, second = (np.asarray([r.get(case, below) for case in cases]) for r in (old, new))
    signs = [np.sign(ranks[:, None] - ranks) for ranks in (first, second)]
    total = float(np.abs(signs[0] - signs[1]).sum()) / 4  # each pair stands there twice
    m, n = len(old), len(new)
    most = m * n + (m * (m - 1) + n * (n - 1)) / 4
    return total / most if most else 0.0
