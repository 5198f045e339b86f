"""Dates, clock times and reference numbers never become facts."""

from __future__ import annotations

import pytest

from countercase.text.dates import find_dates, reserved_spans


@pytest.mark.parametrize(
    "date",
    [
        "12.3.1998",
        "12/03/98",
        "8-12-1952",
        "1998-03-12",
        "8th December 1952",
        "8th December, 1952",
        "8th day of December, 1952",
        "January 5, 2001",
        "24th/25th June, 1994",
        "July 1999",
        "14th and 15th of March, 1973",
    ],
)
def test_each_form_of_a_date_is_found_whole(date: str) -> None:
    text = f"It was {date} when he left."
    assert [text[s.start : s.end] for s in find_dates(text)] == [date]


@pytest.mark.parametrize(
    "text",
    ["He was 16 years old.", "Rs. 5.50 was paid.", "Section 3.1 applies.", "She may come."],
)
def test_other_words_are_no_dates(text: str) -> None:
    assert find_dates(text) == ()


@pytest.mark.parametrize(
    "words",
    [
        "4.30 p.m.",
        "21.40 hours",
        "10 o'clock",
        "No. 276 of 2004",
        "HR-37-C-7937",
        "Ex. P-42",
        "PW-12",
    ],
)
def test_clock_times_and_reference_numbers_are_reserved(words: str) -> None:
    text = f"It was noted as {words} there."
    spans = reserved_spans(text)
    assert any(text[s.start : s.end].startswith(words) for s in spans)
