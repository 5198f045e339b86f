"""Numbers, dates, units and single words as Indian legal English writes them, read and written back."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.facts.vocabulary import DURATION_UNITS, QUANTITY_UNITS
from countercase.reports.wording import language_note
from countercase.text import dates, numbers, plain_words, units
from countercase.text.patterns import expanded
from countercase.text.spans import Span

READERS: dict[str, Callable[..., Any]] = {
    reader.__name__: reader
    for reader in (
        *(dates.date_of_occurrence, dates.find_dates, dates.read_date),
        *(numbers.format_amount, numbers.format_lakh, numbers.format_number, numbers.read_number),
        *(units.calendar_words, units.convert, units.in_words, units.time_unit),
        plain_words.mended,
    )
}


@labelled("readings")
def test_what_is_read_or_written(reader: str, given: list[Any], read: Any) -> None:
    found = READERS[reader](*given)
    if isinstance(found, Decimal):
        read = Decimal(read)
    assert (list(found) if isinstance(found, tuple) else found) == read


@labelled("dates_written")
def test_each_form_of_a_date_is_found_whole(date: str) -> None:
    text = f"It was {date} when he left."
    assert [text[s.start : s.end] for s in dates.find_dates(text)] == [date]


@labelled("clock_times")
def test_clock_times_and_reference_numbers_are_reserved(words: str) -> None:
    text = f"It was noted as {words} there."
    assert any(text[s.start : s.end].startswith(words) for s in dates.reserved_spans(text))


@given(st.integers(0, 10**12))
def test_what_is_written_reads_as_the_same_number(value: int) -> None:
    for text in (numbers.format_number(value), numbers.format_lakh(value).removeprefix("Rs. ")):
        assert numbers.read_number(text) == value
        match = re.match(expanded("{NUMBER}"), text, re.IGNORECASE)
        assert match is not None and match.group() == text


@given(st.integers(0, 99_99_99_999))
def test_words_read_back_as_the_number_they_were_written_for(number: int) -> None:
    assert numbers.read_number(numbers.in_words(number) or "") == number


def test_every_unit_of_the_vocabulary_is_in_the_table() -> None:
    assert {*DURATION_UNITS, *QUANTITY_UNITS} == set(units.UNITS)
    assert {row.unit for row in units.WRITTEN_QUANTITIES} == set(QUANTITY_UNITS)
    for row in units.WRITTEN_QUANTITIES:
        re.compile(row.pattern)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("मेरे भाई पर धारा 302 का केस है।", "Written in Hindi:"),
        ("Mere bhai par dhara 302 ka case hai, usne chaku se maara tha.", "Written in Hindi in Latin"),
        ("He was convicted under section 302 IPC; the khurpi was seized.", ""),
        ("Bail matter: panch witnesses hostile, client in jail 2 saal se.", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_language_of_a_narrative(text: str, start: str) -> None:
    note = language_note(text)
    assert note.startswith(start) if start else note == ""


@pytest.mark.parametrize(
    ("told", "plain"),
    [
        ("Lathi was recoverd", "lathi"),
        ("65B certficate not recd", "65B certificate not received"),
        ("w/o FSL of handwritting", "without FSL of handwriting"),
        ("realted witneses", "related witnesses"),
        ("koi gawah nahi", "any witness not"),
        ("गवाह और राजीनामा", "witness और compromise"),
        ("complt's wife", "complainant's wife"),
    ],
)
def test_notes_are_put_in_plain_words(told: str, plain: str) -> None:
    assert plain in plain_words.plain_text(told).text.replace("Lathi", "lathi")


def test_a_place_of_the_plain_text_is_a_place_of_the_source() -> None:
    told = "Kamla w/o Ram gave a stmt. She saw the certficate."
    plain = plain_words.plain_text(told)
    at = plain.text.index("certificate")
    place = plain.source(Span(at, at + len("certificate")))
    assert told[place.start : place.end] == "certficate"
    assert "w/o Ram" in plain.text
    assert "statement. She" in plain.text
