"""Stage 1: dense passage retrieval with two towers.

Source: Karpukhin et al., "Dense passage retrieval for open-domain question answering", EMNLP 2020:
the question tower reads the segment, the passage tower read the chunks, and their inner product
is the score.
"""

from __future__ import annotations

from collections.abc import Sequence

from countercase.corpus.snapshot import Snapshot
from countercase.encoders.suite import Done, Encoders
from countercase.retrieval.dense import DenseRow, dense_rows


class DprRanker:
    """Question-tower segments against passage-tower chunks."""

    name = "dpr"

    def __init__(self, snapshot: Snapshot, encoders: Encoders, standout: float) -> None:
        self._snapshot, self._encoders, self._standout = snapshot, encoders, standout

    def rows(self, segments: Sequence[str], done: Done | None = None) -> list[DenseRow]:
        """One row per segment."""
        vectors = self._encoders.encode("question", segments, done)
        return dense_rows(vectors, self._snapshot.passage, self._snapshot.starts, self._standout)
