"""Folders and files: where CounterCase keeps what it makes, and the tables that it ships.

The tables are package data, one JSON object a line, so that a lawyer can check or extend them
without reading code.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from countercase.errors import StoreError

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much (0: unknown)."""


def cache_root() -> Path:
    """The folder for everything that can be made again: `COUNTERCASE_HOME`, else the
    platform's own cache folder for `countercase`."""
    chosen = os.environ.get("COUNTERCASE_HOME")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("countercase", appauthor=False)


def make_folder(path: Path) -> Path:
    """`path`, made with its parents.

    Raises:
        StoreError: it cannot be made or written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be made ({error.strerror}); name another folder, or for the cache set "
            "COUNTERCASE_HOME"
        ) from error
    return path


def json_text(document: Any) -> str:
    """`document` as every JSON file of the project is written; keys keep their order."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_files(folder: Path, texts: Mapping[str, str | bytes]) -> list[Path]:
    """Write texts or bytes, by file name, into `folder`; returns the files in that order.

    All are written beside their places first and moved there only when every one is complete.

    Raises:
        StoreError: the folder cannot be made or written (a full disk, no permission); what
            stood there before is as it was.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            staging = folder / f".{name}.{os.getpid()}.new"
            staged.append((staging, folder / name))
            data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
            with staging.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        for staging, target in staged:
            staging.replace(target)
    except OSError as error:
        raise StoreError(
            f"{folder}: cannot be written ({error.strerror}); free some space or name another folder"
        ) from error
    finally:
        for staging, _ in staged:
            with contextlib.suppress(OSError):  # the first error is the one to report
                staging.unlink()
    return [target for _, target in staged]


Row = TypeVar("Row")


def read_table(name: str, row: type[Row]) -> tuple[Row, ...]:
    """The rows of a packaged table as instances of the dataclass `row`, in file order.

    Args:
        name: `law/neighbours` for `countercase/law/data/neighbours.jsonl`.


    Raises:
        ValueError: a line that does not fit the row; the message names file and line.
    """
    return cast("tuple[Row, ...]", _rows(name, cast("Any", row)))


@cache
def _rows(name: str, row: type[object]) -> tuple[object, ...]:
    rows: list[object] = []
    folder, _, table = name.rpartition("/")
    text = (files(__package__) / folder / "data" / f"{table}.jsonl").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                fields: dict[str, Any] = json.loads(line)
                rows.append(row(**{key: _frozen(value) for key, value in fields.items()}))
            except (TypeError, ValueError) as error:
                raise ValueError(f"{folder}/data/{table}.jsonl, line {number}: {error}") from error
    return tuple(rows)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
