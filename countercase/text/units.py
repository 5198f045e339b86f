"""Units of time, weight, volume, length, area and money: their names, sizes and spellings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from countercase.io import read_table


@dataclass(frozen=True)
class Unit:
    """One unit of a fact sheet."""

    name: str  # as the fact sheet writes it (`kg`)
    # units of one dimension convert into each other. Months and years do not convert into days, and
    # areas stay as they are stated.
    dimension: str
    size: float  # how many of the smallest unit of its dimension it makes
    words: str  # its name in words, plural
    aliases: tuple[str, ...] = ()  # other names, singular
    openings: tuple[str, ...] = ()  # of a unit of time, with what its names and abbreviations begin


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
    name: unit.name
    for unit in UNITS.values()
    for name in (unit.words.removesuffix("s"), *unit.aliases)
}
"""Other names of the units, singular."""

_TIME: Final = {opening: unit.name for unit in UNITS.values() for opening in unit.openings}


def time_unit(word: str) -> str:
    """The unit of time that a word or abbreviation names; `years` for `yrs` and `decades`."""
    word = word.strip().lower()
    known = (o for o in sorted(_TIME, key=len, reverse=True) if word.startswith(o))
    return _TIME.get(next(known, ""), "years")


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


_HALF_A_DAY: Final = 0.016  # in months: the ages of a sheet are rounded fractions of years


def calendar_words(years: float) -> str:
    """Years and a fraction as years, months and days: `17 years 3 months 24 days`."""
    whole, months = divmod(int(years * 12 + _HALF_A_DAY), 12)
    days = max(0, round((years - whole - months / 12) * 365.25))
    parts = (("years", whole), ("months", months), ("days", days))
    return " ".join(f"{n} {in_words(name, n)}" for name, n in parts if n) or "0 days"


def in_words(unit: str, value: float) -> str:
    """The unit in words after `value` of it: `kilograms`, `day`."""
    words = UNITS[unit].words if unit in UNITS else unit
    return words.removesuffix("s") if value == 1 else words
