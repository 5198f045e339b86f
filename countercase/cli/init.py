"""`countercase init`: make a workspace."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from countercase.cli.options import told, told_argument
from countercase.config import SETTINGS_FILE, settings_template
from countercase.errors import InputError
from countercase.io import write_files


def init(
    directory: Annotated[Path, told_argument("init.directory")] = Path(),
    force: Annotated[bool, told("init.force", "--force")] = False,
) -> None:
    """Make a workspace.

    It holds settings.py with every default, eval_sets/ and annotations/.
    """
    texts = [(directory, SETTINGS_FILE, settings_template())]
    for name in ("eval_sets", "annotations"):
        readme = (files("countercase.cli") / "data" / f"{name}.md").read_text("utf-8")
        texts.append((directory / name, "README.md", readme))
    existing = [folder / name for folder, name, _ in texts if (folder / name).exists()]
    if existing and not force:
        listed = ", ".join(map(str, existing))
        raise InputError(f"{listed}: already there; choose another folder or overwrite by --force")
    for folder, name, text in texts:
        [path] = write_files(folder, {name: text})
        typer.echo(f"wrote {path}")
    typer.echo("next: countercase analyze CASE.json --out out/")
