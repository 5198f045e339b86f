"""Options that several commands share, and what their words mean."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.errors import InputError

if TYPE_CHECKING:
    from countercase.facts.model import FactTypeName
    from countercase.retrieval.base import Filters

Corpus = Annotated[
    str, typer.Option("--corpus", help="Corpus to search; the casebook ships with the package.")
]
ChromaHost = Annotated[
    str | None,
    typer.Option("--chroma-host", help="Chroma server, as name:port or URL; embedded without it."),
]
Models = Annotated[
    str,
    typer.Option("--models", help="embedded: shipped models, no download; hub: public models."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else.")]
TopK = Annotated[
    int | None, typer.Option("--top-k", help="Precedents of a ranking (default: TOP_K, 10).")
]
YearFrom = Annotated[int | None, typer.Option("--year-from", help="Only decisions from this year.")]
YearTo = Annotated[int | None, typer.Option("--year-to", help="Only decisions up to this year.")]
Court = Annotated[str, typer.Option("--court", help="Only this court; part of its name will do.")]
Bench = Annotated[str, typer.Option("--bench", help="Only decisions with this judge.")]
Provision = Annotated[
    str, typer.Option("--provision", help='Only decisions that cite it: IPC-302, "s. 302 IPC".')
]


def filters_of(
    year_from: int | None, year_to: int | None, court: str, bench: str, provision: str
) -> Filters:
    """The filters that the options ask for.

    Raises:
        InputError: the years are the wrong way round, or the provision cannot be read.
    """
    from countercase.law.provisions import normal_form
    from countercase.retrieval.base import Filters

    if year_from is not None and year_to is not None and year_from > year_to:
        raise InputError(f"--year-from {year_from} is after --year-to {year_to}; swap them")
    return Filters(
        year_from=year_from,
        year_to=year_to,
        court=court,
        bench=bench,
        provision=normal_form(provision) if provision else "",
    )


def fact_types_of(listed: str) -> tuple[FactTypeName, ...]:
    """`Section,Evidence` as fact types, in the fixed order; empty for all of them.

    Raises:
        InputError: a word names no fact type.
    """
    from countercase.facts.vocabulary import fact_type_names

    wanted = [word.strip() for word in listed.split(",") if word.strip()]
    known = {kind.lower(): kind for kind in fact_type_names()}
    for word in wanted:
        if word.lower() not in known:
            near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.4)
            meant = f"; did you mean {known[near[0]]}?" if near else ""
            raise InputError(
                f"--types: {word!r} is no fact type (known: {', '.join(known.values())}){meant}"
            )
    chosen = {word.lower() for word in wanted} or set(known)
    return tuple(kind for word, kind in known.items() if word in chosen)


def one_of(option: str, given: str, known: tuple[str, ...]) -> str:
    """`given`, if it is one of the `known` values of an option.

    Raises:
        InputError: it is not.
    """
    if given not in known:
        raise InputError(f"{option} {given!r}: choose {' or '.join(known)}")
    return given
