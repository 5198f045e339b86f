"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast, get_type_hints

import typer

from countercase.config import Settings
from countercase.engines.engine import Engine, choose_engine
from countercase.errors import InputError, did_you_mean
from countercase.facts.case_file import read_case, sheet_from_case
from countercase.facts.case_schema import parse_case
from countercase.facts.documents import decode
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.io import make_folder
from countercase.registry import ENCODERS, FACT_TYPES

if TYPE_CHECKING:
    from countercase.counterfactual.sensitivity import Criterion as CriterionName
    from countercase.retrieval.base import Filters


Command = TypeVar("Command", bound=Callable[..., None])
Name = TypeVar("Name", bound=str)


def _models(given: str) -> str:
    """Return `given`, if it names a set of models or is a folder; an `InputError` else."""
    names = [name for name in ENCODERS.names() if name != "directory"]
    if given not in names and not Path(given).is_dir():
        folder = "the folder of a sentence-transformers model"
        raise InputError(f"--models {given!r}: choose {', '.join(names)} or {folder}")
    return given


def _folder(given: Path | None) -> Path | None:
    """Make the folder `given`: better an error now than after the work is done."""
    return None if given is None else make_folder(given)


def refuse_existing(paths: Iterable[Path], force: bool, advice: str) -> None:
    """Raise an `InputError` that names the files already there, with an advice, unless forced."""
    existing = [str(path) for path in paths if path.exists()]
    if existing and not force:
        listed = ", ".join(existing)
        raise InputError(f"{listed}: already there; {advice} or overwrite by --force")


def group(about: str) -> typer.Typer:
    """Return an empty group of commands that shows its help where none is chosen."""
    return typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)


@cache
def _table() -> dict[str, Any]:
    """Return what `described` reads: words, or an object of them with names, bounds and a check."""
    table: dict[str, Any] = json.loads((files("countercase.cli") / "data/options.json").read_text())
    return table


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
                more["callback"] = {"folder": _folder, "models": _models}[check]
            make = typer.Argument if more.pop("argument", False) else typer.Option
            own = [f"--{name.replace('_', '-')}"] if kind is bool else []
            function.__annotations__[name] = Annotated[kind, make(*more.pop("names", own), **more)]
        return function

    return describe


def command(group: typer.Typer, path: str) -> Callable[[Command], Command]:
    """Make a function that is `described` the command of a group that its path names last."""
    name = path.rpartition(".")[2]
    return lambda function: group.command(name)(described(path)(function))


def read_case_argument(case: Path, settings: Settings) -> FactSheet:
    """Return the case that a command is given: a file, or `-` for stdin; an `InputError` names which.

    What comes from stdin is a case.json where it begins with a brace, and else a narrative.
    """
    most, tagger, longest = settings.MAX_INPUT_BYTES, settings.FACT_TAGGER, settings.longest()
    if str(case) != "-":
        return read_case(case, most, tagger=tagger, longest=longest)
    text = read_stdin(most)
    if not text.strip():
        raise InputError("stdin is empty; pipe the facts of the case or a case.json into it")
    if text.lstrip().startswith("{"):
        return sheet_from_case(parse_case(text, "stdin"), "stdin", tagger=tagger, longest=longest)
    return extract(text, "stdin", tagger=tagger, longest=longest)


def read_stdin(most: int) -> str:
    """Return UTF-8 text from stdin, "" if closed; an `InputError` for a PDF or over `most` bytes."""
    content = typer.get_binary_stream("stdin").read(most + 1) if sys.stdin else b""
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
    return Filters(year_from, year_to, court, bench, cited, areas, good_law)


def fact_types_of(listed: str) -> tuple[str, ...]:
    """Return `Section,Evidence` as fact types, all where empty; an `InputError` for another word."""
    return names_of("--types", listed, FACT_TYPES.names(), "fact type") or FACT_TYPES.names()


def names_of(option_name: str, listed: str, known: Sequence[str], noun: str) -> tuple[str, ...]:
    """Return the names in a list with commas, in the order of `known`; upper and lower case are alike.

    An `InputError` for one that is not known gives the nearest.
    """
    by_word = {name.lower(): name for name in known}
    named = set()
    for word in filter(None, map(str.strip, listed.split(","))):
        if word.lower() not in by_word:
            advice = f"(known: {', '.join(known)}){did_you_mean(word, known)}"
            raise InputError(f"{option_name}: {word!r} is not a {noun} {advice}")
        named.add(by_word[word.lower()])
    return tuple(name for name in known if name in named)


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


def criterion_of(given: str) -> CriterionName:
    """Return `given`, if it is a criterion of verdicts; an `InputError` else."""
    from countercase.counterfactual.sensitivity import CRITERIA

    return one_of("--criterion", given, CRITERIA)


def one_of(option_name: str, given: str, known: Sequence[Name]) -> Name:
    """Return `given`, if it is one of the `known` values of an option; an `InputError` else."""
    if given not in known:
        raise InputError(f"{option_name} {given!r}: choose {' or '.join(known)}")
    return known[known.index(cast("Name", given))]
