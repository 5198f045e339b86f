"""`countercase init`: make a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from countercase.errors import InputError

EVAL_README: Final = """# Evaluation sets

One folder per set: the cases (`case.json` files), and what is known of them: which decisions are
relevant (TREC or BEIR qrels), and which facts should and should not matter. Nothing here is read
unless a command is given its path.
"""

ANNOTATIONS_README: Final = """# Annotations

Likert sheets (CSV) for people who judge explanations: clarity, legal accuracy and usefulness, each
from 1 to 5. One row is one explanation by one annotator; keep one file per annotator.
"""


def init(
    directory: Annotated[Path, typer.Argument(help="Folder of the workspace.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
) -> None:
    """Make a workspace.

    It holds settings.py with every default, eval_sets/ and annotations/.
    """
    for path in make_workspace(directory, force):
        typer.echo(f"wrote {path}")
    typer.echo("next: countercase analyze CASE.json --out out/")


def make_workspace(directory: Path, force: bool = False) -> list[Path]:
    """Write the files of a workspace into `directory`; returns them.

    Raises:
        InputError: one of them is there already and `force` is not given; nothing is written.
        StoreError: the folder cannot be written.
    """
    from countercase.config import SETTINGS_FILE, settings_template
    from countercase.reports.write import write_files

    texts = (
        (directory, SETTINGS_FILE, settings_template()),
        (directory / "eval_sets", "README.md", EVAL_README),
        (directory / "annotations", "README.md", ANNOTATIONS_README),
    )
    there = [folder / name for folder, name, _ in texts if (folder / name).exists()]
    if there and not force:
        listed = ", ".join(map(str, there))
        raise InputError(f"{listed}: already there; choose another folder or overwrite by --force")
    return [path for folder, name, text in texts for path in write_files(folder, {name: text})]
