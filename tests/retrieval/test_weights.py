"""Segments count by their weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from countercase import registry
from countercase.config import RetrievalSettings
from countercase.retrieval.base import Query
from countercase.retrieval.channels import Channels


class Letters:
    """Scores case i by how often a segment has the i-th of `ab`."""

    name = "letters"

    def __init__(self, corpus: object, encoders: object, settings: object) -> None:
        pass

    def rows(self, segments: Sequence[str], progress: object = None) -> list[np.ndarray]:
        return [np.asarray([float(text.count(c)) for c in "ab"]) for text in segments]


class TwoCases:
    case_ids = ("first", "second")


def test_a_query_scores_the_weighted_sum_of_its_segments() -> None:
    registry.register("rankers", "letters", Letters)
    try:
        channels = Channels(TwoCases(), None, RetrievalSettings())  # type: ignore[arg-type]
        letters = channels.ranker("letters")
        rows = dict(zip(("aab", "b"), letters.rows(("aab", "b")), strict=True))
        channels._rows[letters].update(rows)
        plain = Query(("aab", "b"))
        weighted = Query(("aab", "b"), weights=(0.5, 3.0))
        assert channels.scores("letters", plain).tolist() == [2.0, 2.0]
        assert channels.scores("letters", weighted).tolist() == [1.0, 3.5]
    finally:
        registry.RANKERS._registered.pop("letters")
