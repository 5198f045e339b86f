"""`countercase search`: the precedents of a text."""

from __future__ import annotations

from typing import Annotated

import typer

from countercase.cli import options
from countercase.cli.screen import opened_session, show
from countercase.config import load_settings


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
