"""Which words of a narrative are a length of time, and of what."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.fact_types.numerical.figures import find_durations
from countercase.fact_types.numerical.saying import say_figure
from countercase.facts.model import NumericalValue


def _values(text: str) -> list[NumericalValue]:
    values = [item.value for item in find_durations(text)]
    assert all(isinstance(value, NumericalValue) and value.kind == "duration" for value in values)
    return values  # type: ignore[return-value]


def _durations(text: str) -> list[tuple[float, str]]:
    return [(value.value, value.unit) for value in _values(text)]


def test_one_day_counts_where_it_measures() -> None:
    assert _durations("One day before the hearing he fled.") == [(1, "days")]


def test_a_range_is_one_duration() -> None:
    assert [str(v) for v in _values("He hid for 8 to 10 days.")] == ["8 to 10 days"]
    assert _durations("He was given Section 302 to ten years.") == [(10, "years")]


@labelled("durations_of_notes")
def test_durations_as_juniors_write_them(text: str, value: str) -> None:
    assert [str(v) for v in _values(text)] == [value]


@given(st.integers(1, 120), st.sampled_from(["days", "weeks", "months", "years"]))
def test_any_whole_length_is_read_in_its_own_unit(value: int, unit: str) -> None:
    assert _durations(f"He was away for {value} {unit}.") == [(value, unit)]


@labelled("durations")
def test_every_way_of_writing_a_length_of_time(text: str, read: list[tuple[float, str]]) -> None:
    assert _durations(text) == read


def test_a_short_term_is_not_counted_from_a_marriage_near_it() -> None:
    away, died = (
        "The marriage was in 2020; he was away 9 days.",
        "She died within 9 days of marriage.",
    )
    assert [_values(text)[0].context for text in (away, died)] == ["away", "marriage to death"]


def test_months_and_days_are_shown_as_such() -> None:
    assert say_figure(_values("In jail 10 m 20 d.")[0]) == "10 months 20 days"
