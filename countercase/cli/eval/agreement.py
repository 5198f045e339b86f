"""`countercase eval agreement`: how far the two labelling passes of the sets agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options


def agreement(
    folder: Annotated[
        Path, typer.Option("--sets", help="Folder of the evaluation sets and their passes.")
    ] = Path("eval_sets"),
    as_json: options.AsJson = False,
) -> None:
    """Show how far the two labelling passes agree.

    Also how their disagreements were settled.
    """
    from countercase.cli.screen import show_section
    from countercase.evaluation.agreement import agreement_section

    show_section(agreement_section(folder), as_json)
