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
def test_a_report_of_another_court_is_its_finding(sentence: str, finding: str) -> None:
    assert finding_of(sentence, SUPREME, "allowed") == finding


@pytest.mark.parametrize(
    ("outcome", "fate"),
    [
        ("dismissed", "High Court, upheld here"),
        ("partly allowed", "High Court, varied here"),
        ("remanded", "High Court, set aside here"),
        ("disposed of", "High Court"),
        ("", "High Court"),
    ],
)
def test_its_fate_follows_from_the_outcome(outcome: str, fate: str) -> None:
    assert finding_of("The High Court quashed the charge.", SUPREME, outcome) == fate


def test_of_a_court_that_is_not_right_below_no_fate_is_said() -> None:
    sentence = "The trial court acquitted him."
    assert finding_of(sentence, SUPREME, "allowed") == "trial court"
    assert finding_of("The High Court acquitted him.", "High Court of Delhi", "allowed") == (
        "High Court"
    )


def test_it_goes_on_with_the_court_of_the_sentence_before() -> None:
    before = "The High Court took the petitions up."
    sentence = "Without notice to them it allowed the petitions."
    assert finding_of(sentence, SUPREME, "remanded", before) == "High Court, set aside here"
    assert finding_of("It rained.", SUPREME, "remanded", before) == ""
    assert finding_of(sentence, SUPREME, "remanded") == ""


@pytest.mark.parametrize(
    ("sentence", "argued"),
    [
        ("Counsel for the appellant urged that the fight was sudden.", True),
        ("It was contended that the recovery was planted.", True),
        ("The contention was rejected, and this Court held the recovery proved.", False),
        ("The fight was sudden.", False),
        ("The feud arose from the alleged abduction of his daughter.", False),
        ("She submitted her resignation.", False),
    ],
)
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


@pytest.mark.parametrize(
    "sentence",
    [
        "The State answered that even by his own account he was about 17.",
        "The respondent said that he had been a daily wage worker of the appellant.",
        "His written statement said that the cheques were for purchases that fell through.",
        "The motive put forward was a grudge.",
        "The appellants attacked the findings on age and consent.",
    ],
)
def test_what_one_side_says_is_argued_and_not_a_fact(sentence: str) -> None:
    assert is_argument(sentence)


def test_in_a_holding_only_a_sentence_that_begins_with_a_side_is_its_argument() -> None:
    assert is_told_by_a_side("The State had pointed out that all statements named him.")
    assert not is_told_by_a_side("It is no answer that the State had pointed out three statements.")
    assert not is_told_by_a_side(
        "The State said so, but the Court held that it failed to prove it."
    )


def test_an_officer_who_decides_is_an_authority_below() -> None:
    sentence = "The Commissioner (Appeals) held that they were not penalty."
    assert finding_of(sentence, SUPREME, "allowed") == "authority below"
    assert finding_of("The Magistrate ordered that charges be framed.") == "trial court"
    assert finding_of("Both courts had reasonably found her below 16.", SUPREME, "dismissed") == ""


@pytest.mark.parametrize(
    ("sentence", "finding"),
    [
        ("The High Court had held that she was no longer in danger.", "High Court, upheld here"),
        ("The Controller and the Tribunal had both found the need genuine.",
         "authority below and the tribunal"),
        ("Both orders of the High Court were set aside.", ""),
        ("The Division Bench was upheld.", ""),
        ("The conviction by the High Court was maintained.", ""),
        ("The High Court gave no good reason to discard the papers.", ""),
        ("Both courts had found suicide excluded, and the letter proved the torment.", ""),
        ("Witnesses had charged him alike, and the High Court had rejected that part.", ""),
        ("The duty is a tax; the High Court held the same.", ""),
        ("The High Court rejected the tender, and dismissed the suit.", "High Court, upheld here"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("section", ["holding", "order"])
def test_a_ruling_reports_only_where_it_opens_with_another_court(
    sentence: str, finding: str, section: str
) -> None:
    assert findings([sentence], [section], SUPREME, "dismissed") == [finding]


@labelled("findings_among_facts")
def test_among_the_facts_more_authorities_decide(sentences: list[str], last: str) -> None:
    assert findings(sentences, ["facts"] * len(sentences), SUPREME, "allowed")[-1] == last


def test_what_he_said_is_his_account() -> None:
    assert is_argument("He said that the notes had been hidden under files.")
    assert is_argument("In the Supreme Court he raised one point only: he was 17.")
    assert is_argument("It said that the notification could not be had in Bombay.")
    assert is_argument("The landlord said that the Controller could not hear the suit.")
    assert is_argument("For the State it was objected that the period was over.")
    assert not is_told_by_a_side("It relied on the reasoning of the Bombay High Court.")
    assert is_argument("The Additional Solicitor General suggested that it came late.")
    assert is_argument("It was added that the offence was not made out.")
    assert is_argument("A Deputy Secretary swore in July that the delay was unintended.")
    assert is_argument("The firm pleaded in 1989 that the flat was already sold.")
    assert is_argument("He put it down to a rise in cases.")
    assert not is_argument("He fell from the roof and said nothing.")
