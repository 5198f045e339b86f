"""Figures with a unit: amounts, ages, durations, quantities and counts.

A figure is said with the side of the line on which it stands, in the law's words, and is moved across
every line that runs through it, and it can be left out. The lines are `law/data/lines.jsonl`, the
sentences `law/data/measures.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types import lines
from countercase.fact_types.base import FactType, capital
from countercase.fact_types.catalogue import WhatIf, matter_of, rows_for, rows_that_add, years_of
from countercase.fact_types.consequences import FULL_AGE, changes_of_row, row_behind
from countercase.fact_types.measures import measure_of
from countercase.fact_types.numerical import recognise, saying
from countercase.fact_types.numerical.dated_events import derive
from countercase.fact_types.roles import owner_of
from countercase.fact_types.suppositions import suppose, suppose_added
from countercase.facts.edits import Change, Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalKind, NumericalValue
from countercase.law.citations import find_citations
from countercase.law.provisions import provision_name
from countercase.text.units import convert

_TALKS: Final = 2  # years below which nobody asks what a child could do or consent to
LINES_PER_FIGURE: Final = 4
"""How many lines of the law one figure is moved across, each by an edit of its own."""


class Numerical(FactType):
    """A figure that the law may draw a line through."""

    name = "Numerical"
    heading = "figure"
    after = ("Section",)

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return all figures outside the provisions cited, by kind, stated ones first."""
        read = recognise.find_figures(narrative.text, narrative.spans_of("Section"))
        figures = recognise.add_derived(recognise.merge(read), derive(narrative))
        if narrative.learnt:
            figures = recognise.add_owners(narrative.text, figures)
        return recognise.as_facts(figures)

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """Return the stated figures with their mentions, in the order given."""
        stated = [value for value in values if isinstance(value, NumericalValue)]
        cited = [cited.span for cited in find_citations(narrative.text)]
        return recognise.as_facts(recognise.locate(narrative.text, stated, cited))

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return `The death was within seven years of the marriage: 6 years (section 80 BNS).`"""
        value = fact.value_as(NumericalValue)
        said = saying.clause_of_figure(sheet, value, template)
        line = next(iter(_lines_by_distance(sheet, fact, value)), None)
        if line is None:
            return capital(f"{said}.")
        side, alone = saying.side_of_line(sheet, value, line)
        law = provision_name(matter_of(sheet).on_the_day(line.provision))
        if alone and template % 2 == 0:
            return capital(f"{side}: {saying.say_figure(value, template)} ({law}).")
        return capital(f"{said}, {side} ({law}).")

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the figure across each line that runs through it, as rows ask, then left out."""
        value = fact.value_as(NumericalValue)
        edits = list(_crossings(sheet, fact, value))
        for row in rows_for(sheet, fact):
            edits += _moved(sheet, fact, value, row)
        change = Change(fact.fact_id, self.name, "remove", value, None)
        clause = saying.suppose_unknown(sheet, fact)
        why = "Where the figure is left out, nothing can be rested on it."
        return [*edits, suppose(sheet, change, clause, "figure not known", "", why)]

    def additions(self, sheet: FactSheet) -> list[Edit]:
        """Return the figures beyond a line of the law of which the case has none that measures so."""
        cited, edits = matter_of(sheet).cited, []
        told = {measure_of(figure, cited) for _, figure in sheet.valued(NumericalValue)}
        for row in rows_that_add(sheet, self.name):
            number, _, unit = row.becomes.partition(" ")
            kind: NumericalKind = "amount" if unit == "INR" else "duration"
            value = NumericalValue(kind, float(number), unit, row.of[0])
            if measure_of(value, cited) not in told:
                edits.append(suppose_added(sheet, row, kind, value))
        return edits

    def label(self, fact: Fact) -> str:
        """Return `16 years (victim)`."""
        return saying.figure_label(fact.value_as(NumericalValue))

    def noun(self, fact: Fact) -> str:
        """Return `the age of 16 years (victim)`."""
        value = fact.value_as(NumericalValue)
        return f"the {saying.KINDS[value.kind]} of {saying.figure_label(value)}"

    def becomes(self, sheet: FactSheet, before: Fact | None, after: Fact | None) -> str:
        """Return `the victim would be 19 years old`; of a sentence passed that it falls."""
        if after is None:
            assert before is not None
            return f"{self.noun(before)} falls with it"
        return saying.suppose_figure(sheet, after.value_as(NumericalValue), would=True)

    def like(self, fact: Fact, other: Fact) -> bool:
        """Return whether both measure one thing: two ages of a victim, two delays."""
        own, read = fact.value_as(NumericalValue), other.value_as(NumericalValue)
        return own.context != "" and (own.kind, own.context) == (read.kind, read.context)

    def features(self, fact: Fact) -> tuple[str, ...]:
        """Return `figure:age`."""
        return (f"figure:{fact.value_as(NumericalValue).kind}",)


