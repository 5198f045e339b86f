"""Which words of a narrative are a figure: of what kind, how much, and of whom or what."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.fact_types.numerical import figures
from countercase.fact_types.numerical.recognise import find_figures
from countercase.fact_types.numerical.saying import say_figure
from countercase.facts.model import NumericalValue
from countercase.facts.vocabulary import DURATION_UNITS, QUANTITY_UNITS
from countercase.text.numbers import format_amount, format_lakh

FINDERS = {
    "age": figures.find_ages,
    "amount": figures.find_amounts,
    "count": figures.find_counts,
    "duration": figures.find_durations,
    "quantity": figures.find_quantities,
}


VIEWS: dict[str, Callable[[NumericalValue, str], Any]] = {
    "words": lambda value, words: (value.value, words),
    "text": lambda value, words: str(value),
    "unit": lambda value, words: (value.value, value.unit),
    "context": lambda value, words: value.context,
    "named": lambda value, words: (value.value, value.unit, value.context),
    "range": lambda value, words: (value.value, value.upper),
}
"""What a labelled row looks at; the text of a figure is that of a fact sheet."""


def figures_in(kind: str, text: str) -> list[tuple[NumericalValue, str]]:
    """The figures of a kind with their words."""
    found = []
    for item in FINDERS[kind](text):
        assert isinstance(item.value, NumericalValue) and item.value.kind == kind
        found.append((item.value, text[item.span.start : item.span.end]))
    return found


@labelled("figures")
def test_what_is_read_as_a_figure(kind: str, text: str, view: str, read: list[Any]) -> None:
    assert [VIEWS[view](*found) for found in figures_in(kind, text)] == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("अपीलार्थी हरपाल, आयु 24 वर्ष, ने वार किया।", [("age", 24, "")]),
        ("उम्र 17 वर्ष थी", [("age", 17, "")]),
        ("24 वर्षीय हरपाल ने वार किया।", []),
        ("उसे सज़ा हुई 2 वर्ष की।", [("duration", 2, "उसे सज़ा हुई")]),
    ],
)
def test_an_age_in_hindi_is_an_age_and_words_keep_their_vowel_signs(
    text: str, read: list[tuple[str, float, str]]
) -> None:
    values = [mention.value for mention in find_figures(text)]
    assert [(value.kind, value.value, value.context) for value in values] == read


def test_months_and_days_are_shown_as_such() -> None:
    assert say_figure(figures_in("duration", "In jail 10 m 20 d.")[0][0]) == "10 months 20 days"


@given(st.integers(1, 99) | st.integers(121, 10_000))
def test_any_whole_age_is_read_and_none_older_than_the_law_has_seen(age: int) -> None:
    read = [value.value for value, _ in figures_in("age", f"The accused is aged {age} years.")]
    assert read == ([age] if age < 100 else [])


@given(st.integers(1, 10**10))
def test_every_written_sum_is_read_back(value: int) -> None:
    for sum_ in (format_amount(value), format_lakh(value)):
        [(found, words)] = figures_in("amount", f"He took {sum_} in all.")
        assert (found.value, found.unit, words) == (value, "INR", sum_)


UNITS = {"days": "duration", "months": "duration", "kg": "quantity", "acres": "quantity"}


@given(st.integers(1, 9999), st.sampled_from(sorted(UNITS)))
def test_any_whole_figure_is_read_in_its_own_unit(value: int, unit: str) -> None:
    [(found, _)] = figures_in(UNITS[unit], f"In all {value} {unit} were counted.")
    assert found.value == value
    assert found.unit in (*DURATION_UNITS, *QUANTITY_UNITS) and unit.startswith(found.unit)


@labelled("owners_of_figures")
def test_every_figure_has_its_owner_in_at_most_five_words(
    note: str, figures: list[tuple[str, float, str]]
) -> None:
    values = [mention.value for mention in find_figures(note)]
    assert all(len(value.context.split()) <= 5 for value in values)
    for kind, value, owner in figures:
        contexts = [
            v.context.lower()
            for v in values
            if v.kind == kind and math.isclose(v.value, value, rel_tol=0.01)
        ]
        assert any(owner in context for context in contexts), (kind, value, contexts)
