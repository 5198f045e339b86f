"""Print results: JSON as bytes, or tables and text through rich, with nothing read as markup.

Progress goes to stderr: bars with an estimate on a terminal, a line now and then in a log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import typer
from rich import progress as bars
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from countercase.io import Progress, json_text, write_files
from countercase.reports.text import figure, rounded

if TYPE_CHECKING:
    from countercase.config import Settings
    from countercase.evaluation.report import Section
    from countercase.session import Session

_STYLES: Final = {"meets": "green", "below": "bold red", "above": "bold red"}


def show(
    as_json: bool,
    document: Any,
    for_people: Callable[[], RenderableType],
    soft_wrap: bool = False,
) -> None:
    """Print a JSON `document` if so asked, else what `for_people` gives, with long lines if `soft_wrap`."""
    if as_json:
        print_json(document)
    else:
        console().print(for_people(), soft_wrap=soft_wrap)


def print_json(document: Any) -> None:
    """Print a document on stdout in UTF-8, whatever the terminal's own encoding."""
    typer.echo(json_text(document).encode("utf-8", "replace"), nl=False)


def console(stderr: bool = False) -> Console:
    """Return a console that takes no text of a case for markup, and does without colour in a pipe."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def tell_written(paths: Iterable[Path], err: bool = True) -> None:
    """Say on stderr, or on stdout, which files were written."""
    for path in paths:
        typer.echo(f"wrote {path}", err=err)


def grid(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return a table without lines; columns of numbers are set right, empty columns are left out."""
    rows = list(rows)
    table = Table(box=None, padding=(0, 2, 0, 0))
    filled = [at for at in range(len(columns)) if any(row[at] not in ("", None) for row in rows)]
    for at in filled:
        numeric = any(isinstance(row[at], (int, float)) for row in rows)
        table.add_column(columns[at], justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        cells = [row[at] for at in filled]
        table.add_row(*(Text(figure(cell), style=_STYLES.get(str(cell), "")) for cell in cells))
    return table


def print_section(section: Section) -> None:
    """Print a section of an evaluation: a verdict for each measure, then each table."""
    from countercase.reports.evaluation import measure_table

    screen = console()
    measures = replace(measure_table(section.measures), title=section.title)
    for table in (measures, *section.tables):
        screen.print(Text(f"\n{table.title}", style="bold"))
        screen.print(grid(table.columns, table.rows))
        if table.note:
            screen.print(Text(table.note, style="dim"))


def show_section(section: Section, as_json: bool, output: Path | None = None) -> None:
    """Print a section, written into the folder `output` if given; a `StoreError` if it cannot be."""
    file = None if output is None else output / f"{section.name}.json"
    show_results(section, rounded(section.to_dict()), as_json, file)
    if file is not None:
        tell_written([file])


def show_results(
    section: Section, document: dict[str, Any], as_json: bool, output: Path | None
) -> None:
    """Print a document or section, written to the file `output` if given; a `StoreError` if not."""
    if output is not None:
        write_files(output.parent, {output.name: json_text(document)})
    if as_json:
        print_json(document)
    else:
        print_section(section)


SECONDS_BETWEEN_LINES: Final = 15.0
"""Between two lines about the same work, where stderr is not a terminal."""


@contextmanager
def opened_session(
    settings: Settings, corpus: str, models: str, chroma_host: str | None = None
) -> Iterator[tuple[Session, Progress]]:
    """Open the models and a corpus, and show how far that and the work with them is.

    It raises what `open_session` raises: `CorpusIndexError` and `ModelError`.
    """
    from countercase import session as sessions

    with Steps() as steps:
        session = sessions.open_session(
            settings, corpus, chroma_host=chroma_host, models=models, progress=steps.work
        )
        yield session, steps.work


class Steps:
    """Shows the progress of work; its method `work` is a `countercase.io.Progress`."""

    def __init__(self) -> None:
        self._console, self._printed = console(stderr=True), dict[str, float]()
        self._bars = bars.Progress(
            bars.SpinnerColumn(), bars.TextColumn("{task.description}", markup=False),
            bars.BarColumn(bar_width=24), bars.MofNCompleteColumn(), bars.TimeElapsedColumn(),
            bars.TextColumn("left"), bars.TimeRemainingColumn(),
            console=self._console, transient=True, disable=not self._console.is_terminal,
        )  # fmt: skip

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def work(self, what: str, done: int, of: int) -> None:
        """Show that `done` of `of` (0: unknown) is done of some work."""
        if not self._console.is_terminal:
            now = time.monotonic()
            if now - self._printed.get(what, -SECONDS_BETWEEN_LINES) >= SECONDS_BETWEEN_LINES:
                self._printed[what] = now
                amount = f": {done:,} of {of:,}" if of else (f": {done:,}" if done else "")
                self._console.print(f"{what}{amount}", soft_wrap=True)
            return
        shown, total = self._bars, of or None
        known = [task for task in shown.tasks if task.description == what]
        if known and done < known[0].completed:  # the same work again, with other texts
            shown.reset(known[0].id, total=total)
        task = known[0].id if known else shown.add_task(what, total=total)
        shown.update(task, completed=done, total=total)
