"""Which provisions a text cites, with which words, and how those words are rewritten."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled, read_rows
from readers_to_fuzz import PIECES

from countercase.law.acts import acts
from countercase.law.citations import find_citations, provisions_in
from countercase.law.provision_ids import citation
from countercase.text.spans import Span


def cited(text: str) -> list[tuple[str, str]]:
    return [(found.provision, found.text) for found in find_citations(text)]


@labelled("citations")
def test_the_ways_of_writing_a_citation(text: str, expected: list[tuple[str, str]]) -> None:
    assert cited(text) == expected
    sentence = f"It is said that he answers under the law, {text}, in this matter."
    assert cited(sentence) == expected


@labelled("citation_parts")
def test_what_stands_before_a_section_narrows_it(text: str, provision: str, words: str) -> None:
    assert cited(text) == [(provision, words)]


@pytest.mark.parametrize(
    "row", [*read_rows("provisions_of_texts"), *read_rows("provisions_of_notes")]
)
def test_which_act_and_which_numbers_are_meant(row: dict[str, str]) -> None:
    """In the words of a court, and as juniors and clients cite them."""
    assert " ".join(provisions_in(row["text"])) == row["provisions"]


def test_a_long_text_marks_its_sections() -> None:
    note = "He was booked for 302 and section 34 of the Penal Code. "
    assert provisions_in(note) == ("IPC-302", "IPC-34")
    assert provisions_in(note * 300) == ("IPC-34",)


def test_acts_of_one_name_are_told_apart_by_the_year_of_the_case() -> None:
    text = "Section 95 of the Motor Vehicles Act applies."
    assert provisions_in(text, year=1975) == ("MVA39-95",)


def test_a_section_without_an_act_is_inferred_and_says_so() -> None:
    (found,) = find_citations("He was tried u/s 302 for the killing.")
    assert (found.provision, found.inferred, found.act_span) == ("IPC-302", True, None)
    stated = find_citations("He was tried u/s 302 IPC for the killing.")
    assert [each.inferred for each in stated] == [False]


def test_an_act_named_with_the_number_elsewhere_decides_before_a_nearer_one() -> None:
    text = (
        "The police recorded statements under Section 161 Cr.P.C. and sent up the accused for an "
        "offence under Section 376 IPC. The statement under Section 161 was not proved."
    )
    assert [each.provision for each in find_citations(text)] == ["CrPC-161", "IPC-376", "CrPC-161"]


def test_the_act_span_holds_the_name_and_is_shared_by_a_list() -> None:
    text = "under Sections 3 and 4 of the Dowry Prohibition Act, 1961 by the police"
    first, second = find_citations(text)
    assert first.act_span == second.act_span
    assert first.act_span is not None
    assert text[first.act_span.start : first.act_span.end] == "Dowry Prohibition Act, 1961"
    (coded,) = find_citations("IPC-302")
    assert (coded.span, coded.act_span) == (Span(0, 7), Span(0, 3))


@pytest.mark.parametrize("style", ["long", "short", "code"])
@pytest.mark.parametrize("code", list(acts()))
def test_a_citation_that_we_write_is_one_that_we_read(code: str, style: str) -> None:
    provision = f"{code}-2"
    text = f"Counsel relied on {citation(provision, style)} before the court."  # type: ignore[arg-type]
    assert provisions_in(text) == (provision,)


OFFENCES = st.sampled_from(["147", "302", "304B", "376(2)(g)", "307", "420", "498A", "34", "506"])
SEPARATORS = st.sampled_from([", ", " and ", "/", " read with ", " r/w ", ", and ", " & "])
MARKS = st.sampled_from(["Section ", "Sections ", "u/s ", "ss. ", "u/ss. ", "S. "])
ACT = st.sampled_from([" IPC", " of the Indian Penal Code", " I.P.C.", ", Penal Code"])


@st.composite
def lists(draw: st.DrawFn) -> tuple[str, list[str]]:
    numbers = draw(st.lists(OFFENCES, min_size=1, max_size=5, unique=True))
    text = draw(MARKS) + numbers[0]
    for number in numbers[1:]:
        text += draw(SEPARATORS) + number
    return f"He was charged under {text}{draw(ACT)} by the court.", [f"IPC-{n}" for n in numbers]


@given(lists())
def test_every_member_of_a_list_is_found_in_order(case: tuple[str, list[str]]) -> None:
    text, provisions = case
    found = find_citations(text)
    assert [each.provision for each in found] == provisions
    assert all(text[each.span.start : each.span.end] == each.text for each in found)
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_gives_ordered_disjoint_citations_whose_words_are_there(text: str) -> None:
    found = find_citations(text)
    assert [each.text for each in found] == [text[e.span.start : e.span.end] for e in found]
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))
    assert provisions_in(text) == tuple(dict.fromkeys(each.provision for each in found))
