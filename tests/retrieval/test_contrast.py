"""The contrast vote: on which side of a fact a decision stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval.base import Query
from countercase.retrieval.contrast import ContrastVoter, lean
from countercase.retrieval.hybrid import HybridRetriever

IN_TIME = "The notice was sent within thirty days of the dishonour: 20 days."
LATE = "The notice was sent after the thirty days that the law gives: 45 days."
HELD_IN_TIME = "Held: the notice of demand went out within thirty days, in time, and is good."
HELD_LATE = "Held: the notice of demand went out after thirty days, late, and is bad."


def documents() -> dict[str, str]:
    told = "The cheque was returned unpaid by the bank and a complaint was filed."
    held = {"in-time": HELD_IN_TIME, "late": HELD_LATE, "land": "Held: the sale deed was void."}
    return {name: f"FACTS\n{told}\n\nHELD\n{words}" for name, words in held.items()}


def query(*contrasts: tuple[str, str, float]) -> Query:
    return Query(("A cheque was dishonoured.",), contrasts=contrasts)


def test_a_difference_counts_as_far_as_the_decision_speaks_of_the_fact() -> None:
    """z of (.9, .1) is (1, -1): the first counts 1 / (1 + e^-2), the second 1 / (1 + e^2)."""
    leaning = lean(np.array([0.9, 0.1]), np.array([0.5, 0.0]))
    assert leaning == pytest.approx([0.4 / (1 + np.exp(-2)), 0.1 / (1 + np.exp(2))])
    assert lean(np.array([0.3, 0.3]), np.array([0.3, 0.1])) == pytest.approx([0.0, 0.2 / 2])


class TestOverHoldings:
    @pytest.fixture
    def retriever(self, encoders: EmbeddedEncoders) -> HybridRetriever:
        return HybridRetriever.from_documents(documents(), encoders=encoders)

    @pytest.fixture
    def voter(self, retriever: HybridRetriever, encoders: EmbeddedEncoders) -> ContrastVoter:
        return ContrastVoter(retriever.snapshot, encoders)

    def leaning(self, voter: ContrastVoter, snapshot: Snapshot, *rows: object) -> dict[str, float]:
        scores = voter.scores(query(*rows))  # type: ignore[arg-type]
        return dict(zip(snapshot.case_ids, scores.tolist(), strict=True))

    def test_the_sign_turns_with_the_fact(
        self, voter: ContrastVoter, retriever: HybridRetriever
    ) -> None:
        stands = self.leaning(voter, retriever.snapshot, (IN_TIME, LATE, 1.0))
        turned = self.leaning(voter, retriever.snapshot, (LATE, IN_TIME, 1.0))
        assert stands["in-time"] > stands["late"]
        assert turned == {name: -value for name, value in stands.items()}
        assert voter.scores(query()).tolist() == [0.0, 0.0, 0.0]

    def test_the_sum_depends_on_nothing_else_that_is_asked(
        self, voter: ContrastVoter, retriever: HybridRetriever, encoders: EmbeddedEncoders
    ) -> None:
        rows: Sequence[tuple[str, str, float]] = [
            (IN_TIME, LATE, 0.7), ("He was 17.", "He was 19.", 0.2),
        ]  # fmt: skip
        alone = ContrastVoter(retriever.snapshot, encoders).scores(query(*rows)).tolist()
        voter.load([query(rows[1]), query(("It rained.", "It was dry.", 1.0)), query(rows[0])])
        assert voter.scores(query(*reversed(rows))).tolist() == alone

    def test_only_the_pool_is_ranked(self, voter: ContrastVoter) -> None:
        listed, scores = voter.ranked(query((IN_TIME, LATE, 1.0)), [0, 2])
        assert sorted(listed.tolist()) == [0, 1, 2] and listed[1] == 0 and scores[1] == 0.0

    def test_a_ranking_shows_the_vote_and_can_do_without(self, retriever: HybridRetriever) -> None:
        asked = query((IN_TIME, LATE, 1.0))
        [ranking] = retriever.retrieve([asked])
        assert all("contrast" in case.stages for case in ranking.results)
        settings = retriever.settings.model_copy(update={"contrast_weight": 0.0})
        without = HybridRetriever(retriever.snapshot, retriever.encoders, settings)
        assert all("contrast" not in c.stages for c in without.retrieve([asked])[0].results)
