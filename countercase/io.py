"""Folders and files: where CounterCase keeps what it makes, and the tables that it ships.

The tables are package data, one JSON object a line, so that a lawyer can check or extend them
without reading code.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

from countercase.errors import ConfigError, InputError, StoreError

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much (0: unknown)."""


def tell(progress: Progress | None, what: str, done: int, of: int) -> None:
    """Report progress where there is anybody to report it to."""
    if progress is not None:
        progress(what, done, of)


_LONGEST_HOME: Final = 1_000


def cache_root() -> Path:
    """The folder for everything that can be made again: `COUNTERCASE_HOME`, or else the user's cache.

    ConfigError where it is a relative path, which would change with the working directory, or too long.
    """
    chosen = os.environ.get("COUNTERCASE_HOME")
    if chosen:
        if Path(chosen).is_absolute() and len(chosen) <= _LONGEST_HOME:
            return Path(chosen)
        hint = f"a path of {len(chosen):,} characters; give one of at most {_LONGEST_HOME:,}"
        if not Path(chosen).is_absolute():
            hint = f"a relative path; give an absolute one, such as {Path.cwd() / chosen}"
        raise ConfigError(f"COUNTERCASE_HOME is {shown(chosen)}, {hint}")
    from platformdirs import user_cache_path

    return user_cache_path("countercase", appauthor=False)


def make_folder(path: Path) -> Path:
    """`path`, made with its parents; StoreError where it cannot be made or written."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        way = "give COUNTERCASE_HOME a new" if path.is_relative_to(cache_root()) else "name another"
        raise StoreError(f"{path}: cannot be made ({error.strerror}); {way} folder") from error
    return path


def json_text(document: Any) -> str:
    """`document` as every JSON file of the project is written; keys keep their order."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


DEEPEST: Final = 100
LONGEST_SHOWN: Final = 60
"""Lists in one another in a JSON file, and characters of a value that a message quotes, at most."""


def parse_json(text: str, where: str) -> Any:
    """The JSON value in `text`, from a file that others may have written.

    InputError, with `where` for file and line, where it is no JSON, gives a key twice in an object, is
    nested more than `DEEPEST` deep, or holds a number that is not finite or half of a surrogate pair.
    """
    try:
        value = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
        if _depth(value) > DEEPEST:
            raise RecursionError
        if "\\u" in text and (place := _half_pair(value)) is not None:
            raise InputError(
                f"{where}: {place}holds half of a surrogate pair, which is no character; take it out"
            )
    except (RecursionError, ValueError) as error:
        why = f"not usable JSON ({error})"
        if isinstance(error, RecursionError):
            why = f"nested too deeply; at most {DEEPEST} levels are read"
        elif isinstance(error, json.JSONDecodeError):
            place = f"line {error.lineno}, column {error.colno}"
            why = f"not valid JSON at {place}: {error.msg}; is it cut off?"
        raise InputError(f"{where}: {why}") from error
    return value


def _half_pair(value: Any) -> str | None:
    """Where a value holds half of a surrogate pair: `field text: `; None where it holds none."""
    for name, part in value.items() if isinstance(value, dict) else [("", value)]:
        if any("\ud800" <= it <= "\udfff" for it in json.dumps([name, part], ensure_ascii=False)):
            return f"field {name!a}: ".replace("'", "") if name else ""
    return None


def _depth(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, parts), default=0) if isinstance(value, (dict, list)) else 0


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f'the key "{key}" is given twice in one object; keep one of them')
        members[key] = value
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def read_literal(expression: str | ast.expr) -> Any:
    """The value of a Python literal, which is read and never run.

    ValueError where it is none: a call, a name, an unhashable key, or too deep to be read.
    """
    try:
        return ast.literal_eval(expression)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError("not a literal") from error


def shown(value: object) -> str:
    """`value` for a message, cut where it is long."""
    try:
        words = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits
        return f"a {type(value).__name__} too long to show"
    return words if len(words) <= LONGEST_SHOWN else f"{words[:LONGEST_SHOWN]}…"


def write_files(folder: Path, texts: Mapping[str, str | bytes]) -> list[Path]:
    """Write texts or bytes, by file name, into `folder`; returns the files in that order.

    All are complete before any is moved to its place; a StoreError leaves what stood there before.
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
        space = "" if isinstance(error, IsADirectoryError) else "free some space or "
        where = error.filename2 or folder  # the file that was to be replaced
        advice = f"{space}name another folder"
        raise StoreError(f"{where}: cannot be written ({error.strerror}); {advice}") from error
    finally:
        for staging, _ in staged:
            with contextlib.suppress(OSError):  # the first error is the one to report
                staging.unlink()
    return [target for _, target in staged]


Row = TypeVar("Row")


def read_table(name: str, row: type[Row]) -> tuple[Row, ...]:
    """The rows of a packaged table as instances of `row`, a dataclass or `dict`, in file order.

    `law/neighbours` is `countercase/law/data/neighbours.jsonl`. ValueError where a line does not fit.
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
                rows.append(row(**dict(zip(fields, _frozen(fields.values()), strict=True))))
            except (TypeError, ValueError) as error:
                raise ValueError(f"{folder}/data/{table}.jsonl, line {number}: {error}") from error
    return tuple(rows)


def _frozen(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([_frozen(it) if isinstance(it, list) else it for it in values])
