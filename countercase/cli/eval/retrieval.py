"""`countercase eval retrieval`: how well each stage finds the precedents that were judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options


def retrieval(
    set_file: Annotated[
        Path | None,
        typer.Option(
            "--set", help="Queries with graded decisions; eval_sets/retrieval.jsonl without it."
        ),
    ] = None,
    corpus: Annotated[
        str, typer.Option(help="Name of an indexed corpus, or its path: BEIR or TREC.")
    ] = "casebook",
    queries: Annotated[
        Path | None, typer.Option(help="BEIR queries.jsonl, TREC topics, or lines of id and text.")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(help="Relevance judgements of --queries, BEIR or TREC.")
    ] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(help="Score this TREC run instead; give more to compare them."),
    ] = None,
    stage: Annotated[
        list[str] | None,
        typer.Option(help="Only this ranking (dpr, final, classic, ...); repeatable."),
    ] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    top_k: Annotated[
        int | None, typer.Option(help="The K of the measures (default: TOP_K, 10).")
    ] = None,
    relevant_from: Annotated[
        int, typer.Option(min=1, help="Grade from which a decision is relevant.")
    ] = 1,
    output: options.Output = None,
    as_json: options.AsJson = False,
    models: options.Models = "embedded",
    chroma_host: options.ChromaHost = None,
) -> None:
    """Score retrieval against judged precedents.

    Every stage is scored, and the pipeline without its parts. MRR, NDCG, Recall and MAP as
    trec_eval counts them, with 95% intervals, and a paired test of each part left out against the
    whole. With --output, a run that was stopped goes on where it was. Scored runs of others need
    only --run and --qrels.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section, tell_written
    from countercase.config import load_settings
    from countercase.evaluation.run import Evaluation
    from countercase.io import write_files
    from countercase.reports.trec import run_text

    settings = load_settings(TOP_K=top_k)
    with Steps() as steps:
        section = Evaluation(
            settings, models, corpus, chroma_host, limit, seed, output, steps.work
        ).retrieval(
            set_file,
            queries=queries,
            qrels=qrels,
            runs=run or (),
            stages=stage or (),
            relevant_from=relevant_from,
        )
    if output is not None:
        texts = {f"{name}.trec": run_text(ranked, name) for name, ranked in section.runs.items()}
        tell_written(write_files(output / "runs", texts))
    show_section(section, as_json, output)
