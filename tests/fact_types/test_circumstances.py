"""Circumstances that the learnt reader tells, and words that it does not believe."""

from __future__ import annotations

import pytest

from countercase.fact_types.evidence import FACT_TYPE
from countercase.fact_types.evidence.circumstances import clauses_of_text
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE, evidence_items
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, Fact, FactSheet

TEXT = (
    "Our client Kesho Ram, 52, cut the branch of a neem that hung over his own yard. Words were "
    "exchanged with the neighbour, Dinanath. Kesho Ram gave one push on the chest with both hands, and "
    "nobody struck him after he fell. He is charged under section 302 "
    "IPC. The neem is eleven years old."
)


def _told(sheet: FactSheet) -> list[Fact]:
    kinds = ((fact, value) for fact, value in sheet.valued(EvidenceValue))
    return [fact for fact, value in kinds if value.evidence_type == CIRCUMSTANCE]


@pytest.fixture(scope="module")
def sheet() -> FactSheet:
    return extract(TEXT, "neem", tagger=False)


def test_the_act_on_which_the_matter_turns_is_told_and_the_age_of_a_tree_is_not(
    sheet: FactSheet,
) -> None:
    told = [TEXT[span.start : span.end] for fact in _told(sheet) for span in fact.spans]
    assert any(words.startswith("Kesho Ram gave one push") for words in told)
    assert not any("eleven years old" in words for words in told)


def test_a_circumstance_is_stated_in_its_own_words_and_supposed_otherwise(sheet: FactSheet) -> None:
    fact = next(f for f in _told(sheet) if "one push" in f.value_as(EvidenceValue).description)
    words = fact.value_as(EvidenceValue).description.strip(" .")
    assert FACT_TYPE.state(sheet, fact) == f"{words[:1].upper()}{words[1:]}."
    [edit] = FACT_TYPE.what_ifs(sheet, fact)
    assert edit.operation == "remove"
    assert edit.supposition.startswith(f"Suppose this were left out of account: “{words}”")


@pytest.mark.parametrize(
    "plea",
    [
        "Counsel argues that the Board alone can try a child.",
        "The High Court dismissed the appeal and an SLP is pending before the Supreme Court.",
        "We act for the accused and want bail for him.",
    ],
)
def test_what_is_argued_or_asked_or_only_reported_is_no_circumstance(
    sheet: FactSheet, plea: str
) -> None:
    argued = extract(f"{TEXT} {plea}", "argued", tagger=False)
    assert [fact.value for fact in _told(argued)] == [fact.value for fact in _told(sheet)]


def test_a_clause_is_quoted_whole_or_with_an_ellipsis_and_no_rest_of_a_bracket_is_told() -> None:
    text = f"Nobody asked him for the licence {'of the shop ' * 20}at all. See Ex. P1 (A to C); B to G)."
    told = [v for _, v in extract(text, "long", tagger=False).valued(EvidenceValue)]
    words = [v.description for v in told if v.evidence_type == CIRCUMSTANCE]
    assert all(text.count(one) or one.endswith(" …") for one in words)
    assert not any(one.startswith("B to G)") for one in words)


def test_clauses_are_parts_of_their_sentences_and_a_joint_leaves_no_conjunction_behind() -> None:
    for clause, sentence in clauses_of_text(TEXT):
        assert sentence.start <= clause.start and clause.end <= sentence.end
        assert len(TEXT[clause.start : clause.end].split()) >= 3
    text = "She was asleep; and that nobody woke her is agreed, but the door was open."
    clauses = [text[c.start : c.end] for c, _ in clauses_of_text(text)]
    assert clauses == ["She was asleep", "that nobody woke her is agreed", "the door was open"]


def test_what_the_reader_doubts_is_on_no_sheet() -> None:
    text = "It is argued that no presumption arises without proof of demand."
    assert evidence_items(text) != ()
    assert evidence_items(text, learnt=True) == ()
