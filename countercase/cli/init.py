"""`countercase init`: make a workspace."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from countercase.cli.options import argument, flag, refuse_existing
from countercase.config import SETTINGS_FILE, settings_template
from countercase.io import write_files


def init(
    directory: Annotated[Path, argument("init.directory")] = Path(),
    force: Annotated[bool, flag("init.force")] = False,
) -> None:
    """Make a workspace.

    It holds settings.py with every default, eval_sets/ and annotations/.
    """
    texts = {directory / SETTINGS_FILE: settings_template()}
    for name in ("eval_sets", "annotations"):
        readme = files("countercase.cli") / "data" / f"{name}.md"
        texts[directory / name / "README.md"] = readme.read_text("utf-8")
    refuse_existing(texts, force, "choose another folder")
    for path, text in texts.items():
        [written] = write_files(path.parent, {path.name: text})
        typer.echo(f"wrote {written}")
    typer.echo("next: countercase analyze CASE.json --out out/")
