"""The third ranker: BM25 over words, word pairs and provisions, whole judgments, by segment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from countercase.corpus.snapshot import Snapshot
from countercase.retrieval.order import DECIMALS, Scores


class LexicalRanker:
    """BM25 of every case for each segment; a narrative's score is their sum.

    Args:
        provision_weight: what a provision's term counts beside the words' BM25.
    """

    name = "lexical"

    def __init__(self, snapshot: Snapshot, provision_weight: float) -> None:
        self._lexicon, self._citing = snapshot.lexicon, snapshot.citing
        self._weight = provision_weight

    def rows(self, segments: Sequence[str]) -> list[Scores]:
        """One row of shape (cases,) per segment."""
        return [
            np.round(
                self._lexicon.scores(segment) + self._weight * self._citing.scores(segment),
                DECIMALS,
            )
            for segment in segments
        ]
