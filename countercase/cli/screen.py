"""What reaches the screen: JSON as bytes, tables and text through rich, nothing interpreted.

The sections of an evaluation on the screen: verdicts first, then the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from countercase.evaluation.report import Section, Table


def print_json(document: Any) -> None:
    """Print a document on stdout in UTF-8, whatever the terminal's own encoding."""
    from countercase.reports.write import json_text

    typer.echo(json_text(document).encode("utf-8", "replace"), nl=False)


def console(stderr: bool = False) -> Console:
    """A console that takes no text of a case for markup, and does without colour in a pipe."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


_STYLES = {"meets": "green", "below": "bold red", "above": "bold red"}


def print_section(section: Section) -> None:
    """Print one section: one line of verdict per measure, then each table."""
    from rich.text import Text

    from countercase.reports.evaluation import measure_table

    screen = console()
    screen.print(Text(f"\n{section.title}", style="bold"))
    _print_table(measure_table(section.measures))
    for table in section.tables:
        screen.print(Text(f"\n{table.title}", style="bold"))
        _print_table(table)
        if table.note:
            screen.print(Text(table.note, style="dim"))


def show_section(section: Section, as_json: bool, output: Path | None = None) -> None:
    """Keep a section in the folder `output`, if one is given, and print it, as JSON if so asked.

    Raises:
        StoreError: the folder cannot be written.
    """
    import typer

    from countercase.reports.text import rounded
    from countercase.reports.write import json_text, write_files

    document = rounded(section.to_dict())
    if output is not None:
        for path in write_files(output, {f"{section.name}.json": json_text(document)}):
            typer.echo(f"wrote {path}", err=True)
    if as_json:
        print_json(document)
    else:
        print_section(section)


def show_results(
    section: Section, document: dict[str, Any], as_json: bool, output: Path | None
) -> None:
    """Keep a document in the JSON file `output`, if one is given, and print it or the section.

    Raises:
        StoreError: the file cannot be written.
    """
    from countercase.reports.write import json_text, write_files

    if output is not None:
        write_files(output.parent, {output.name: json_text(document)})
    if as_json:
        print_json(document)
    else:
        print_section(section)


def _print_table(table: Table) -> None:
    from rich.table import Table as Drawn
    from rich.text import Text

    from countercase.reports.evaluation import figure

    drawn = Drawn(box=None, padding=(0, 2, 0, 0))
    empty = [all(row[at] in ("", None) for row in table.rows) for at in range(len(table.columns))]
    for at, column in enumerate(table.columns):
        if not empty[at]:
            numeric = any(isinstance(row[at], (int, float)) for row in table.rows)
            drawn.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(
            *(
                Text(figure(cell), style=_STYLES.get(str(cell), ""))
                for at, cell in enumerate(row)
                if not empty[at]
            )
        )
    console().print(drawn)
