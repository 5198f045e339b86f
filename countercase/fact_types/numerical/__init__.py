"""Figures with a unit: amounts, ages, durations, quantities and counts.

A figure is said with the side of the line on which it stands, in the law's words, and is moved across
every line that runs through it; on a side without a line it has another value, and it can be left
out. The lines are `law/data/lines.jsonl`, the sentences `law/data/measures.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Final

from countercase.fact_types.base import FactType, capital
from countercase.fact_types.catalogue import WhatIf, matter_of, rows_for, years_of
from countercase.fact_types.consequences import FULL_AGE, reason_of
from countercase.fact_types.lines import (
    Line,
    across,
    charged_offences,
    distance,
    is_above,
    is_of_the_law,
    lines_of,
    near_lines,
    parts,
    punishes,
    size_of,
)
from countercase.fact_types.numerical.derived import derive
from countercase.fact_types.numerical.recognise import (
    add_derived,
    as_facts,
    find_figures,
    locate,
    merge,
)
from countercase.fact_types.numerical.saying import (
    KINDS,
    clause_of_figure,
    figure_label,
    say_figure,
    side_of_line,
    suppose_figure,
    suppose_other,
    suppose_unknown,
)
from countercase.fact_types.roles import owner_of
from countercase.fact_types.suppositions import suppose
from countercase.facts.edits import Change, Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalValue
from countercase.law.citations import find_citations
from countercase.law.provisions import provision_name
from countercase.text.units import convert

_TALKS: Final = 2
"""Years below which nobody asks what a child could do or consent to."""
_POSSIBLE: Final = {
    ("duration", "years"): (0.25, 50), ("quantity", ""): (0.001, inf),
}  # fmt: skip
"""The least and the greatest value that a figure is given where no line of the law asks for one."""
LINES_PER_FIGURE: Final = 4
"""How many lines of the law one figure is moved across, each by an edit of its own."""


class Numerical(FactType):
    """A figure that the law may draw a line through."""

    name = "Numerical"
    heading = "figure"
    after = ("Section",)

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return all figures outside the provisions cited, by kind, stated ones first."""
        stated = merge(find_figures(narrative.text, narrative.spans_of("Section")))
        return as_facts(add_derived(stated, derive(narrative)))

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """Return the stated figures with their mentions, in the order given."""
        stated = [value for value in values if isinstance(value, NumericalValue)]
        cited = [cited.span for cited in find_citations(narrative.text)]
        return as_facts(locate(narrative.text, stated, cited))

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return `The death was within seven years of the marriage: 6 years (section 80 BNS).`"""
        value = fact.value_as(NumericalValue)
        said = clause_of_figure(sheet, value, template)
        line = next(iter(_lines_by_distance(sheet, fact, value)), None)
        if line is None:
            return capital(f"{said}.")
        side = side_of_line(sheet, value, line)
        law = provision_name(matter_of(sheet).on_the_day(line.provision))
        if side.alone and template % 2 == 0:
            return capital(f"{side.words}: {say_figure(value, template)} ({law}).")
        return capital(f"{said}, {side.words} ({law}).")

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the figure across each line that runs through it, as rows ask, then left out.

        On a side where none of these lies it has a much smaller or a much greater value.
        """
        value = fact.value_as(NumericalValue)
        edits = list(_crossings(sheet, fact, value))
        for row in rows_for(sheet, fact):
            edits += _moved(sheet, fact, value, row, edits)
        change = Change(fact.fact_id, self.name, "remove", value, None)
        clause = suppose_unknown(sheet, fact)
        why = "Where the figure is left out, nothing can be rested on it."
        return [*edits, suppose(sheet, change, clause, "figure not known", "", why)]

    def label(self, fact: Fact) -> str:
        """Return `16 years (victim)`."""
        return figure_label(fact.value_as(NumericalValue))

    def noun(self, fact: Fact) -> str:
        """Return `the age of 16 years (victim)`."""
        value = fact.value_as(NumericalValue)
        return f"the {KINDS[value.kind]} of {figure_label(value)}"

    def becomes(self, sheet: FactSheet, before: Fact | None, after: Fact | None) -> str:
        """Return `the victim would be 19 years old`; of a sentence passed that it falls."""
        if after is None:
            assert before is not None
            return f"{self.noun(before)} falls with it"
        return suppose_figure(sheet, after.value_as(NumericalValue), would=True)

    def like(self, fact: Fact, other: Fact) -> bool:
        """Return whether both measure one thing: two ages of a victim, two delays."""
        own, read = fact.value_as(NumericalValue), other.value_as(NumericalValue)
        return own.context != "" and (own.kind, own.context) == (read.kind, read.context)

    def features(self, fact: Fact) -> tuple[str, ...]:
        """Return `figure:age`."""
        return (f"figure:{fact.value_as(NumericalValue).kind}",)


