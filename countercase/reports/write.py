"""Write the reports of an analysis into a folder, each file whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from countercase.errors import InputError
from countercase.facts.model import Side
from countercase.io import write_files
from countercase.registry import REPORT_FORMATS
from countercase.reports.view import View
from countercase.session import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ReportFormat: TypeAlias = Mapping[str, Callable[[View], str | bytes]]
"""A report format: the files that it writes, by name, each with what makes it of a view."""


def reports(
    result: Result, formats: Sequence[str] = (), side: Side = "petitioner"
) -> dict[str, str | bytes]:
    """Return the reports of an analysis by file name.

    Args:
        formats: names of registered formats; by default all but `terminal`, which is for the screen.
        side: the side that the reader acts for.

    Raises:
        ConfigError: a format that nobody registered.
    """
    names = formats or [name for name in REPORT_FORMATS.names() if name != "terminal"]
    view = View(result, side)
    return {file: make(view) for name in names for file, make in REPORT_FORMATS.get(name).items()}


def plot(result: Result, name: str) -> Figure:
    """Return the drawing `facts`, `tree` or `compare` as a matplotlib figure.

    Raises:
        InputError: nothing was measured.
    """
    view = View(result)
    if not view.facts or name not in view.drawings:
        raise InputError("nothing was measured, so there is nothing to plot")
    return view.drawings[name].plot(view.title)


def write_reports(
    result: Result, out: Path, formats: Sequence[str] = (), side: Side = "petitioner"
) -> list[Path]:
    """Write the `reports` into `out`.

    Raises:
        ConfigError: a format that nobody registered.
        StoreError: see `write_files`.
    """
    return write_files(out, reports(result, formats, side))
