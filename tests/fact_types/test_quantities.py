"""Which words of a narrative are a weight, volume, length or area."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.fact_types.numerical.figures import find_quantities
from countercase.facts.model import NumericalValue
from countercase.facts.vocabulary import QUANTITY_UNITS


def _values(text: str) -> list[tuple[float, str, str]]:
    values = [item.value for item in find_quantities(text)]
    return [(v.value, v.unit, v.context) for v in values if isinstance(v, NumericalValue)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They found 1.25 kg of charas.", (1.25, "kg", "charas")),
        ("Heroin weighing 250 gms was in the bag.", (250, "g", "heroin")),
        ("She owned 2 acres of land.", (2, "acre", "land")),
        ("He sold 3 1/2 bighas of land.", (3.5, "bigha", "land")),
        ("The bag held 1 kg 200 grams of opium.", (1.2, "kg", "opium")),
        ("Two quintals of poppy straw lay there.", (200, "kg", "poppy straw")),
        ("The house measures 200 sq. metres.", (200, "sq_m", "house")),
        ("The police station is 8 km away.", (8, "km", "distance")),
        ("He carried 20 litres of liquor.", (20, "l", "liquor")),
    ],
)
def test_every_unit_of_the_list(text: str, expected: tuple[float, str, str]) -> None:
    assert _values(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "He came at 5 p.m. on 12.3.1998.",
        "Rs. 500 and 21 utensils were taken.",
        "The wall was six feet high.",
        "Section 20 of the Act was read to him.",
    ],
)
def test_other_figures_are_no_quantities(text: str) -> None:
    assert _values(text) == []


def test_a_range_is_one_quantity() -> None:
    (found,) = find_quantities("about 3 1/2 to 4 bighas of land")
    assert str(found.value) == "3.5 to 4 bigha (land)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18 qtl rice short", (1800, "kg", "rice")),
        ("60 cents at Vellore", (60, "cent", "land")),
        ("land 14 bigha 6 biswa", (14.3, "bigha", "land")),
        ("godown of 2,400 sq ft", (2400, "sq_ft", "godown")),
        ("45 gms heroin frm pocket", (45, "g", "heroin")),
        ("100 gaj plot", (100, "sq_yd", "plot")),
        ("22 kms road", (22, "km", "road")),
        ("2 acre 10 guntha field", (2.25, "acre", "land")),
    ],
)
def test_quantities_as_juniors_write_them(text: str, expected: tuple[float, str, str]) -> None:
    assert _values(text) == [expected]


@given(st.integers(1, 9999), st.sampled_from(["mg", "g", "kg", "ml", "km", "acres", "hectares"]))
def test_units_stay_in_the_closed_list(value: int, unit: str) -> None:
    ((number, known, _),) = _values(f"In all {value} {unit} were counted.")
    assert number == value
    assert known in QUANTITY_UNITS and known == unit.rstrip("s")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Gold of 12 tolas was taken.", "12 tola"),
        ("The land is 14 kanal 7 marla.", "14.35 kanal"),
        ("She brought 40 sovereigns.", "40 sovereign"),
        ("Field of 3 vighas.", "3 bigha"),
        ("Seized 600 tablets.", "600 tablet"),
    ],
)
def test_local_units(text: str, read: str) -> None:
    assert [str(item.value).split(" (")[0] for item in find_quantities(text)] == [read]
