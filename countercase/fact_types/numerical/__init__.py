"""Numbers with a unit: amounts, ages, durations, quantities and counts.

Move numbers across the lines that the law draws; scale them where it draws none on the sheet.

An edit has its consequences: at 225 g of heroin the clause of the commercial quantity changes too.
A change of scale crosses no line and can show nothing of law: it is a null edit (`null.scale`),
unless no number of the case has a line and the type would go unmeasured; then each number has one
change of scale, which never makes it dispositive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import FactType
from countercase.fact_types.consequences import (
    WordingError,
    consequences_of_value,
    with_consequences,
)
from countercase.fact_types.lines import (
    Line,
    across,
    beyond_the_terms,
    impossible,
    lines_for,
    parts,
)
from countercase.fact_types.numerical.recognise import as_facts, find_figures, locate, merge
from countercase.fact_types.rewriting import in_order, mentions, null_edit, put, restate
from countercase.facts.edits import Consequence, Edit, Replacement
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalValue
from countercase.io import read_table
from countercase.law.citations import find_citations
from countercase.text import units
from countercase.text.numbers import (
    find_figure,
    format_amount,
    format_lakh,
    format_number,
    in_words,
)

LINES_PER_FIGURE: Final = 3
"""How many lines of the law one number is moved across, each by an edit of its own."""

_SCALES: Final = {"amount": (10.0, 0.1), "quantity": (10.0, 0.1), "duration": (2.0, 0.5)}
SCALE: Final = "numerical.scale"
"""The rule of a change that crosses no line."""

_WHOLE: Final = ("minutes", "hours", "days", "weeks")
"""Units that are counted whole: half of 243 days is 121."""

_AGED: Final = re.compile(r"(?i)aged\s+(about\s+)?(\d+)\s+years\Z")

_LETTER: Final = re.compile(r"(?i)[a-z]")
_DASH: Final = re.compile(r"^\s?/\s?[-–=]?")
_RUPEES: Final = re.compile(r"(?i)(?:Rs\.?|₹|INR)\s*\Z")

_WORD_FOR_AGE: Final = re.compile(r"(?i)year|yr|\bage|month|mth|\bsa+l\b")
_ORDINAL: Final = re.compile(r"(?i)(?:st|nd|rd|th)\b")
_STATED: Final = re.compile(r"(?P<value>[\d.e+]+)(?: to (?P<upper>[\d.e+]+))? (?P<unit>\S+)")

_NO_LINE: Final = "no legal line"


def propose(sheet: FactSheet) -> list[Edit]:
    """Each number moved across the nearest lines of the law that it can cross.

    Where none has a line: one change of scale for each.
    """
    figures = sheet.valued(NumericalValue)
    crossing = [edit for fact, value in figures for edit in _across_lines(sheet, fact, value)]
    scaled = (next(by_scale(sheet, fact, value), None) for fact, value in figures)
    return crossing or [edit for edit in scaled if edit is not None]


def propose_nulls(sheet: FactSheet) -> list[Edit]:
    """Each number in another style, and scaled where scaling is not an edit (see `propose`)."""
    scaling_is_an_edit = any(edit.rule == SCALE for edit in propose(sheet))
    edits = []
    for fact, value in sheet.valued(NumericalValue):
        edits += null_edit(sheet, fact, "null.figure_form", _in_other_style(sheet, fact, value))
        for scaled in by_scale(sheet, fact, value) if not scaling_is_an_edit else ():
            if scaled.replacements:
                edits.append(replace(scaled, rule="null.scale", provision="", null=True))
    return edits


def by_scale(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    """The number times ten and a tenth of it (a duration twice and half), on its side of all lines."""
    for factor in _SCALES.get(value.kind, ()):
        moved, upper = (_times(end, factor, value.unit) for end in (value.value, value.upper))
        assert moved is not None, "only a range has no end"
        scaled = replace(value, value=moved, upper=upper)
        crosses = any(parts(row, value, scaled) for row in lines_for(sheet, value))
        if not crosses and impossible(scaled) is None:
            yield from _edit(sheet, fact, value, scaled, SCALE, _NO_LINE)


def _times(number: float | None, factor: float, unit: str) -> float | None:
    if number is None:
        return None
    moved = float(f"{number * factor:.12g}")
    return float(int(moved)) if unit in _WHOLE and moved > 1 else moved


def _moved_to(value: NumericalValue, number: float) -> NumericalValue:
    """The value at `number`; a range keeps its width and lies wholly beyond."""
    if value.upper is None:
        return replace(value, value=number)
    width = value.upper - value.value
    if number > value.value:
        return replace(value, value=number, upper=number + width)
    if number <= width:
        return replace(value, value=number, upper=None)
    return replace(value, value=number - width, upper=number)


def reason(edit: Edit) -> str:
    """Why the law tells the two numbers apart; says so where it does not."""
    if edit.rule == SCALE:
        return "The law draws no line between the two figures; only the scale differs."
    after = edit.new_value
    if not isinstance(after, NumericalValue):
        return ""
    before = replace(after, value=float(edit.original_value.split()[0]))
    rows = [
        row
        for row in read_table("law/lines", Line)
        if (row.kind, row.provision) == (after.kind, edit.provision)
        and parts(row, before, after)
        and re.search(row.context, after.context, re.IGNORECASE)
    ]
    return min(rows, key=lambda row: _distance(row, before)).reason if rows else ""


def _across_lines(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    if value.kind == "age" and value.unit == "months":
        return  # what is said of a baby is true of no grown person
    seen: set[float] = set()
    for row in _nearest(sheet, value):
        moved = across(row, value)
        if moved is not None and moved not in seen and len(seen) < LINES_PER_FIGURE:
            seen.add(moved)
            after = _moved_to(value, moved)
            try:
                following = consequences_of_value(sheet, fact, after, row)
            except WordingError:
                continue
            yield from _edit(sheet, fact, value, after, "numerical.line", row.provision, following)


def _nearest(sheet: FactSheet, value: NumericalValue) -> list[Line]:
    """The nearest line of each provision on either side of the value, in table order."""
    rows = lines_for(sheet, value)
    nearest: dict[tuple[str, bool], Line] = {}
    for row in sorted(rows, key=lambda row: _distance(row, value)):
        beyond = (across(row, value) or 0.0) > value.value
        nearest.setdefault((row.provision, beyond), row)
    return [row for row in rows if any(row is chosen for chosen in nearest.values())]


def _distance(row: Line, value: NumericalValue) -> tuple[float, float]:
    line = row.at(value.unit)
    assert line is not None, "`lines_for` gives no line that cannot be compared"
    return abs(line - value.value), line


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
    if replacements is not None and not beyond_the_terms(sheet, after):
        old, new = str(value), str(after)
        edit = Edit(fact.fact_id, "Numerical", old, new, rule, provision, after, replacements)
        yield with_consequences(edit, consequences, f"{rule}_and_what_follows")


def _in_other_style(sheet: FactSheet, fact: Fact, value: NumericalValue) -> list[Replacement]:
    written = ((span, sheet.narrative[span.start : span.end]) for span in mentions(fact))
    restyled = ((span, words, _other_words(words, value)) for span, words in written)
    return [put(sheet, fact, span, new) for span, old, new in restyled if new and new != old]


def _other_words(words: str, value: NumericalValue) -> str | None:
    """The same value in another style: lakh for digits, words for digits, grams for kilos."""
    figure = find_figure(words, value.value)
    if figure is None or value.upper is not None or _ORDINAL.match(words, figure.end):
        return None
    if value.kind == "age" and not _WORD_FOR_AGE.search(words):
        return None
    if aged := _AGED.fullmatch(words):
        return f"{aged.group(1) or ''}{aged.group(2)} years of age"
    if value.kind == "quantity":
        return _other_quantity(words, value)
    before, after = words[: figure.start], words[figure.end :]
    if not figure.text[0].isdigit() or (value.kind == "amount" and _LETTER.search(figure.text)):
        return before + format_number(value.value) + after
    if value.kind == "amount":
        after = _DASH.sub("", after)
        if value.value >= 100_000:
            return before + format_lakh(value.value).removeprefix("Rs. ") + after
        before = _RUPEES.sub("rupees ", before)
    elif value.value > 100:
        return None
    spelled = in_words(value.value)
    return None if spelled is None or "half" in spelled else before + spelled + after


def _other_quantity(words: str, value: NumericalValue) -> str | None:
    """Kilograms in grams, and grams in kilograms from 1,000 up; else the other name of the gram."""
    if value.unit == "kg":
        return f"{format_number(float(f'{value.value * 1000:.12g}'))} g"
    if value.unit != "g":
        return None
    if value.value >= 1000:
        return f"{format_number(float(f'{value.value / 1000:.12g}'))} kg"
    return f"{format_number(value.value)} {'g' if 'gram' in words.lower() else 'grams'}"


_NAMES: Final = {
    "amount": "amount in question",
    "age": "age in question",
    "duration": "length of time",
    "quantity": "quantity in question",
    "count": "number counted",
}


class Numerical(FactType):
    """A number that the law may draw a line through."""

    name = "Numerical"
    heading = "number"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """All numbers outside the provisions cited, by kind and then by first mention."""
        return as_facts(merge(find_figures(narrative.text, narrative.spans_of("Section"))))

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated numbers with their mentions, in the order given."""
        stated = [value for value in values if isinstance(value, NumericalValue)]
        cited = [cited.span for cited in find_citations(narrative.text)]
        return as_facts(locate(narrative.text, stated, cited))

    def render(self, fact: Fact) -> str:
        """`The quantity in question is 1.25 kilograms (charas).`"""
        assert isinstance(fact.value, NumericalValue)
        return f"The {_NAMES[fact.value.kind]} is {figure_label(fact.value)}."

    def label(self, fact: Fact) -> str:
        """`16 years (victim)`."""
        assert isinstance(fact.value, NumericalValue)
        return figure_label(fact.value)

    def edit_label(self, edit: Edit) -> str:
        """`300 grams → 225 grams (heroin)`."""
        new = edit.new_value
        if edit.null or not edit.original_value or not isinstance(new, NumericalValue):
            return super().edit_label(edit)
        stated = _STATED.match(edit.original_value)
        assert stated is not None, "the text of a numerical value"
        upper = stated["upper"] and float(stated["upper"])
        old = replace(new, value=float(stated["value"]), unit=stated["unit"], upper=upper or None)
        return f"{figure_phrase(old)} → {figure_label(new)}"

    def like(self, fact: Fact, other: Fact) -> bool:
        """Whether both measure one thing: two ages of a victim, two delays."""
        own, read = fact.value, other.value
        assert isinstance(own, NumericalValue)
        assert isinstance(read, NumericalValue)
        return own.context != "" and (own.kind, own.context) == (read.kind, read.context)

    def features(self, fact: Fact) -> tuple[str, ...]:
        """`figure:age`."""
        assert isinstance(fact.value, NumericalValue)
        return (f"figure:{fact.value.kind}",)

    edits = staticmethod(propose)
    null_edits = staticmethod(propose_nulls)
    reason = staticmethod(reason)


