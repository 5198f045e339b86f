"""Stage 2: the sentence encoder's collection, searched exactly.

Chroma is the store. Its vectors are read from it once, into the snapshot, and searched exactly,
because an approximate index gives other neighbours when it is built again, and a ranking that
moves by itself cannot be used to measure what moves it. The search takes time in proportion to the
number of chunks; the vectors are memory-mapped, so a corpus may be larger than memory.
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
