"""Change a provision through the figure that it rests on.

Section 37 of the NDPS Act has no neighbour: what decides whether it applies is the weight. Such an
edit is that of the figure turned around: the provision changes, and the figure is its consequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from countercase.fact_types.consequences import WordingError, consequences_of_value, in_sheet_order
from countercase.fact_types.dependent_words import weighed_reasons
from countercase.fact_types.lines import across, lines_for
from countercase.fact_types.numerical.leaning import leaning
from countercase.fact_types.rewriting import in_order, restate
from countercase.facts.edits import Consequence, Edit
from countercase.facts.model import Fact, FactSheet, NumericalValue


def changed_through_figures(sheet: FactSheet, fact: Fact) -> Iterator[Edit]:
    """The provision as it changes where a figure crosses a line: section 37 below the tier."""
    for figure, value in sheet.valued(NumericalValue):
        for line in lines_for(sheet, value):
            moved = across(line, value) if value.upper is None else None
            if moved is None:
                continue
            after = replace(value, value=moved)
            try:
                following = consequences_of_value(sheet, figure, after, line)
            except WordingError:
                continue
            own = next((c for c in following if c.fact_id == fact.fact_id), None)
            if own is None:
                continue
            words = tuple(
                sorted({*restate(sheet, figure, value, after), *weighed_reasons(sheet, figure)})
            )
            turned = Consequence(
                figure.fact_id, "Numerical", str(value), str(after), line.provision, after, words
            )
            others = [turned, *(c for c in following if c is not own)]
            edit = Edit(
                fact.fact_id, "Section", str(fact.value),
                "" if own.new_value is None else str(own.new_value), "section.through_a_figure",
                line.provision, own.new_value, own.replacements, consequences=in_sheet_order(sheet, others),
            )  # fmt: skip
            moved_figure = Edit(
                figure.fact_id, "Numerical", str(value), str(after), "numerical.line",
                line.provision, after, words, consequences=in_sheet_order(sheet, following),
            )  # fmt: skip
            if in_order(edit.changes) is not None and not leaning(sheet, moved_figure):
                yield edit
                return
