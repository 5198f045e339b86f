"""`countercase eval`: everything that is measured, at once or one by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options
from countercase.cli.eval import agreement as eval_agreement
from countercase.cli.eval import counterfactual as eval_counterfactual
from countercase.cli.eval import explanations as eval_explanations
from countercase.cli.eval import passages as eval_passages
from countercase.cli.eval import planted as eval_planted
from countercase.cli.eval import qa as eval_qa
from countercase.cli.eval import retrieval as eval_retrieval
from countercase.cli.eval import similar as eval_similar

if TYPE_CHECKING:
    from countercase.cli.progress import Steps
    from countercase.config import Settings
    from countercase.evaluation.report import Section

SETS = Path("eval_sets")
KINDS = {"query_id": "retrieval", "narrative": "counterfactual", "pair_id": "explanations"}
"""By which key of its first line a set is known."""

app = typer.Typer(
    name="eval",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@app.callback()
def evaluate(
    context: typer.Context,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            min=0.0,
            help="A fact that moves more is dispositive (default: DISPOSITIVE_THRESHOLD, 1.5).",
        ),
    ] = None,
    set_file: Annotated[
        Path | None, typer.Option("--set", help="Only this set; its first line says which kind.")
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", help="Folder for eval.json, eval.md, eval.html and runs.")
    ] = Path("eval_results"),
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only so many items of each set.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of draws, intervals and tests.")
    ] = 0,
    fail_under: Annotated[
        Path | None,
        typer.Option("--fail-under", help='JSON of bounds, {"measure key": bound}; else status 1.'),
    ] = None,
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Measure the whole system on the evaluation sets.

    Runs retrieval, counterfactual, explanations and the agreement of the labels over eval_sets/,
    prints a verdict for each measure and writes eval.json, eval.md, eval.html and TREC runs. What
    was computed is kept, so a run that was stopped goes on where it was.
    """
    if context.invoked_subcommand is not None:
        return
    import time

    from countercase.cli.progress import Steps
    from countercase.cli.screen import print_section
    from countercase.config import load_settings
    from countercase.evaluation.report import failures, read_bounds
    from countercase.io import make_folder
    from countercase.reports.evaluation import evaluation_document, write_evaluation

    options.one_of("--models", models, ("embedded", "hub"))
    bounds = read_bounds(fail_under) if fail_under is not None else {}
    settings = load_settings(DISPOSITIVE_THRESHOLD=threshold)
    make_folder(output)
    began = time.monotonic()
    with Steps() as steps:
        sections = run_all(set_file, settings, limit, seed, output, models, steps)
    about = {
        "threshold": settings.DISPOSITIVE_THRESHOLD,
        "sets": str(set_file or SETS),
        "limit": limit or "none",
        "seed": seed,
        "models": models,
    }
    paths = write_evaluation(sections, about, output)
    if as_json:
        from countercase.cli.screen import print_json

        print_json(evaluation_document(sections, about))
    else:
        for section in sections:
            print_section(section)
    for path in paths:
        typer.echo(f"wrote {path}", err=True)
    typer.echo(f"took {time.monotonic() - began:.0f} s", err=True)
    failed = failures(sections, bounds)
    for line in failed:
        typer.echo(f"below its bound: {line}", err=True)
    if failed:
        raise typer.Exit(1)


def run_all(
    set_file: Path | None,
    settings: Settings,
    limit: int | None,
    seed: int,
    output: Path,
    models: str,
    steps: Steps,
) -> list[Section]:
    """The sections of all sets, or of the one that is named.

    Raises:
        InputError: a set is missing or wrong, or a file is no set.
    """
    from countercase.cli.eval.retrieval_evaluation import Asked, evaluate_retrieval
    from countercase.evaluation.agreement import agreement_section
    from countercase.evaluation.sets import kind_of

    kind = kind_of(set_file, KINDS) if set_file is not None else ""
    found = []
    if kind in ("", "retrieval"):
        asked = Asked(
            labels=set_file or SETS / "retrieval.jsonl", limit=limit, seed=seed,
            output=output, models=models,
        )  # fmt: skip
        found.append(evaluate_retrieval(asked, settings, steps.work))
    if kind in ("", "counterfactual"):
        cases = set_file or SETS / "counterfactual.jsonl"
        found.append(
            eval_counterfactual.evaluate_counterfactual(
                cases, settings, limit, seed, "casebook", models, steps
            )
        )
    if kind in ("", "explanations"):
        found.append(
            eval_explanations.evaluate_explanations(
                set_file or SETS / "explanations.jsonl",
                SETS / "counterfactual.jsonl",
                0 if kind else min(eval_explanations.OWN, limit or eval_explanations.OWN),
                limit,
                seed,
                "casebook",
                models,
                steps,
            )
        )
    if not kind:
        found.append(agreement_section(SETS))
    return found


app.command("retrieval")(eval_retrieval.retrieval)
app.command("counterfactual")(eval_counterfactual.counterfactual)
app.command("explanations")(eval_explanations.explanations)
app.command("passages")(eval_passages.passages)
app.command("qa")(eval_qa.qa)
app.add_typer(eval_similar.app, name="similar")
app.command("planted")(eval_planted.planted)
app.command("agreement")(eval_agreement.agreement)
