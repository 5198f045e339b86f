"""Ranking by facts: the typed features that a state of a case and a precedent have in common.

`score = Σ over the features of the state of salience · idf · [the precedent has it]`, the less for a
precedent with many features: the formula of cited provisions in the lexical channel. A precedent
with none of the features is not ranked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from countercase.config import RetrievalSettings
from countercase.corpus.index.kept_features import case_features
from countercase.corpus.index.provision_terms import TermCases
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS, Scores


class FeatureRanker:
    """Features in common, by rarity; none of the default rankers, see docs/metrics.md.

    The facts of the judgments are read when it is first asked, and kept beside the index.
    """

    name = "features"
    reads = "features"
    matches_only = True
    default_weight = 0.2

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        self._corpus = corpus
        self._having: TermCases | None = None

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> list[Scores]:
        """One row of shape (cases,) per feature (`provision:IPC-302`)."""
        if self._having is None:
            self._having = TermCases(case_features(self._corpus, progress))
        return [np.round(self._having.total((feature,)), DECIMALS) for feature in segments]
