"""`countercase eval retrieval`: how well each stage finds the precedents that were judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options
from countercase.cli.eval.retrieval_evaluation import CASEBOOK, SET, Asked, evaluate_retrieval

if TYPE_CHECKING:
    from countercase.evaluation.report import Section


def retrieval(
    labels: Annotated[
        Path | None,
        typer.Option("--set", help=f"Queries with graded decisions; {SET} without it."),
    ] = None,
    corpus: Annotated[
        str,
        typer.Option("--corpus", help="Name of an indexed corpus, or its path: BEIR or TREC."),
    ] = CASEBOOK,
    queries: Annotated[
        Path | None,
        typer.Option("--queries", help="BEIR queries.jsonl, TREC topics, or lines of id and text."),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option("--qrels", help="Relevance judgements of --queries, BEIR or TREC."),
    ] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option("--run", help="Score this TREC run instead; give more to compare them."),
    ] = None,
    stage: Annotated[
        list[str] | None,
        typer.Option("--stage", help="Only this ranking (dpr, final, classic, ...); repeatable."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many queries.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of tests and intervals.")] = 0,
    top_k: Annotated[
        int | None, typer.Option("--top-k", help="The K of the measures (default: TOP_K, 10).")
    ] = None,
    relevant_from: Annotated[
        int, typer.Option("--relevant-from", min=1, help="Grade from which a decision is relevant.")
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Folder for results, TREC runs and rankings to resume from."),
    ] = None,
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
    from countercase.cli.screen import print_json
    from countercase.config import load_settings

    options.one_of("--models", models, ("embedded", "hub"))
    asked = Asked(
        labels, corpus, queries, qrels, tuple(run or ()), tuple(stage or ()), limit, seed,
        relevant_from, output, models, chroma_host,
    )  # fmt: skip
    settings = load_settings(TOP_K=top_k)
    with Steps() as steps:
        section = evaluate_retrieval(asked, settings, steps.work)
    if output:
        write_section(section, output)
    if as_json:
        print_json(section.to_dict())
        return

    from countercase.cli.screen import print_section

    print_section(section)


def write_section(section: Section, output: Path) -> list[Path]:
    """Write `retrieval.json` and one TREC run per ranking into a folder; see `write_files`."""
    from countercase.reports.text import rounded
    from countercase.reports.trec import run_text
    from countercase.reports.write import json_text, write_files

    runs = {f"{name}.trec": run_text(run, name) for name, run in section.runs.items()}
    written = write_files(output / "runs", runs)
    return [
        *written, *write_files(output, {"retrieval.json": json_text(rounded(section.to_dict()))})
    ]  # fmt: skip
