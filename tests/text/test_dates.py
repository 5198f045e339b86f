"""Dates, clock times and reference numbers never become facts."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.text.dates import date_of_occurrence, find_dates, read_date, reserved_spans


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


@pytest.mark.parametrize(
    ("words", "day"),
    [("2019-01-03", "2019-01-03"), ("2019/1/3", "2019-01-03"), ("3.1.2019", "2019-01-03"),
     ("03-01-19", "2019-01-03"), ("3rd January, 2019", "2019-01-03"), ("Jan. 2019", "2019-01"),
     ("2019-02-30", ""), ("31.2.2019", "")],
)  # fmt: skip
def test_a_date_is_read_as_it_is_written_the_year_first_or_last(words: str, day: str) -> None:
    assert read_date(words) == day


def test_an_occurrence_on_an_iso_date_is_of_that_day() -> None:
    assert date_of_occurrence("On 2019-01-03 the accused stabbed him.") == "2019-01-03"


@labelled("dates_of_occurrence")
def test_the_date_of_the_occurrence(text: str, date: str) -> None:
    assert date_of_occurrence(text) == date
