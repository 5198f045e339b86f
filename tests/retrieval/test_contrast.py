"""The contrast: on which side of what a decision turned on a matter stands."""

from __future__ import annotations

import numpy as np
import pytest

from countercase.corpus.documents import Document
from countercase.corpus.index.kept import kept_sides
from countercase.corpus.judgment.metadata import Point, points_in
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval.base import Query
from countercase.retrieval.contrast import AGAINST, SPEAKS, ContrastVoter, stance_of
from countercase.retrieval.hybrid import HybridRetriever

IN_TIME = "The notice of demand was sent within thirty days of the bank's memo."
LATE = "The notice of demand was sent only after the thirty days had run out."
TOLD = "A cheque was returned unpaid by the bank and a complaint was filed."


def document(name: str, *points: tuple[str, str]) -> Document:
    return Document(name, name, TOLD, {"points": [list(point) for point in points]})


DOCUMENTS = (
    document("in-time", (IN_TIME, LATE)),
    document("late", (LATE, IN_TIME)),
    document("none"),
)


def query(*texts: str) -> Query:
    return Query((TOLD, *texts))


def test_a_text_counts_as_far_as_it_speaks_of_a_point() -> None:
    """At the threshold half of .8 - .5 x .4 counts; where nothing is alike, next to nothing."""
    likeness = np.array([[SPEAKS, 0.0], [0.1, 0.0]])
    stance = stance_of(likeness, np.array([[0.8, 0.8], [0.4, 0.4]]))
    assert stance.near.tolist() == [SPEAKS, 0.0]
    assert stance.lean[0] == pytest.approx((0.8 - AGAINST * 0.4) / 2)
    assert 0 < stance.lean[1] < 0.001


@pytest.mark.parametrize(
    ("stated", "points"),
    [
        (None, ()),
        ([["a", " b "]], (Point("a", "b"),)),
        ([["a", ""], ["a"], "ab", [1, 2], ["c", "d"]], (Point("c", "d"),)),
    ],
)
def test_points_are_two_texts_each(stated: object, points: tuple[Point, ...]) -> None:
    assert points_in(stated) == points


class TestOverPoints:
    @pytest.fixture
    def retriever(self, encoders: EmbeddedEncoders) -> HybridRetriever:
        return HybridRetriever.from_documents(DOCUMENTS, encoders=encoders)

    @pytest.fixture
    def voter(self, retriever: HybridRetriever, encoders: EmbeddedEncoders) -> ContrastVoter:
        return ContrastVoter(retriever.snapshot, encoders)

    def test_a_matter_stands_with_the_decision_of_its_side(self, voter: ContrastVoter) -> None:
        in_time, late, none = voter.scores(query(IN_TIME)).tolist()
        assert in_time > late and none == 0.0
        turned = voter.scores(query(LATE)).tolist()
        assert turned == pytest.approx([late, in_time, 0.0], abs=1e-6)

    def test_the_score_depends_on_nothing_else_that_is_asked(
        self, voter: ContrastVoter, retriever: HybridRetriever, encoders: EmbeddedEncoders
    ) -> None:
        asked = query(IN_TIME, "He was 17.")
        alone = ContrastVoter(retriever.snapshot, encoders).scores(asked).tolist()
        voter.load([query("It rained."), query(LATE, IN_TIME)])
        assert voter.scores(Query(asked.segments[::-1])).tolist() == alone

    def test_only_the_pool_is_ranked(self, voter: ContrastVoter) -> None:
        listed, scores = voter.ranked(query(LATE), [0, 2])
        assert sorted(listed.tolist()) == [0, 1, 2] and listed[1] == 0 and scores[1] == 0.0

    def test_a_ranking_shows_the_contrast_and_can_do_without(
        self, retriever: HybridRetriever
    ) -> None:
        [ranking] = retriever.retrieve([query(LATE)])
        assert all("contrast" in case.stages for case in ranking.results)
        first = min(ranking.results, key=lambda case: case.stages["contrast"].rank)
        assert first.case_id == "late"
        settings = retriever.settings.model_copy(update={"contrast_weight": 0.0})
        without = HybridRetriever(retriever.snapshot, retriever.encoders, settings)
        assert all("contrast" not in c.stages for c in without.retrieve([query()])[0].results)

    def test_a_corpus_without_points_leans_nowhere(self, encoders: EmbeddedEncoders) -> None:
        plain = HybridRetriever.from_documents({"a": TOLD, "b": IN_TIME}, encoders=encoders)
        assert ContrastVoter(plain.snapshot, encoders).scores(query(LATE)).tolist() == [0.0, 0.0]

    def test_sides_have_a_vector_of_each_encoder(
        self, retriever: HybridRetriever, encoders: EmbeddedEncoders
    ) -> None:
        sides = kept_sides(retriever.snapshot, encoders)
        assert sides.shape == (2, 2, 2, encoders.width("stance"))
        assert np.array_equal(sides[:, 0, 0], sides[:, 1, 1])
