"""Provisions that go, change through a figure, or are said otherwise of the neighbour."""

from __future__ import annotations

from countercase.fact_types.numerical import propose as numerical_edits
from countercase.fact_types.section import propose, reason
from countercase.facts.edits import Edit, sentences_changed
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet


def edit_of(sheet: FactSheet, old: str, new: str) -> Edit:
    [edit] = [e for e in propose(sheet) if (e.original_value, e.perturbed_value) == (old, new)]
    return edit


def after(sheet: FactSheet, edit: Edit) -> str:
    return sentences_changed(sheet.narrative, edit)[1]


def test_a_presumption_goes_with_the_words_that_join_it() -> None:
    sheet = extract(
        "She was found hanging after six years of marriage. He was convicted under section 304B "
        "IPC read with section 113B of the Evidence Act."
    )
    edit = edit_of(sheet, "IEA-113B", "")
    assert after(sheet, edit) == "He was convicted under section 304B IPC."
    assert reason(edit).startswith("Without the presumption")


def test_the_bar_on_bail_goes_with_the_weight_that_it_rests_on() -> None:
    sheet = extract(
        "In September 2019 the police recovered 251 g of heroin from a tin. He is charged under "
        "section 21(c) of the NDPS Act. It is said that section 37 of the NDPS Act shuts the door. "
        "He has been in custody for five months."
    )
    edit = edit_of(sheet, "NDPS-37", "")
    assert after(sheet, edit) == (
        "In September 2019 the police recovered 225 g of heroin from a tin. … He is charged under "
        "section 21(b) of the NDPS Act."
    )
    assert {c.fact_id for c in edit.consequences} == {"section:NDPS-21(c)", "numerical:quantity:1"}
    assert "commercial quantity" in reason(edit)


def test_the_weight_takes_the_reason_given_for_the_clause_along() -> None:
    sheet = extract(
        "In 2018 the police recovered 1.25 kg of charas. The Judge applied section 20(b)(ii)(C) of "
        "the NDPS Act, since the weight is above the commercial quantity, and convicted him."
    )
    edits = [e for e in numerical_edits(sheet) if e.perturbed_value.startswith("0.9 kg")]
    assert after(sheet, edits[0]).endswith(
        "The Judge applied section 20(b)(ii)(B) of the NDPS Act, and convicted him."
    )


def test_an_exception_in_section_300_is_a_clause_in_section_299() -> None:
    sheet = extract(
        "He was convicted of murder in 2012. We rely on the fourth exception in section 300 IPC "
        "and ask for section 304 Part I IPC."
    )
    assert after(sheet, edit_of(sheet, "IPC-300", "IPC-299")) == (
        "We rely on the second clause in section 299 IPC and ask for section 304 Part I IPC."
    )


def test_what_is_asked_for_moves_on_and_the_sentence_passed_follows() -> None:
    sheet = extract(
        "In March 2008 he held her by the waist and tore her blouse. He was convicted under section "
        "376 IPC and we want it brought down to section 354 IPC. He was sentenced to imprisonment "
        "for seven years."
    )
    edit = edit_of(sheet, "IPC-376", "IPC-354")
    assert after(sheet, edit) == (
        "He was convicted under section 354 IPC and we want it brought down to section 352 IPC. … "
        "He was sentenced to imprisonment for two years."
    )


def test_a_list_that_keeps_one_section_is_no_plural() -> None:
    sheet = extract(
        "She died in 2015, six years after the marriage. The Judge convicted him under sections "
        "304B and 498A of the Indian Penal Code."
    )
    edits = [e for e in numerical_edits(sheet) if e.perturbed_value.startswith("8 years")]
    assert after(sheet, edits[0]).endswith("under section 498A of the Indian Penal Code.")


def test_the_year_from_which_a_figure_counts_moves_with_it() -> None:
    sheet = extract(
        "He claims a strip of the State of Kerala by adverse possession under section 27 of the "
        "Limitation Act, 1963. He broke it in 1986, so that it was 19 years of possession by 2005."
    )
    edits = [e for e in numerical_edits(sheet) if e.perturbed_value.startswith("31 years")]
    assert after(sheet, edits[0]).endswith(
        "He broke it in 1974, so that it was 31 years of possession by 2005."
    )
