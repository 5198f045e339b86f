"""`countercase retrieve`: the passages for the queries of a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options
from countercase.cli.screen import Steps
from countercase.config import load_settings
from countercase.errors import InputError
from countercase.io import json_text, write_files


def retrieve(
    corpus: Annotated[Path, options.option("retrieve.corpus")],
    benchmark: Annotated[Path, options.option("retrieve.benchmark")],
    output: Annotated[Path, options.option("retrieve.output")],
    system: Annotated[str, options.option("retrieve.system")] = "hybrid",
    k: Annotated[int, options.option("retrieve.k", min=1)] = 10,
    window: Annotated[int, options.option("retrieve.window", min=1)] = 500,
    stride: Annotated[int, options.option("retrieve.stride", min=1)] = 250,
    without: Annotated[str, options.option("retrieve.without")] = "",
    cross_encoder: Annotated[bool, options.flag("retrieve.cross_encoder")] = False,
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
