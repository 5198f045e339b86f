"""The lines that the law draws through numbers, and what no number can be.

The table is `law/data/lines.jsonl`. A value that equals a line is above it where `upper` is true (`not
less than 240 days`), and below it otherwise (`within seven years`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.rewriting.narrative import sentences_around
from countercase.facts.area_of_law import cites
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue
from countercase.io import read_table
from countercase.text.units import convert

_OLDEST: Final = 110
_IN_A_YEAR: Final = re.compile(r"(?:in|of) (?:the|a|one) year|twelve months", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line of the law.

    Args:
        line: where it runs, in `unit`.
        context: pattern that the context of the value must match; "" for any.
        cited: Acts or provisions that bring the line into a case.
        words: pattern that brings it in too, in the context of the value or in a sentence that
            states it; with neither `cited` nor `words` the line applies in any case.
        upper: whether a value equal to the line is above it.
        reach: how far from the line, in its unit, a value may lie to be moved across; None for
            any distance.
        over: the same for a value above the line, where that is another distance.
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
    words: str = ""
    over: float | None = None


def lines_for(sheet: FactSheet, value: NumericalValue) -> tuple[Line, ...]:
    """The lines that apply to a value of the sheet, in table order: the most telling first."""
    return tuple(
        row
        for row in read_table("law/lines", Line)
        if row.kind == value.kind
        and (not row.context or re.search(row.context, value.context, re.IGNORECASE))
        and _applies(row, sheet, value)
        and _near(row, value)
    )


def _applies(row: Line, sheet: FactSheet, value: NumericalValue) -> bool:
    if not row.cited and not row.words:
        return True
    if row.cited and cites(sheet, row.cited):
        return True
    return bool(row.words) and any(
        re.search(row.words, words, re.IGNORECASE) for words in _words_around(sheet, value)
    )


def _words_around(sheet: FactSheet, value: NumericalValue) -> Iterator[str]:
    """The context of the value, and the sentences that state it."""
    yield value.context
    for fact in sheet.facts:
        if fact.value == value:
            for sentence in sentences_around(sheet.narrative, fact.spans):
                yield sheet.narrative[sentence.start : sentence.end]


def _near(row: Line, value: NumericalValue) -> bool:
    line = convert(row.line, row.unit, value.unit)
    if line is None:
        return False
    above = value.value > line and row.over is not None
    reach = row.over if above else row.reach
    return reach is None or abs(value.value - line) <= reach * line / row.line


def quantity_tier(sheet: FactSheet, value: NumericalValue) -> str | None:
    """`small`, `intermediate` or `commercial` under the NDPS Act; None for any other value."""
    rows = {row.provision: row for row in lines_for(sheet, value)}
    small, commercial = rows.get("NDPS-2(xxiiia)"), rows.get("NDPS-2(viia)")
    if small is None or commercial is None:
        return None
    if is_above(commercial, value):
        return "commercial"
    return "intermediate" if is_above(small, value) else "small"


def is_above(row: Line, value: NumericalValue) -> bool:
    """Whether the value is on the upper side of the line."""
    line = convert(row.line, row.unit, value.unit)
    if line is None:
        raise ValueError(f"{value} cannot be compared with {row.line:g} {row.unit}")
    return value.value >= line if row.upper else value.value > line


def parts(row: Line, left: NumericalValue, right: NumericalValue) -> bool:
    """Whether the line runs between two values of one unit; False for a unit unlike its own."""
    if convert(row.line, row.unit, left.unit) is None:
        return False
    return is_above(row, left) != is_above(row, right)


def across(row: Line, value: NumericalValue) -> float | None:
    """The value just on the other side of the line; None where there is none above zero.

    One unit beyond the line for what is counted (years, days), a tenth of it for weights and
    amounts.
    """
    line = convert(row.line, row.unit, value.unit)
    if line is None:
        return None
    step = line / 10 if row.kind in ("quantity", "amount") else 1.0
    moved = line - step if is_above(row, value) else line + step
    if value.unit in ("months", "weeks") or row.kind == "quantity":
        moved = round(moved, 6)
    return moved if moved > 0 else None


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
