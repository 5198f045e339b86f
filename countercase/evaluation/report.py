"""What every evaluation hands over: measures with their verdicts, tables, plots and runs.

One shape for all of them, so that the terminal, `eval.json`, `eval.md` and `eval.html` are each
written once. Bounds that an evaluation must keep, for use in continuous integration, are a JSON
object from the key of a measure to a number: the least that it may be, or for a measure that
should be small (`at_most`), the most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from countercase.errors import InputError, did_you_mean
from countercase.evaluation.sets import parse, read_text
from countercase.evaluation.statistics import Cells

Cell: TypeAlias = str | int | float | None
Verdict: TypeAlias = Literal["meets", "below", "above", "no target", "not measured"]
Run: TypeAlias = dict[str, dict[str, float]]
"""Query id -> document id -> score."""
Bound: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""The least or the most that a measure may be."""


@dataclass(frozen=True)
class Measure:
    """One figure with its interval, its target and how it is to be read.

    Args:
        key: name in files, `retrieval.final.ndcg@10`; unique within an evaluation.
        value: the figure, or None where nothing could be measured.
        low, high: 95% interval, or None where none is defined.
        n: what the mean is taken over (queries, facts, sentences).
        at_most: whether the target is an upper bound.
        note: what a reader must know, in one sentence.
    """

    key: str
    title: str
    value: float | None = None
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
        if self.value > self.target if self.at_most else self.value < self.target:
            return "above" if self.at_most else "below"
        return "meets"


@dataclass(frozen=True)
class Table:
    """Rows under columns; numbers stay numbers until they are printed."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()
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
    """A picture: bars at `labels`, points, or lines."""

    title: str
    kind: Literal["bars", "points", "lines"]
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    labels: tuple[str, ...] = ()
    note: str = ""


def bars(
    title: str,
    x_title: str,
    y_title: str,
    labels: Sequence[str],
    heights: Mapping[str, Sequence[Cells]],
    note: str = "",
) -> Plot:
    """Make a plot of bars.

    Args:
        heights: by name of a series, a bar for each label: its height, None for an empty place, and
            the ends of its interval. A series has intervals only where all its bars have.
    """
    series = []
    for name, row in heights.items():
        placed: Any = [(float(at), *cells) for at, cells in enumerate(row) if cells[0] is not None]
        x, y, low, high = zip(*placed, strict=True) if placed else [()] * 4
        low, high = ((), ()) if None in low else (low, high)
        series.append(Series(name, x, y, low, high))
    return Plot(title, "bars", x_title, y_title, tuple(series), tuple(labels), note)


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
        """Return the section for JSON: measures with verdicts, tables, details; runs go to files."""
        return {
            "name": self.name,
            "title": self.title,
            "measures": [asdict(it) | {"verdict": it.verdict} for it in self.measures],
            "tables": [asdict(table) for table in self.tables],
            "details": self.details,
        }


def read_bounds(path: Path) -> dict[str, float]:
    """Read the bounds of a file."""
    hint = '; give an object such as {"retrieval.final.mrr@10": 0.5}'
    return parse(read_text(path), dict[str, Bound], str(path), hint)


def failures(sections: Sequence[Section], bounds: Mapping[str, float]) -> list[str]:
    """Return a line for each measure that breaks its bound, as one that was not measured does.

    Raises:
        InputError: a bound names no measure of these sections.
    """
    measures = {measure.key: measure for section in sections for measure in section.measures}
    lines = []
    for key, bound in bounds.items():
        if key not in measures:
            raise InputError(f"bounds: no measure is called {key}{did_you_mean(key, measures)}")
        value, at_most = measures[key].value, measures[key].at_most
        if value is None:
            lines.append(f"{key}: not measured (bound {bound:g})")
        elif value > bound if at_most else value < bound:
            lines.append(f"{key}: {value:.4f} ({'at most' if at_most else 'at least'} {bound:g})")
    return lines
