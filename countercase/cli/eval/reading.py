"""`countercase eval reading`: how well facts are read out of messy matters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from countercase.cli import options

if TYPE_CHECKING:
    from countercase.evaluation.reading import Part


def reading(
    set_file: Annotated[
        Path, typer.Option("--set", help="Matters with all their facts, one JSON a line.")
    ] = Path("eval_sets/reading.jsonl"),
    part: Annotated[
        str,
        typer.Option(
            "--part",
            help="held-out: the 20 matters that no rule was written after; developed: the others.",
        ),
    ] = "all",
    output: options.Output = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure how well facts are read out of messy matters.

    The JSON lists, matter by matter, what was missed and what was read that no label has.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.evaluation.reading import measure_reading
    from countercase.io import make_folder

    if part not in ("all", "held-out", "developed"):
        raise typer.BadParameter(f"{part!r} is none of all, held-out, developed")
    if output is not None:
        make_folder(output)
    with Steps() as steps:
        section = measure_reading(set_file, cast("Part", part), steps.work)
    show_section(section, as_json, output)
