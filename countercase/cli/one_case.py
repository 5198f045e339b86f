"""`countercase facts`, `search`, `attribute`: what is read out of a case, finds precedents, and counts."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import grid, opened_session, show
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


def search(
    text: Annotated[str, typer.Argument(help='What to search for; "-" reads it from stdin.')],
    corpus: options.Corpus = "casebook",
    top_k: options.TopK = None,
    year_from: options.YearFrom = None,
    year_to: options.YearTo = None,
    court: options.Court = "",
    bench: options.Bench = "",
    provision: options.Provision = "",
    area: options.Area = "",
    good_law: options.GoodLaw = False,
    as_json: options.AsJson = False,
    models: options.Models = "embedded",
    chroma_host: options.ChromaHost = None,
    how: options.Search = None,
    engine: options.EngineName = None,
    workers: options.Workers = None,
    ray_address: options.RayAddress = None,
) -> None:
    """Find the precedents of a text, changing nothing in it."""
    from countercase.explanation.precedent import explain_search
    from countercase.explanation.quotes import Quoter
    from countercase.reports.analysis_json import search_document
    from countercase.reports.terminal import precedents_text
    from countercase.retrieval.shards import searched_by

    filters = options.filters_of(year_from, year_to, court, bench, provision, area, good_law)
    where = options.engine_of_one(engine, workers, ray_address)
    settings = load_settings(TOP_K=top_k, SEARCH=how)
    if text == "-":
        text = options.read_stdin(settings.MAX_INPUT_BYTES)
    with opened_session(settings, corpus, models, chroma_host) as (session, progress):
        with searched_by(session.retriever, where):
            ranking = session.search(text, filters, progress)
        precedents = explain_search(ranking, Quoter(session.snapshot, session.encoders))
    document = search_document(ranking, precedents, session)
    show(as_json, document, lambda: precedents_text(precedents, document["weak"]))


def attribute(
    case: options.Case,
    corpus: options.Corpus = "casebook",
    top_k: options.TopK = None,
    types: options.Types = "",
    why_not: Annotated[str, options.option("attribute.why_not")] = "",
    as_json: options.AsJson = False,
    models: options.Models = "embedded",
    chroma_host: options.ChromaHost = None,
) -> None:
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
