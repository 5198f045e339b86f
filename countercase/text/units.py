"""Units of time, weight, volume, length, area and money: their names, sizes and spellings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from countercase.io import read_table


@dataclass(frozen=True)
class Unit:
    """One unit of a fact sheet.

    Args:
        name: as the fact sheet writes it (`kg`).
        dimension: units of one dimension convert into each other. Months and years do not convert
            into days, and areas stay as they are stated.
        size: how many of the smallest unit of its dimension it makes.
        words: its name in words, plural.
    """

    name: str
    dimension: str
    size: float
    words: str


@dataclass(frozen=True)
class WrittenQuantity:
    """What narratives write for `count` of a unit of quantity (`quintals` for 100 kg)."""

    pattern: str
    unit: str
    count: int


UNITS: Final = {unit.name: unit for unit in read_table("text/units", Unit)}
"""Every unit by name."""

WRITTEN_QUANTITIES: Final = read_table("text/written_quantities", WrittenQuantity)
"""The spellings of quantities, in order of precedence."""

RUPEES: Final = {
    **dict.fromkeys(("inr", "rs", "rs.", "rupee", "rupees", "₹"), 1),
    **dict.fromkeys(("lakh", "lakhs"), 100_000),
    **dict.fromkeys(("crore", "crores"), 10_000_000),
}
"""Rupees in one of each unit of money."""

QUANTITY_ALIASES: Final = {
    **{unit.words.removesuffix("s"): unit.name for unit in UNITS.values()},
    "gm": "g",
    "sq m": "sq_m",
    "sq. m": "sq_m",
}
"""Other names of the units, singular."""

_TIME: Final = {
    "min": "minutes",
    "haf": "weeks",
    "h": "hours",
    "gh": "hours",
    "d": "days",
    "w": "weeks",
    "m": "months",
    "घं": "hours",
    "मि": "minutes",
    "दि": "days",
    "ह": "weeks",
    "म": "months",
}
"""The first letters of units of time, English and Hindi."""


def time_unit(word: str) -> str:
    """The unit of time that a word or abbreviation names; `years` for `yrs` and `decades`."""
    word = word.strip().lower()
    known = (unit for opening, unit in _TIME.items() if word.startswith(opening))
    return "years" if word.startswith("decade") else next(known, "years")


def convert(value: float, unit: str, wanted: str) -> float | None:
    """`value` in another unit; None where the two do not convert (days and months).

    >>> convert(1.5, "kg", "g")
    1500.0
    """
    if unit == wanted:
        return value
    here, there = UNITS.get(unit), UNITS.get(wanted)
    if here is None or there is None or here.dimension != there.dimension:
        return None
    return value * here.size / there.size


_HALF_A_DAY: Final = 0.016
"""In months: the ages of a sheet are rounded fractions of years."""


def calendar_words(years: float) -> str:
    """Years and a fraction as years, months and days: `17 years 3 months 24 days`."""
    whole, months = divmod(int(years * 12 + _HALF_A_DAY), 12)
    days = max(0, round((years - whole - months / 12) * 365.25))
    parts = (("years", whole), ("months", months), ("days", days))
    return " ".join(f"{count} {in_words(name, count)}" for name, count in parts if count)


def in_words(unit: str, value: float) -> str:
    """The unit in words after `value` of it: `kilograms`, `day`."""
    words = UNITS[unit].words if unit in UNITS else unit
    return words.removesuffix("s") if value == 1 else words
