"""`countercase eval`: measure everything at once; its subcommands measure one thing each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options
from countercase.cli.eval import agreement as eval_agreement
from countercase.cli.eval import counterfactual as eval_counterfactual
from countercase.cli.eval import explanations as eval_explanations
from countercase.cli.eval import passages as eval_passages
from countercase.cli.eval import planted as eval_planted
from countercase.cli.eval import qa as eval_qa
from countercase.cli.eval import reading as eval_reading
from countercase.cli.eval import retrieval as eval_retrieval
from countercase.cli.eval import similar as eval_similar
from countercase.cli.eval import validity as eval_validity

SETS = Path("eval_sets")

app = typer.Typer(name="eval", invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def evaluate(
    context: typer.Context,
    threshold: options.Threshold = None,
    set_file: Annotated[
        Path | None, typer.Option("--set", help="Only this set; its first line says which kind.")
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", help="Folder for eval.json, eval.md, eval.html and runs.")
    ] = Path("eval_results"),
    limit: options.Limit = None,
    seed: options.Seed = 0,
    fail_under: Annotated[
        Path | None,
        typer.Option("--fail-under", help='JSON of bounds, {"measure key": bound}; else status 1.'),
    ] = None,
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
    from countercase.cli import screen
    from countercase.cli.progress import Steps
    from countercase.config import load_settings
    from countercase.evaluation.report import failures, read_bounds
    from countercase.evaluation.run import evaluate_sets
    from countercase.io import make_folder
    from countercase.reports.evaluation import evaluation_document, write_evaluation

    bounds = read_bounds(fail_under) if fail_under is not None else {}
    settings = load_settings()
    make_folder(output)
    began = time.monotonic()
    with Steps() as steps:
        sections = evaluate_sets(
            SETS,
            set_file=set_file,
            threshold=threshold,
            limit=limit,
            seed=seed,
            output=output,
            models=models,
            settings=settings,
            progress=steps.work,
        )
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


app.command("retrieval")(eval_retrieval.retrieval)
app.command("counterfactual")(eval_counterfactual.counterfactual)
app.command("explanations")(eval_explanations.explanations)
app.command("passages")(eval_passages.passages)
app.command("qa")(eval_qa.qa)
app.add_typer(eval_similar.app, name="similar")
app.command("planted")(eval_planted.planted)
app.command("reading")(eval_reading.reading)
app.command("validity")(eval_validity.validity)
app.command("agreement")(eval_agreement.agreement)
