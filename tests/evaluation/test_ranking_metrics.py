"""MRR, NDCG, Recall and MAP, worked by hand."""

from __future__ import annotations

import math

import pytest

from countercase.errors import InputError
from countercase.evaluation.metrics import measure_titles, measures_per_query

JUDGED = {"q": {"a": 3, "b": 1, "c": 2, "d": 0}}
RUN = {"q": {"x": 4.0, "a": 3.0, "d": 2.0, "b": 1.0}}
"""The order x a d b: not judged, grade 3, grade 0, grade 1; c is not found."""

LOG3, LOG5 = math.log2(3), math.log2(5)


def test_the_worked_example() -> None:
    values = {key: row["q"] for key, row in measures_per_query(JUDGED, RUN).items()}
    assert list(values) == list(measure_titles(10))
    assert values == pytest.approx(
        {
            "mrr@10": 1 / 2,  # the first relevant one stands second
            "ndcg@10": (1 / LOG3 + 1 / LOG5) / (1 + 1 / LOG3 + 1 / 2),  # ideal: three at the top
            "ndcg_graded@10": (3 / LOG3 + 1 / LOG5) / (3 + 2 / LOG3 + 1 / 2),  # ideal: 3, 2, 1
            "recall@10": 2 / 3,  # a and b of a, b, c
            "map": (1 / 2 + 2 / 4) / 3,  # precision at a and at b, over three
        },
        abs=1e-12,
    )


def test_k_cuts_all_but_map_and_the_bar_moves_all_but_graded_ndcg() -> None:
    cut = {key: row["q"] for key, row in measures_per_query(JUDGED, RUN, 1).items()}
    assert cut == pytest.approx(
        {"mrr@1": 0, "ndcg@1": 0, "ndcg_graded@1": 0, "recall@1": 0, "map": (1 / 2 + 2 / 4) / 3}
    )
    high = {key: row["q"] for key, row in measures_per_query(JUDGED, RUN, 2, 3).items()}
    assert high == pytest.approx(
        {"mrr@2": 1 / 2, "ndcg@2": 1 / LOG3, "ndcg_graded@2": (3 / LOG3) / (3 + 2 / LOG3),
         "recall@2": 1, "map": 1 / 2}
    )  # fmt: skip


def test_of_equal_scores_the_greater_id_is_first_and_a_grade_below_0_is_0() -> None:
    judged = {"q": {"a": 1, "b": -1}, "without a ranking": {"a": 1}, "nothing": {"a": 0}}
    tied = {"a": 1.0, "b": 1.0 + 1e-9}  # alike in single precision, as trec_eval has them
    values = measures_per_query(judged, {"q": tied, "nothing": tied, "not judged": tied})
    assert values["mrr@10"] == {"q": 1 / 2, "without a ranking": 0.0, "nothing": 0.0}
    assert values["ndcg_graded@10"]["q"] == pytest.approx(1 / LOG3)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_is_named(score: float) -> None:
    with pytest.raises(InputError, match="query q, document a"):
        measures_per_query(JUDGED, {"q": {"a": score}})


def test_k_and_the_bar_start_at_1() -> None:
    for k, bar in ((0, 1), (10, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            measures_per_query(JUDGED, RUN, k, bar)