def _lines_by_distance(sheet: FactSheet, fact: Fact, value: NumericalValue) -> list[lines.Line]:
    """The lines of a fact as the case has it, the nearest first; of one provision one that it lies near.

    Those that `value` has crossed come before all others, the last one first.
    """
    stood = next((f.value for f in sheet.facts if f.fact_id == fact.fact_id), value)
    assert isinstance(stood, NumericalValue)
    if value.kind == "age" and years_of(value) < _TALKS:
        return []  # what is said of a baby is true of no grown person
    near, rows = lines.near_lines(sheet, stood), (every := lines.lines_of(sheet, stood))
    if value.kind == "age":  # nobody asks whether a man of forty was six
        rows = near or tuple(row for row in rows if not lines.is_above(row, stood))
    rows = tuple(sorted(rows, key=lambda r: (r not in near, lines.distance(r, stood))))
    nearest: dict[tuple[str, bool], lines.Line] = {}
    for row in rows:
        nearest.setdefault((row.provision, lines.is_above(row, stood)), row)
    crossed = [row for row in every if lines.parts(row, stood, value)]
    crossed.sort(key=lambda row: -lines.distance(row, stood)[0])
    ordered = sorted(nearest.values(), key=lambda row: lines.distance(row, stood))
    return [*crossed, *(row for row in ordered if row not in crossed)]


def _crossings(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    seen: set[float] = set()
    for row in _lines_by_distance(sheet, fact, value):
        moved = lines.across(row, value)
        if moved is None or moved in seen or len(seen) == LINES_PER_FIGURE:
            continue
        seen.add(moved)
        after = replace(value, value=moved, upper=None)
        passed = [it for it in lines.charged_offences(sheet) if lines.punishes(it, value)]
        if passed and not any(lines.punishes(offence, after) for offence in passed):
            continue  # the offence of the sentence does not allow the other
        change = Change(fact.fact_id, "Numerical", "cross", value, after)
        clause, law = saying.suppose_figure(sheet, after), row.provision
        by = matter_of(sheet).on_the_day(law)
        edit = suppose(sheet, change, clause, f"line: {law}", by, row.reason)
        drawn = (behind.reason for c in edit.consequences if (behind := row_behind(c)))
        yield replace(edit, reason=capital(matter_of(sheet).name_law(next(drawn, row.reason))))


def _moved(sheet: FactSheet, fact: Fact, value: NumericalValue, row: WhatIf) -> Iterator[Edit]:
    """The figure that a row asks for: a value with its unit, or what another item says."""
    number, _, unit = row.becomes.partition(" ")
    if not number:
        yield from _disputed(sheet, fact, value, row)
        return
    after = replace(value, value=float(number), unit=unit, upper=None)
    if convert(value.value, value.unit, after.unit) == after.value:
        return
    change = Change(fact.fact_id, "Numerical", "replace", value, after)
    law = matter_of(sheet).on_the_day(row.provision)
    beside = (*changes_of_row(sheet, row),)
    yield suppose(sheet, change, row.suppose, row.name, law, row.reason, beside)


def _disputed(sheet: FactSheet, fact: Fact, value: NumericalValue, row: WhatIf) -> Iterator[Edit]:
    """The age that another item gives the same person, where the two lie on both sides of eighteen."""
    minor, owner = years_of(value) < FULL_AGE, owner_of(sheet, value)
    for _, other in sheet.valued(NumericalValue):
        rival = other.kind == "age" and other.context == value.context
        if rival and owner_of(sheet, other) == owner and (years_of(other) < FULL_AGE) is not minor:
            after = replace(value, value=other.value, unit=other.unit, upper=other.upper)
            change = Change(fact.fact_id, "Numerical", "replace", value, after)
            clause = row.suppose.format(
                what=saying.suppose_figure(sheet, after), who=saying.say_figure(value)
            )
            yield suppose(sheet, change, clause, row.name, row.provision, row.reason)
            return


FACT_TYPE = Numerical()
