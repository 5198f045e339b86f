"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from countercase.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from countercase.config import Settings
    from countercase.counterfactual.sensitivity import Criterion as CriterionName
    from countercase.engines.engine import Engine
    from countercase.facts.model import FactSheet
    from countercase.retrieval.base import Filters


def _models(given: str) -> str:
    """Return `given`, if it names a set of models or is a folder.

    Raises:
        InputError: it is neither.
    """
    from countercase.registry import ENCODERS

    names = [name for name in ENCODERS.names() if name != "directory"]
    if given not in names and not Path(given).is_dir():
        raise InputError(
            f"--models {given!r}: choose {', '.join(names)} or the folder of a "
            "sentence-transformers model"
        )
    return given


def _folder(given: Path | None) -> Path | None:
    """Make the folder `given`: better an error now than after the work is done."""
    from countercase.io import make_folder

    return None if given is None else make_folder(given)


def group(about: str) -> typer.Typer:
    """Return an empty group of commands that shows its help where none is chosen."""
    return typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)


@cache
def _words() -> dict[str, str]:
    """Return the words of the options that one command has, by command and option."""
    words: dict[str, str] = json.loads((files("countercase.cli") / "data/help.json").read_text())
    return words


def told(key: str, *names: str, **more: Any) -> Any:
    """Return an option of a command, with its words in `data/help.json`."""
    return typer.Option(*names, help=_words()[key], **more)


def told_argument(key: str, **more: Any) -> Any:
    """Return an argument of a command, with its words in `data/help.json`."""
    return typer.Argument(help=_words()[key], **more)


Case = Annotated[
    Path,
    typer.Argument(help='The case: a .json, .txt, .pdf or .docx file; "-" reads it from stdin.'),
]
Corpus = Annotated[str, typer.Option(help="Corpus to search; the casebook ships with the package.")]
ChromaHost = Annotated[
    str | None, typer.Option(help="Chroma server, as name:port or URL; embedded without it.")
]
Search = Annotated[
    str | None,
    typer.Option("--search", help="exact: compare all; chroma: candidates (default: SEARCH)."),
]
Models = Annotated[
    str,
    typer.Option(
        callback=_models,
        help="embedded: shipped models, no download; hub: public models; or the folder of a "
        "sentence-transformers model.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else.")]
