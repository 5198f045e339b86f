"""The lines that the law draws through numbers, and what follows where a number crosses one.

The table is `law/data/lines.jsonl`. A value that equals a line is above it where `upper` is true (`not
less than 240 days`), and below it otherwise (`within seven years`).

A line is read with its scope: the dates between which it stood, the person whose figure it is, the
provisions and the punishment that bring it in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Final

from countercase.fact_types.rewriting import sentences_around
from countercase.fact_types.roles import owner_of
from countercase.facts.area_of_law import area_of_law, cites, provisions
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue
from countercase.io import read_table
from countercase.law.in_force import Period, reading_period
from countercase.law.offences import TESTS, Offence, offences, term_bounds
from countercase.text.dates import find_dates, read_date
from countercase.text.units import convert

_OLDEST: Final = 110
_IN_A_YEAR: Final = re.compile(r"(?i)(?:in|of) (?:the|a|one) year|twelve months")


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
        whose: the roles of those whose figure it may be; any where empty.
        area: `criminal` or `civil`; "" for both.
        offence: what the line asks of the offences cited, a name of `countercase.law.offences.TESTS`.
        since, until: the first and the last day on which the line stood; "" for no limit.
        needs, unless: patterns that a narrative must match, and must not, for the line to apply.
        exact: whether a value equal to the line is a figure of the case; where False it is the
            period that the law itself gives.
        of: pattern of the context of another figure of the same kind that the line is a share of
            (`the known income`); `the longest term` is that of the offences cited, in months.
        share: which share of it; `line` is then found for the case.
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
    whose: tuple[str, ...] = ()
    area: str = ""
    offence: str = ""
    since: str = ""
    until: str = ""
    needs: str = ""
    unless: str = ""
    exact: bool = True
    of: str = ""
    share: float = 0.0

    def at(self, unit: str) -> float | None:
        """Where the line runs in another unit; None for a unit unlike its own."""
        return convert(self.line, self.unit, unit)


def lines_for(sheet: FactSheet, value: NumericalValue) -> tuple[Line, ...]:
    """The lines that a value of the sheet may be moved across, in table order."""
    return tuple(row for row in lines_of(sheet, value) if _near(row, value))


@lru_cache(maxsize=256)
def lines_of(sheet: FactSheet, value: NumericalValue) -> tuple[Line, ...]:
    """The lines that apply to a value of the sheet, in table order: the most telling first."""
    when, owner = reading_date(sheet), owner_of(sheet, value)
    charged, area = offences(provisions(sheet), when), area_of_law(sheet)
    return tuple(
        drawn
        for row in read_table("law/lines", Line)
        if row.kind == value.kind
        and (when.meets(row.since, row.until) or _of_its_day(row, sheet))
        and (not row.whose or owner in row.whose)
        and row.area in ("", area)
        and TESTS[row.offence](charged)
        and re.search(row.context, value.context, re.IGNORECASE)
        and re.search(row.needs, sheet.narrative, re.IGNORECASE)
        and not (row.unless and re.search(row.unless, sheet.narrative, re.IGNORECASE))
        and _brought_in(row, sheet, value)
        and (drawn := _drawn(row, sheet, value, charged)) is not None
    )


LONGEST_TERM: Final = "the longest term"


def _drawn(
    row: Line, sheet: FactSheet, value: NumericalValue, charged: tuple[Offence, ...]
) -> Line | None:
    """The row with its line, where that is a share of another figure of the case."""
    if not row.of:
        return row
    if row.of == LONGEST_TERM:
        bounds = term_bounds(charged)
        longest = [bounds[1]] if bounds is not None and 0 < bounds[1] < inf else []
        return replace(row, line=longest[0] * row.share) if longest else None
    others = [
        number
        for _, other in sheet.valued(NumericalValue)
        if other.kind == row.kind
        and other != value
        and re.search(row.of, other.context, re.IGNORECASE)
        and (number := convert(other.value, other.unit, row.unit)) is not None
    ]
    return replace(row, line=round(others[0] * row.share, 6)) if len(others) == 1 else None


def _of_its_day(row: Line, sheet: FactSheet) -> bool:
    """Whether an undated case cites the provision that drew this line, and nothing draws it now."""
    if sheet.occurred_on or not row.until or not cites(sheet, (row.provision,)):
        return False
    rows = read_table("law/lines", Line)
    return all(other.until for other in rows if other.provision == row.provision)


def reading_date(sheet: FactSheet) -> Period:
    """The days on which the law is read for this case.

    An undated case is read no later than the last year that its narrative names.
    """
    period = reading_period(sheet.occurred_on, provisions(sheet))
    last = _last_year(sheet.narrative)
    if sheet.occurred_on or not last or last >= period.last[:4]:
        return period
    return Period(f"{last}-01-01", f"{last}-12-31")


@lru_cache(maxsize=64)
def _last_year(narrative: str) -> str:
    dates = (read_date(narrative[s.start : s.end]) for s in find_dates(narrative))
    return max((text[:4] for text in dates if text), default="")


def charged_offences(sheet: FactSheet) -> tuple[Offence, ...]:
    """The offences that the sheet cites, as they were punished when the law is read."""
    return offences(provisions(sheet), reading_date(sheet))


def _brought_in(row: Line, sheet: FactSheet, value: NumericalValue) -> bool:
    if cites(sheet, row.cited) or not (row.cited or row.words):
        return True
    spans = [span for fact in sheet.facts if fact.value == value for span in fact.spans]
    sentences = sentences_around(sheet.narrative, spans) if row.words else ()
    around = (value.context, *(sheet.narrative[s.start : s.end] for s in sentences))
    return bool(row.words) and any(re.search(row.words, w, re.IGNORECASE) for w in around)


def _near(row: Line, value: NumericalValue) -> bool:
    line = row.at(value.unit)
    if line is None or (value.value == line and not row.exact):
        return False
    above = value.value > line and row.over is not None
    reach = row.over if above else row.reach
    return reach is None or abs(value.value - line) <= reach * line / row.line


def quantity_tier(sheet: FactSheet, value: NumericalValue) -> str | None:
    """`small`, `intermediate` or `commercial` under the NDPS Act; None for any other value."""
    rows = {row.provision: row for row in lines_of(sheet, value)}
    small, commercial = rows.get("NDPS-2(xxiiia)"), rows.get("NDPS-2(viia)")
    if small is None or commercial is None:
        return None
    if is_above(commercial, value):
        return "commercial"
    return "intermediate" if is_above(small, value) else "small"


def is_above(row: Line, value: NumericalValue) -> bool:
    """Whether the value is on the upper side of the line."""
    line = row.at(value.unit)
    if line is None:
        raise ValueError(f"{value} cannot be compared with {row.line:g} {row.unit}")
    return value.value >= line if row.upper else value.value > line


def side_tokens(sheet: FactSheet, value: NumericalValue) -> tuple[str, ...]:
    """On which side of each line of the law a value of the sheet stands, for retrieval.

    `line:POCSO-2(1)(d):victim:18 years:below`: the provision, whose figure the line is about (left
    out where it may be anybody's), where it runs, the side. A period that the law itself gives
    stands on none.
    """
    found = []
    for row in lines_of(sheet, value):
        line = row.at(value.unit)
        if line is None or (value.value == line and not row.exact):
            continue
        owner = f"{owner_of(sheet, value)}:" if row.whose else ""
        where = f"{row.share:g} of it" if row.of else f"{row.line:g} {row.unit}"
        side = "above" if is_above(row, value) else "below"
        found.append(f"line:{row.provision}:{owner}{where}:{side}")
    return tuple(found)


def parts(row: Line, left: NumericalValue, right: NumericalValue) -> bool:
    """Whether the line runs between two values of one unit; False for a unit unlike its own."""
    return row.at(left.unit) is not None and is_above(row, left) != is_above(row, right)


_SENTENCE: Final = re.compile(r"(?i)imprison|sentence")
_SPENT: Final = re.compile(r"(?i)undergone|served|custody|jail")


def is_sentence(value: NumericalValue) -> bool:
    """Whether the value is a term of imprisonment that a court passed."""
    spent = _SPENT.search(value.context)
    return value.kind == "duration" and not spent and bool(_SENTENCE.search(value.context))


def beyond_the_terms(sheet: FactSheet, value: NumericalValue) -> bool:
    """Whether no court could pass this sentence for any offence that the sheet cites.

    A sentence under offences whose terms are not known cannot be changed at all.
    """
    if not is_sentence(value):
        return False
    bounds = term_bounds(charged_offences(sheet))
    months = convert(value.value, value.unit, "months")
    return bounds is None or months is None or not bounds[0] <= round(months, 1) <= bounds[1]


def across(row: Line, value: NumericalValue) -> float | None:
    """The value just on the other side of the line; None where there is none above zero.

    One unit beyond the line for what is counted (years, days), a tenth of it for weights and
    amounts.
    """
    line = row.at(value.unit)
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
