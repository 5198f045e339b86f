"""Votes: on which side of what a decision turned on a matter stands, and the cross-encoder's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from countercase.corpus.documents import Document
from countercase.corpus.judgment.metadata import Point, points_in
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever
from countercase.retrieval.votes import ContrastVoter, CrossEncoderReranker, Questions, contribution

IN_TIME = "The notice of demand was sent within thirty days of the bank's memo."
LATE = "The notice of demand was sent only after the thirty days had run out."
TOLD = "A cheque was returned unpaid by the bank and a complaint was filed."


def document(name: str, *points: tuple[str, str]) -> Document:
    return Document(name, name, TOLD, {"points": [list(point) for point in points]})


POOL = (0, 1, 2)
DOCUMENTS = (
    document("in-time", (IN_TIME, LATE)),
    document("late", (LATE, IN_TIME)),
    document("none"),
)


def query(*texts: str) -> Query:
    return Query((TOLD, *texts))


def test_plain_cosines_tell_where_nothing_was_learnt() -> None:
    """A text speaks of a point by half near a cosine of .47, and stands on the side it is nearer to."""
    others: Any = SimpleNamespace(fingerprint=lambda role: "other", width=lambda role: 2)
    questions = Questions.of(others)
    held, otherwise = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    sides = np.stack([held, otherwise])
    points = questions.project(np.stack([sides, sides])[:, :, None])
    products = questions.multiply(np.stack([sides, sides]), points)
    assert products.shape == (2, 4, 2, 1)
    speaks = questions.nearer[0] * 0.47 + products[:, 2, 0, 0].sum() + questions.bias[0]
    assert speaks == pytest.approx(0.0, abs=0.05)
    assert products[1, 3].ravel().tolist() == [1.0, -1.0]


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
        in_time, late, none = voter.scores(query(IN_TIME), POOL).tolist()
        assert in_time > 2 * late > 0 and none == 0.0
        turned = voter.scores(query(LATE), POOL).tolist()
        assert turned[1] > 2 * turned[0] > 0 and turned[2] == 0.0

    def test_the_score_depends_on_nothing_else_that_is_asked(
        self, voter: ContrastVoter, retriever: HybridRetriever, encoders: EmbeddedEncoders
    ) -> None:
        asked = query(IN_TIME, "He was 17.")
        alone = ContrastVoter(retriever.snapshot, encoders).scores(asked, POOL).tolist()
        voter.load([query("It rained."), query(LATE, IN_TIME)])
        assert voter.scores(Query(asked.segments[::-1]), POOL).tolist() == alone

    def test_what_no_text_speaks_of_counts_less(self, voter: ContrastVoter) -> None:
        told, silent = (voter.scores(query(LATE), POOL), voter.scores(Query(("It rained.",)), POOL))
        assert silent[:2].max() < told[:2].max() / 4

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
        [ranking] = plain.retrieve([query(LATE)])
        assert all("contrast" not in case.stages for case in ranking.results)


# The cross-encoder

SEGMENT = "He struck one blow with a stick in a sudden quarrel over the water channel."
CHUNK = "A single blow in the heat of a sudden fight is culpable homicide not amounting to murder."
OTHER = "The assessee cannot claim depreciation on machinery that was never put to use."


@pytest.mark.parametrize("mode", ["apart", "joint"])
def test_the_answer_is_worth_more_than_another_text(mode, encoders: EmbeddedEncoders) -> None:
    reranker = CrossEncoderReranker[str](encoders, mode, str)
    reranker.load([(SEGMENT, [CHUNK, OTHER]), (SEGMENT, [CHUNK])])
    assert reranker.vote(SEGMENT, CHUNK) > 0.5 > 0.1 > reranker.vote(SEGMENT, OTHER)
    before = reranker.vote(SEGMENT, CHUNK)
    reranker.forget()
    assert reranker.cached_bytes == 0
    assert reranker.vote(SEGMENT, CHUNK) == before


def test_the_mode_decides_how_a_pair_is_read(encoders: EmbeddedEncoders) -> None:
    apart, joint = (CrossEncoderReranker[str](encoders, m, str) for m in ("apart", "joint"))
    for reranker in (apart, joint):
        reranker.load([(SEGMENT, [CHUNK])])
    [pair] = encoders.score([(SEGMENT, CHUNK)]).tolist()
    assert joint.vote(SEGMENT, CHUNK) == contribution(pair)
    first, second = encoders.apart.read([SEGMENT, CHUNK])
    [[alone]] = encoders.apart.compare([([first], second)])
    assert apart.vote(SEGMENT, CHUNK) == contribution(float(alone))
