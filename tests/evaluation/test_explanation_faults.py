"""Faithfulness: what counts as borne out by a passage, and what each check finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_rows import labelled
from rent_passage import PASSAGE

from countercase.evaluation.faithfulness.mentions import dates_in, figures_in
from countercase.evaluation.faithfulness.sentences import (
    FORMS,
    Fault,
    faithfulness,
    faults,
    score_sentences,
)
from countercase.evaluation.sets import SourceChunk
from countercase.text.sentences import clauses_of
from countercase.text.words import content_words, overlap, stem


def checks(text: str, passage: str = PASSAGE) -> set[str]:
    return {one.check for one in faults(text, passage)}


def test_stems_meet() -> None:
    alike = {"convicted": "conviction", "appeals": "appeal", "dismissal": "dismissed",
             "injuries": "injury", "stopped": "stops", "carried": "carry",
             "husband's": "husband"}  # fmt: skip
    assert list(map(stem, alike)) == list(map(stem, alike.values()))
    assert stem("union") != stem("unit")


def test_forty_percent_in_one_chunk() -> None:
    # Five content words; two of them make exactly .4.
    one = SourceChunk(chunk_id="a#1", text="Grain and salt.")
    other = SourceChunk(chunk_id="b#1", text="Timber and ships.")
    for source, expected in (
        ([one], (0.4, "a#1", True)),
        ([other, one], (0.4, "b#1", True)),  # words of two chunks are not added up
        ([SourceChunk(chunk_id="c#1", text="Grain.")], (0.2, "c#1", False)),
        ([], (0.0, "", False)),
    ):
        [score] = score_sentences("Ships carry grain, timber, salt.", source)
        assert (score.overlap, score.chunk_id, score.faithful("overlap")) == expected
    assert overlap("It was not so.", PASSAGE) == 1.0


def test_a_passage_bears_itself_out_in_every_form() -> None:
    scores = score_sentences(PASSAGE, [SourceChunk(chunk_id="a#1", text=PASSAGE)])
    assert len(scores) == 4
    assert {faithfulness(scores, form) for form in FORMS} == {1.0}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The guarantor promised Rs. 50,000 to the bank.", "50,000"),
        ("The tenant had not paid rent for nine months.", "nine"),
        ("The tenant had not paid rent for eight years.", "eight"),
        ("The landlord sued on 4 March 1982.", "4 March 1982"),
        ("The landlord sued in May 1981.", "May 1981"),
        ("Half of the rent was not paid for eight months.", "Half"),
        ("It is said that Sohan signed.", "Sohan"),
    ],
)
def test_a_figure_or_name_that_is_not_there(text: str, fault: str) -> None:
    found = faults(text, PASSAGE)
    assert [one.words for one in found if one.check in ("figure", "name")] == [fault]


def test_figures_and_dates_are_read_in_their_usual_form() -> None:
    assert [one.value for one in figures_in("one-third of the land")] != []
    assert [one.iso for one in dates_in("on 4th March 1981")] == ["1981-03-04"]


SWAP = (
    "The husband lit the stove and ran into the street, while the mother fetched water from the "
    "well. Rule 9 governs the fee, but Rule 14 governs the time of the notice."
)


@labelled("faults_of_sentences")
def test_a_fault_is_found_where_there_is_one(
    check: str, text: str, passage: str, fault: bool
) -> None:
    """A passage stands by its name, or is written out."""
    found = checks(text, {"PASSAGE": PASSAGE, "SWAP": SWAP}.get(passage, passage))
    assert (check in found) == fault


@labelled("sentences_and_their_faults")
def test_these_faults_and_no_others_are_found(text: str, passage: str, faults: list[str]) -> None:
    assert sorted(checks(text, passage or PASSAGE)) == faults


def test_a_fault_knows_its_sentence() -> None:
    text = "The appeal was dismissed. The tenant had not paid rent for nine months."
    assert faults(text, PASSAGE) == (Fault("figure", 1, "nine"),)


ANY = st.text(max_size=200)


@given(ANY, ANY)
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_scored(text: str, passage: str) -> None:
    scores = score_sentences(text, [SourceChunk(chunk_id="a#1", text=passage)])
    values = [faithfulness(scores, form) for form in FORMS]
    if scores:
        assert all(value is not None and 0 <= value <= 1 for value in values)
        assert values[0] >= values[1] >= values[2]  # type: ignore[operator]
    else:
        assert values == [None, None, None]


VOCABULARY = (
    "the tenant landlord paid not rent under section 12 Rs. 500 , . and Mohan was who set aside"
)
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), min_size=1, max_size=30).map(" ".join)


@given(WORDS)
@settings(max_examples=60, deadline=None)
def test_clauses_hold_all_words_in_order(text: str) -> None:
    clauses = clauses_of(text)
    joined = "".join(clause.text for clause in clauses)
    assert content_words(" ".join(c.text for c in clauses)) == content_words(text)
    assert "".join(joined.split()) == "".join(text.split())
    assert all(text[clause.start : clause.end] == clause.text for clause in clauses)


@given(WORDS)
@settings(max_examples=60, deadline=None)
def test_what_is_repeated_whole_lacks_no_figure_provision_or_name(text: str) -> None:
    assert checks(text, text) & {"figure", "provision", "name", "addition", "outcome"} == set()
