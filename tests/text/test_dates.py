"""Dates, clock times and reference numbers never become facts."""

from __future__ import annotations

import pytest

from countercase.text.dates import date_of_occurrence, find_dates, reserved_spans


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
        "12-Aug-2024",
        "2nd oct 2024",
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
        "FIR 51/2019",
        "94178-20563",
        "90340 11872",
        "30%",
        "pp. 14-31",
        "AY 2014-15",
    ],
)
def test_clock_times_and_reference_numbers_are_reserved(words: str) -> None:
    text = f"It was noted as {words} there."
    spans = reserved_spans(text)
    assert any(text[s.start : s.end].startswith(words) for s in spans)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("FIR 12/2024 dt 3.5.2024, incident dt 1.5.2024, arrested 4.5.2024.", "2024-05-01"),
        ("Born 2 April 2009. On day of fight 21 June 2025 he was 16.", "2025-06-21"),
        ("Cheque dt 1.2.2023, returned 9.2.2023, notice 20.2.2023.", "2023-02-09"),
        ("Married 6.12.2015. Separated 4.6.2020. Petition filed 1.1.2021.", "2020-06-04"),
        ("Workman, joined 1.4.2009, was terminated on 30.6.2019.", "2019-06-30"),
        ("On 27 Dec 2024 at the airport they stopped me. FIR 30.12.2024.", "2024-12-27"),
        ("Agreement dt 14.02.2016, vendor refused on 21.06.2018.", "2018-06-21"),
        ("Recovery dt 08/11/2020 of heroin; chargesheet 4.1.2021.", "2020-11-08"),
        ("Detention order 14.01.2025, in jail since 28.12.2024.", "2025-01-14"),
        ("Appeal filed on 1.2.2020.", ""),
        ("No date is given.", ""),
    ],
)
def test_the_date_of_the_occurrence(text: str, date: str) -> None:
    assert date_of_occurrence(text) == date
