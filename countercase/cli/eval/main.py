"""`countercase eval`: measure everything at once; its subcommands measure one thing each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options, screen
from countercase.cli.eval import labelled
from countercase.cli.eval.benchmarks import passages, qa, similar
from countercase.cli.eval.labelled import SETS
from countercase.cli.screen import Steps
from countercase.config import load_settings
from countercase.io import make_folder

app = typer.Typer(name="eval", invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def evaluate(
    context: typer.Context,
    threshold: options.Threshold = None,
    set_file: Annotated[Path | None, options.told("eval.set_file", "--set")] = None,
    output: Annotated[Path, options.told("eval.output")] = Path("eval_results"),
    limit: options.Limit = None,
    seed: options.Seed = 0,
    fail_under: Annotated[Path | None, options.told("eval.fail_under")] = None,
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Measure the whole system on the evaluation sets.

    Runs retrieval, counterfactual, explanations and the agreement of the labels over eval_sets/,
    prints a verdict for each measure and writes eval.json, eval.md, eval.html and TREC runs.
    Results are stored as they come, so a run that was stopped goes on where it was.
    """
    if context.invoked_subcommand is not None:
        return
    from countercase.evaluation.report import failures, read_bounds
    from countercase.evaluation.run import evaluate_sets
    from countercase.reports.evaluation import evaluation_document, write_evaluation

    bounds = read_bounds(fail_under) if fail_under is not None else {}
    settings = load_settings()
    make_folder(output)
    began = time.monotonic()
    with Steps() as steps:
        sections = evaluate_sets(
            SETS, set_file=set_file, threshold=threshold, limit=limit, seed=seed, output=output,
            models=models, settings=settings, progress=steps.work,
        )  # fmt: skip
    about = {
        "threshold": settings.DISPOSITIVE_THRESHOLD if threshold is None else threshold,
        "sets": str(set_file or SETS),
        "limit": limit or "none",
        "seed": seed,
        "models": models,
    }
    paths = write_evaluation(sections, about, output)
    if as_json:
        screen.print_json(evaluation_document(sections, about))
    else:
        for section in sections:
            screen.print_section(section)
    screen.tell_written(paths)
    typer.echo(f"took {time.monotonic() - began:.0f} s", err=True)
    failed = failures(sections, bounds)
    for line in failed:
        typer.echo(f"below its bound: {line}", err=True)
    if failed:
        raise typer.Exit(1)


for _command in (
    labelled.retrieval, labelled.counterfactual, labelled.pairs, labelled.explanations, passages,
    qa, labelled.planted, labelled.reading, labelled.validity, labelled.agreement,
):  # fmt: skip
    app.command()(_command)
app.add_typer(similar, name="similar")
