"""Figures across the line that the law draws; by scale where it draws none on the whole sheet.

A figure takes along what the law draws from it (`consequences`): at 225 g of heroin the clause of
the commercial quantity goes too. A change of scale crosses no line and can show nothing of law: it
is a null edit (`null.scale`), unless no figure of the case has a line and the type would go
unmeasured; then each figure has one change of scale, which never makes it dispositive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from countercase.fact_types.consequences import drawn_by_figure, with_consequences
from countercase.fact_types.numerical.lines import (
    Threshold,
    across,
    impossible,
    line_in,
    parts,
    thresholds_for,
)
from countercase.fact_types.numerical.rewriting import restated
from countercase.fact_types.rewriting import in_order
from countercase.facts.edits import Consequence, Edit
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.io import read_table

LINES_PER_FIGURE: Final = 3
"""How many lines of the law one figure is moved across, each by an edit of its own."""

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

_NO_LINE: Final = "no legal line"


def propose(sheet: FactSheet) -> list[Edit]:
    """For each figure the nearest lines of the law that it can cross.

    Where no figure has one: for each figure one change of scale.
    """
    figures = [
        (fact, fact.value)
        for fact in sheet.of_type("Numerical")
        if isinstance(fact.value, NumericalValue)
    ]
    crossed = [edit for fact, value in figures for edit in _across_lines(sheet, fact, value)]
    scaled = (next(by_scale(sheet, fact, value), None) for fact, value in figures)
    return crossed or [edit for edit in scaled if edit is not None]


def by_scale(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    """The figure ten times and a tenth as large (a duration twice and half), on its own side."""
    for factor in _SCALES[value.kind]:
        moved = float(f"{value.value * factor:.12g}")
        if value.unit in _WHOLE and moved > 1:
            moved = float(int(moved))
        scaled = replace(value, value=moved)
        crosses = any(parts(row, value, scaled) for row in thresholds_for(sheet, value))
        if not crosses and impossible(scaled) is None:
            edit = _edit(sheet, fact, value, scaled, SCALE, _NO_LINE)
            if edit is not None:
                yield edit


def reason(edit: Edit) -> str:
    """Why the law tells the two figures apart; says so where it does not."""
    if edit.rule == SCALE:
        return "The law draws no line between the two figures; only the scale differs."
    after = edit.new_value
    if not isinstance(after, NumericalValue):
        return ""
    before = replace(after, value=float(edit.original_value.split()[0]))
    for row in read_table("law/thresholds", Threshold):
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
            drawn = drawn_by_figure(sheet, fact, after, row)
            edit = _edit(sheet, fact, value, after, "numerical.line", row.provision, drawn)
            if edit is not None:
                yield edit


def _nearest(sheet: FactSheet, value: NumericalValue) -> list[Threshold]:
    """One line per provision and side of the figure, the nearest of them, in table order."""
    rows = thresholds_for(sheet, value)
    kept: list[Threshold] = []
    for row in rows:
        rivals = [
            r for r in rows if r.provision == row.provision and _side(r, value) == _side(row, value)
        ]
        nearest = min(rivals, key=lambda r: _distance(r, value))
        if nearest is row:
            kept.append(row)
    return kept


def _distance(row: Threshold, value: NumericalValue) -> tuple[float, float]:
    line = line_in(row, value.unit)
    assert line is not None, "`thresholds_for` gives no line that cannot be compared"
    return abs(line - value.value), line


def _side(row: Threshold, value: NumericalValue) -> bool:
    moved = across(row, value)
    return moved is not None and moved > value.value


def _edit(
    sheet: FactSheet,
    fact: Fact,
    value: NumericalValue,
    after: NumericalValue,
    rule: str,
    provision: str,
    drawn: tuple[Consequence, ...] = (),
) -> Edit | None:
    replacements = in_order(restated(sheet, fact, value, after))
    if replacements is None:
        return None
    edit = Edit(
        fact_id=fact.fact_id,
        fact_type="Numerical",
        original_value=str(value),
        perturbed_value=str(after),
        rule=rule,
        provision=provision,
        new_value=after,
        replacements=replacements,
    )
    return with_consequences(edit, drawn, f"{rule}_and_what_follows")
