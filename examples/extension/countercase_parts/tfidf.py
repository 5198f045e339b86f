"""A ranker: TF-IDF by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from countercase.config import RetrievalSettings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.io import Progress
from countercase.retrieval.base import Scores


class TfidfRanker:
    """Cosine of TF-IDF vectors of each segment and each case."""

    name = "tfidf"
    default_weight = 0.5

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        texts = [corpus.case_text(case) for case in range(len(corpus.case_ids))]
        self._vectorizer = TfidfVectorizer(sublinear_tf=True, dtype=np.float64)
        self._cases = self._vectorizer.fit_transform(texts)

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> list[Scores]:
        """One row of shape (cases,) per segment."""
        vectors = self._vectorizer.transform(segments)
        return [np.asarray((self._cases @ row.T).todense()).ravel() for row in vectors]