def _lines_by_distance(sheet: FactSheet, fact: Fact, value: NumericalValue) -> list[Line]:
    """The lines of a fact as the case has it, the nearest first; of one provision one that it lies near."""
    stood = next((f.value for f in sheet.facts if f.fact_id == fact.fact_id), value)
    assert isinstance(stood, NumericalValue)
    if value.kind == "age" and years_of(value) < _TALKS:
        return []  # what is said of a baby is true of no grown person
    near, rows = near_lines(sheet, stood), lines_of(sheet, stood)
    if (
        value.kind == "age"
    ):  # nobody asks whether a man of forty was six, or a child of six grown up
        rows = near or tuple(row for row in rows if not is_above(row, stood))
    rows = tuple(sorted(rows, key=lambda r: (r not in near, distance(r, stood))))
    nearest: dict[tuple[str, bool], Line] = {}
    for row in rows:
        nearest.setdefault((row.provision, is_above(row, stood)), row)
    return sorted(nearest.values(), key=lambda row: distance(row, stood))


def _crossings(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    seen: set[float] = set()
    for row in _lines_by_distance(sheet, fact, value):
        moved = across(row, value)
        if moved is None or moved in seen or len(seen) == LINES_PER_FIGURE:
            continue
        seen.add(moved)
        after = replace(value, value=moved, upper=None)
        passed = [offence for offence in charged_offences(sheet) if punishes(offence, value)]
        if passed and not any(punishes(offence, after) for offence in passed):
            continue  # the offence of the sentence does not allow the other
        change = Change(fact.fact_id, "Numerical", "cross", value, after)
        clause, law = suppose_figure(sheet, after), row.provision
        by = matter_of(sheet).on_the_day(law)
        edit = suppose(sheet, change, clause, f"line: {law}", by, row.reason)
        drawn = (reason_of(law, c.original_value, c.perturbed_value) for c in edit.consequences)
        why = next(filter(None, drawn), row.reason)
        yield replace(edit, reason=capital(matter_of(sheet).name_law(why)))


def _moved(
    sheet: FactSheet, fact: Fact, value: NumericalValue, row: WhatIf, edits: Sequence[Edit]
) -> Iterator[Edit]:
    """The figure that a row asks for: a value with its unit, or a multiple of what it is."""
    number, _, unit = row.becomes.partition(" ")
    if not number:
        yield from _disputed(sheet, fact, value, row)
        return
    after = replace(value, value=float(number), unit=unit, upper=None)
    if unit == "times":
        moved = value.value * after.value
        after = replace(after, value=float(f"{moved:.1g}"), unit=value.unit)
        if not _is_asked(sheet, value, after, edits):
            return
    elif convert(value.value, value.unit, unit) == after.value:
        return
    change = Change(fact.fact_id, "Numerical", "replace", value, after)
    law, clause = matter_of(sheet).on_the_day(row.provision), row.suppose
    clause = clause or suppose_other(sheet, value, after)
    yield suppose(sheet, change, clause, row.name, law, row.reason)


def _is_asked(
    sheet: FactSheet, value: NumericalValue, after: NumericalValue, edits: Sequence[Edit]
) -> bool:
    """Whether a figure far from that of the case is possible, and no other edit lies on its side."""
    least, most = _POSSIBLE.get((value.kind, value.unit), _POSSIBLE.get((value.kind, ""), (1, inf)))
    size, upper = size_of(value), value.upper or value.value
    held = {size_of(e.after) < size for e in edits if isinstance(e.after, NumericalValue)}
    ends = sorted([size, size_of(after)])
    sums = [size_of(it) for _, it in sheet.valued(NumericalValue) if it.kind == "amount"]
    if value.kind == "amount" and any(ends[0] < other < ends[1] for other in sums):
        return False  # it may be a part of another sum, or another a part of it
    return (
        least <= min(value.value, after.value)
        and after.value <= most
        and not value.value <= after.value <= upper
        and (size_of(after) < size) not in held
        and not is_of_the_law(value)
        and not any(parts(line, value, after) for line in lines_of(sheet, value))
        and not any(punishes(it, after) is False for it in charged_offences(sheet))
    )


def _disputed(sheet: FactSheet, fact: Fact, value: NumericalValue, row: WhatIf) -> Iterator[Edit]:
    """The age that another item gives the same person, where the two lie on both sides of eighteen."""
    minor, owner = years_of(value) < FULL_AGE, owner_of(sheet, value)
    for _, other in sheet.valued(NumericalValue):
        rival = other.kind == "age" and other.context == value.context
        if rival and owner_of(sheet, other) == owner and (years_of(other) < FULL_AGE) is not minor:
            after = replace(value, value=other.value, unit=other.unit, upper=other.upper)
            change = Change(fact.fact_id, "Numerical", "replace", value, after)
            clause = row.suppose.format(what=suppose_figure(sheet, after), who=say_figure(value))
            yield suppose(sheet, change, clause, row.name, row.provision, row.reason)
            return


FACT_TYPE = Numerical()
