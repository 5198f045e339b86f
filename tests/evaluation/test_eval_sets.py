"""The shipped evaluation sets: what they name is there, and what they say is their own words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from countercase.corpus.casebook.form import AREAS
from countercase.corpus.casebook.records import casebook_records
from countercase.evaluation.agreement import agreement_section
from countercase.evaluation.counterfactual.labels import sheet_of
from countercase.evaluation.sets import (
    CounterfactualCase,
    ErrorKind,
    ExplanationPair,
    RetrievalQuery,
    read_set,
)
from countercase.facts.model import FactSheet
from countercase.facts.vocabulary import FACT_TYPES
from countercase.law.acts import act_names, acts
from countercase.law.provisions import describe, normal_form
from tools.casebook.check import MAX_SHARED_WORDS, shared_runs, sources_of, words

FOLDER = Path(__file__).resolve().parents[2] / "eval_sets"
RECORDS = {record["case_id"]: record for record in casebook_records()}


@pytest.fixture(scope="module")
def queries() -> list[RetrievalQuery]:
    return read_set(FOLDER / "retrieval.jsonl", RetrievalQuery)


@pytest.fixture(scope="module")
def cases() -> list[CounterfactualCase]:
    return read_set(FOLDER / "counterfactual.jsonl", CounterfactualCase)


@pytest.fixture(scope="module")
def sheets(cases: list[CounterfactualCase]) -> dict[str, FactSheet]:
    """The sheet of each case; raises where id, type or value of a label differ."""
    return {case.case_id: sheet_of(case) for case in cases}


@pytest.fixture(scope="module")
def pairs() -> list[ExplanationPair]:
    return read_set(FOLDER / "explanations.jsonl", ExplanationPair)


def passes(name: str) -> list[dict[str, Any]]:
    """Every label of a set as it was given first, again, and settled."""
    text = (FOLDER / "passes" / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


# Retrieval


def test_queries_of_all_areas_in_both_voices_have_grades_with_reasons(
    queries: list[RetrievalQuery],
) -> None:
    assert len(queries) >= 80
    assert {query.area for query in queries} == set(AREAS)
    assert min(Counter(query.voice for query in queries).values()) >= len(queries) / 4
    assert len({query.text for query in queries}) == len(queries)
    for query in queries:
        assert set(query.relevant) <= set(RECORDS), query.query_id
        grades = query.relevant.values()
        assert min(grades) == 0 and max(grades) >= 2, query.query_id
        relevant = {case for case, grade in query.relevant.items() if grade}
        assert relevant <= set(query.reasons) <= set(query.relevant), query.query_id
        assert all(reason.strip() for reason in query.reasons.values()), query.query_id


# Counterfactual


def test_cases_of_every_design_have_labels_that_fit_their_sheet_and_their_ranking(
    cases: list[CounterfactualCase], sheets: dict[str, FactSheet]
) -> None:
    assert len(cases) >= 60
    assert {case.area for case in cases} <= set(AREAS)
    designs = Counter(case.design for case in cases)
    assert set(designs) == {"threshold", "tempting", "plain"}
    assert min(designs.values()) >= 10
    for case in cases:
        sheet = sheets[case.case_id]
        assert sheet.narrative == case.narrative
        assert case.dispositive_facts and case.non_dispositive_facts, case.case_id
        ranks = case.expert_importance_ranking
        assert set(ranks) == {fact.fact_type for fact in sheet.facts}, case.case_id
        assert 1 in ranks.values() and case.ranking_reason.strip(), case.case_id
        deciding = [ranks[one.fact_type] for one in case.dispositive_types]
        idle = [ranks[one.fact_type] for one in case.non_dispositive_types]
        assert not deciding or not idle or max(deciding) < min(idle), case.case_id


def test_every_label_has_a_reason_and_rests_on_a_decision_or_a_provision(
    cases: list[CounterfactualCase],
) -> None:
    for case in cases:
        for label in (*case.dispositive_facts, *case.non_dispositive_facts):
            where = f"{case.case_id} {label.fact_id}: {label.basis}"
            assert label.reason.strip(), where
            if label.basis not in RECORDS:
                assert normal_form(label.basis) == label.basis, where
                assert label.basis.split("-")[0] in acts(), where
                assert describe(label.basis), where
        for kind in (*case.dispositive_types, *case.non_dispositive_types):
            assert kind.reason.strip(), case.case_id


# Explanations


def test_explanations_of_every_error_rest_on_the_words_of_the_casebook(
    pairs: list[ExplanationPair],
) -> None:
    assert len(pairs) >= 120
    assert 0.45 <= sum(pair.label == "unfaithful" for pair in pairs) / len(pairs) <= 0.55
    kinds = Counter(pair.error for pair in pairs if pair.error)
    assert set(kinds) == set(get_args(ErrorKind))
    assert min(kinds.values()) >= 5
    for pair in pairs:
        assert bool((pair.what or "").strip()) == (pair.label == "unfaithful"), pair.pair_id
        assert pair.source, pair.pair_id
        for chunk in pair.source:
            case_id, field = chunk.chunk_id.split("#")
            assert case_id == pair.case_id and field in ("facts", "holding"), pair.pair_id
            assert chunk.text == RECORDS[case_id][field], pair.pair_id
            assert pair.explanation not in chunk.text, pair.pair_id


# The passes


def test_what_was_settled_is_what_the_sets_say(
    queries: Any, cases: Any, sheets: dict[str, FactSheet], pairs: Any
) -> None:
    graded = {(it.query_id, case): grade for it in queries for case, grade in it.relevant.items()}
    labels = dict(label for case in cases for label in final_labels(case, sheets[case.case_id]))
    faithful = {(pair.pair_id,): {"label": pair.label, "error": pair.error} for pair in pairs}
    for name, keys, said in (
        ("retrieval", ("query_id", "case_id"), graded),
        ("counterfactual", ("case_id", "kind", "id"), labels),
        ("explanations", ("pair_id",), faithful),
    ):
        rows = passes(name)
        settled = {tuple(row[key] for key in keys): row["settled"] for row in rows}
        assert len(settled) == len(rows)
        assert settled == said


def final_labels(
    case: CounterfactualCase, sheet: FactSheet
) -> Iterator[tuple[tuple[str, str, str], Any]]:
    """Every label of a case by (case, kind, id); what is not labelled is left open."""
    facts: dict[str, str] = {fact.fact_id: "neither" for fact in sheet.facts}
    types: dict[str, str] = {fact.fact_type: "neither" for fact in sheet.facts}
    facts |= {one.fact_id: "dispositive" for one in case.dispositive_facts}
    facts |= {one.fact_id: "non_dispositive" for one in case.non_dispositive_facts}
    types |= {one.fact_type: "dispositive" for one in case.dispositive_types}
    types |= {one.fact_type: "non_dispositive" for one in case.non_dispositive_types}
    for kind, labels in (("fact", facts), ("type", types)):
        yield from (((case.case_id, kind, name), label) for name, label in labels.items())
    yield (case.case_id, "ranking", ""), case.expert_importance_ranking


@pytest.mark.parametrize("name", ["retrieval", "counterfactual", "explanations"])
def test_every_disagreement_and_nothing_else_has_a_reason(name: str) -> None:
    rows = passes(name)
    assert any(row["first"] != row["second"] for row in rows)
    for row in rows:
        if row["first"] != row["second"]:
            assert row["reason"].strip(), row
        else:
            assert "reason" not in row, row
            assert "review" in row or row["settled"] == row["first"], row


def test_the_passes_cover_all_fact_types_and_make_a_section() -> None:
    rankings = [row["first"] for row in passes("counterfactual") if row["kind"] == "ranking"]
    assert set().union(*rankings) == set(FACT_TYPES)
    for one in agreement_section(FOLDER).measures:
        assert one.value is not None and -1 <= one.value <= 1, one.key


# Words of their own

_FORMULA = (
    r"under|sections?|of|the|read|with|part|ii|and|clause|sub|article|order|rule|act|indian|code"
    r"|ipc|crpc|[a-z]|\d[a-z0-9]*"
)


@cache
def _citing() -> re.Pattern[str]:
    """What cites a provision: names of Acts, numbers and what joins them."""
    named = (*act_names(), *(entry.title for entry in acts().values()))
    names = sorted({" ".join(words(name)) for name in named} - {""}, key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(names)}|{_FORMULA})(?!\S)")


def copied(text: str, source: str) -> list[str]:
    """Runs that `text` shares with `source` and that do more than cite a provision."""
    runs, ours, length = set(shared_runs(text, source)), words(text), MAX_SHARED_WORDS + 1
    if not runs:
        return []
    left = _citing().sub(lambda cited: "- " * len(cited[0].split()), " ".join(ours)).split()
    return [
        run
        for at in range(len(ours) - length + 1)
        if (run := " ".join(ours[at : at + length])) in runs
        and set(left[at : at + length]) != {"-"}
    ]


def texts_of(
    queries: list[RetrievalQuery], cases: list[CounterfactualCase], pairs: list[ExplanationPair]
) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Where a text stands, the text, and the decisions that it names."""
    for query in queries:
        yield query.query_id, query.text, query.relevant
        yield from ((query.query_id, reason, [case]) for case, reason in query.reasons.items())
    named = {}
    for case in cases:
        labels = (*case.dispositive_facts, *case.non_dispositive_facts)
        bases = sorted({one.basis for one in labels if one.basis in RECORDS})
        named[case.case_id] = bases
        types = (*case.dispositive_types, *case.non_dispositive_types)
        reasons = [one.reason for one in (*labels, *types)]
        items = [item["description"] for item in case.fact_sheet["evidence_items"]]
        for text in (case.narrative, case.ranking_reason, *reasons, *items):
            yield case.case_id, text, bases
    for pair in pairs:
        named[pair.pair_id] = [pair.case_id]
        yield pair.pair_id, pair.explanation, [pair.case_id]
        yield pair.pair_id, pair.what or "", [pair.case_id]
    for row in (*passes("counterfactual"), *passes("explanations")):
        where = row.get("pair_id") or row["case_id"]
        yield f"pass of {where}", row.get("reason", ""), named[where]
    for row in passes("retrieval"):
        yield f"pass of {row['query_id']}", row.get("reason", ""), [row["case_id"]]


def test_nothing_is_copied_from_the_judgments(
    data: Path, queries: Any, cases: Any, pairs: Any
) -> None:
    ids = {case: record["source"]["id"] for case, record in RECORDS.items()}
    sources = sources_of(data, RECORDS.values())
    assert set(ids.values()) <= set(sources)
    found = {
        (where, case, run)
        for where, text, named in texts_of(queries, cases, pairs)
        for case in named
        for run in copied(text, sources[ids[case]])
    }
    assert not found
