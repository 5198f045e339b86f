"""Maximal marginal relevance.

Source: Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents
and producing summaries", SIGIR 1998: the next document is the one of largest
λ·relevance − (1 − λ)·(greatest similarity to one already chosen).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from countercase.retrieval.base import DECIMALS, Scores


def scaled(scores: Scores) -> Scores:
    """Scores moved to 0..1, lowest to 0 and highest to 1; all 1 where they are equal."""
    low, high = scores.min(), scores.max()
    if high == low:
        return np.ones_like(scores)
    result: Scores = (scores - low) / (high - low)
    return result


def maximal_marginal_relevance(
    relevance: Scores, vectors: NDArray[np.float32], count: int, lam: float = 0.7
) -> list[tuple[int, float]]:
    """Choose `count` items, each for its relevance and its distance from those before it.

    Args:
        relevance: shape (n,), 0..1, in descending order of rank (ties go to the earlier).
        vectors: shape (n, width), unit vectors; similarity is their cosine, at least 0.
        lam: λ; 1 is relevance alone.

    Returns:
        (position, MMR score) in order of choice.
    """
    if not 0 <= lam <= 1:
        raise ValueError(f"lambda must lie in 0..1, not {lam}")
    wide = vectors.astype(np.float64)
    similarity = np.clip(np.einsum("ik,jk->ij", wide, wide), 0.0, 1.0)
    nearest = np.zeros(len(relevance))
    left = list(range(len(relevance)))
    chosen: list[tuple[int, float]] = []
    while left and len(chosen) < count:
        values = np.round(lam * relevance[left] - (1 - lam) * nearest[left], DECIMALS)
        at = left.pop(int(np.argmax(values)))
        chosen.append((at, float(values.max())))
        nearest = np.maximum(nearest, similarity[at])
    return chosen
