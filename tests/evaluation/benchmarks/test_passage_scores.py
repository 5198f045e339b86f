"""Measures of passages, worked by hand and against oracles, and their means."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countercase.evaluation.benchmarks.passages import (
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
        (
            "span_f1",
            ["the tenant pays monthly rent"],
            "The tenant pays rent; the tenant pays.",
            8 / 9,
        ),
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


# The measures against an oracle

ANSWERS = tuple(f"<{letter}>" for letter in "abcdef")
runs = st.lists(st.sets(st.sampled_from(ANSWERS), max_size=3), max_size=14)
golds = st.sets(st.sampled_from(ANSWERS), min_size=1)


def oracle_ndcg(gains: list[bool], unfound: int, k: int) -> float:
    """nDCG of ir_measures, for documents in the order of `gains` and `unfound` more relevant."""
    import ir_measures
    from ir_measures import nDCG

    run = {f"d{at}": float(len(gains) - at) for at in range(len(gains))}
    relevant = {f"d{at}": 1 for at, gain in enumerate(gains) if gain}
    relevant |= {f"missed{at}": 1 for at in range(unfound)}
    if not run or not relevant:
        return 0.0
    return float(ir_measures.calc_aggregate([nDCG @ k], {"q": relevant}, {"q": run})[nDCG @ k])


@settings(max_examples=1_000, deadline=None)
@given(runs, golds, st.integers(1, 12))
def test_ndcg_equals_that_of_ir_measures(run: list[set[str]], gold: set[str], k: int) -> None:
    retrieved = ["".join(["words ", *sorted(held)]) for held in run]
    matching = [bool(held & gold) for held in run[:k]]
    news, seen = [], set[str]()
    for held in run[:k]:
        news.append(bool((held & gold) - seen))
        seen |= held & gold
    answers = sorted(gold)
    assert measure_query(answers, retrieved, k, "retrieved")["ndcg"] == pytest.approx(
        oracle_ndcg(matching, 0, k), abs=1e-9
    )
    assert measure_query(answers, retrieved, k, "gold")["ndcg"] == pytest.approx(
        oracle_ndcg(news, len(gold - seen), k), abs=1e-9
    )
    assert measure_query(answers, retrieved, k)["recall"] == close(len(seen) / len(gold))


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
