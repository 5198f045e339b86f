"""Units of time, weight, volume, length, area and money: their names, sizes and spellings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


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


UNITS: Final = {
    unit.name: unit
    for unit in (
        Unit("minutes", "time", 1, "minutes"),
        Unit("hours", "time", 60, "hours"),
        Unit("days", "time", 1440, "days"),
        Unit("weeks", "time", 10080, "weeks"),
        Unit("months", "calendar", 1, "months"),
        Unit("years", "calendar", 12, "years"),
        Unit("mg", "weight", 0.001, "milligrams"),
        Unit("g", "weight", 1, "grams"),
        Unit("kg", "weight", 1000, "kilograms"),
        Unit("ml", "volume", 0.001, "millilitres"),
        Unit("l", "volume", 1, "litres"),
        Unit("m", "length", 1, "metres"),
        Unit("km", "length", 1000, "kilometres"),
        Unit("sq_m", "sq_m", 1, "square metres"),
        Unit("hectare", "hectare", 1, "hectares"),
        Unit("acre", "acre", 1, "acres"),
        Unit("bigha", "bigha", 1, "bighas"),
    )
}
"""Every unit by name."""

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

WRITTEN_QUANTITIES: Final = (
    (r"milligrams?|mgs?", "mg", 1),
    (r"kilo\s?grams?|kilos?|kgs?|k\.g\.?s?", "kg", 1),
    (r"grams?|grammes?|gms?|gr?", "g", 1),
    (r"quintals?|qtls?", "kg", 100),
    (r"metric\s+tonn?e?s?|tonnes?|MTs?", "kg", 1000),
    (r"millilit(?:re|er)s?|mls?", "ml", 1),
    (r"lit(?:re|er)s?|ltrs?|lts?", "l", 1),
    (r"(?:square|sq\.?)\s*(?:met(?:re|er)s?|mtrs?|mts?|m)", "sq_m", 1),
    (r"kilomet(?:re|er)s?|kms?", "km", 1),
    (r"met(?:re|er)s?|mtrs?|mts", "m", 1),
    (r"hectares?|ha", "hectare", 1),
    (r"acres?", "acre", 1),
    (r"bighas?", "bigha", 1),
)
"""(pattern, unit, how many of the unit) for what narratives write, in order of precedence."""

_TIME: Final = (
    (re.compile(r"min", re.IGNORECASE), "minutes"),
    (re.compile(r"h", re.IGNORECASE), "hours"),
    (re.compile(r"d(?!ecade)", re.IGNORECASE), "days"),
    (re.compile(r"w", re.IGNORECASE), "weeks"),
    (re.compile(r"mon", re.IGNORECASE), "months"),
)


def time_unit(word: str) -> str:
    """The unit of time that a word or abbreviation names; `years` for `yrs` and `decades`."""
    return next((unit for pattern, unit in _TIME if pattern.match(word)), "years")


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


def in_words(unit: str, value: float) -> str:
    """The unit in words after `value` of it: `kilograms`, `day`."""
    words = UNITS[unit].words if unit in UNITS else unit
    return words[:-1] if value == 1 else words
