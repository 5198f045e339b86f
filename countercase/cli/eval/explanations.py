"""`countercase eval explanations`: does the quoted passage bear out what an explanation says?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options


def explanations(
    set_file: Annotated[
        Path, typer.Option("--set", help="Explanations labelled faithful or not, one JSON a line.")
    ] = Path("eval_sets/explanations.jsonl"),
    cases: Annotated[
        Path, typer.Option("--cases", help="Cases to be explained, in the form of the case set.")
    ] = Path("eval_sets/counterfactual.jsonl"),
    own: Annotated[
        int,
        typer.Option(
            "--own", min=0, help="Explain this many cases and score the explanations; 0 for none."
        ),
    ] = 8,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    output: options.Output = None,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Measure how faithful explanations are to their passages.

    First on explanations whose faults are known: how many of them each form of the measure finds,
    and how often it calls a sound one faulty. Then on CounterCase's own, about a minute a case;
    explanations are stored and not made again.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.evaluation.run import Evaluation
    from countercase.io import make_folder

    if output is not None:
        make_folder(output)
    with Steps() as steps:
        evaluation = Evaluation(
            load_settings(), models, corpus, limit=limit, seed=seed, progress=steps.work
        )
        section = evaluation.explanations(set_file, cases, own)
    show_section(section, as_json, output)
