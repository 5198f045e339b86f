"""Which words of a narrative are a weight, volume, length or area."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.fact_types.numerical.figures import find_quantities
from countercase.facts.model import NumericalValue
from countercase.facts.vocabulary import QUANTITY_UNITS


def _values(text: str) -> list[tuple[float, str, str]]:
    values = [item.value for item in find_quantities(text)]
    return [(v.value, v.unit, v.context) for v in values if isinstance(v, NumericalValue)]


@labelled("quantities")
def test_quantities_with_their_units(text: str, expected: list[tuple[float, str, str]]) -> None:
    assert _values(text) == expected


def test_a_range_is_one_quantity() -> None:
    (found,) = find_quantities("about 3 1/2 to 4 bighas of land")
    assert str(found.value) == "3.5 to 4 bigha (land)"


def test_tablets_are_counted() -> None:
    assert [(value, unit) for value, unit, _ in _values("Seized 600 tablets.")] == [(600, "tablet")]


@given(st.integers(1, 9999), st.sampled_from(["mg", "g", "kg", "ml", "km", "acres", "hectares"]))
def test_units_stay_in_the_closed_list(value: int, unit: str) -> None:
    ((number, known, _),) = _values(f"In all {value} {unit} were counted.")
    assert number == value
    assert known in QUANTITY_UNITS and known == unit.rstrip("s")
