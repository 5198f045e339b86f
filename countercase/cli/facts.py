"""`countercase facts`: show what is read out of a case before it is analyzed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import grid, show
from countercase.config import load_settings
from countercase.registry import FACT_TYPES

if TYPE_CHECKING:
    from countercase.facts.model import FactSheet


def facts(case: options.Case, as_json: options.AsJson = False) -> None:
    """Show the facts that are read out of a case.

    --json prints them as a case.json to correct and to analyze.
    """
    from countercase.facts.case_file import write_case

    sheet = options.read_case_argument(case, load_settings())
    show(as_json, write_case(sheet), lambda: sheet_table(sheet))


def sheet_table(sheet: FactSheet) -> RenderableType:
    """Return the facts of a sheet, each with the words of the narrative that state it first."""
    from countercase.explanation.labels import fact_label
    from countercase.reports.text import plain
    from countercase.reports.wording import language_note

    rows = [
        (
            FACT_TYPES.get(fact.fact_type).heading,
            fact_label(fact),
            sheet.narrative[span.start : span.end]
            if (span := fact.span)
            else "(not in the narrative)",
            len(fact.spans),
        )
        for fact in sheet.facts
    ]
    table, count = grid(("kind", "fact", "in the words of the case", "times"), rows), len(rows)
    head = f"{plain(sheet.title or sheet.case_id)}: {count} fact{'' if count == 1 else 's'}"
    tail = "Something wrong or missing? --json gives a case.json to correct."
    note = language_note(sheet.narrative)
    tail = f"{note} {tail}" if note else tail
    return Group(Text(head, style="bold"), table, Text(tail, style="dim"))
