"""`countercase facts`: what is read out of a case."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import grid, show
from countercase.config import load_settings
from countercase.facts.case_file import write_case
from countercase.facts.model import FactSheet
from countercase.registry import FACT_TYPES
from countercase.reports.text import count_noun, plain


def facts(case: options.Case, as_json: options.AsJson = False) -> None:
    """Show the facts that are read out of a case.

    --json prints them as a case.json to correct and to analyze.
    """
    sheet = options.read_case_argument(case, load_settings())
    show(as_json, write_case(sheet), lambda: _table(sheet))


def _table(sheet: FactSheet) -> Group:
    """Return the facts of a sheet, each with the words of the narrative that state it first."""
    from countercase.explanation.labels import fact_label
    from countercase.reports.wording import language_note

    rows = []
    for fact in sheet.facts:
        words = sheet.narrative[fact.span.start : fact.span.end] if fact.span else ""
        kind = FACT_TYPES.get(fact.fact_type).heading
        rows.append((kind, fact_label(fact), words or "(not in the narrative)", len(fact.spans)))
    head = f"{plain(sheet.title or sheet.case_id)}: {count_noun(len(rows), 'fact')}"
    advice = "Something wrong or missing? --json gives a case.json to correct."
    tail = " ".join(filter(None, [language_note(sheet.narrative), advice]))
    table = grid(("kind", "fact", "in the words of the case", "times"), rows)
    return Group(Text(head, style="bold"), table, Text(tail, style="dim"))
