"""Stage 5: the cross-encoder on (segment, best chunk) pairs, summed over segments.

Source: Nogueira and Cho, "Passage re-ranking with BERT", 2019, for reading segment and chunk
together; the sum over segments keeps the score decomposable, so that each pair is computed once
and every state is a sum of stored pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from countercase.encoders.base import Encoders
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS


class CrossEncoderReranker:
    """Scores of pairs, each computed once."""

    def __init__(self, encoders: Encoders) -> None:
        self._encoders = encoders
        self._known: dict[tuple[str, str], float] = {}

    def load(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> None:
        """Compute the scores of `pairs` that are not known yet."""
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        scores = self._encoders.score(wanted, progress)
        for pair, score in zip(wanted, scores, strict=True):
            self._known[pair] = round(float(score), DECIMALS)

    def score(self, segment: str, chunk: str) -> float:
        """The score of a pair that was loaded: above 0 relevant, under −5 not."""
        return self._known[segment, chunk]

    @staticmethod
    def contribution(score: float) -> float:
        """What a pair adds to its case: ln(1 + exp(score)).

        A relevant pair adds about its score, an irrelevant one next to nothing, so that a case is
        not sunk by the segments that it has no answer to.
        """
        return round(float(np.logaddexp(0.0, score)), DECIMALS)

    def vote(self, segment: str, chunk: str) -> float:
        """What a pair that was loaded adds to its case."""
        return self.contribution(self.score(segment, chunk))
