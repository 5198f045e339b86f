"""`countercase eval passages`: score retrieved passages against the words that answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options


def passages(
    predictions: Annotated[
        Path, typer.Argument(help="What a system retrieved: JSON, query by query, best first.")
    ],
    gold: Annotated[
        Path, typer.Argument(help="The queries with the words that answer them: JSON.")
    ],
    k: Annotated[
        int, typer.Option(min=1, help="Passages of a query that count for recall and NDCG.")
    ] = 10,
    idcg: Annotated[
        str,
        typer.Option(
            help="Ideal ranking of NDCG: gold, over all answers (right); retrieved, over what was "
            "found (some published figures).",
        ),
    ] = "gold",
    limit: options.Limit = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None, typer.Option(help="Keep the measures, and every query's, in this JSON file.")
    ] = None,
) -> None:
    """Score retrieved passages by the words that answer.

    Files are in the format of LegalBench-RAG; `countercase retrieve` makes predictions.
    """
    from countercase.cli.screen import show_results
    from countercase.evaluation.benchmarks.passages.scores import (
        IDCGS,
        passages_section,
        score_files,
    )

    options.one_of("--idcg", idcg, IDCGS)
    chosen = next(name for name in IDCGS if name == idcg)
    scores = score_files(predictions, gold, k, chosen, limit)
    show_results(passages_section(scores, seed), scores.to_dict(), as_json, output)
