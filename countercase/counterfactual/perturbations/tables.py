"""The tables of law behind the rules: one JSON object a line, read into frozen rows.

They are package data, so that a lawyer can check or extend them without reading code.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar, cast

Row = TypeVar("Row")


def read_table(name: str, row: type[Row]) -> tuple[Row, ...]:
    """The rows of `data/<name>.jsonl`, in file order, as instances of the dataclass `row`.

    Raises:
        ValueError: a line that does not fit the row; the message names file and line.
    """
    return cast("tuple[Row, ...]", _rows(name, cast("Any", row)))


@cache
def _rows(name: str, row: type[object]) -> tuple[object, ...]:
    rows: list[object] = []
    text = (files(__package__) / "data" / f"{name}.jsonl").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                fields: dict[str, Any] = json.loads(line)
                rows.append(row(**{key: _frozen(value) for key, value in fields.items()}))
            except (TypeError, ValueError) as error:
                raise ValueError(f"data/{name}.jsonl, line {number}: {error}") from error
    return tuple(rows)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
