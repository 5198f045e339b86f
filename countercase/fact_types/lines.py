"""The lines that the law draws through numbers, and what follows where a number crosses one.

The table is `law/data/lines.jsonl`. A value that equals a line is above it where `upper` is true (`not
less than 240 days`), and below it otherwise (`within seven years`).

At 225 g of heroin the charge cannot stay one of a commercial quantity, nor can a charge of dowry
death after eight years of marriage. Such a change takes the provision along, within the same edit: it
is a consequence. The tiers of the NDPS Act are in `law/data/ndps_tiers.jsonl`, the rest in
`law/data/consequences.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from countercase.fact_types.party_wording import ages_of, retype
from countercase.fact_types.rewriting import cite_instead, in_order, restate, sentences_around
from countercase.facts.area_of_law import cites, names_of, provisions
from countercase.facts.edits import Consequence, Edit, Replacement
from countercase.facts.model import (
    Fact,
    FactSheet,
    FactValue,
    NumericalKind,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.provisions import clause_for, successors, tier_of
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

    def at(self, unit: str) -> float | None:
        """Where the line runs in another unit; None for a unit unlike its own."""
        return convert(self.line, self.unit, unit)


def lines_for(sheet: FactSheet, value: NumericalValue) -> tuple[Line, ...]:
    """The lines that apply to a value of the sheet, in table order: the most telling first."""
    return tuple(
        row
        for row in read_table("law/lines", Line)
        if row.kind == value.kind
        and re.search(row.context, value.context, re.IGNORECASE)
        and _applies(row, sheet, value)
        and _near(row, value)
    )


def _applies(row: Line, sheet: FactSheet, value: NumericalValue) -> bool:
    if cites(sheet, row.cited) or not (row.cited or row.words):
        return True
    spans = [span for fact in sheet.facts if fact.value == value for span in fact.spans]
    sentences = sentences_around(sheet.narrative, spans) if row.words else ()
    around = (value.context, *(sheet.narrative[s.start : s.end] for s in sentences))
    return bool(row.words) and any(re.search(row.words, w, re.IGNORECASE) for w in around)


def _near(row: Line, value: NumericalValue) -> bool:
    line = row.at(value.unit)
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
    line = row.at(value.unit)
    if line is None:
        raise ValueError(f"{value} cannot be compared with {row.line:g} {row.unit}")
    return value.value >= line if row.upper else value.value > line


def parts(row: Line, left: NumericalValue, right: NumericalValue) -> bool:
    """Whether the line runs between two values of one unit; False for a unit unlike its own."""
    return row.at(left.unit) is not None and is_above(row, left) != is_above(row, right)


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


_FULL_AGE = 18
_OF_FULL_AGE = "Indian Majority Act, 1875, s. 3"
_NEW_LAW = ("BNS-", "BNSS-", "BSA-")


@dataclass(frozen=True)
class Following:
    """A provision that another replaces once a value is on one side of a line.

    Args:
        line: the provision that draws the line.
        side: where the value is after the edit.
        cited: what the case cites; `becomes` takes its place unless it is cited already.
        words: pattern that the narrative must match; "" for any.
    """

    line: str
    side: Literal["above", "below"]
    cited: str
    becomes: str
    reason: str
    words: str = ""


def consequences_of_value(
    sheet: FactSheet, fact: Fact, after: NumericalValue, row: Line
) -> tuple[Consequence, ...]:
    """What follows where a value of the sheet becomes `after`, across the line `row`."""
    order = [fact.fact_id for fact in sheet.facts]
    clauses, minors = _new_clauses(sheet, fact, after), _no_longer_minors(sheet, fact, after)
    consequences = (*clauses, *_new_provisions(sheet, after, row), *minors)
    return tuple(sorted(consequences, key=lambda consequence: order.index(consequence.fact_id)))


def consequences_of_clause(sheet: FactSheet, before: str, after: str) -> tuple[Consequence, ...]:
    """The quantities that follow where the clause of one tier becomes that of another."""
    tier, wanted = tier_of(before), tier_of(after)
    if tier is None or wanted is None or clause_for(before, wanted) != after:
        return ()
    consequences = []
    for fact, value in sheet.valued(NumericalValue):
        if quantity_tier(sheet, value) == tier:
            beyond = (across(row, value) for row in lines_for(sheet, value))
            options = (replace(value, value=number) for number in beyond if number is not None)
            changed = next((v for v in options if quantity_tier(sheet, v) == wanted), None)
            if changed is not None:
                words = restate(sheet, fact, value, changed)
                consequences.append(_consequence(fact, changed, after, words))
    return tuple(consequences)


def with_consequences(edit: Edit, consequences: tuple[Consequence, ...], rule: str) -> Edit:
    """The edit with its consequences, under the name `rule`.

    Without them where there are none, or where their words collide with its own.
    """
    whole = replace(edit, rule=rule, consequences=consequences)
    return whole if consequences and in_order(whole.changes) is not None else edit


def _new_clauses(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Consequence]:
    """The clause of the new tier, where no other quantity of the old tier is left."""
    tiers = {f.fact_id: quantity_tier(sheet, value) for f, value in sheet.valued(NumericalValue)}
    before, now = tiers[fact.fact_id], quantity_tier(sheet, after)
    if before is None or now is None or before == now or [*tiers.values()].count(before) > 1:
        return
    for cited, section in sheet.valued(SectionValue):
        if tier_of(section.provision) == before:
            clause = clause_for(section.provision, now)
            if clause is not None and clause not in provisions(sheet):
                yield _cited_instead(sheet, cited, clause)


def _new_provisions(sheet: FactSheet, after: NumericalValue, row: Line) -> Iterator[Consequence]:
    side = "above" if is_above(row, after) else "below"
    rows = [
        following
        for following in read_table("law/consequences", Following)
        if (following.line, following.side) == (row.provision, side)
        and re.search(following.words, sheet.narrative, re.IGNORECASE)
    ]
    held = {name for provision in provisions(sheet) for name in names_of(provision)}
    for fact, section in sheet.valued(SectionValue):
        names = names_of(section.provision)
        chosen = next((r for r in rows if r.cited in names and r.becomes not in held), None)
        if chosen is not None:
            held |= set(names_of(chosen.becomes))
            renewed = section.provision.startswith(_NEW_LAW)
            new = (successors(chosen.becomes) if renewed else ()) or (chosen.becomes,)
            yield _cited_instead(sheet, fact, new[0])


def _no_longer_minors(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Consequence]:
    """A party whose age passes eighteen is not a minor any more."""
    before = fact.value
    assert isinstance(before, NumericalValue)
    if after.kind != "age" or not before.value < _FULL_AGE <= after.value:
        return
    for party, value in sheet.valued(PartyValue):
        if value.party_type == "Minor" and before.value in ages_of(sheet, value):
            adult = replace(value, party_type="Individual")
            words = retype(sheet, party, value, "Individual", "person of full age")
            yield _consequence(party, adult, _OF_FULL_AGE, words)


def _cited_instead(sheet: FactSheet, fact: Fact, new: str) -> Consequence:
    return _consequence(fact, SectionValue(new), new, cite_instead(sheet, fact, new))


def _consequence(
    fact: Fact, value: FactValue, provision: str, words: list[Replacement]
) -> Consequence:
    before, after = str(fact.value), str(value)
    replacements = tuple(sorted(set(words)))
    return Consequence(fact.fact_id, fact.fact_type, before, after, provision, value, replacements)
