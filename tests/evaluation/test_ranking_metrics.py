"""MRR, NDCG, Recall and MAP: worked by hand, and against a second implementation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    assert values["ndcg@10"] == pytest.approx(0.498189, abs=1e-6)
    assert values["ndcg_graded@10"] == pytest.approx(0.487932, abs=1e-6)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_is_named(score: float) -> None:
    with pytest.raises(InputError, match="query q, document a"):
        measures_per_query(JUDGED, {"q": {"a": score}})


def test_k_and_the_bar_start_at_1() -> None:
    for k, bar in ((0, 1), (10, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            measures_per_query(JUDGED, RUN, k, bar)


# The second implementation: nothing but the definitions.


def ordered(listed: dict[str, float]) -> list[str]:
    """By score in single precision, then by id, both falling."""
    return sorted(listed, key=lambda doc: (float(np.float32(listed[doc])), doc), reverse=True)


def second_opinion(
    judged: dict[str, int], listed: dict[str, float], k: int, bar: int
) -> dict[str, float]:
    order = ordered(listed)
    relevant = {doc for doc, grade in judged.items() if grade >= bar}
    places = [place for place, doc in enumerate(order, start=1) if doc in relevant]

    def ndcg(gains: dict[str, int]) -> float:
        def dcg(values: list[int]) -> float:
            return sum(gain / math.log2(at + 1) for at, gain in enumerate(values[:k], start=1))

        ideal = dcg(sorted(gains.values(), reverse=True))
        return dcg([gains.get(doc, 0) for doc in order]) / ideal if ideal else 0.0

    return {
        f"mrr@{k}": 1 / places[0] if places and places[0] <= k else 0.0,
        f"ndcg@{k}": ndcg({doc: int(doc in relevant) for doc in judged}),
        f"ndcg_graded@{k}": ndcg({doc: max(grade, 0) for doc, grade in judged.items()}),
        f"recall@{k}": sum(at <= k for at in places) / len(relevant) if relevant else 0.0,
        "map": sum(found / at for found, at in enumerate(places, start=1)) / len(relevant)
        if relevant
        else 0.0,
    }


documents = st.sampled_from(["d1", "d2", "d10", "D1", "é", "中", *"abcdefghijkl"])
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, 1.0 + 1e-9, 1.0 + 1e-6, -2.0, 16777216.0, 16777217.0]),
    st.floats(-1e6, 1e6, allow_nan=False),
)
query_ids = st.sampled_from(["q1", "q2", "q3"])
judgements = st.dictionaries(
    query_ids, st.dictionaries(documents, st.integers(-1, 3), min_size=1, max_size=12), min_size=1
)
runs = st.dictionaries(query_ids, st.dictionaries(documents, scores, max_size=16))


@given(judgements, runs, st.integers(1, 20), st.integers(1, 3))
@settings(max_examples=300, deadline=None)
def test_every_measure_equals_the_second_implementation(
    judged: dict[str, dict[str, int]], run: dict[str, dict[str, float]], k: int, bar: int
) -> None:
    values = measures_per_query(judged, run, k, bar)
    for query, grades in judged.items():
        expected = second_opinion(grades, run.get(query, {}), k, bar)
        for key, value in expected.items():
            assert values[key][query] == pytest.approx(value, abs=1e-9), key
    assert all(list(row) == list(judged) for row in values.values())
    assert all(0 <= value <= 1 + 1e-9 for row in values.values() for value in row.values())
