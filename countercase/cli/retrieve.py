"""`countercase search` finds the precedents of a text; `retrieve` the passages for a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options
from countercase.cli.screen import Steps, opened_session, show
from countercase.config import load_settings
from countercase.errors import InputError
from countercase.io import json_text, write_files


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

    from countercase.reports.terminal import precedents_text

    document = search_document(ranking, precedents, session)
    show(as_json, document, lambda: precedents_text(precedents, document["weak"]))


def retrieve(
    corpus: Annotated[Path, options.told("retrieve.corpus")],
    benchmark: Annotated[Path, options.told("retrieve.benchmark")],
    output: Annotated[Path, options.told("retrieve.output")],
    system: Annotated[str, options.told("retrieve.system")] = "hybrid",
    k: Annotated[int, options.told("retrieve.k", min=1)] = 10,
    window: Annotated[int, options.told("retrieve.window", min=1)] = 500,
    stride: Annotated[int, options.told("retrieve.stride", min=1)] = 250,
    without: Annotated[str, options.told("retrieve.without")] = "",
    cross_encoder: Annotated[
        bool, options.told("retrieve.cross_encoder", "--cross-encoder")
    ] = False,
    limit: options.Limit = None,
    models: options.Models = "embedded",
) -> None:
    """Retrieve passages for the queries of a benchmark.

    `countercase eval passages` scores them. Documents are cut into passages of 500 words, a new one
    beginning every 250.
    """
    from countercase.evaluation.benchmarks.passage_hybrid import PARTS
    from countercase.evaluation.benchmarks.passage_systems import SYSTEMS, retrieve_for_benchmark

    chosen = options.one_of("--system", system, SYSTEMS)
    if chosen != "hybrid" and (without or cross_encoder):
        raise InputError(f"--without and --cross-encoder belong to the hybrid, not to {system}")
    left_out = sorted({word.strip() for word in without.split(",") if word.strip()})
    for word in left_out:
        options.one_of("--without", word, PARTS)
    with Steps() as steps:
        predictions, size = retrieve_for_benchmark(
            corpus, benchmark, chosen, settings=load_settings(), k=k, window=window, stride=stride,
            without=left_out, cross_encoder=cross_encoder, limit=limit, models=models,
            progress=steps.work,
        )  # fmt: skip
    write_files(output.parent, {output.name: json_text(predictions)})
    typer.echo(f"{output}: {len(predictions)} queries, {size:,} passages to choose from")
