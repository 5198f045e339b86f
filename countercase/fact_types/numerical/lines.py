"""The lines that the law draws through figures, and what no figure can be.

The lines that the law draws through figures, and which of them a figure stands at.

The table is `data/thresholds.jsonl`. A figure belongs above a line that it equals where `upper`
is true (`not less than 240 days`), below it otherwise (`within seven years`).

What no figure can be, whatever the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.rewriting import sentences_around
from countercase.facts.area_of_law import cites
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue
from countercase.io import read_table

_UNITS: Final = {
    "minutes": ("time", 1),
    "hours": ("time", 60),
    "days": ("time", 1440),
    "weeks": ("time", 10080),
    "months": ("calendar", 1),
    "years": ("calendar", 12),
    "mg": ("weight", 0.001),
    "g": ("weight", 1),
    "kg": ("weight", 1000),
}


@dataclass(frozen=True)
class Threshold:
    """A line of the law.

    Args:
        line: where it runs, in `unit`.
        context: pattern that what the figure measures must match; "" for any.
        cited: Acts or provisions that bring the line into a case.
        told: pattern of words that bring it in too, in what the figure measures or in a sentence
            that states it; with neither `cited` nor `told` it is in any matter.
        upper: whether a figure equal to the line is above it.
        reach: how far from the line, in its unit, a figure may stand to be moved across;
            None for any distance.
        over: the same for a figure above the line, where that is another distance.
    """

    kind: NumericalKind
    line: float
    unit: str
    provision: str
    reason: str
    context: str = ""
    cited: tuple[str, ...] = ()
    upper: bool = True
    reach: float | None = None
    told: str = ""
    over: float | None = None


def thresholds_for(sheet: FactSheet, value: NumericalValue) -> tuple[Threshold, ...]:
    """The lines that bear on a figure of the sheet, in table order: the most telling first."""
    return tuple(
        row
        for row in read_table("law/thresholds", Threshold)
        if row.kind == value.kind
        and (not row.context or re.search(row.context, value.context, re.IGNORECASE))
        and _brought_in(row, sheet, value)
        and _near(row, value)
    )


def _brought_in(row: Threshold, sheet: FactSheet, value: NumericalValue) -> bool:
    if not row.cited and not row.told:
        return True
    if row.cited and cites(sheet, row.cited):
        return True
    return bool(row.told) and any(
        re.search(row.told, words, re.IGNORECASE) for words in _words_around(sheet, value)
    )


def _words_around(sheet: FactSheet, value: NumericalValue) -> Iterator[str]:
    """What the figure measures, and the sentences that state it."""
    yield value.context
    for fact in sheet.facts:
        if fact.value == value:
            for sentence in sentences_around(sheet.narrative, fact.spans):
                yield sheet.narrative[sentence.start : sentence.end]


def _near(row: Threshold, value: NumericalValue) -> bool:
    line = line_in(row, value.unit)
    if line is None:
        return False
    above = value.value > line and row.over is not None
    reach = row.over if above else row.reach
    return reach is None or abs(value.value - line) <= reach * line / row.line


def line_in(row: Threshold, unit: str) -> float | None:
    """The line in another unit; None where the units do not convert (days and months)."""
    return convert(row.line, row.unit, unit)


def convert(value: float, unit: str, wanted: str) -> float | None:
    """A figure in another unit; None where the units do not convert (days and months)."""
    if unit == wanted:
        return value
    here, there = _UNITS.get(unit), _UNITS.get(wanted)
    if here is None or there is None or here[0] != there[0]:
        return None
    return value * here[1] / there[1]


def quantity_tier(sheet: FactSheet, value: NumericalValue) -> str | None:
    """`small`, `intermediate` or `commercial` under the NDPS Act; None for another figure."""
    rows = {row.provision: row for row in thresholds_for(sheet, value)}
    small, commercial = rows.get("NDPS-2(xxiiia)"), rows.get("NDPS-2(viia)")
    if small is None or commercial is None:
        return None
    if is_above(commercial, value):
        return "commercial"
    return "intermediate" if is_above(small, value) else "small"


def is_above(row: Threshold, value: NumericalValue) -> bool:
    """Whether the figure is on the upper side of the line."""
    line = line_in(row, value.unit)
    if line is None:
        raise ValueError(f"{value} cannot be compared with {row.line:g} {row.unit}")
    return value.value >= line if row.upper else value.value > line


def parts(row: Threshold, one: NumericalValue, other: NumericalValue) -> bool:
    """Whether the line runs between two figures of one unit; False where it cannot be compared."""
    if line_in(row, one.unit) is None:
        return False
    return is_above(row, one) != is_above(row, other)


def across(row: Threshold, value: NumericalValue) -> float | None:
    """The figure just on the other side of the line; None where there is none above zero.

    One unit beyond the line where figures are counted (years, days), a tenth of it for weights and
    amounts.
    """
    line = line_in(row, value.unit)
    if line is None:
        return None
    step = line / 10 if row.kind in ("quantity", "amount") else 1.0
    moved = line - step if is_above(row, value) else line + step
    if value.unit in ("months", "weeks") or row.kind == "quantity":
        moved = round(moved, 6)
    return moved if moved > 0 else None


_OLDEST: Final = 110


_IN_A_YEAR: Final = re.compile(r"(?:in|of) (?:the|a|one) year|twelve months", re.IGNORECASE)


def impossible(value: NumericalValue) -> str | None:
    """Why nothing can measure `value`, in a sentence; None where it can."""
    if value.kind == "age" and not 0 <= value.value <= _OLDEST:
        return (
            f"An age of {value.value:g} years could not be proved by any entry or opinion "
            "under sections 35 and 45 of the Evidence Act."
        )
    in_days = convert(value.value, value.unit, "days")
    if value.kind == "duration" and in_days and in_days > 366 and _IN_A_YEAR.search(value.context):
        return (
            f"A year, as section 3(66) of the General Clauses Act, 1897, reckons it, has no "
            f"{value.value:g} {value.unit}."
        )
    if value.kind != "age" and value.value <= 0:
        return (
            f"Something that measures {value.value:g} {value.unit} did not exist, and is no "
            "fact under section 3 of the Evidence Act."
        )
    return None
