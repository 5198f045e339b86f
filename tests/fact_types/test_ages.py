"""Which words of a narrative are somebody's age."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.fact_types.numerical.figures import find_ages
from countercase.facts.model import NumericalValue


def _ages(text: str) -> list[tuple[float, str]]:
    found = find_ages(text)
    for item in found:
        assert isinstance(item.value, NumericalValue)
        assert (item.value.kind, item.value.unit) == ("age", "years")
    return [(item.value.value, text[item.span.start : item.span.end]) for item in found]


def _people(text: str) -> list[str]:
    """The ages of `text` with their people, as a fact sheet writes them."""
    return [str(item.value) for item in find_ages(text)]


@labelled("ages")
def test_every_way_of_writing_an_age(text: str, ages: list[tuple[float, str]]) -> None:
    assert _ages(text) == ages


def test_a_range_is_one_age() -> None:
    assert _ages("He was aged about 14 to 16 years.") == [(14, "aged about 14 to 16 years")]
    assert _people("Her age was put between 13-17 years.") == ["13 to 17 years"]
    assert _people("Ossification test of the girl says 17 to 19 yrs.") == ["17 to 19 years (girl)"]
    assert _people("Deceased Ramlal (aged 50-52 yrs) fell.") == ["50 to 52 years (deceased Ramlal)"]


@labelled("ages_of_people")
def test_ages_as_juniors_write_them(text: str, people: list[str]) -> None:
    assert _people(text) == people


def test_a_list_gives_each_age_and_a_bare_number_may_be_one() -> None:
    assert [v for v, _ in _ages("Client Balbir s/o late Karnail, umar 38.")] == [38]
    assert [v for v, _ in _ages("She left children aged 12, 9 and 4 years.")] == [12, 9, 4]


@given(st.integers(1, 99))
def test_any_whole_age_is_read(age: int) -> None:
    assert [value for value, _ in _ages(f"The accused is aged {age} years.")] == [age]


@given(st.integers(121, 10_000))
def test_nobody_is_older_than_the_law_has_seen(age: int) -> None:
    assert _ages(f"The tree was aged {age} years.") == []
