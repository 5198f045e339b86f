"""Exact search, case by case: for each segment, the best chunk of every case.

Scores are inner products of unit vectors. They are found fast in float32 and then, for every chunk
that could be a case's best, computed again in float64 one by one, so that neither threads nor
batches nor the library's blocking can reach the ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.retrieval.base import DECIMALS, Scores

MARGIN: Final = 1e-4
"""Float32 scores this close to a case's best are computed again in float64."""

_ROWS_AT_ONCE: Final = 65_536


@dataclass(frozen=True)
class DenseRow:
    """What one segment says of every case.

    Attributes:
        cosine: float64, shape (cases,): the best chunk's score.
        chunk: int64, shape (cases,): that chunk's position in the corpus.
        z: float64, shape (cases,): how many standard deviations the score lies above the mean of
            the corpus, after what was taken off for hubs.
    """

    cosine: Scores
    chunk: NDArray[np.int64]
    z: Scores

    def strength(self, standout: float) -> Scores:
        """How far each score stands out from the corpus; see `beyond`."""
        return beyond(self.z, standout)


def dense_rows(
    vectors: NDArray[np.float32],
    chunks: NDArray[np.float32],
    starts: NDArray[np.int64],
    offset: Scores | None = None,
) -> list[DenseRow]:
    """One row per vector.

    Args:
        vectors: shape (segments, width), unit.
        chunks: shape (chunks, width), unit, grouped by case.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
        offset: what is taken off each case's score before it is seen whether it stands out,
            shape (cases,); nothing where it is None.
    """
    if not len(vectors):
        return []
    rough = np.empty((len(vectors), len(chunks)), dtype=np.float32)
    for start in range(0, len(chunks), _ROWS_AT_ONCE):
        block = np.ascontiguousarray(chunks[start : start + _ROWS_AT_ONCE])
        rough[:, start : start + len(block)] = vectors @ block.T
    sizes = np.diff(starts)
    return [
        _row(vector, line, chunks, starts, sizes, offset)
        for vector, line in zip(vectors, rough, strict=True)
    ]


def _row(
    vector: NDArray[np.float32],
    rough: NDArray[np.float32],
    chunks: NDArray[np.float32],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    offset: Scores | None,
) -> DenseRow:
    best = np.maximum.reduceat(rough, starts[:-1])
    near = np.flatnonzero(rough >= np.repeat(best, sizes) - MARGIN)
    exact = np.round(
        np.einsum("ij,j->i", chunks[near].astype(np.float64), vector.astype(np.float64)), DECIMALS
    )
    owner = np.searchsorted(starts, near, side="right") - 1
    order = np.lexsort((near, -exact, owner))
    first = order[np.unique(owner[order], return_index=True)[1]]
    cosine = exact[first]
    return DenseRow(
        cosine,
        near[first].astype(np.int64),
        standard(cosine if offset is None else cosine - offset),
    )


def standard(scores: Scores) -> Scores:
    """Scores as standard deviations above their mean; zeros where all are the same."""
    if _flat(scores):
        return np.zeros_like(scores)
    result: Scores = (scores - scores.mean()) / scores.std()
    return result


def _flat(scores: Scores) -> bool:
    """Whether all scores are the same; the rounded mean of equal scores may be another number."""
    return bool(np.all(scores == scores[:1]))


def beyond(z: Scores, threshold: float) -> Scores:
    """ln(1 + exp(z − threshold)): a smooth form of max(0, z − threshold).

    What does not stand out adds next to nothing, and no two different scores become equal.
    """
    result: Scores = np.logaddexp(0.0, SHARPNESS * (z - threshold)) / SHARPNESS
    return result


def stand_out(scores: Scores, threshold: float) -> Scores:
    """How far each score stands out beyond `threshold` standard deviations above the mean."""
    if _flat(scores):
        return np.zeros_like(scores)
    return beyond(standard(scores), threshold)


def standout_of(segments: int, most: float) -> float:
    """How far a match must stand out to count, in a query of so many segments.

    Each segment brings its chance likenesses along; among n of them the largest grow with log n
    (extreme values of n draws), and so does the threshold: log10 n, at most `most`.
    """
    return min(most, float(np.log10(max(1, segments))))


SHARPNESS: Final = 3.0
"""How close the smooth form comes to the corner of max(0, z − threshold)."""


def summed(rows: Sequence[Scores], size: int) -> Scores:
    """The sum of rows in the order of their values' bytes, so that segment order cannot matter."""
    if not rows:
        return np.zeros(size)
    total: Scores = np.sort(np.stack(rows), axis=0).sum(axis=0)
    return total
