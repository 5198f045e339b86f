"""What reaches the screen: JSON as bytes, tables and text through rich, nothing interpreted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console


def print_json(document: Any) -> None:
    """Print a document on stdout in UTF-8, whatever the terminal's own encoding."""
    from countercase.reports.write import json_text

    typer.echo(json_text(document).encode("utf-8", "replace"), nl=False)


def console(stderr: bool = False) -> Console:
    """A console that takes no text of a case for markup, and does without colour in a pipe."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
