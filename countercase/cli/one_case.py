"""`countercase facts`, `search`, `attribute`: what is read out of a case, finds precedents, and counts."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import grid, opened_session, show
from countercase.config import load_settings
from countercase.facts.case_file import write_case
from countercase.facts.model import FactSheet
from countercase.registry import FACT_TYPES
from countercase.reports.text import count_noun, plain


@options.described("facts")
def facts(case: Path, as_json: bool = False) -> None:
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


@options.described("search")
def search(
    text: str, corpus: str = "casebook", top_k: int | None = None, year_from: int | None = None,
    year_to: int | None = None, court: str = "", bench: str = "", provision: str = "",
    area: str = "", good_law: bool = False, as_json: bool = False, models: str = "embedded",
    chroma_host: str | None = None, search: str | None = None, engine: str | None = None,
    workers: int | None = None, ray_address: str | None = None,
) -> None:  # fmt: skip
    """Find the precedents of a text, changing nothing in it."""
    from countercase.explanation.precedent import explain_search
    from countercase.explanation.quotes import Quoter
    from countercase.reports.analysis_json import search_document
    from countercase.reports.terminal import precedents_text
    from countercase.retrieval.shards import searched_by

    filters = options.filters_of(year_from, year_to, court, bench, provision, area, good_law)
    where = options.engine_of_one(engine, workers, ray_address)
    settings = load_settings(TOP_K=top_k, SEARCH=search)
    if text == "-":
        text = options.read_stdin(settings.MAX_INPUT_BYTES)
    with opened_session(settings, corpus, models, chroma_host) as (session, progress):
        with searched_by(session.retriever, where):
            ranking = session.search(text, filters, progress)
        precedents = explain_search(ranking, Quoter(session.snapshot, session.encoders))
    document = search_document(ranking, precedents, session)
    show(as_json, document, lambda: precedents_text(precedents, document["weak"]))


@options.described("attribute")
def attribute(
    case: Path, corpus: str = "casebook", top_k: int | None = None, types: str = "",
    why_not: str = "", as_json: bool = False, models: str = "embedded",
    chroma_host: str | None = None,
) -> None:  # fmt: skip
    """Divide the movement of a case among its facts.

    Every set of up to twelve facts is changed together, so that each fact gets its exact share,
    alone and with others; of more facts sets are sampled.
    """
    from countercase.reports.analysis_json import attribution_document
    from countercase.reports.terminal import attribution_text

    chosen = options.fact_types_of(types)
    settings = load_settings(TOP_K=top_k, DEPTH=1)
    sheet = options.read_case_argument(case, settings)
    with opened_session(settings, corpus, models, chroma_host) as (session, progress):
        analysis = session.measure(sheet, types=chosen, progress=progress)
        parts = session.attribute(analysis, why_not, progress)
    document = attribution_document(analysis, parts)
    show(as_json, document, lambda: attribution_text(analysis, parts))
