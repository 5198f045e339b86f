"""Which provisions a text cites, with which words, and how those words are rewritten."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

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


def test_a_list_ends_where_numbers_count_something_else() -> None:
    text = "He was sentenced under Sections 302, 12-3-1998 being the date, and 5 years later freed."
    assert provisions_in(text) == ("IPC-302",)
    assert provisions_in("booked under section 302 IPC with 3 others") == ("IPC-302",)
    assert provisions_in("convicted under section 302 and 3 others acquitted") == ("IPC-302",)


def test_a_shorter_number_is_not_found_inside_a_longer_one() -> None:
    assert provisions_in("IPC-341") == ("IPC-341",)
    assert "IPC-34" not in provisions_in("sections 341 and 342 IPC")


def test_each_list_goes_with_the_act_that_is_named_with_it() -> None:
    text = "under Section 302 IPC and Sections 25 and 27 of the Arms Act and s. 4 D.P. Act"
    assert provisions_in(text) == ("IPC-302", "ARMS-25", "ARMS-27", "DPA-4")
    assert provisions_in("Sections 302 IPC and 27 of the Arms Act") == ("IPC-302", "ARMS-27")


def test_a_mark_of_another_kind_begins_a_list_of_its_own() -> None:
    assert provisions_in("Article 21 and Section 439 CrPC") == ("CONST-21", "CrPC-439")
    assert provisions_in("Order 39 Rule 1 and Section 151 CPC") == ("CPC-O39R1", "CPC-151")
    assert provisions_in("Section 482 CrPC, Articles 226 and 227") == (
        "CrPC-482",
        "CONST-226",
        "CONST-227",
    )


def test_lists_set_without_spaces_are_read() -> None:
    assert provisions_in("sections 302,307,34IPC") == ("IPC-302", "IPC-307", "IPC-34")


def test_a_number_too_high_for_the_act_is_not_given_to_it() -> None:
    assert provisions_in("under Sections 302 and 27 of the Arms Act") == ("IPC-302", "ARMS-27")
    assert provisions_in("u/s 25/27/54 of the Arms Act") == ("ARMS-25", "ARMS-27")


def test_acts_of_one_name_are_told_apart_by_year() -> None:
    assert provisions_in("s. 5(2) of the Prevention of Corruption Act, 1947") == ("PCA47-5(2)",)
    assert provisions_in("s. 13(2) of the Prevention of Corruption Act, 1988") == ("PCA-13(2)",)
    later = (
        "The Motor Vehicles Act, 1939 applies. Section 95 of the Motor Vehicles Act sets the limit."
    )
    assert provisions_in(later) == ("MVA39-95",)
    bare = "Section 95 of the Motor Vehicles Act sets the limit."
    assert provisions_in(bare) == ("MVA-95",)
    assert provisions_in(bare, year=1975) == ("MVA39-95",)


def test_a_number_only_one_of_two_namesakes_has_goes_to_that_one() -> None:
    text = (
        "The Prevention of Corruption Act, 1947 was repealed. Section 19 of the P.C. Act applies."
    )
    assert provisions_in(text) == ("PCA-19",)


def test_the_code_is_the_code_of_procedure_unless_the_number_or_an_offence_says_otherwise() -> None:
    both = "The Indian Penal Code and the Code of Criminal Procedure are in point. "
    assert provisions_in(both + "He spoke under Section 164 of the Code.") == ("CrPC-164",)
    assert provisions_in(both + "He was convicted under Section 302 of the Code.") == ("IPC-302",)
    told = both + "Section 304B IPC has four ingredients, and Section 304B of the Code is met."
    assert provisions_in(told) == ("IPC-304B",)
    assert provisions_in("The Indian Penal Code applies: section 84 of the Code.") == ("IPC-84",)


def test_words_that_point_back_to_an_act() -> None:
    code = "The Code of Criminal Procedure applies. He moved under Section 482 of the Code."
    assert provisions_in(code) == ("CrPC-482",)
    year = "The Land Acquisition Act, 1894 applies. Section 4 of the 1894 Act asks for a notice."
    assert provisions_in(year) == ("LAA-4",)
    named = 'The Arms Act, 1959 (hereinafter "the Act") applies. He broke Section 25 of the Act.'
    assert provisions_in(named) == ("ARMS-25",)
    unknown = "The Land Acquisition Act applies. He relied on Section 5-A of the 1971 Act."
    assert provisions_in(unknown) == ()


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


def test_a_conviction_is_never_under_a_code_of_procedure() -> None:
    text = "His statement under Section 313 Cr.P.C. was taken. He was convicted under Section 302."
    assert provisions_in(text) == ("CrPC-313", "IPC-302")


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


FRAGMENTS = st.sampled_from(
    [
        "Section 302",
        "IPC",
        " of the ",
        "Act",
        "the Code",
        "Article 21",
        " and ",
        "/",
        "34",
        "é",
        "(",
        "Rule 11",
        "(2)(g)",
        ", 1988",
        "Part II",
        "u/s ",
        "Arms Act",
        ". ",
        "Rs. 500",
        "\n",
        "BNS-103",
        "Order VII ",
        "S. ",
        "1947 Act",
        "r/w ",
        "read with ",
        "Penal Code",
        "-",
        "CPC-",
        "O7R11",
        "Constitution",
        "12.3.1998",
        "years",
    ]
)


@given(st.lists(FRAGMENTS, max_size=14).map("".join))
def test_any_text_gives_ordered_disjoint_citations_whose_words_are_there(text: str) -> None:
    found = find_citations(text)
    assert [each.text for each in found] == [text[e.span.start : e.span.end] for e in found]
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))
    assert provisions_in(text) == tuple(dict.fromkeys(each.provision for each in found))


def test_a_bare_article_is_of_the_limitation_act_where_the_text_speaks_of_limitation() -> None:
    text = "Nothing is said of limitation in the order. Possession began in 1971. Article 65 is pleaded"
    assert provisions_in(text + ", and Article 226.") == ("LIM-65", "CONST-226")
    assert provisions_in("Article 65 is pleaded.") == ("CONST-65",)
