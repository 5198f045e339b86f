"""From plain text to a fact sheet, with and without the pipeline."""

from __future__ import annotations

import pytest

from countercase.errors import InputError
from countercase.facts.extraction import extract, recognise
from countercase.facts.model import Fact, FactSheet, NumericalValue

TEXT = (
    "The appellant Ram Singh, aged about 16 years, was tried under Section 302 read with "
    "Section 34 IPC. On 12.3.1998 at 5 p.m. he is said to have struck Mohan over 2 acres of "
    "land. Before the deceased died, a dying declaration was recorded. The axe was recovered at"
    " his instance. Mohan's widow had taken a loan of Rs. 50,000 from him; the loan of Rs. "
    "50,000 is not denied. He was sentenced under Section 302 to ten years, and his age of 16 "
    "years is in the school register. The appeal was dismissed."
)


@pytest.fixture(scope="module")
def sheet() -> FactSheet:
    return extract(TEXT, "axe", title="Ram Singh v. State of Bihar")


def _words(fact: Fact) -> list[str]:
    return [TEXT[span.start : span.end] for span in fact.spans]


def test_all_facts_are_found_with_their_words(sheet: FactSheet) -> None:
    assert {fact.fact_id: _words(fact) for fact in sheet.facts} == {
        "section:IPC-302": ["Section 302", "Section 302"],
        "section:IPC-34": ["Section 34"],
        "party:petitioner": ["appellant"],
        "party:respondent": [],
        "evidence:dying_declaration:1": ["dying declaration"],
        "evidence:weapon:1": ["axe"],
        "evidence:recovery:1": ["recovered"],
        "evidence:documentary:1": ["school register"],
        "numerical:amount:1": ["Rs. 50,000", "Rs. 50,000"],
        "numerical:age:1": ["aged about 16 years", "age of 16 years"],
        "numerical:duration:1": ["ten years"],
        "numerical:quantity:1": ["2 acres"],
    }


def test_the_title_gives_the_parties_and_the_outcome_is_never_extracted(sheet: FactSheet) -> None:
    assert str(sheet.fact("party:petitioner").value) == "petitioner: Minor"
    assert str(sheet.fact("party:respondent").value) == "respondent: State"
    assert sheet.outcome is None
    dismissed = TEXT.index("The appeal was dismissed")
    assert all(span.end <= dismissed for fact in sheet.facts for span in fact.spans)
    # The pipeline finds what the recognisers find.
    assert recognise(TEXT, sheet.title, learnt=True) == sheet.facts


def test_one_age_of_two_people_is_two_facts() -> None:
    facts = recognise("The accused is aged 20 years. The deceased was aged 20 years too.")
    ages = [f.value for f in facts if isinstance(f.value, NumericalValue)]
    assert [age.context for age in ages] == ["accused", "deceased"]


def test_a_blank_text_is_refused() -> None:
    with pytest.raises(InputError, match="narrative is empty"):
        extract(" \n ", "blank")


def test_a_text_is_read_as_from_a_file_without_what_nobody_sees() -> None:
    plain = "He was convicted under section 302 IPC."
    seen = extract(plain.replace("302", "3\u200b02").replace("con", "con\u00ad"), tagger=False)
    assert seen == extract(plain, tagger=False)
    with pytest.raises(InputError, match=r"control character U\+0000"):
        extract(plain + "\0")
    with pytest.raises(InputError, match="the narrative is empty"):
        extract("\u200b")
