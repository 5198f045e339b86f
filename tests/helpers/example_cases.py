"""The cases of `examples/`, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from countercase.facts.case_file import read_case
from countercase.facts.model import FactSheet

FOLDER = Path(__file__).resolve().parents[2] / "examples"
NAMES = tuple(path.name for path in sorted(FOLDER.iterdir()) if path.suffix in (".json", ".txt"))


@cache
def example(name: str) -> FactSheet:
    """The fact sheet of an example, by its file name."""
    return read_case(FOLDER / name)
