"""`countercase search`: the precedents of a text."""

from __future__ import annotations

from typing import Annotated

import typer

from countercase.cli import options


def search(
    text: Annotated[str, typer.Argument(help='What to search for; "-" reads it from stdin.')],
    corpus: options.Corpus = "casebook",
    top_k: options.TopK = None,
    year_from: options.YearFrom = None,
    year_to: options.YearTo = None,
    court: options.Court = "",
    bench: options.Bench = "",
    provision: options.Provision = "",
    as_json: options.AsJson = False,
    models: options.Models = "embedded",
    chroma_host: options.ChromaHost = None,
) -> None:
    """Find the precedents of a text, changing nothing in it."""
    from countercase.cli.progress import Steps
    from countercase.cli.screen import console, print_json
    from countercase.config import load_settings

    options.one_of("--models", models, ("embedded", "hub"))
    filters = options.filters_of(year_from, year_to, court, bench, provision)
    settings = load_settings(TOP_K=top_k)
    if text == "-":
        text = typer.get_text_stream("stdin").read()

    from countercase.reports.search_json import explain_search, search_document
    from countercase.session import open_session

    with Steps() as steps:
        session = open_session(settings, corpus, chroma_host, models, steps.work)
        ranking = session.search(text, filters, steps.work)
        found = explain_search(ranking, session)
    if as_json:
        print_json(search_document(ranking, found, session))
        return

    from countercase.reports.terminal import precedents_table

    console().print(precedents_table(found))
