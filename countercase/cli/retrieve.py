"""`countercase retrieve`: the passages of documents that answer the queries of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli.options import Models

if TYPE_CHECKING:
    from countercase.config import Settings
    from countercase.encoders.base import Encoders
    from countercase.evaluation.benchmarks.passages.hybrid import HybridParts
    from countercase.evaluation.benchmarks.passages.systems import System
    from countercase.evaluation.benchmarks.passages.windows import WindowedCorpus
    from countercase.io import Progress


def retrieve(
    corpus: Annotated[
        Path,
        typer.Option("--corpus", help="The documents: corpus.jsonl, .parquet, or a folder."),
    ],
    benchmark: Annotated[
        Path, typer.Option("--benchmark", help="The queries, in the format of LegalBench-RAG.")
    ],
    output: Annotated[
        Path, typer.Option("--output", help="The predictions go into this JSON file.")
    ],
    system: Annotated[
        str,
        typer.Option(
            "--system",
            help="tfidf, bm25, sbert (sentence vectors), or hybrid: ours, with the titles and "
            "openings of the documents.",
        ),
    ] = "hybrid",
    k: Annotated[int, typer.Option("--k", min=1, help="Passages for each query.")] = 10,
    window: Annotated[int, typer.Option("--window", min=1, help="Words of a passage.")] = 500,
    stride: Annotated[
        int, typer.Option("--stride", min=1, help="Words from the start of a passage to the next.")
    ] = 250,
    without: Annotated[
        str,
        typer.Option(
            "--without",
            help="Parts of the hybrid to leave out, as in lexical,heads: lexical, dense, heads, "
            "roles.",
        ),
    ] = "",
    cross_encoder: Annotated[
        bool, typer.Option("--cross-encoder", help="Let the cross-encoder vote in the hybrid.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many queries.")
    ] = None,
    models: Models = "embedded",
) -> None:
    """Retrieve passages for the queries of a benchmark.

    `countercase eval passages` scores them. Documents are cut into passages of 500 words, a new one
    beginning every 250.
    """
    from countercase.cli.options import one_of
    from countercase.cli.progress import Steps
    from countercase.config import load_settings
    from countercase.corpus.readers.detect import read_corpus
    from countercase.encoders.base import open_encoders
    from countercase.errors import InputError
    from countercase.evaluation.benchmarks.passages.files import (
        predictions_document,
        read_benchmark,
    )
    from countercase.evaluation.benchmarks.passages.systems import SYSTEMS
    from countercase.evaluation.benchmarks.passages.windows import cut_windows
    from countercase.reports.write import json_text, write_files

    one_of("--system", system, SYSTEMS)
    chosen = next(name for name in SYSTEMS if name == system)
    one_of("--models", models, ("embedded", "hub"))
    if chosen != "hybrid" and (without or cross_encoder):
        raise InputError(f"--without and --cross-encoder belong to the hybrid, not to {system}")
    parts = parts_of(without, cross_encoder)
    settings = load_settings()
    queries = [test.query for test in read_benchmark(benchmark, limit)]
    cut = cut_windows(read_corpus(corpus), window, stride)
    with Steps() as steps:
        encoders = None
        if chosen in ("sbert", "hybrid"):
            encoders = open_encoders(
                models,
                **settings.encoding(),
                progress=steps.work,
            )
        found = retrieve_passages(
            chosen, cut, queries, k, settings, encoders, parts, lambda *step: steps.work(*step)
        )
    text = json_text(predictions_document(queries, found))
    write_files(output.parent, {output.name: text})
    typer.echo(f"{output}: {len(queries)} queries, {len(cut.windows):,} passages to choose from")


def retrieve_passages(
    system: System,
    corpus: WindowedCorpus,
    queries: Sequence[str],
    k: int,
    settings: Settings,
    encoders: Encoders | None = None,
    parts: HybridParts | None = None,
    report: Progress | None = None,
) -> list[list[str]]:
    """The texts of the k best windows of each query, best first.

    Args:
        encoders: needed by `sbert` and `hybrid`.
        parts: which parts of the hybrid run.
        report: called with what is being done, how much of it, and of how much.
    """
    from countercase.evaluation.benchmarks.passages import systems
    from countercase.evaluation.benchmarks.passages.hybrid import PassageHybrid

    texts = [window.text for window in corpus.windows]
    if system == "tfidf":
        best = systems.best_windows(systems.tfidf_scores(texts, queries), k)
    elif system == "bm25":
        best = systems.best_windows(systems.bm25_scores(texts, queries), k)
    elif encoders is None:
        raise ValueError(f"{system} needs encoders")
    elif system == "sbert":
        tell = report or (lambda what, done, of: None)
        scores = systems.sentence_scores(
            texts, queries, encoders, lambda _, done, of: tell("encoding the passages", done, of)
        )
        best = systems.best_windows(scores, k)
    else:
        best = PassageHybrid(corpus, encoders, settings, parts, report).rank(queries, k)
    return [[texts[at] for at in places] for places in best]


def parts_of(without: str, cross_encoder: bool = False) -> HybridParts:
    """The parts of the hybrid that run, without those listed: `lexical,heads`.

    Raises:
        InputError: a word names no part, or no channel is left.
    """
    from countercase.cli.options import one_of
    from countercase.errors import InputError
    from countercase.evaluation.benchmarks.passages.hybrid import HybridParts

    known = ("lexical", "dense", "heads", "roles")
    left_out = {word.strip() for word in without.split(",") if word.strip()}
    for word in sorted(left_out):
        one_of("--without", word, known)
    if left_out >= {"lexical", "dense"}:
        raise InputError("--without lexical,dense leaves nothing to search with; keep one of them")
    return HybridParts(
        lexical="lexical" not in left_out,
        dense="dense" not in left_out,
        heads="heads" not in left_out,
        roles="roles" not in left_out,
        cross_encoder=cross_encoder,
    )
