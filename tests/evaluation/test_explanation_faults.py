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
    for one, other in (
        ("convicted", "conviction"),
        ("appeals", "appeal"),
        ("dismissal", "dismissed"),
        ("injuries", "injury"),
        ("stopped", "stops"),
        ("carried", "carry"),
        ("husband's", "husband"),
    ):
        assert stem(one) == stem(other)
    assert stem("union") != stem("unit")


def test_overlap_by_hand() -> None:
    # tenant, paid, rent, promptly: three of four stand in the passage.
    assert overlap("The tenant paid the rent promptly.", PASSAGE) == 0.75
    assert overlap("It was not so.", PASSAGE) == 1.0


def test_forty_percent_in_one_chunk() -> None:
    # Five content words; two of them make exactly .4.
    sentence = "Ships carry grain, timber, salt."
    one = SourceChunk(chunk_id="a#1", text="Grain and salt.")
    other = SourceChunk(chunk_id="b#1", text="Timber and ships.")
    [score] = score_sentences(sentence, [one])
    assert (score.overlap, score.chunk_id, score.faithful("overlap")) == (0.4, "a#1", True)
    # Words of two chunks are not added up.
    [score] = score_sentences(sentence, [other, one])
    assert score.overlap == 0.4
    [score] = score_sentences(sentence, [SourceChunk(chunk_id="c#1", text="Grain.")])
    assert not score.faithful("overlap")
    [score] = score_sentences(sentence, [])
    assert (score.overlap, score.chunk_id, score.faithful("overlap")) == (0.0, "", False)


def test_a_passage_bears_itself_out_in_every_form() -> None:
    scores = score_sentences(PASSAGE, [SourceChunk(chunk_id="a#1", text=PASSAGE)])
    assert len(scores) == 4
    for form in FORMS:
        assert faithfulness(scores, form) == 1.0


@pytest.mark.parametrize(
    "written", ["five lakh rupees", "Rs. 5 lakh", "Rs. 500000", "Rs 5,00,000/-", "₹ 5,00,000"]
)
def test_a_figure_is_its_value(written: str) -> None:
    assert checks(f"The guarantor promised {written} to the bank.") == set()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The guarantor promised Rs. 50,000 to the bank.", "50,000"),
        ("The tenant had not paid rent for nine months.", "nine"),
        ("The tenant had not paid rent for eight years.", "eight"),
        ("The landlord sued on 4 March 1982.", "4 March 1982"),
        ("The landlord sued in May 1981.", "May 1981"),
        ("Half of the rent was not paid for eight months.", "Half"),
    ],
)
def test_a_figure_that_is_not_there(text: str, fault: str) -> None:
    assert [one.words for one in faults(text, PASSAGE) if one.check == "figure"] == [fault]


def test_a_year_is_twelve_months() -> None:
    assert "figure" not in checks("He was given two years.", "He was given 24 months.")
    assert [one.value for one in figures_in("one-third of the land")] != []
    assert [one.iso for one in dates_in("on 4th March 1981")] == ["1981-03-04"]


def test_the_same_number_of_another_act() -> None:
    passage = "He was convicted under section 304B of the Indian Penal Code."
    assert checks("He was convicted under s. 304-B IPC.", passage) == set()
    wrong = "He was convicted under section 304B of the Code of Criminal Procedure."
    assert "provision" in checks(wrong, passage)
    assert "provision" in checks("He was convicted under section 304 Part I.", passage)


def test_names() -> None:
    assert "name" not in checks("It is said that Mohan signed nothing.")
    assert [f.words for f in faults("It is said that Sohan signed.", PASSAGE)] == ["Sohan"]
    passage = "The Central Bureau of Investigation took over from the local police."
    assert "name" not in checks("It went to the CBI.", passage)
    assert "name" in checks("It went to the NIA.", passage)
    # A capital at the head of a sentence names nobody.
    assert "name" not in checks("Solvency was not in question for eight months.")


def test_a_denial_of_one_clause_does_not_reach_the_next() -> None:
    passage = "The label did not matter, because the loan had fallen due before the cheque."
    assert checks("The loan had fallen due before the cheque.", passage) == set()
    assert "negation" in checks("The loan had not fallen due before the cheque.", passage)


def test_not_only_denies_nothing() -> None:
    passage = "The officer took the money and hid the notes in his drawer."
    assert checks("The officer not only took the money but hid the notes.", passage) == set()


def test_an_outcome_that_is_told_the_other_way() -> None:
    assert "outcome" in checks("The appeal was dismissed and the decree was set aside.")
    assert "outcome" not in checks("The appeal was dismissed and the decree was upheld.")


SWAP = (
    "The husband lit the stove and ran into the street, while the mother fetched water from the "
    "well. Rule 9 governs the fee, but Rule 14 governs the time of the notice."
)


@labelled("faults_of_sentences")
def test_a_fault_is_found_where_there_is_one(
    check: str, text: str, passage: str, fault: bool
) -> None:
    assert (check in checks(text, {"PASSAGE": PASSAGE, "SWAP": SWAP}[passage])) == fault


def test_a_clause_added_to_a_passage_that_is_otherwise_repeated() -> None:
    text = (
        "The suit was decreed under section 12(3) of the Rent Act; the appeal was dismissed and "
        "the decree was confirmed, with exemplary damages awarded to orphaned neighbours."
    )
    assert checks(text) == {"addition"}
    # In words of one's own throughout, a strange clause is nothing special.
    free = (
        "Whoever leaves his premises unpaid loses them in the end, with exemplary damages awarded "
        "to orphaned neighbours."
    )
    assert "addition" not in checks(free)


def test_the_words_that_lead_up_to_a_quotation_add_nothing() -> None:
    quote = "“The suit was decreed under section 12(3) of the Rent Act.”"
    assert "addition" not in checks(f"What carried the new wording upward reads {quote}.")


def test_a_fault_knows_its_sentence() -> None:
    text = "The appeal was dismissed. The tenant had not paid rent for nine months."
    assert faults(text, PASSAGE) == (Fault("figure", 1, "nine"),)


@given(st.text(max_size=200), st.text(max_size=200))
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
