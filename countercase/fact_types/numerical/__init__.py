"""Numbers with a unit: amounts, ages, durations, quantities and counts.

Move numbers across the lines that the law draws; where it draws none there is no edit.

An edit has its consequences: at 225 g of heroin the clause of the commercial quantity changes too.
A number that crosses no line can show nothing of law: a fifth more of it is a null edit
(`null.scale`).
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
from countercase.fact_types.dependent_words import weighed_reasons
from countercase.fact_types.lines import (
    Line,
    across,
    beyond_the_terms,
    lines_for,
    parts,
    side_tokens,
)
from countercase.fact_types.numerical.leaning import leaning
from countercase.fact_types.numerical.null_edits import propose_nulls
from countercase.fact_types.numerical.recognise import as_facts, find_figures, locate, merge
from countercase.fact_types.numerical.restated import (
    called_minor,
    conclusions,
    presumptions,
    stated_by_dates,
    years_between,
)
from countercase.fact_types.rewriting import (
    in_order,
    restate,
)
from countercase.facts.edits import Consequence, Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalValue
from countercase.io import read_table
from countercase.law.citations import find_citations
from countercase.text import units
from countercase.text.numbers import (
    format_amount,
    format_number,
)

LINES_PER_FIGURE: Final = 3
"""How many lines of the law one number is moved across, each by an edit of its own."""


_FULL_AGE: Final = 18
_BOUND: Final = re.compile(r"(?i)\b(?:below|under|less than)\b")
"""Before an age that is no more than a bound: no other bound says on which side of a line it is."""

_STATED: Final = re.compile(r"(?P<value>[\d.e+]+)(?: to (?P<upper>[\d.e+]+))? (?P<unit>\S+)")


def propose(sheet: FactSheet) -> list[Edit]:
    """Each number moved across the nearest lines of the law that it can cross.

    A number through which the law draws no line has no edit.
    """
    figures = sheet.valued(NumericalValue)
    return [edit for fact, value in figures for edit in _across_lines(sheet, fact, value)]


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
    """Why the law tells the two numbers apart."""
    after = edit.new_value
    if not isinstance(after, NumericalValue):
        return ""
    before = replace(after, value=float(edit.original_value.split()[0]))
    rows = [
        row
        for row in read_table("law/lines", Line)
        if (row.kind, row.provision) == (after.kind, edit.provision)
        and (row.of or parts(row, before, after))
        and re.search(row.context, after.context, re.IGNORECASE)
    ]
    return min(rows, key=lambda row: _distance(row, before)).reason if rows else ""


def _across_lines(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    if value.kind == "age" and value.unit == "months":
        return  # what is said of a baby is true of no grown person
    said = (sheet.narrative[span.start : span.end] for span in fact.spans)
    if stated_by_dates(sheet, value) or (value.kind == "age" and any(map(_BOUND.search, said))):
        return
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
    said = [*conclusions(sheet, fact), *years_between(sheet, fact, after)]
    said += presumptions(sheet, fact, after)
    if value.kind == "quantity":
        said += weighed_reasons(sheet, fact)
    if value.kind == "age" and value.value < _FULL_AGE <= after.value:
        said += called_minor(sheet, fact)
    replacements = in_order([*restate(sheet, fact, value, after), *said])
    if replacements is not None and not beyond_the_terms(sheet, after):
        old, new = str(value), str(after)
        edit = Edit(fact.fact_id, "Numerical", old, new, rule, provision, after, replacements)
        yield with_consequences(edit, consequences, f"{rule}_and_what_follows")


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
    after = ("Section",)

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

    def features(self, fact: Fact, sheet: FactSheet | None = None) -> tuple[str, ...]:
        """`figure:age`; of a case also the side of each line of the law, see `side_tokens`."""
        assert isinstance(fact.value, NumericalValue)
        sides = () if sheet is None else side_tokens(sheet, fact.value)
        return (f"figure:{fact.value.kind}", *sides)

    edits = staticmethod(propose)

    def objection(self, sheet: FactSheet, edit: Edit) -> str:
        """The words that hold only while the figure is what it was."""
        return leaning(sheet, edit)

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


_PER_YEAR: Final = {"years": 1, "months": 12}


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
    if value.kind in ("age", "duration") and value.unit in _PER_YEAR and value.value % 0.5:
        return units.calendar_words(value.value / _PER_YEAR[value.unit])
    return f"{format_number(value.value)} {units.in_words(value.unit, value.value)}"


def figure_label(value: NumericalValue) -> str:
    """A number with its unit and what it measures: `16 years (victim)`."""
    context = " ".join(value.context.split())
    return figure_phrase(value) + (f" ({context})" if context else "")


FACT_TYPE = Numerical()
