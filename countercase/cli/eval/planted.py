"""`countercase eval planted`: misses and false alarms where the deciding facts are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options

SPEC = Path("eval_sets/planted/spec.json")


def planted(
    spec: Annotated[Path, typer.Option(help="The recipe of the worlds.")] = SPEC,
    worlds: Annotated[int | None, typer.Option(min=1, help="Only the first N worlds.")] = None,
    threshold: options.Threshold = None,
    output: options.Output = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure misses and false alarms in made-up worlds.

    Which facts decide there is known, because it was put there. Each world is a corpus and four
    cases, written anew from its seed, indexed and analysed: some minutes a world.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.evaluation.planted.calibrate import evaluate_planted

    settings = load_settings(DISPOSITIVE_THRESHOLD=threshold)
    with Steps() as steps:
        section = evaluate_planted(
            spec, settings, worlds=worlds, folder=output, progress=steps.work
        )
    show_section(section, as_json, output)
