"""`countercase eval passages`: score retrieved passages against the words that answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli.options import AsJson

if TYPE_CHECKING:
    from countercase.evaluation.benchmarks.passages.scores import Idcg, PassageScores


def passages(
    predictions: Annotated[
        Path, typer.Argument(help="What a system retrieved: JSON, query by query, best first.")
    ],
    gold: Annotated[
        Path, typer.Argument(help="The queries with the words that answer them: JSON.")
    ],
    k: Annotated[
        int, typer.Option("--k", min=1, help="Passages of a query that count for recall and NDCG.")
    ] = 10,
    idcg: Annotated[
        str,
        typer.Option(
            "--idcg",
            help="Ideal ranking of NDCG: gold, over all answers (right); retrieved, over what was "
            "found (some published figures).",
        ),
    ] = "gold",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many queries.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the intervals.")] = 0,
    as_json: AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Keep the measures, and every query's, in this JSON file."),
    ] = None,
) -> None:
    """Score retrieved passages by the words that answer.

    Files are in the format of LegalBench-RAG; `countercase retrieve` makes predictions.
    """
    from countercase.cli.options import one_of
    from countercase.cli.screen import print_json
    from countercase.evaluation.benchmarks.passages.scores import IDCGS, passages_section
    from countercase.reports.write import json_text, write_files

    one_of("--idcg", idcg, IDCGS)
    scores = score_files(
        predictions, gold, k, "retrieved" if idcg == "retrieved" else "gold", limit
    )
    if output:
        write_files(output.parent, {output.name: json_text(scores.to_dict())})
    if as_json:
        print_json(scores.to_dict())
        return

    from countercase.cli.screen import print_section

    print_section(passages_section(scores, seed))


def score_files(
    predictions: Path, gold: Path, k: int = 10, idcg: Idcg = "gold", limit: int | None = None
) -> PassageScores:
    """The measures of the predictions in one file by the gold answers in another.

    Args:
        k: passages of a query that count for recall and NDCG.
        idcg: see `countercase.evaluation.benchmarks.passages.scores.ndcg_at_k`.
        limit: only the first so many queries of the gold file.

    Raises:
        InputError: a file cannot be read or is not of its form, a query has no prediction, or no
            query has a gold answer.
    """
    from countercase.errors import InputError
    from countercase.evaluation.benchmarks.passages.files import (
        pair_predictions,
        read_benchmark,
        read_predictions,
    )
    from countercase.evaluation.benchmarks.passages.scores import score_passages

    pairs = pair_predictions(read_predictions(predictions), read_benchmark(gold, limit))
    if not any(pair.answers for pair in pairs):
        raise InputError(f"{gold}: no query has a gold answer; nothing can be scored")
    return score_passages(pairs, k, idcg)
