"""Figures as Indian legal English writes them, read and written back."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.text.numbers import (
    format_amount,
    format_lakh,
    format_number,
    in_words,
    read_number,
)
from countercase.text.patterns import expanded


@labelled("numbers_in_words")
def test_reads_digits_words_and_fractions(text: str, value: str) -> None:
    assert read_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "several", "a dozen", "the accused"])
def test_reads_nothing_where_there_is_no_figure(text: str) -> None:
    assert read_number(text) is None


def test_a_fraction_by_zero_is_no_figure() -> None:
    with_zero = read_number("3 1/0")
    assert with_zero is None


@labelled("numbers_grouped")
def test_groups_digits_the_indian_way(value: float, text: str) -> None:
    assert format_number(value) == text


def test_rupees_keep_two_decimals_or_none() -> None:
    assert format_amount(500000) == "Rs. 5,00,000"
    assert format_amount(1250.5) == "Rs. 1,250.50"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (550000, "Rs. 5.5 lakh"),
        (100000, "Rs. 1 lakh"),
        (20000000, "Rs. 2 crore"),
        (99999, "Rs. 99,999"),
    ],
)
def test_lakh_and_crore_are_used_from_one_up(value: float, text: str) -> None:
    assert format_lakh(value) == text


@given(st.integers(0, 10**12))
def test_what_is_written_reads_as_the_same_number(value: int) -> None:
    for text in (format_number(value), format_lakh(value).removeprefix("Rs. ")):
        assert read_number(text) == value
        match = re.match(expanded("{NUMBER}"), text, re.IGNORECASE)
        assert match is not None and match.group() == text


@given(st.integers(0, 99_99_99_999))
def test_words_read_back_as_the_number_they_were_written_for(number: int) -> None:
    words = in_words(number)
    assert words is not None
    assert read_number(words) == number