_ONE_OF: Final = {
    "accused": "accused",
    "blows": "blow",
    "injuries": "injury",
    "witnesses": "witness",
    "victims": "victim",
    "children": "child",
    "workers": "worker",
}


def figure_phrase(value: NumericalValue) -> str:
    """A number with its unit in words: `Rs. 5,00,000`, `16 years`, `1.25 kilograms`, `1 day`."""
    if value.upper is not None:
        low = figure_phrase(replace(value, upper=None))
        high = figure_phrase(replace(value, value=value.upper, upper=None))
        return f"{low} to {high}" if value.kind == "amount" else f"{low.split()[0]} to {high}"
    if value.kind == "amount":
        return format_amount(value.value)
    if value.kind == "count":
        return f"{value.value:g} {_ONE_OF[value.unit] if value.value == 1 else value.unit}"
    if value.kind == "age" and value.unit == "years" and value.value % 0.5:
        return units.calendar_words(value.value)
    return f"{format_number(value.value)} {units.in_words(value.unit, value.value)}"


def figure_label(value: NumericalValue) -> str:
    """A number with its unit and what it measures: `16 years (victim)`."""
    context = " ".join(value.context.split())
    return figure_phrase(value) + (f" ({context})" if context else "")


FACT_TYPE = Numerical()
