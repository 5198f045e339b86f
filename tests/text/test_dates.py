"""Dates, clock times and reference numbers never become facts."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.text.dates import date_of_occurrence, find_dates, reserved_spans


@labelled("dates_written")
def test_each_form_of_a_date_is_found_whole(date: str) -> None:
    text = f"It was {date} when he left."
    assert [text[s.start : s.end] for s in find_dates(text)] == [date]


@pytest.mark.parametrize(
    "text",
    ["He was 16 years old.", "Rs. 5.50 was paid.", "Section 3.1 applies.", "She may come."],
)
def test_other_words_are_no_dates(text: str) -> None:
    assert find_dates(text) == ()


@labelled("clock_times")
def test_clock_times_and_reference_numbers_are_reserved(words: str) -> None:
    text = f"It was noted as {words} there."
    spans = reserved_spans(text)
    assert any(text[s.start : s.end].startswith(words) for s in spans)


@labelled("dates_of_occurrence")
def test_the_date_of_the_occurrence(text: str, date: str) -> None:
    assert date_of_occurrence(text) == date
