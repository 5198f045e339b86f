"""A finding of a court below is never the holding, and what became of it is said where known."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.corpus.judgment.attribution import (
    ANOTHER,
    finding_of,
    findings,
    is_argument,
    is_told_by_a_side,
)

SUPREME = "Supreme Court of India"


@labelled("findings")
def test_a_report_of_another_court_is_its_finding(
    sentence: str, court: str, outcome: str, before: str, finding: str
) -> None:
    assert finding_of(sentence, court, outcome, before) == finding


@labelled("arguments")
def test_arguments_are_no_findings(sentence: str, argued: bool) -> None:
    assert is_argument(sentence) is argued


def test_among_the_facts_what_a_court_did_another_did() -> None:
    sentences = [
        "A firm built a house and was not paid.",
        "The Punjab and Haryana High Court, acting under section 482, quashed the case.",
        "It treated the note as a notice that could not stand.",
        "He was convicted under section 420 IPC.",
        "An Executive Magistrate took her statement.",
        "The High Court could not quash it.",
    ]
    sections = ["facts"] * 5 + ["holding"]
    assert findings(sentences, sections, SUPREME, "allowed") == [
        "", "High Court, reversed here", "High Court, reversed here", ANOTHER, "", ""
    ]  # fmt: skip


def test_in_a_holding_only_a_sentence_that_begins_with_a_side_is_its_argument() -> None:
    assert is_told_by_a_side("The State had pointed out that all statements named him.")
    assert not is_told_by_a_side("It is no answer that the State had pointed out three statements.")
    held = "The State said so, but the Court held that it failed to prove it."
    assert not is_told_by_a_side(held)


@labelled("findings_of_rulings")
@pytest.mark.parametrize("section", ["holding", "order"])
def test_a_ruling_reports_only_where_it_opens_with_another_court(
    sentence: str, finding: str, section: str
) -> None:
    assert findings([sentence], [section], SUPREME, "dismissed") == [finding]


@labelled("findings_among_facts")
def test_among_the_facts_more_authorities_decide(sentences: list[str], last: str) -> None:
    assert findings(sentences, ["facts"] * len(sentences), SUPREME, "allowed")[-1] == last
