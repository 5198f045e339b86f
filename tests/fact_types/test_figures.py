"""Which words of a narrative are a figure: of what kind, how much, and of whom or what."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.fact_types.numerical import figures
from countercase.fact_types.numerical.recognise import find_figures
from countercase.fact_types.numerical.saying import say_figure
from countercase.facts.model import NumericalValue
from countercase.facts.vocabulary import QUANTITY_UNITS
from countercase.text.numbers import format_amount, format_lakh

FINDERS = {
    "age": figures.find_ages,
    "amount": figures.find_amounts,
    "count": figures.find_counts,
    "duration": figures.find_durations,
    "quantity": figures.find_quantities,
}


def figures_in(kind: str, text: str) -> list[tuple[NumericalValue, str]]:
    """The figures of a kind with their words."""
    found = []
    for item in FINDERS[kind](text):
        assert isinstance(item.value, NumericalValue) and item.value.kind == kind
        assert kind != "amount" or item.value.unit == "INR"
        found.append((item.value, text[item.span.start : item.span.end]))
    return found


def worded(kind: str, text: str) -> list[tuple[float, str]]:
    return [(value.value, words) for value, words in figures_in(kind, text)]


def written(kind: str, text: str) -> list[str]:
    """The figures of a kind as a fact sheet writes them."""
    return [str(value) for value, _ in figures_in(kind, text)]


@labelled("ages")
def test_every_way_of_writing_an_age(text: str, ages: list[tuple[float, str]]) -> None:
    assert worded("age", text) == ages
    assert {value.unit for value, _ in figures_in("age", text)} <= {"years"}


@labelled("ages_of_people")
def test_ages_as_juniors_write_them(text: str, people: list[str]) -> None:
    assert written("age", text) == people


@labelled("amounts")
def test_every_way_of_writing_a_sum(text: str, read: list[tuple[float, str]]) -> None:
    assert worded("amount", text) == read


@labelled("amounts_of_notes")
def test_sums_as_juniors_write_them(text: str, value: float) -> None:
    assert [amount for amount, _ in worded("amount", text)] == [value]


@labelled("amount_contexts")
def test_the_context_is_the_word_that_names_the_sum(text: str, context: str) -> None:
    assert figures_in("amount", text)[0][0].context == context


@labelled("counts")
def test_what_is_counted(text: str, counts: list[str]) -> None:
    assert written("count", text) == counts


@labelled("counts_by_head_noun")
def test_counts_by_head_noun(text: str, counts: list[str]) -> None:
    found = written("count", text)
    assert len(found) == len(counts)
    assert all(
        own.startswith(f"{count} ") or own == count
        for own, count in zip(found, counts, strict=True)
    )


@labelled("durations")
def test_every_way_of_writing_a_length_of_time(text: str, read: list[tuple[float, str]]) -> None:
    assert [(value.value, value.unit) for value, _ in figures_in("duration", text)] == read


@labelled("durations_of_notes")
def test_durations_as_juniors_write_them(text: str, value: str) -> None:
    assert written("duration", text) == [value]


@labelled("quantities")
def test_quantities_with_their_units(text: str, expected: list[tuple[float, str, str]]) -> None:
    values = [value for value, _ in figures_in("quantity", text)]
    assert [(value.value, value.unit, value.context) for value in values] == expected


@labelled("figure_ranges")
def test_a_range_is_one_figure_with_two_ends(
    kind: str, text: str, ranges: list[tuple[float, float]]
) -> None:
    assert [(value.value, value.upper) for value, _ in figures_in(kind, text)] == ranges


def test_months_and_days_are_shown_as_such() -> None:
    assert say_figure(figures_in("duration", "In jail 10 m 20 d.")[0][0]) == "10 months 20 days"


@given(st.integers(1, 99))
def test_any_whole_age_is_read(age: int) -> None:
    assert [v for v, _ in worded("age", f"The accused is aged {age} years.")] == [age]


@given(st.integers(121, 10_000))
def test_nobody_is_older_than_the_law_has_seen(age: int) -> None:
    assert figures_in("age", f"The tree was aged {age} years.") == []


@given(st.integers(1, 10**10))
def test_every_written_sum_is_read_back(value: int) -> None:
    for sum_ in (format_amount(value), format_lakh(value)):
        assert worded("amount", f"He took {sum_} in all.") == [(value, sum_)]


@given(st.integers(1, 120), st.sampled_from(["days", "weeks", "months", "years"]))
def test_any_whole_length_is_read_in_its_own_unit(value: int, unit: str) -> None:
    [(found, _)] = figures_in("duration", f"He was away for {value} {unit}.")
    assert (found.value, found.unit) == (value, unit)


@given(st.integers(1, 9999), st.sampled_from(["mg", "g", "kg", "ml", "km", "acres", "hectares"]))
def test_units_stay_in_the_closed_list(value: int, unit: str) -> None:
    [(found, _)] = figures_in("quantity", f"In all {value} {unit} were counted.")
    assert found.value == value
    assert found.unit in QUANTITY_UNITS and found.unit == unit.rstrip("s")


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
