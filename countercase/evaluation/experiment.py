"""One experiment under all evaluations: systems × cases × measures × tests.

`run_cases` runs a system on every case and takes up what an earlier run stored. Measures and tables
are declared once, in `data/measures.jsonl` and `data/tables.jsonl`: a key, a sentence, a target, and
what a reader must know; `measure` and `table` fill them. Intervals and tests are in `statistics` and
`over_cases`. What has no score is None and is left out of every figure; it is never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from countercase.engines.engine import PLAIN, Engine
from countercase.engines.work import Failed
from countercase.evaluation.report import Cell, Measure, Table
from countercase.evaluation.result_store import ResultStore, fingerprint
from countercase.evaluation.statistics import Estimate, Rate
from countercase.io import Progress, read_table

_Case = TypeVar("_Case")


def run_cases(
    cases: Sequence[_Case],
    run: Callable[[_Case], Any],
    identify: Callable[[_Case], Sequence[Any]],
    store: ResultStore | None = None,
    progress: Progress | None = None,
    what: str = "cases",
    engine: Engine = PLAIN,
    is_enough: Callable[[Any], bool] = lambda stored: True,
) -> list[Any]:
    """Return the result of every case as JSON values: what is stored, or what `run` gives now.

    Args:
        run: what can be pickled, unless the engine is plain.
        identify: the JSON values that make a case the one it is; other values, another result.
        store: made with everything else that results depend on; each is stored as it comes.
        what: the cases as progress calls them.
        is_enough: whether a stored result will do.

    Raises:
        CounterCaseError: a case failed; those finished before it are stored.
        KeyboardInterrupt: a case was broken off; those finished before it are stored.
    """
    keys = [fingerprint(*identify(case)) for case in cases]
    results = [store.get(key) if store else None for key in keys]
    missing = [at for at, found in enumerate(results) if found is None or not is_enough(found)]
    done = len(cases) - len(missing)

    def receive(number: int, result: Any) -> None:
        nonlocal done
        if isinstance(result, Failed):
            raise result.error
        at = missing[number]
        results[at], done = result, done + 1
        if store:
            store.put(keys[at], result)
        if progress:
            progress(what, done, len(cases))

    if progress:
        progress(what, done, len(cases))
    if missing:
        engine.run(run, [cases[at] for at in missing], receive)
    return results


@dataclass(frozen=True)
class Declaration:
    """A measure or a table as it is declared; words in braces are filled in.

    Attributes:
        columns: of a table; `*` stands for the columns that only the data know.
        target, at_most: of a measure; see `Measure`.
    """

    key: str
    title: str
    note: str = ""
    columns: tuple[str, ...] = ()
    target: float | None = None
    at_most: bool = False


@cache
def declarations(name: str) -> Mapping[str, Declaration]:
    """Return the rows of `measures` or `tables` by their keys, before words are filled in."""
    return {row.key: row for row in read_table(f"evaluation/{name}", Declaration)}


def measure(key: str, figure: Rate | Estimate, /, **words: Any) -> Measure:
    """Fill the measure declared under `key`.

    Args:
        words: what the declaration names in braces; the `{count}`, `{of}` and `{rest}` of a rate
            are known.
    """
    row = declarations("measures")[key]
    if isinstance(figure, Rate):
        words |= {"count": figure.count, "of": figure.of, "rest": figure.of - figure.count}
    key, title, note = (text.format(**words) for text in (key, row.title, row.note))
    return Measure.of(key, title, figure, target=row.target, at_most=row.at_most, note=note)


def table(
    key: str, rows: Iterable[Iterable[Cell]], columns: Sequence[str] = (), /, **words: Any
) -> Table:
    """Fill the table declared under `key`.

    Args:
        columns: what stands for `*` among its columns.
        words: what the declaration names in braces.
    """
    row = declarations("tables")[key]
    names: list[str] = []
    for name in row.columns:
        names += columns if name == "*" else [name.format(**words)]
    title, note = row.title.format(**words), row.note.format(**words)
    return Table(title, tuple(names), tuple(map(tuple, rows)), note)
