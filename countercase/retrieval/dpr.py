"""Stage 1: dense passage retrieval with two towers.

Source: Karpukhin et al., "Dense passage retrieval for open-domain question answering", EMNLP 2020:
the question tower reads the segment, the passage tower read the chunks, and their inner product
is the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from countercase.corpus.snapshot import Snapshot
from countercase.encoders.suite import Done, Encoders
from countercase.retrieval.dense import DenseRow, dense_rows
from countercase.retrieval.hubness import drawn_chunks, hubness
from countercase.retrieval.order import Scores


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
