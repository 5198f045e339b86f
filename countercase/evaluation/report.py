"""What every evaluation hands over: measures with their verdicts, tables, plots and runs.

What every evaluation hands over: measures with their verdicts, tables, plots and runs.

One shape for all of them, so that the terminal, `eval.json`, `eval.md` and `eval.html` are each
written once.

Bounds that an evaluation must keep, for use in continuous integration.

A bounds file is a JSON object from the key of a measure to a number: the least that it may be, or
for a measure that should be small (`at_most`), the most.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from countercase.errors import InputError

Cell: TypeAlias = str | int | float | None


Verdict: TypeAlias = Literal["meets", "below", "above", "no target", "not measured"]


Run: TypeAlias = dict[str, dict[str, float]]


"""Query id -> document id -> score."""


@dataclass(frozen=True)
class Measure:
    """One figure with its interval, its target and how it is to be read.

    Args:
        key: name in files, `retrieval.final.ndcg@10`; unique within an evaluation.
        title: name for people.
        value: the figure, or None where nothing could be measured.
        low, high: 95% interval, or None where none is defined.
        n: what the mean is taken over (queries, facts, sentences).
        target: what is aimed at, or None.
        at_most: whether the target is an upper bound.
        note: what a reader must know, in one sentence.
    """

    key: str
    title: str
    value: float | None
    n: int = 0
    low: float | None = None
    high: float | None = None
    target: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """The value against its target."""
        if self.value is None:
            return "not measured"
        if self.target is None:
            return "no target"
        if self.at_most:
            return "meets" if self.value <= self.target else "above"
        return "meets" if self.value >= self.target else "below"


@dataclass(frozen=True)
class Table:
    """Rows under columns; numbers stay numbers until they are printed."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Series:
    """Named points of a plot; `low` and `high` are the ends of intervals, where there are any."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Plot:
    """A picture: bars at `labels`, points, or lines.

    Args:
        labels: the words under the bars; empty for points and lines.
    """

    title: str
    kind: Literal["bars", "points", "lines"]
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    labels: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Section:
    """Everything that one evaluation found.

    Args:
        name: `retrieval`, `counterfactual`, ...
        details: per-item results, ready for JSON.
        runs: rankings by name, for TREC files.
    """

    name: str
    title: str
    measures: tuple[Measure, ...]
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    runs: dict[str, Run] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The section for JSON: measures with verdicts, tables and details; runs go to files."""
        return {
            "name": self.name,
            "title": self.title,
            "measures": [asdict(one) | {"verdict": one.verdict} for one in self.measures],
            "tables": [asdict(table) for table in self.tables],
            "details": self.details,
        }


def read_bounds(path: Path) -> dict[str, float]:
    """The bounds of a file.

    Raises:
        InputError: it cannot be read, or is not an object of numbers.
    """
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(given, dict):
        raise InputError(f'{path}: must be an object such as {{"retrieval.final.mrr@10": 0.5}}')
    for key, value in given.items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value):
            raise InputError(f"{path}: {key}: must be a number, not {value!r}")
    return {key: float(value) for key, value in given.items()}


def failures(sections: Sequence[Section], bounds: Mapping[str, float]) -> list[str]:
    """A line for each measure that does not keep its bound; one that was not measured does not.

    Raises:
        InputError: a bound names no measure of these sections.
    """
    measures = {one.key: one for section in sections for one in section.measures}
    lines = []
    for key, bound in bounds.items():
        if key not in measures:
            near = difflib.get_close_matches(key, measures, n=1, cutoff=0.5)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InputError(f"--fail-under: no measure is called {key}{meant}")
        one = measures[key]
        if one.value is None:
            lines.append(f"{key}: not measured (bound {bound:g})")
        elif one.value > bound if one.at_most else one.value < bound:
            lines.append(
                f"{key}: {one.value:.4f} ({'at most' if one.at_most else 'at least'} {bound:g})"
            )
    return lines
