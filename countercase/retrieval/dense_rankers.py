"""The two dense rankers: the sentence encoder and the DPR towers, both searched exactly.

How high a judgment scores whatever is asked, so that it can be taken off what it scores.

The more chunks a judgment has, and the more its chunks say what every judgment says, the higher
the best of them comes for any question: it is a hub (Radovanovic, Nanopoulos and Ivanovic 2010). The
mean best score over questions drawn from the corpus itself says how much of that there is; a share
of it is taken off, as BM25 takes off a share of the length, and as cross-domain similarity local
scaling does in translation (Conneau et al. 2018, sec. 2.3).

Stage 2: the sentence encoder's collection, searched exactly.

Chroma is the store. Its vectors are read from it once, into the snapshot, and searched exactly,
because an approximate index gives other neighbours when it is built again, and a ranking that
moves by itself cannot be used to measure what moves it. The search takes time in proportion to the
number of chunks; the vectors are memory-mapped, so a corpus may be larger than memory.

Stage 1: dense passage retrieval with two towers.

Source: Karpukhin et al., "Dense passage retrieval for open-domain question answering", EMNLP 2020:
the question tower reads the segment, the passage tower read the chunks, and their inner product
is the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import Done, Encoders
from countercase.retrieval.base import DECIMALS, Scores
from countercase.retrieval.dense import DenseRow, dense_rows

DRAWN: Final = 256


"""Questions that are drawn, evenly over the chunks of the corpus."""


def drawn_chunks(count: int) -> NDArray[np.int64]:
    """Positions of the chunks that are asked as questions: all of a small corpus."""
    return np.unique(np.linspace(0, count - 1, min(DRAWN, count)).astype(np.int64))


def hubness(
    questions: NDArray[np.float32],
    owners: NDArray[np.int64],
    chunks: NDArray[np.float32],
    starts: NDArray[np.int64],
) -> Scores:
    """Mean best score of each case over `questions`, its own ones left out; shape (cases,).

    Args:
        questions: shape (drawn, width), unit.
        owners: the case that each question was drawn from, shape (drawn,).
        chunks, starts: see `dense_rows`.
    """
    best = np.stack([row.cosine for row in dense_rows(questions, chunks, starts)])
    others = owners[:, None] != np.arange(best.shape[1])
    counted = others.sum(axis=0)
    total = np.sort(np.where(others, best, 0.0), axis=0).sum(axis=0)
    mean: Scores = np.round(total / np.maximum(counted, 1), DECIMALS)
    # A case that no other case asks has nothing to compare with; it gets what the others have.
    mean[counted == 0] = mean[counted > 0].mean() if (counted > 0).any() else 0.0
    return mean


class ChromaRanker:
    """Segments against chunks, both by the sentence encoder."""

    name = "chroma"

    def __init__(self, snapshot: Snapshot, encoders: Encoders, hubness_weight: float) -> None:
        self._snapshot, self._encoders = snapshot, encoders
        self._hubness_weight = hubness_weight

    def rows(self, segments: Sequence[str], done: Done | None = None) -> list[DenseRow]:
        """One row per segment."""
        vectors = self._encoders.encode("sentence", segments, done)
        return dense_rows(vectors, self._snapshot.sentence, self._snapshot.starts, self._offset)

    @cached_property
    def _offset(self) -> Scores | None:
        if not self._hubness_weight:
            return None
        snapshot = self._snapshot
        drawn = drawn_chunks(len(snapshot.sentence))
        texts = [snapshot.text(chunk) for chunk in drawn.tolist()]
        questions = self._encoders.encode("sentence", texts)
        owners = np.searchsorted(snapshot.starts, drawn, side="right") - 1
        return self._hubness_weight * hubness(questions, owners, snapshot.sentence, snapshot.starts)


class DprRanker:
    """Question-tower segments against passage-tower chunks."""

    name = "dpr"

    def __init__(self, snapshot: Snapshot, encoders: Encoders, hubness_weight: float) -> None:
        self._snapshot, self._encoders = snapshot, encoders
        self._hubness_weight = hubness_weight

    def rows(self, segments: Sequence[str], done: Done | None = None) -> list[DenseRow]:
        """One row per segment."""
        vectors = self._encoders.encode("question", segments, done)
        return dense_rows(vectors, self._snapshot.passage, self._snapshot.starts, self._offset)

    @cached_property
    def _offset(self) -> Scores | None:
        if not self._hubness_weight:
            return None
        snapshot = self._snapshot
        drawn = drawn_chunks(len(snapshot.passage))
        texts = [snapshot.text(chunk) for chunk in drawn.tolist()]
        questions = self._encoders.encode("question", texts)
        owners = np.searchsorted(snapshot.starts, drawn, side="right") - 1
        return self._hubness_weight * hubness(questions, owners, snapshot.passage, snapshot.starts)
