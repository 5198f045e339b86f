"""Move numbers across the lines that the law draws; scale them where it draws none on the sheet.

An edit has its consequences: at 225 g of heroin the clause of the commercial quantity changes too.
A change of scale crosses no line and can show nothing of law: it is a null edit (`null.scale`),
unless no number of the case has a line and the type would go unmeasured; then each number has one
change of scale, which never makes it dispositive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from countercase.fact_types.consequences import consequences_of_value, with_consequences
from countercase.fact_types.lines import Line, across, impossible, lines_for, parts
from countercase.fact_types.null_edits import null_edit
from countercase.fact_types.rewriting.figures import restate
from countercase.fact_types.rewriting.narrative import in_order, mentions, put
from countercase.facts.edits import Consequence, Edit, Replacement
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.io import read_table
from countercase.text.numbers import find_figure, format_lakh, format_number, in_words
from countercase.text.units import convert

LINES_PER_FIGURE: Final = 3
"""How many lines of the law one number is moved across, each by an edit of its own."""

_SCALES: Final = {
    "amount": (10.0, 0.1),
    "quantity": (10.0, 0.1),
    "duration": (2.0, 0.5),
    "age": (),
}
SCALE: Final = "numerical.scale"
"""The rule of a change that crosses no line."""

_WHOLE: Final = ("minutes", "hours", "days", "weeks")
"""Units that are counted whole: half of 243 days is 121."""

_AGED: Final = re.compile(r"aged\s+(about\s+)?(\d+)\s+years\Z", re.IGNORECASE)

_NO_LINE: Final = "no legal line"


def propose(sheet: FactSheet) -> list[Edit]:
    """Each number moved across the nearest lines of the law that it can cross.

    Where none has a line: one change of scale for each.
    """
    figures = _figures(sheet)
    crossing = [edit for fact, value in figures for edit in _across_lines(sheet, fact, value)]
    scaled = (next(by_scale(sheet, fact, value), None) for fact, value in figures)
    return crossing or [edit for edit in scaled if edit is not None]


def propose_nulls(sheet: FactSheet) -> list[Edit]:
    """Each number in another style, and scaled where scaling is not an edit (see `propose`)."""
    scaling_is_an_edit = any(edit.rule == SCALE for edit in propose(sheet))
    edits = []
    for fact, value in _figures(sheet):
        edits += null_edit(sheet, fact, "null.figure_form", _in_other_style(sheet, fact, value))
        for scaled in by_scale(sheet, fact, value) if not scaling_is_an_edit else ():
            if scaled.replacements:
                edits.append(replace(scaled, rule="null.scale", provision="", null=True))
    return edits


def by_scale(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    """The number times ten and a tenth of it (a duration twice and half), on its side of all lines."""
    for factor in _SCALES[value.kind]:
        moved = float(f"{value.value * factor:.12g}")
        if value.unit in _WHOLE and moved > 1:
            moved = float(int(moved))
        scaled = replace(value, value=moved)
        crosses = any(parts(row, value, scaled) for row in lines_for(sheet, value))
        if not crosses and impossible(scaled) is None:
            yield from _edit(sheet, fact, value, scaled, SCALE, _NO_LINE)


def reason(edit: Edit) -> str:
    """Why the law tells the two numbers apart; says so where it does not."""
    if edit.rule == SCALE:
        return "The law draws no line between the two figures; only the scale differs."
    after = edit.new_value
    if not isinstance(after, NumericalValue):
        return ""
    before = replace(after, value=float(edit.original_value.split()[0]))
    for row in read_table("law/lines", Line):
        if (row.kind, row.provision) == (after.kind, edit.provision) and parts(row, before, after):
            return row.reason
    return ""


def _across_lines(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    seen: set[float] = set()
    for row in _nearest(sheet, value):
        moved = across(row, value)
        if moved is not None and moved not in seen and len(seen) < LINES_PER_FIGURE:
            seen.add(moved)
            after = replace(value, value=moved)
            following = consequences_of_value(sheet, fact, after, row)
            yield from _edit(sheet, fact, value, after, "numerical.line", row.provision, following)


def _nearest(sheet: FactSheet, value: NumericalValue) -> list[Line]:
    """The nearest line of each provision on either side of the value, in table order."""
    rows = lines_for(sheet, value)
    nearest: dict[tuple[str, bool], Line] = {}
    for row in sorted(rows, key=lambda row: _distance(row, value)):
        nearest.setdefault((row.provision, _is_beyond(row, value)), row)
    return [row for row in rows if any(row is chosen for chosen in nearest.values())]


def _distance(row: Line, value: NumericalValue) -> tuple[float, float]:
    line = convert(row.line, row.unit, value.unit)
    assert line is not None, "`lines_for` gives no line that cannot be compared"
    return abs(line - value.value), line


def _is_beyond(row: Line, value: NumericalValue) -> bool:
    moved = across(row, value)
    return moved is not None and moved > value.value


def _edit(
    sheet: FactSheet,
    fact: Fact,
    value: NumericalValue,
    after: NumericalValue,
    rule: str,
    provision: str,
    consequences: tuple[Consequence, ...] = (),
) -> Iterator[Edit]:
    replacements = in_order(restate(sheet, fact, value, after))
    if replacements is not None:
        old, new = str(value), str(after)
        edit = Edit(fact.fact_id, "Numerical", old, new, rule, provision, after, replacements)
        yield with_consequences(edit, consequences, f"{rule}_and_what_follows")


def _figures(sheet: FactSheet) -> list[tuple[Fact, NumericalValue]]:
    facts = sheet.of_type("Numerical")
    return [(fact, fact.value) for fact in facts if isinstance(fact.value, NumericalValue)]


def _in_other_style(sheet: FactSheet, fact: Fact, value: NumericalValue) -> list[Replacement]:
    replacements = []
    for span in mentions(fact):
        words = sheet.narrative[span.start : span.end]
        other = _other_words(words, value)
        if other is not None and other != words:
            replacements.append(put(sheet, fact, span, other))
    return replacements


def _other_words(words: str, value: NumericalValue) -> str | None:
    """The same value in another style: lakh for digits, words for digits, grams for kilos."""
    figure = find_figure(words, value.value)
    if figure is None:
        return None
    aged = _AGED.fullmatch(words)
    if aged:
        return f"{aged.group(1) or ''}{aged.group(2)} years of age"
    before, after = words[: figure.start], words[figure.end :]
    if value.kind == "amount":
        return _other_amount(before, figure.text, after, value.value)
    if value.kind == "quantity":
        return _other_quantity(words, value)
    if figure.text[0].isdigit():
        spelled = in_words(value.value) if value.value <= 100 else None
        if spelled is None or "half" in spelled:
            return None
        return before + spelled + after
    return before + format_number(value.value) + after


def _other_amount(before: str, figure: str, after: str, value: float) -> str | None:
    digits = format_number(value)
    if figure[0].isdigit() and not re.search(r"[a-z]", figure, re.IGNORECASE):
        tail = re.sub(r"^\s?/\s?[-–=]?", "", after)
        lakh = format_lakh(value).removeprefix("Rs. ")
        return before + lakh + tail if value >= 100_000 else _spelled(before, value, tail)
    return before + digits + after


def _spelled(before: str, value: float, after: str) -> str | None:
    words = in_words(value)
    if words is None or "half" in words:
        return None
    return re.sub(r"(?:Rs\.?|₹|INR)\s*\Z", "rupees ", before, flags=re.IGNORECASE) + words + after


def _other_quantity(words: str, value: NumericalValue) -> str | None:
    """Kilograms in grams, and grams in kilograms from 1,000 up; else the other name of the gram."""
    if value.unit == "kg":
        return f"{format_number(float(f'{value.value * 1000:.12g}'))} g"
    if value.unit != "g":
        return None
    if value.value >= 1000:
        return f"{format_number(float(f'{value.value / 1000:.12g}'))} kg"
    return f"{format_number(value.value)} {'g' if 'gram' in words.lower() else 'grams'}"