TopK = Annotated[int | None, typer.Option(help="Precedents of a ranking (default: TOP_K, 10).")]
Criterion = Annotated[
    str,
    typer.Option(
        help="What verdicts rest on: threshold, or calibrated: the null floor, which takes longer."
    ),
]
Types = Annotated[
    str, typer.Option(help="Fact types to suppose otherwise, with commas (default: all).")
]
Threshold = Annotated[
    float | None,
    typer.Option(
        min=0.0, help="A fact beyond it moves the list (default: DISPOSITIVE_THRESHOLD, 1.5)."
    ),
]
Limit = Annotated[
    int | None, typer.Option(min=1, help="Only this many items of a set (default: all).")
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of draws, intervals and permutations.")]
Output = Annotated[
    Path | None, typer.Option(callback=_folder, help="Folder for the results; made if need be.")
]
Out = Annotated[
    Path | None, typer.Option(callback=_folder, help="Folder for the reports; made if need be.")
]
EngineName = Annotated[
    str | None,
    typer.Option(
        help="Where the work is done: plain, processes or ray (default: processes where there "
        "are several workers, else plain)."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, help="How many work at once (default: 1; one per core with processes or ray)."
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        help="Ray cluster, as host:port; without it one of its own on this machine alone."
    ),
]
YearFrom = Annotated[int | None, typer.Option(help="Only decisions from this year.")]
YearTo = Annotated[int | None, typer.Option(help="Only decisions up to this year.")]
Court = Annotated[str, typer.Option(help="Only this court; part of its name will do.")]
Bench = Annotated[str, typer.Option(help="Only decisions with this judge.")]
Provision = Annotated[str, typer.Option(help='Only decisions that cite it: IPC-302, "s. 302 IPC".')]
Area = Annotated[
    str, typer.Option(help="Only decisions of these areas of law, with commas: land,tax.")
]

GoodLaw = Annotated[
    bool, typer.Option("--good-law", help="Leave out what was overruled or superseded.")
]


def read_case_argument(case: Path, settings: Settings) -> FactSheet:
    """Return the case that a command is given: a file, or `-` for stdin.

    What comes from stdin is a case.json where it begins with a brace, and else a narrative.

    Raises:
        InputError: it cannot be read as a case; the message names the file or stdin.
    """
    most, tagger, longest = settings.MAX_INPUT_BYTES, settings.FACT_TAGGER, settings.longest()
    if str(case) != "-":
        from countercase.facts.case_file import read_case

        return read_case(case, most, tagger=tagger, longest=longest)
    from countercase.facts.case_file import sheet_from_case
    from countercase.facts.case_schema import parse_case
    from countercase.facts.documents import decode
    from countercase.facts.extraction import extract

    content = typer.get_binary_stream("stdin").read(most + 1)
    if len(content) > most:
        raise InputError(f"stdin gives more than the {most:,} bytes allowed; shorten it")
    if content.startswith(b"%PDF-"):
        raise InputError("stdin holds a PDF; give the path of the file instead")
    text = decode(content, Path("stdin")).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError("stdin is empty; pipe the facts of the case or a case.json into it")
    if text.lstrip().startswith("{"):
        return sheet_from_case(parse_case(text, "stdin"), "stdin", tagger=tagger, longest=longest)
    return extract(text, "stdin", tagger=tagger, longest=longest)


def filters_of(
    year_from: int | None, year_to: int | None, court: str, bench: str, provision: str,
    area: str = "", good_law: bool = False,
) -> Filters:  # fmt: skip
    """Return the filters that the options ask for.

    Raises:
        InputError: the years are the wrong way round, or the provision cannot be read.
    """
    from countercase.corpus.judgment.metadata import area_name
    from countercase.law.provisions import normal_form
    from countercase.retrieval.base import Filters

    if year_from is not None and year_to is not None and year_from > year_to:
        raise InputError(f"--year-from {year_from} is after --year-to {year_to}; swap them")
    cited = normal_form(provision) if provision else ""
    areas = tuple(dict.fromkeys(filter(None, map(area_name, area.split(",")))))
    return Filters(year_from, year_to, court, bench, cited, areas, good_law)


def fact_types_of(listed: str) -> tuple[str, ...]:
    """Return `Section,Evidence` as fact types, in the order of all tables; empty for all of them.

    Raises:
        InputError: a word names no fact type.
    """
    from countercase.registry import FACT_TYPES

    return names_of("--types", listed, FACT_TYPES.names(), "fact type") or FACT_TYPES.names()


def names_of(option: str, listed: str, known: Sequence[str], noun: str) -> tuple[str, ...]:
    """Return the names in a list with commas, in the order of `known`; upper and lower case are alike.

    Raises:
        InputError: a name is not known; the message gives the nearest.
    """
    by_word = {name.lower(): name for name in known}
    named = set()
    for word in filter(None, map(str.strip, listed.split(","))):
        if word.lower() not in by_word:
            nearest = did_you_mean(word, known)
            raise InputError(
                f"{option}: {word!r} is not a {noun} (known: {', '.join(known)}){nearest}"
            )
        named.add(by_word[word.lower()])
    return tuple(name for name in known if name in named)


def shared_out(settings: Settings, engine: Engine) -> Settings:
    """Return the settings of one worker: as many threads as leave room for the others, unless set."""
    if settings.THREADS or not engine.threads:
        return settings
    return settings.model_copy(update={"THREADS": engine.threads})


def engine_of_one(name: str | None, workers: int | None, address: str | None) -> Engine:
    """Return where the search for one case or text is done: here, or in shards on Ray.

    Raises:
        InputError: the options ask for several processes, which are for a folder of cases.
    """
    from countercase.engines.engine import choose_engine

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


Name = TypeVar("Name", bound=str)


def one_of(option: str, given: str, known: Sequence[Name]) -> Name:
    """Return `given`, if it is one of the `known` values of an option.

    Raises:
        InputError: it is not.
    """
    for name in known:
        if name == given:
            return name
    raise InputError(f"{option} {given!r}: choose {' or '.join(known)}")
