"""Stage 2: the sentence encoder's collection, searched exactly.

Chroma is the store. Its vectors are read from it once, into the snapshot, and searched exactly,
because an approximate index gives other neighbours when it is built again, and a ranking that
moves by itself cannot be used to measure what moves it. The search takes time in proportion to the
number of chunks; the vectors are memory-mapped, so a corpus may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from countercase.corpus.snapshot import Snapshot
from countercase.encoders.suite import Done, Encoders
from countercase.retrieval.dense import DenseRow, dense_rows


class ChromaRanker:
    """Segments against chunks, both by the sentence encoder."""

    name = "chroma"

    def __init__(self, snapshot: Snapshot, encoders: Encoders, standout: float) -> None:
        self._snapshot, self._encoders, self._standout = snapshot, encoders, standout

    def rows(self, segments: Sequence[str], done: Done | None = None) -> list[DenseRow]:
        """One row per segment."""
        vectors = self._encoders.encode("sentence", segments, done)
        return dense_rows(vectors, self._snapshot.sentence, self._snapshot.starts, self._standout)
