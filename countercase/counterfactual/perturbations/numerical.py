"""Figures across the line that the law draws, and by scale where it draws none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from countercase.counterfactual.edits import Edit, Replacement
from countercase.counterfactual.perturbations.figures import find_figure, in_words, write_like
from countercase.counterfactual.perturbations.rewriting import in_order, mentions, put, with_article
from countercase.counterfactual.perturbations.tables import read_table
from countercase.counterfactual.perturbations.thresholds import (
    Threshold,
    across,
    parts,
    thresholds_for,
)
from countercase.facts.figures import format_amount, format_number
from countercase.facts.model import Fact, FactSheet, NumericalValue

LINES_PER_FIGURE: Final = 3
"""How many lines of the law one figure is moved across, each by an edit of its own."""

_SCALES: Final = {
    "amount": (10.0, 0.1),
    "quantity": (10.0, 0.1),
    "duration": (2.0, 0.5),
    "age": (),
}
_NO_LINE: Final = "no legal line"
_UNIT_WORD: Final = re.compile(
    r"([\s-]*)(year|month|week|day|hour|minute|kilogram|gram|acre|hectare|bigha|litre|metre)(s?)\b"
    r"(?!-old)",
    re.IGNORECASE,
)
_UNIT_NAMES: Final = {"sq_m": "square metres", "hectare": "hectares", "acre": "acres"}


def propose(sheet: FactSheet) -> list[Edit]:
    """For each figure the nearest lines of the law that it can cross, then its scale.

    A change of scale crosses no line: it shows what the figure weighs where the law is the same.
    """
    return [
        edit
        for fact in sheet.of_type("Numerical")
        if isinstance(fact.value, NumericalValue)
        for edit in _edits(sheet, fact, fact.value)
    ]


def reason(edit: Edit) -> str:
    """Why the law tells the two figures apart; says so where it does not."""
    if edit.rule == "numerical.scale":
        return "The law draws no line between the two figures; only the scale differs."
    after = edit.new_value
    if not isinstance(after, NumericalValue):
        return ""
    before = replace(after, value=float(edit.original_value.split()[0]))
    for row in read_table("thresholds", Threshold):
        if (row.kind, row.provision) == (after.kind, edit.provision) and parts(row, before, after):
            return row.reason
    return ""


def _edits(sheet: FactSheet, fact: Fact, value: NumericalValue) -> Iterator[Edit]:
    seen: set[float] = set()
    for row in _nearest(sheet, value):
        moved = across(row, value)
        if moved is not None and moved not in seen and len(seen) < LINES_PER_FIGURE:
            seen.add(moved)
            edit = _edit(sheet, fact, value, moved, "numerical.line", row.provision)
            if edit is not None:
                yield edit
    for factor in _SCALES[value.kind]:
        scaled = replace(value, value=float(f"{value.value * factor:.12g}"))
        if any(parts(row, value, scaled) for row in thresholds_for(sheet, value)):
            continue
        edit = _edit(sheet, fact, value, scaled.value, "numerical.scale", _NO_LINE)
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
        nearest = min(rivals, key=lambda r: (abs(r.line - value.value), r.line))
        if nearest is row:
            kept.append(row)
    return kept


def _side(row: Threshold, value: NumericalValue) -> bool:
    moved = across(row, value)
    return moved is not None and moved > value.value


def _edit(
    sheet: FactSheet, fact: Fact, value: NumericalValue, moved: float, rule: str, provision: str
) -> Edit | None:
    after = replace(value, value=moved)
    replacements = in_order(restated(sheet, fact, value, after))
    if replacements is None:
        return None
    return Edit(
        fact_id=fact.fact_id,
        fact_type="Numerical",
        original_value=str(value),
        perturbed_value=str(after),
        rule=rule,
        provision=provision,
        new_value=after,
        replacements=replacements,
    )


def restated(
    sheet: FactSheet, fact: Fact, before: NumericalValue, after: NumericalValue
) -> list[Replacement]:
    """Every mention of the fact with the new figure, in the manner of the old one."""
    return [
        put(sheet, fact, span, _mention(sheet.narrative[span.start : span.end], before, after))
        for span in mentions(fact)
    ]


def _mention(words: str, before: NumericalValue, after: NumericalValue) -> str:
    figure = find_figure(words, before.value)
    if figure is None:
        return plain(words, after)
    rest = words[figure.end :]
    unit = _UNIT_WORD.match(rest)
    if unit and "-" not in unit.group(1):
        name = unit.group(2)
        if after.value == 0.5 and not figure.text[0].isdigit():
            name = with_article(name)
        elif after.value != 1:
            name += "s"
        rest = unit.group(1) + name + rest[unit.end() :]
    return words[: figure.start] + write_like(figure, after.value) + rest


def plain(words: str, value: NumericalValue) -> str:
    """The figure in a plain manner, for a mention whose own manner cannot carry it."""
    number = format_number(value.value)
    if value.kind == "amount":
        return format_amount(value.value)
    if value.kind == "age":
        aged = re.match(r"aged?\b(?:\s+of)?", words, re.IGNORECASE)
        return f"{aged.group()} {number} years" if aged else f"{number} years of age"
    if value.kind == "quantity":
        return f"{number} {_UNIT_NAMES.get(value.unit, value.unit)}"
    unit = value.unit if value.value != 1 else value.unit.rstrip("s")
    spelled = in_words(value.value) if value.value < 21 else None
    return f"{spelled or number} {unit}"
