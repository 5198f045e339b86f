"""What commands share: their options and how values are read, and how results are printed.

Results are JSON as bytes, or tables and text through rich, with nothing read as markup. Progress
goes to stderr: bars with an estimate on a terminal, a line now and then in a log.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, TypeVar, cast, get_type_hints

import typer
from rich import progress as bars
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from countercase.config import Settings
from countercase.engines.engine import Engine, choose_engine
from countercase.errors import InputError, did_you_mean
from countercase.facts.case_file import read_case, sheet_from_case
from countercase.facts.case_schema import parse_case
from countercase.facts.documents import decode
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.io import Progress, json_text, make_folder, write_files
from countercase.registry import ENCODERS, FACT_TYPES
from countercase.reports.text import figure, rounded

if TYPE_CHECKING:
    from countercase.evaluation.report import Section
    from countercase.retrieval.base import Filters
    from countercase.session import Session

Command = TypeVar("Command", bound=Callable[..., None])
Name = TypeVar("Name", bound=str)


def _models(given: str) -> str:
    names = [name for name in ENCODERS.names() if name != "directory"]
    if given not in names and not Path(given).is_dir():
        raise InputError(f"--models {given!r}: choose {', '.join(names)} or the folder of a model")
    return given


def _folder(given: Path | None) -> Path | None:
    return given and make_folder(given.expanduser() if given.parts[:1] == ("~",) else given)


_CHECKS: Final[dict[str, Any]] = {"folder": _folder, "models": _models}
"""What is done with a value at once: better an error than one after the work."""
SLOW: Final = 2.5
"""Seconds of reading a case after which it is shown as progress: it can take half a minute."""


def refuse_existing(paths: Iterable[Path], force: bool, advice: str) -> None:
    """Raise an `InputError` that names the files already there, with an advice, unless forced."""
    existing = [str(path) for path in paths if path.exists()]
    if existing and not force:
        raise InputError(f"{', '.join(existing)}: already there; {advice} or overwrite by --force")


def group(about: str) -> typer.Typer:
    """Return an empty group of commands that shows its help where none is chosen."""
    return typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)


@cache
def _table() -> dict[str, Any]:
    return dict(json.loads((files("countercase.cli") / "data/options.json").read_text()))


def described(command: str) -> Callable[[Command], Command]:
    """Make options and arguments of a function's parameters, as `data/options.json` has them.

    A parameter stands there below its command, below the group of that, or by its name alone. One
    that is true or false has no `--no-` unless the table names it.
    """

    def describe(function: Command) -> Command:
        table, parts = _table(), command.split(".")
        for name, kind in get_type_hints(function).items():
            keys = (".".join((*parts[:taken], name)) for taken in range(len(parts), -1, -1))
            row = next((table[key] for key in keys if key in table), None)
            if row is None:
                continue
            more = {"help": row} if isinstance(row, str) else dict(row)
            if check := more.pop("callback", ""):
                more["callback"] = _CHECKS[check]
            make = typer.Argument if more.pop("argument", False) else typer.Option
            own = [f"--{name.replace('_', '-')}"] if kind is bool else []
            function.__annotations__[name] = Annotated[kind, make(*more.pop("names", own), **more)]
        return function

    return describe


def command(group: typer.Typer, path: str) -> Callable[[Command], Command]:
    """Make a function that is `described` the command of a group that its path names last."""
    return lambda function: group.command(path.rpartition(".")[2])(described(path)(function))


def read_case_argument(case: Path, settings: Settings) -> FactSheet:
    """Return the case that a command is given: a file, or `-` for stdin; an `InputError` names which.

    What comes from stdin is a case.json where it begins with a brace, and else a narrative.
    """
    most, reading = settings.MAX_INPUT_BYTES, settings.reading()
    text = read_stdin(most) if str(case) == "-" else ""
    with Steps() as steps, ExitStack() as read:
        late = Timer(SLOW, steps.work, ("reading the case", 0, 0))
        read.callback(late.cancel)
        late.start()
        if str(case) != "-":
            return read_case(case, most, **reading)
        if text.lstrip().startswith("{"):
            return sheet_from_case(parse_case(text, "stdin"), "stdin", **reading)
        return extract(text, "stdin", **reading)


def read_stdin(most: int) -> str:
    """Return UTF-8 text from stdin; an `InputError` for a PDF, nothing, or over `most` bytes."""
    content = typer.get_binary_stream("stdin").read(most + 1) if sys.stdin else b""
    if not content.strip():
        raise InputError("stdin is empty; pipe the facts of the case or a case.json into it")
    if len(content) > most:
        raise InputError(f"stdin gives more than the {most:,} bytes allowed; shorten it")
    if content.startswith(b"%PDF-"):
        raise InputError("stdin holds a PDF; give the path of the file instead")
    return decode(content, Path("stdin")).replace("\r\n", "\n").replace("\r", "\n")


def filters_of(
    year_from: int | None, year_to: int | None, court: str, bench: str, provision: str,
    area: str = "", good_law: bool = False,
) -> Filters:  # fmt: skip
    """Return the filters that are asked for; an `InputError` where years or provision are wrong."""
    from countercase.corpus.judgment.metadata import area_name
    from countercase.law.provisions import normal_form
    from countercase.retrieval.base import Filters

    if year_from is not None and year_to is not None and year_from > year_to:
        raise InputError(f"--year-from {year_from} is after --year-to {year_to}; swap them")
    cited = normal_form(provision) if provision else ""
    areas = tuple(dict.fromkeys(filter(None, map(area_name, area.split(",")))))
    if area and not areas:
        raise InputError(f"--area {area!r} names no area of law")
    return Filters(year_from, year_to, court, bench, cited, areas, good_law)


def fact_types_of(listed: str) -> tuple[str, ...]:
    """Return `Section,Evidence` as fact types, all where empty; an `InputError` for another word."""
    return names_of("--types", listed, FACT_TYPES.names(), "fact type") or FACT_TYPES.names()


def names_of(option_name: str, listed: str, known: Sequence[str], noun: str) -> tuple[str, ...]:
    """Return the names in a list with commas, in the order of `known`; upper and lower case are alike.

    An `InputError` for one that is not known gives the nearest; a list with no name is one too.
    """
    named = [*filter(None, map(str.strip, listed.lower().split(",")))]
    for word in named:
        if word not in map(str.lower, known):
            advice = f"(known: {', '.join(known)}){did_you_mean(word, known)}"
            raise InputError(f"{option_name}: {word!r} is not a {noun} {advice}")
    if listed and not named:
        raise InputError(f"{option_name} {listed!r} names no {noun} (known: {', '.join(known)})")
    return tuple(name for name in known if name.lower() in named)


def shared_out(settings: Settings, engine: Engine) -> Settings:
    """Return the settings of one worker: as many threads as leave room for the others, unless set."""
    if settings.THREADS or not engine.threads:
        return settings
    return settings.model_copy(update={"THREADS": engine.threads})


def engine_of_one(name: str | None, workers: int | None, address: str | None) -> Engine:
    """Return where one case is searched for: here or on Ray; an `InputError` for processes."""
    engine = choose_engine(name, workers, address)
    if engine.name == "processes":
        raise InputError(
            "--engine processes and several --workers are for a folder of cases; one is searched "
            "for here, or with --engine ray in as many shards as there are --workers"
        )
    return engine


def one_of(option_name: str, given: str, known: Sequence[Name]) -> Name:
    """Return `given`, if it is one of the `known` values of an option; an `InputError` else."""
    if given not in known:
        raise InputError(f"{option_name} {given!r}: choose {' or '.join(known)}")
    return known[known.index(cast("Name", given))]


_STYLES: Final = {"meets": "green", "below": "bold red", "above": "bold red"}


def show(
    as_json: bool, document: Any, for_people: Callable[[], RenderableType], soft_wrap: bool = False
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
    width = 80 if os.environ.get("COLUMNS") == "0" else None
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


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


def section_text(section: Section) -> Group:
    """Return a section of an evaluation for people: a verdict for each measure, then each table."""
    from countercase.reports.evaluation import measure_table

    parts = list[RenderableType]()
    measures = replace(measure_table(section.measures), title=section.title)
    for table in (measures, *section.tables):
        parts += [Text(f"\n{table.title}", style="bold"), grid(table.columns, table.rows)]
        parts += [Text(table.note, style="dim")] if table.note else []
    return Group(*parts)


def show_section(section: Section, as_json: bool, output: Path | None = None) -> None:
    """Print a section, written into the folder `output` if given; a `StoreError` if it cannot be."""
    file = None if output is None else output / f"{section.name}.json"
    show_results(section, rounded(section.to_dict()), as_json, file)


def show_results(
    section: Section, document: dict[str, Any], as_json: bool, output: Path | None
) -> None:
    """Print a document or section, written to the file `output` if given; a `StoreError` if not."""
    if output is not None:
        tell_written(write_files(output.parent, {output.name: json_text(document)}))
    show(as_json, document, lambda: section_text(section))


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
