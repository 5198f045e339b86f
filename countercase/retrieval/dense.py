"""Dense rankers, searched exactly: for each segment, the best chunk of every case.

Stage 1, `dpr`: the question tower reads the segment, the passage tower has read the chunks, and
their inner product is the score (Karpukhin et al., "Dense passage retrieval for open-domain
question answering", EMNLP 2020). Stage 2, `chroma`: the sentence encoder reads both. Chroma stores
the vectors; an approximate index gives other neighbours when it is built again, and a ranking that
moves by itself cannot be used to measure what moves it, so they are searched exactly, in time
proportional to the number of chunks. They are memory-mapped: a corpus may be larger than memory.

Scores are inner products of unit vectors, in float64; `countercase.retrieval.search` finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings
from countercase.corpus.index.kept import hubness_of, kept_hubness
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders, Role
from countercase.io import Progress
from countercase.retrieval.base import Scores
from countercase.retrieval.search import Search, best_chunks

SHARPNESS: Final = 3.0
"""How close the smooth form of max(0, z − threshold) comes to its corner; see `beyond`."""


@dataclass(frozen=True)
class DenseRow:
    """A segment against every case.

    Attributes:
        cosine: float64, shape (cases,): the best chunk's score.
        chunk: int64, shape (cases,): that chunk's position in the corpus.
        z: float64, shape (cases,): standard deviations by which the score, less the case's
            hubness, lies above the mean of the corpus.
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
    search: Search = best_chunks,
) -> list[DenseRow]:
    """One row per vector.

    Args:
        vectors: shape (segments, width), unit.
        chunks: shape (chunks, width), unit, grouped by case.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
        offset: subtracted from each case's score before it is standardised, shape (cases,).
        search: what finds the best chunks.
    """
    if not len(vectors):
        return []
    cosines, best = search(vectors, chunks, starts)
    return [
        DenseRow(cosine, chunk, standard(cosine if offset is None else cosine - offset))
        for cosine, chunk in zip(cosines, best, strict=True)
    ]


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
    """How far a match must stand out to count, in a query of `segments` segments.

    Each segment has chance likenesses; the largest of n of them grows with log n (extreme values
    of n draws), and so does the threshold: log10 n, at most `most`.
    """
    return min(most, float(np.log10(max(1, segments))))


class DenseRanker:
    """Segments encoded by one model against chunk vectors of another.

    Two of them with the same models over the same corpus are equal, and share their rows.

    Attributes:
        search: finds the best chunks; every such function gives the same rows.
    """

    name: str
    query_role: Role
    chunk_role: Role

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        self._corpus, self._encoders = corpus, encoders
        self.search: Search = best_chunks
        self._hubness_weight = settings.hubness_weight
        self._chunks = corpus.passage if self.chunk_role == "passage" else corpus.sentence
        roles = (self.query_role, self.chunk_role)
        self._identity = (id(corpus), *(encoders.fingerprint(role) for role in roles))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DenseRanker) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> list[DenseRow]:
        """One row per segment."""
        vectors = self._encoders.encode(self.query_role, segments, progress)
        return dense_rows(vectors, self._chunks, self._corpus.starts, self._offset, self.search)

    @cached_property
    def _offset(self) -> Scores | None:
        if not self._hubness_weight:
            return None
        corpus, encoders, roles = self._corpus, self._encoders, (self.query_role, self.chunk_role)
        scores = kept_hubness(corpus.folder, encoders, *roles, len(corpus.case_ids))
        if scores is None:
            channel = (self.query_role, self._chunks)
            [scores] = hubness_of(encoders, [channel], corpus.starts, corpus.text)
        return self._hubness_weight * scores


class DprRanker(DenseRanker):
    """Question-tower segments against passage-tower chunks."""

    name = "dpr"
    query_role: Role = "question"
    chunk_role: Role = "passage"


class ChromaRanker(DenseRanker):
    """Segments against chunks, both by the sentence encoder."""

    name = "chroma"
    query_role: Role = "sentence"
    chunk_role: Role = "sentence"
