"""The sections of an evaluation on the screen: verdicts first, then the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from countercase.evaluation.measure import Section, Table

_STYLES = {"meets": "green", "below": "bold red", "above": "bold red"}


def print_section(section: Section) -> None:
    """Print one section: one line of verdict per measure, then each table."""
    from rich.text import Text

    from countercase.cli.screen import console
    from countercase.reports.evaluation import measure_table

    screen = console()
    screen.print(Text(f"\n{section.title}", style="bold"))
    _print_table(measure_table(section.measures))
    for table in section.tables:
        screen.print(Text(f"\n{table.title}", style="bold"))
        _print_table(table)
        if table.note:
            screen.print(Text(table.note, style="dim"))


def _print_table(table: Table) -> None:
    from rich.table import Table as Drawn
    from rich.text import Text

    from countercase.cli.screen import console
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
