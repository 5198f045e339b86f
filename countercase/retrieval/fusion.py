"""Fusion of rankers and diversity of the pool.

Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009. They set k = 60 for lists of a thousand;
with the short lists that a lawyer reads, k = 20 keeps more of each list's own head.

Maximal marginal relevance: Carbonell and Goldstein, SIGIR 1998: the next document is the one of largest
λ·relevance − (1 − λ)·(greatest similarity to one already chosen).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.apart import one_thread
from countercase.retrieval.base import DECIMALS, Ranks, Scores, StageScore, best_first, ranks

FUSED_DECIMALS: Final = 12
"""Fused scores are below 1 and close together, so they are compared to more decimals."""


StageScores: TypeAlias = Mapping[str, tuple[Ranks, Scores]]
"""By name of a stage, rank and score of every case; rank 0: not ranked."""


def scores_of(stages: StageScores, case: int) -> dict[str, StageScore]:
    """Return rank and score of a case at each stage that it reached."""
    return {
        name: StageScore(int(listed[case]), float(scores[case]))
        for name, (listed, scores) in stages.items()
        if listed[case]
    }


def reciprocal_rank_fusion(
    rank_lists: Sequence[Ranks], k: int = 20, weights: Sequence[float] | None = None
) -> Scores:
    """Return Σ over rankers of weight / (k + rank), shape (cases,), from 0 to Σ weight / (k + 1).

    `rank_lists` have one array a ranker, rank from 1 of each case, 0 where it is not ranked. The
    larger `k`, the less the very top of a list counts. `weights` are one a ranker, 1 by default.
    """
    total: Scores = np.zeros(len(rank_lists[0]))
    for listed, weight in zip(rank_lists, weights or [1.0] * len(rank_lists), strict=True):
        total += np.where(listed > 0, weight / (k + listed), 0.0)
    return total


def best_fused(scores: Scores, allowed: NDArray[np.bool_] | None = None) -> Ranks:
    """`best_first` for fused scores, which are equal where `FUSED_DECIMALS` decimals agree."""
    return best_first(scores * 10 ** (FUSED_DECIMALS - DECIMALS), allowed)


def with_votes(pool: Sequence[int], fused: Scores, votes: Scores) -> tuple[Ranks, Scores]:
    """Return ranks and scores of the cases of the pool, with the further `votes` for each case added."""
    mask = np.bincount(np.array(pool, int), minlength=len(fused)) > 0
    totals = np.where(mask, np.round(fused + votes, FUSED_DECIMALS), 0.0)
    return ranks(best_fused(totals, mask), len(fused)), totals


def below_the_pool(
    names: Sequence[str], pool: list[int], listed: Ranks, fused: Scores, voted: Scores, most: int
) -> tuple[tuple[str, float], ...]:
    """Return the first `most` cases with their scores: the pool, then the others as fused.

    `pool` are positions in its order; `listed` and `fused` rank and score of every case in the
    fusion (rank 0: not ranked); `voted` the scores of the pool with every vote in.
    """
    order = np.argsort(listed, kind="stable")[np.count_nonzero(listed == 0) :]
    below = order[np.bincount(np.array(pool, int), minlength=len(fused))[order] == 0][:most]
    cases, scores = [*pool, *below.tolist()], np.concatenate([voted[pool], fused[below]])
    return tuple(zip((names[case] for case in cases[:most]), scores.tolist(), strict=False))


def scaled(scores: Scores) -> Scores:
    """Return scores moved to 0..1, lowest to 0 and highest to 1; all 1 where they are equal."""
    low, high = scores.min(), scores.max()
    if high == low:
        return np.ones_like(scores)
    result: Scores = (scores - low) / (high - low)
    return result


def maximal_marginal_relevance(
    relevance: Scores, vectors: NDArray[np.float32], count: int, lam: float = 0.7
) -> list[tuple[int, float]]:
    """Choose `count` items, each for its relevance and its distance from those before it.

    `relevance` is 0..1, in descending order (ties go to the earlier), of unit `vectors`, shape (n,
    width), whose similarity is their cosine, at least 0; `lam` is λ, of which 1 is relevance alone.
    Returns (position, MMR score) in order of choice.
    """
    wide = vectors.astype(np.float64)
    with one_thread():  # so that their number cannot reach the last bits
        similarity = (1 - lam) * np.clip(wide @ wide.T, 0.0, 1.0)
    wanted, nearest = lam * relevance, np.zeros(len(relevance))
    chosen: dict[int, float] = {}
    for _ in range(min(count, len(relevance))):
        values = (wanted - nearest).round(DECIMALS)
        at = int(values.argmax())
        chosen[at], wanted[at] = float(values[at]), -np.inf
        nearest = np.maximum(nearest, similarity[at])
    return list(chosen.items())
