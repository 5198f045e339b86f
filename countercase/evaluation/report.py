"""What every evaluation hands over: measures with their verdicts, tables, plots and runs.

Measures and tables are declared once, in `data/measures.jsonl` and `data/tables.jsonl`: a key, a
sentence, a target, and what a reader must know; a section fills them. What has no score is None and
is left out of every figure; it is never 0.

Bounds that an evaluation must keep are a JSON object from the key of a measure to a number: the
least that it may be, or for a measure that should be small (`at_most`), the most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from countercase.errors import InputError, did_you_mean
from countercase.evaluation.sets import parse, read_text
from countercase.evaluation.statistics import Cells, Estimate
from countercase.io import read_table

Cell: TypeAlias = str | int | float | None
Verdict: TypeAlias = Literal["meets", "below", "above", "no target", "not measured"]
Run: TypeAlias = dict[str, dict[str, float]]
"""Query id -> document id -> score."""


@dataclass(frozen=True)
class Measure:
    """One figure with its 95% interval, its target and how it is to be read.

    Args:
        key: name in files, `retrieval.final.ndcg@10`; unique within an evaluation.
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
    """Named points of a plot; `low` and `high` are the ends of the intervals of bars, where known."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Plot:
    """A picture: bars at `labels`, or lines."""

    title: str
    kind: Literal["bars", "lines"]
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    labels: tuple[str, ...] = ()
    note: str = ""


@cache
def declared_measures() -> Mapping[str, Measure]:
    """Return the declared measures by key, their words in braces not yet filled in."""
    return {row.key: row for row in read_table("evaluation/measures", Measure)}


@cache
def declared_tables() -> Mapping[str, Table]:
    """Return the declared tables by key; a column `*` stands for those that only the data know."""
    rows = [dict(row) for row in read_table("evaluation/tables", dict)]
    return {row.pop("key"): Table(**row) for row in rows}


@dataclass
class Section:
    """Everything that one evaluation found; `details` are per-item results, ready for JSON."""

    name: str
    title: str
    measures: list[Measure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    runs: dict[str, Run] = field(default_factory=dict)

    def add_measure(self, key: str, figure: Estimate, /, **words: Any) -> None:
        """Fill the measure declared under `key` with its words in braces; those of a share are known."""
        row, n, (value, low, high) = declared_measures()[key], figure.n, figure.cells
        words = {"count": figure.count, "of": n, "rest": n - figure.count} | words
        key, title, note = (text.format(**words) for text in (key, row.title, row.note))
        filled = replace(row, key=key, title=title, value=value, n=n, low=low, high=high, note=note)
        self.measures.append(filled)

    def add_table(
        self, key: str, rows: Iterable[Iterable[Cell]], columns: Sequence[str] = (), /, **words: Any
    ) -> None:
        """Fill the table declared under `key`; `columns` stand for `*` among its columns."""
        row, names = declared_tables()[key], list[str]()
        for name in row.columns:
            names += columns if name == "*" else [name.format(**words)]
        title, note = row.title.format(**words), row.note.format(**words)
        self.tables.append(Table(title, tuple(names), tuple(map(tuple, rows)), note))

    def add_bars(
        self,
        title: str,
        x_title: str,
        y_title: str,
        labels: Sequence[str],
        heights: Mapping[str, Sequence[Cells]],
        note: str = "",
    ) -> None:
        """Make a plot of bars: by name of a series, a bar for each label and the ends of its interval.

        A height of None is an empty place. A series has intervals only where all its bars have.
        """
        series = []
        for name, row in heights.items():
            placed: Any = [(float(at), *bar) for at, bar in enumerate(row) if bar[0] is not None]
            x, y, low, high = zip(*placed, strict=True) if placed else [()] * 4
            low, high = ((), ()) if None in low else (low, high)
            series.append(Series(name, x, y, low, high))
        plot = Plot(title, "bars", x_title, y_title, tuple(series), tuple(labels), note)
        self.plots.append(plot)

    def to_dict(self) -> dict[str, Any]:
        """Return the section for JSON: measures with verdicts, tables, details; runs go to files."""
        measures = [asdict(it) | {"verdict": it.verdict} for it in self.measures]
        tables = list(map(asdict, self.tables))
        kept = {"measures": measures, "tables": tables, "details": self.details}
        return {"name": self.name, "title": self.title, **kept}


def read_bounds(path: Path) -> dict[str, float]:
    """Read the bounds of a file."""
    hint = '; give an object such as {"retrieval.final.mrr@10": 0.5}'
    form = dict[str, Annotated[float, Field(strict=True, allow_inf_nan=False)]]
    return parse(read_text(path), form, str(path), hint)


def failures(sections: Sequence[Section], bounds: Mapping[str, float]) -> list[str]:
    """Return a line for each measure that breaks its bound, as one that was not measured does."""
    measures = {measure.key: measure for section in sections for measure in section.measures}
    lines = []
    for key, bound in bounds.items():
        if key not in measures:
            raise InputError(f"bounds: no measure is called {key}{did_you_mean(key, measures)}")
        held = replace(measures[key], target=bound)
        if held.value is None:
            lines.append(f"{key}: not measured (bound {bound:g})")
        elif held.verdict != "meets":
            how = "at most" if held.at_most else "at least"
            lines.append(f"{key}: {held.value:.4f} ({how} {bound:g})")
    return lines
