"""Measures of passages, worked by hand, and their means."""

from __future__ import annotations

import json
from math import log2
from typing import Any

import pytest

from countercase.evaluation.benchmarks.passages import (
    Idcg,
    PassageQuery,
    matched_answers,
    measure_query,
    passages_section,
    score_passages,
)


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-12)


# The measures, worked by hand


@pytest.mark.parametrize(
    ("measure", "answers", "passage", "value"),
    [
        ("exact_match", ["a fee", "notices go\nby post."], "  Notices go by POST. ", 1),
        ("exact_match", ["notices go by post."], "Notices go by post. And more.", 0),
        # {the, tenant, pays, rent} and {the, tenant, pays, monthly, rent}: 2 * 4 / (4 + 5)
        ("span_f1", ["the tenant pays monthly rent"], "The tenant pays rent; the tenant.", 8 / 9),
        ("span_f1", ["nothing here", "rs 500"], "Rs. 500 (five hundred)", 4 / 6),
        ("span_f1", ["rent"], "... --", 0),
        ("span_f1", ["--"], "rent", 0),
    ],
)
def test_the_first_passage_by_hand(
    measure: str, answers: list[str], passage: str, value: float
) -> None:
    assert measure_query(answers, [passage], 1)[measure] == close(value)


def test_a_match_is_either_way_and_blind_to_case_and_line_ends() -> None:
    answers = ["keep it\n  SECRET", "return all copies", "secret"]
    assert matched_answers("They shall Keep it secret.", answers) == {0, 2}
    assert matched_answers("all copies", answers) == {1}
    assert matched_answers("keep it", ["keep", "it secret"]) == {0}
    assert matched_answers(" \n", ["keep it secret"]) == frozenset()  # a blank is part of all


# Both answers, the second of them at rank 4 behind one that repeats the first.
FOUND = ["<a> and more", "words", "again <a>", "<b>"]


@pytest.mark.parametrize(
    ("retrieved", "k", "idcg", "ndcg", "recall"),
    [
        (FOUND, 4, "gold", (1 + 1 / log2(5)) / (1 + 1 / log2(3)), 1),
        (FOUND, 4, "retrieved", (1 + 1 / 2 + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / 2), 1),
        (FOUND, 2, "gold", 1 / (1 + 1 / log2(3)), 1 / 2),
        (FOUND, 2, "retrieved", 1, 1 / 2),
        (["words", "<a> <b>"], 9, "gold", 1 / log2(3), 1),  # both in one passage: one gain
        (["words"], 1, "gold", 0, 0),
        (["words"], 1, "retrieved", 0, 0),
    ],
)
def test_ndcg_by_hand(retrieved: list[str], k: int, idcg: Idcg, ndcg: float, recall: float) -> None:
    found = measure_query(["<a>", "<b>"], retrieved, k, idcg)
    assert (found["ndcg"], found["recall"]) == (close(ndcg), close(recall))


# The mean over queries


def query(retrieved: list[str], *answers: str) -> PassageQuery:
    return "q", answers, retrieved


def test_means_are_over_the_queries_that_have_an_answer() -> None:
    found = score_passages(
        [query(["rent"], "rent"), query(["no"], "rent"), query(["rent"]), query([], "rent")]
    )
    assert found["without_gold"] == 1
    assert found["num_examples"] == 3
    for name in ("exact_match", "span_f1", "recall@10", "ndcg@10"):
        assert found[name] == close(1 / 3)
    assert [one["recall"] for one in found["queries"]] == [1, 0, 0]
    cut = score_passages([query(["no", "no", "rent"], "rent")], k=2)
    assert (cut["recall@2"], cut["ndcg@2"]) == (0, 0)


def test_the_section_has_the_means_with_intervals_that_hold_them() -> None:
    queries = [query(["rent"], "rent")] * 3 + [query(["no"], "rent")] * 5
    section = passages_section(score_passages(queries))
    assert [one.key for one in section.measures] == [
        "exact_match", "span_f1", "recall@10", "ndcg@10",
    ]  # fmt: skip
    for measure in section.measures:
        assert measure.value == close(3 / 8)
        assert measure.low is not None and measure.high is not None
        assert measure.low < 3 / 8 < measure.high
    assert section.to_dict() == passages_section(score_passages(queries)).to_dict()
    json.dumps(section.to_dict(), allow_nan=False)
