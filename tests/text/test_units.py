"""Units: conversion, spelling, and one table for all of them."""

from __future__ import annotations

import re

import pytest

from countercase.facts.vocabulary import DURATION_UNITS, QUANTITY_UNITS
from countercase.text.units import (
    UNITS,
    WRITTEN_QUANTITIES,
    calendar_words,
    convert,
    in_words,
    time_unit,
)


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        (1.5, "kg", "g", 1500),
        (250, "mg", "g", 0.25),
        (2, "weeks", "days", 14),
        (18, "months", "years", 1.5),
        (3, "km", "m", 3000),
        (5, "acre", "acre", 5),
        (5, "INR", "INR", 5),
        (30, "days", "months", None),
        (1, "hectare", "acre", None),
        (1, "kg", "l", None),
        (1, "INR", "g", None),
    ],
)
def test_units_of_one_dimension_convert(
    value: float, unit: str, wanted: str, expected: float | None
) -> None:
    assert convert(value, unit, wanted) == expected


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("mins.", "minutes"),
        ("Hrs", "hours"),
        ("day", "days"),
        ("Weeks", "weeks"),
        ("months", "months"),
        ("yrs.", "years"),
        ("decades", "years"),
    ],
)
def test_words_for_units_of_time(word: str, unit: str) -> None:
    assert time_unit(word) == unit


def test_one_of_a_unit_is_singular() -> None:
    assert [in_words("kg", 1), in_words("kg", 2), in_words("days", 0.5)] == [
        "kilogram",
        "kilograms",
        "days",
    ]


def test_every_unit_of_the_vocabulary_is_in_the_table() -> None:
    assert {*DURATION_UNITS, *QUANTITY_UNITS} == set(UNITS)
    assert {row.unit for row in WRITTEN_QUANTITIES} == set(QUANTITY_UNITS)
    for row in WRITTEN_QUANTITIES:
        re.compile(row.pattern)


def test_calendar_words_of_rounded_fractions() -> None:
    """16 years 4 months is kept as 16.333333 years."""
    assert calendar_words(16.333333) == "16 years 4 months"
    assert calendar_words(17.3157) == "17 years 3 months 24 days"
    assert calendar_words(17.8333) == "17 years 10 months"


def test_no_time_has_words() -> None:
    assert calendar_words(0.0) == calendar_words(0.0001) == "0 days"
