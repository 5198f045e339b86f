"""Labelled sets of `tests/gold`, one row a line; `rule` says in words what a row is an example of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

GOLD = Path(__file__).resolve().parents[1] / "gold"
_Test = TypeVar("_Test", bound=Callable[..., None])


def read_rows(name: str) -> list[dict[str, Any]]:
    """Read the rows of a set."""
    lines = (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def labelled(name: str) -> Callable[[_Test], _Test]:
    """Run a test once for each row of a set; a list within a list of the file is a tuple."""
    rows = read_rows(name)
    names = [key for key in rows[0] if key != "rule"]
    return pytest.mark.parametrize(names, [[_value(row[key]) for key in names] for row in rows])


def _value(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [tuple(part) if isinstance(part, list) else part for part in value]
