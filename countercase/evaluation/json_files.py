"""JSON and JSON Lines files of people, read and checked; errors name file, line and field."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from countercase.errors import InputError

_Form = TypeVar("_Form")


class Row(BaseModel):
    """A record of a benchmark; keys beside its fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


def read_text(
    path: Path, encodings: Sequence[str] = ("UTF-8",), hint: str = "save it as UTF-8"
) -> str:
    """Read a file in the first encoding that fits, without a byte order mark, line ends kept.

    Args:
        hint: what to do where none fits.
    """
    try:
        names = [codecs.lookup(name).name for name in encodings]
        raw = path.read_bytes()
    except LookupError as error:
        raise InputError(f"--encoding: {error}; utf-8 and gb18030 are usual") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    place = 0
    for name in names:
        try:
            return raw.decode("utf-8-sig" if name == "utf-8" else name)
        except UnicodeDecodeError as error:
            place = error.start
    raise InputError(f"{path}: not {' or '.join(encodings)} at byte {place}; {hint}")


def read_json(path: Path, form: type[_Form]) -> _Form:
    """Read a JSON file as a value of type `form`."""
    return parse(read_text(path), form, str(path))


def read_rows(
    path: Path, form: type[_Form], encodings: Sequence[str] = ("UTF-8",), hint: str = ""
) -> Iterator[tuple[str, int, _Form]]:
    """Read the rows of a JSON Lines file, each with its place (`file, line n`) and line number."""
    save = "save it as UTF-8" + (
        "" if tuple(encodings) == ("UTF-8",) else ", or name its --encoding"
    )
    for number, line in enumerate(read_text(path, encodings, save).split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, number, parse(line, form, where, hint)


def json_lines(rows: Iterable[object]) -> str:
    """Write rows as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def parse(text: str, form: type[_Form], where: str, hint: str = "") -> _Form:
    """Read a JSON text as a value of type `form`."""
    try:
        return cast("_Form", _adapter(cast("Any", form)).validate_json(text))
    except ValidationError as error:
        raise InputError(f"{where}: {first_error(error)}{hint}") from error


def first_error(error: ValidationError) -> str:
    """Say the first thing that a validation objects to, with its field."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return f"not valid JSON ({first['ctx']['error']})"
    field = ".".join(str(part) for part in first["loc"])
    return f"field {field}: {first['msg']}" if field else first["msg"]


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    return TypeAdapter(form)
