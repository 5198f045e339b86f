"""The third ranker: BM25 over words and word pairs, whole judgments, segment by segment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from countercase.corpus.snapshot import Snapshot
from countercase.retrieval.order import DECIMALS, Scores


class LexicalRanker:
    """BM25 of every case for each segment; a narrative's score is their sum."""

    name = "lexical"

    def __init__(self, snapshot: Snapshot) -> None:
        self._lexicon = snapshot.lexicon

    def rows(self, segments: Sequence[str]) -> list[Scores]:
        """One row of shape (cases,) per segment."""
        return [np.round(self._lexicon.scores(segment), DECIMALS) for segment in segments]

    def reads(self, segment: str) -> bool:
        """Whether the corpus knows any term of the segment."""
        return self._lexicon.matched(segment) > 0
