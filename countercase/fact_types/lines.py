"""The lines that the law draws through figures.

The table is `law/data/lines.jsonl`. A value that equals a line is above it where `upper` is true (`not
less than 240 days`), and below it otherwise (`within seven years`). A line is read with its scope:
the dates between which it stood, the person whose figure it is, what the figure measures, the
provisions and the punishment that bring it in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Final

from countercase.fact_types.catalogue import Scope, matter_of
from countercase.fact_types.measures import figure_words, has_word, measure_of
from countercase.fact_types.roles import owner_of
from countercase.facts.area_of_law import cites, provisions
from countercase.facts.edits import Change
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue, SectionValue
from countercase.io import read_table
from countercase.law.offences import TESTS, Offence, is_charged, offences
from countercase.law.provision_ids import parse_id
from countercase.text.units import convert

LONGEST_TERM: Final = "the longest term"
MONTH_DAYS: Final = 30.4375
"""Days of a month, on average."""


@dataclass(frozen=True)
class Line(Scope):
    """A line of the law; one that asks for no provision is in every case."""

    kind: NumericalKind
    line: float  # where it runs, in `unit`
    unit: str
    provision: str
    reason: str
    # context, not_context: words of which what the figure measures must hold one, and may hold
    # none, from the beginning of a word; "" stands for a figure that says nothing
    context: tuple[str, ...] = ()
    not_context: tuple[str, ...] = ()
    upper: bool = True  # whether a value equal to the line is above it
    reach: float | None = None  # how far from it, in its unit, is near; None for any distance
    over: float | None = None  # the same for a value above the line, where that is another distance
    offence: str = ""  # what it asks of the offences cited: a name of `offences.TESTS`
    # whether a value equal to the line is a figure of the case; where False it is the period that
    # the law itself gives
    exact: bool = True
    # words of the context of another figure of the same kind that the line is a share of (`the
    # known income`); `the longest term` is that of the offences cited, in months
    of: tuple[str, ...] = ()
    share: float = 0.0  # which share of it; `line` is then found for the case
    back: float = 0.0  # how far below the line a value surely lies, where that is more than a step
    said: str = ""  # the line in the words of the law, where a month was counted in days

    def at(self, unit: str) -> float | None:
        """Return where the line runs in another unit; None for a unit unlike its own."""
        return convert(self.line, self.unit, unit)


@lru_cache(maxsize=1024)
def _lines(kind: NumericalKind, context: str | None = None) -> tuple[Line, ...]:
    """Return the lines for figures of one kind, or for those with a context, in table order."""
    rows = (row for row in read_table("law/lines", Line) if row.kind == kind)
    return tuple(row for row in rows if context is None or _measures(row, context))


@lru_cache(maxsize=512)
def lines_of(sheet: FactSheet, value: NumericalValue) -> tuple[Line, ...]:
    """Return the lines that run through a value of the sheet, in table order."""
    if is_of_the_law(value):
        return ()
    matter, owner = matter_of(sheet), owner_of(sheet, value)
    charged = charged_offences(sheet)
    return tuple(
        drawn
        for row in _lines(value.kind, value.context.lower())
        if matter.admits(row)
        and (matter.when.meets(row.since, row.until) or _of_its_day(row, sheet))
        and (not row.roles or owner in row.roles)
        and TESTS[row.offence](charged)
        and (drawn := _drawn(row, sheet, value, charged)) is not None
        and drawn.at(value.unit) is not None
        and (value.value != drawn.at(value.unit) or row.exact)
    )


def near_lines(sheet: FactSheet, value: NumericalValue) -> tuple[Line, ...]:
    """Return the lines of a value that it lies near, by their reach."""
    near = []
    for row in lines_of(sheet, value):
        off, line = distance(row, value)
        reach = row.reach if value.value <= line or row.over is None else row.over
        if reach is None or off <= reach * line / row.line:
            near.append(row)
    return tuple(near)


def _measures(row: Line, context: str) -> bool:
    if has_word(context, (*figure_words("of a precedent"), *row.not_context)):
        return False
    told = has_word(context, filter(None, row.context)) if context else "" in row.context
    return told or not row.context


def _of_its_day(row: Line, sheet: FactSheet) -> bool:
    """Return whether an undated case cites the provision of a line that stands no more."""
    if sheet.occurred_on or not row.until or not cites(sheet, (row.provision,)):
        return False
    return all(other.until for other in _lines(row.kind) if other.provision == row.provision)


def _drawn(
    row: Line, sheet: FactSheet, value: NumericalValue, charged: Sequence[Offence]
) -> Line | None:
    """The row with its line, where that is a share of another figure of the case."""
    if not row.of:
        return row
    if LONGEST_TERM in row.of:
        longest = max((row.greatest for row in charged), default=0)
        return replace(row, line=longest * row.share) if 0 < longest < inf else None
    others = [
        number
        for _, other in sheet.valued(NumericalValue)
        if other.kind == row.kind
        and other != value
        and has_word(other.context.lower(), row.of)
        and (number := convert(other.value, other.unit, row.unit)) is not None
    ]
    return replace(row, line=round(others[0] * row.share, 6)) if len(others) == 1 else None


def charged_offences(sheet: FactSheet) -> tuple[Offence, ...]:
    """Return the offences that the sheet cites, as they were punished when the law is read."""
    return offences(provisions(sheet), matter_of(sheet).when)


def distance(row: Line, value: NumericalValue) -> tuple[float, float]:
    """Return how far a value lies from one of its lines, and the line, both in its unit."""
    line = row.at(value.unit)
    assert line is not None, "`lines_of` gives no line that cannot be compared"
    return abs(value.value - line), line


def quantity_tier(sheet: FactSheet, value: NumericalValue) -> str | None:
    """Return `small`, `intermediate` or `commercial` of a drug; None for any other value."""
    if value.kind != "quantity":
        return None
    rows = {row.provision: row for row in lines_of(sheet, value)}
    small, commercial = rows.get("NDPS-2(xxiiia)"), rows.get("NDPS-2(viia)")
    if small is None or commercial is None:
        return None
    if is_above(commercial, value):
        return "commercial"
    return "intermediate" if is_above(small, value) else "small"


def is_above(row: Line, value: NumericalValue) -> bool:
    """Return whether the value is above the line; days and months compare by a mean month."""
    line, stated = row.at(value.unit), value.value
    if line is None:
        line, stated = size_of(replace(value, value=row.line, unit=row.unit)), size_of(value)
    return stated >= line if row.upper else stated > line


def size_of(value: NumericalValue) -> float:
    """Return a figure as a number that compares with those in other units of its kind."""
    if (months := convert(value.value, value.unit, "months")) is not None:
        return months * MONTH_DAYS
    sizes = (convert(value.value, value.unit, unit) for unit in ("days", "g"))
    return next((size for size in sizes if size is not None), value.value)


def parts(row: Line, left: NumericalValue, right: NumericalValue) -> bool:
    """Return whether the line runs between two values."""
    return is_above(row, left) != is_above(row, right)


def across(row: Line, value: NumericalValue) -> float | None:
    """Return the value just on the other side of the line; None where there is none above zero.

    One unit beyond the line for what is counted (years, days), a tenth of it for weights and
    amounts.
    """
    line = row.at(value.unit)
    if line is None:
        return None
    step = line / 10 if row.kind in ("quantity", "amount") else 1.0
    moved = line - (row.back or step) if is_above(row, value) else line + step
    if value.unit in ("months", "weeks") or row.kind == "quantity":
        moved = round(moved, 6)
    return moved if moved > 0 else None


def is_of_the_law(value: NumericalValue) -> bool:
    """Return whether the law itself gives the figure: `the minimum sentence`."""
    context = value.context.lower()
    return context == "limitation" or has_word(context, figure_words("of the law"))


def is_given_by_law(sheet: FactSheet, value: NumericalValue) -> bool:
    """Return whether the law gives the figure: it says so, or it is a line of an Act that is cited.

    A figure whose measure is known is one of the case, even where it lies on the line.
    """
    matter, may_be_line = matter_of(sheet), value.kind in ("amount", "duration")
    rows = (row for row in _lines(value.kind) if row.cited and matter.admits(row))
    is_line = may_be_line and any(row.at(value.unit) == value.value for row in rows)
    return is_of_the_law(value) or (is_line and measure_of(value, matter.cited) is None)


def punishes(offence: Offence, value: NumericalValue) -> bool | None:
    """Return whether an offence allows the term or the fine that a value states.

    None where the value is no punishment that a court imposed, or the label of the figure names
    another section.
    """
    context = value.context.lower()
    if is_of_the_law(value) or any(word in context for word in figure_words("spent")):
        return None
    numbers = sections_named(value)
    if numbers and str(parse_id(offence.provision).base) not in numbers:
        return None
    if value.kind == "amount" and has_word(context, ("fine",)):
        most = inf if offence.most_fine is None else offence.most_fine
        return offence.least_fine <= value.value <= most
    months = convert(value.value, value.unit, "months") if value.kind == "duration" else None
    if months is None or not any(word in context for word in figure_words("sentence")):
        return None
    return offence.least <= round(months, 1) <= offence.greatest


def sections_named(value: NumericalValue) -> list[str]:
    """Return the numbers of the sections that the label of a figure names."""
    return re.findall(r"(?<![(\d])\d+", value.context.lower().partition("section")[2])


def sentences_lost(sheet: FactSheet, changes: Sequence[Change]) -> Iterator[Change]:
    """The sentences and fines that no offence left allows, and figures of a section that goes."""
    changed = {c.fact_id: c.after for c in changes if c.fact_type == "Section"}
    sections = [*sheet.valued(SectionValue)]
    gone = [v for f, v in sections if f.fact_id in changed]
    kept = [v for f, v in sections if f.fact_id not in changed]
    left = list(dict.fromkeys(str(value) for value in [*kept, *changed.values()] if value))
    when, charges = matter_of(sheet).when, sum(map(is_charged, left))
    before, after = offences([str(v) for _, v in sections], when), offences(left, when)
    lost = {str(parse_id(str(v)).base) for v in gone} - {str(parse_id(name).base) for name in left}
    no_charge = any(is_charged(str(v)) for v in gone) and not charges
    law = next((str(v) for v in changed.values() if v), "")
    for fact, value in sheet.valued(NumericalValue) if changed else ():
        named = sections_named(value)
        is_sentence = has_word(value.context, figure_words("sentence"))
        allowed = [any(punishes(it, value) for it in rows) for rows in (before, after)]
        known = len(after) >= charges  # else what an offence that is left allows is not known
        falls = {*named} <= lost if named else no_charge and is_sentence
        if falls or (known and allowed == [True, False]):
            yield Change(fact.fact_id, "Numerical", "remove", value, None, law)
