"""Print results: JSON as bytes, or tables and text through rich, with nothing read as markup."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import typer

from countercase.io import json_text, write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from rich.console import Console, RenderableType
    from rich.table import Table as RichTable

    from countercase.evaluation.report import Section

_STYLES: Final = {"meets": "green", "below": "bold red", "above": "bold red"}


def show(
    as_json: bool,
    document: Any,
    for_people: Callable[[], RenderableType],
    soft_wrap: bool = False,
) -> None:
    """Print a result: its JSON `document` if so asked, else what `for_people` makes of it.

    Args:
        soft_wrap: leave long lines to the terminal instead of breaking them.
    """
    if as_json:
        print_json(document)
    else:
        console().print(for_people(), soft_wrap=soft_wrap)


def print_json(document: Any) -> None:
    """Print a document on stdout in UTF-8, whatever the terminal's own encoding."""
    typer.echo(json_text(document).encode("utf-8", "replace"), nl=False)


def console(stderr: bool = False) -> Console:
    """Return a console that takes no text of a case for markup, and does without colour in a pipe."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def tell_written(paths: Iterable[Path]) -> None:
    """Say on stderr which files were written."""
    for path in paths:
        typer.echo(f"wrote {path}", err=True)


def grid(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> RichTable:
    """Return a table without lines; columns of numbers are set right, empty columns are left out."""
    from rich.table import Table
    from rich.text import Text

    from countercase.reports.text import figure

    rows = list(rows)
    table = Table(box=None, padding=(0, 2, 0, 0))
    filled = [any(row[at] not in ("", None) for row in rows) for at in range(len(columns))]
    for at, column in enumerate(columns):
        if filled[at]:
            numeric = any(isinstance(row[at], (int, float)) for row in rows)
            table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        cells = [cell for cell, has_values in zip(row, filled, strict=True) if has_values]
        table.add_row(*(Text(figure(cell), style=_STYLES.get(str(cell), "")) for cell in cells))
    return table


def print_section(section: Section) -> None:
    """Print a section of an evaluation: a verdict for each measure, then each table."""
    from rich.text import Text

    from countercase.reports.evaluation import measure_table

    screen = console()
    measures = replace(measure_table(section.measures), title=section.title)
    for table in (measures, *section.tables):
        screen.print(Text(f"\n{table.title}", style="bold"))
        screen.print(grid(table.columns, table.rows))
        if table.note:
            screen.print(Text(table.note, style="dim"))


def show_section(section: Section, as_json: bool, output: Path | None = None) -> None:
    """Write a section into the folder `output`, if one is given, and print it.

    Raises:
        StoreError: the folder cannot be written.
    """
    from countercase.reports.text import rounded

    file = None if output is None else output / f"{section.name}.json"
    show_results(section, rounded(section.to_dict()), as_json, file)
    if file is not None:
        tell_written([file])


def show_results(
    section: Section, document: dict[str, Any], as_json: bool, output: Path | None
) -> None:
    """Write a document into the JSON file `output`, if one is given, and print it or the section.

    Raises:
        StoreError: the file cannot be written.
    """
    if output is not None:
        write_files(output.parent, {output.name: json_text(document)})
    if as_json:
        print_json(document)
    else:
        print_section(section)
