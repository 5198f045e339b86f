"""JSON files of benchmarks, read and checked; errors name the file, the line and the field."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from countercase.errors import InputError

_Form = TypeVar("_Form")


class Row(BaseModel):
    """A record of a benchmark; keys beside its fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


def read_text(path: Path, encodings: Sequence[str] = ("utf-8",)) -> str:
    """The text of a file in the first encoding that fits, without a byte order mark.

    Raises:
        InputError: the file cannot be read or decoded, or an encoding is not known.
    """
    try:
        names = [codecs.lookup(name).name for name in encodings]
        raw = path.read_bytes()
    except LookupError as error:
        raise InputError(f"--encoding: {error}; utf-8 and gb18030 are usual") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    for name in names:
        with suppress(UnicodeDecodeError):
            return raw.decode("utf-8-sig" if name == "utf-8" else name)
    raise InputError(
        f"{path}: not {' or '.join(encodings)}; save it as UTF-8, or name its --encoding"
    )


def read_json(path: Path, form: type[_Form]) -> _Form:
    """The content of a JSON file.

    Raises:
        InputError: the file cannot be read or is not of that form.
    """
    return parse(read_text(path), form, str(path))


def read_json_lines(
    path: Path, form: type[_Form], encodings: Sequence[str] = ("utf-8",)
) -> Iterator[tuple[str, int, _Form]]:
    """The records of a JSON Lines file with their place (`file, line n`) and line number.

    Raises:
        InputError: the file cannot be read, or a line is not of that form.
    """
    for number, line in enumerate(read_text(path, encodings).split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, number, parse(line, form, where)


def parse(text: str, form: type[_Form], where: str) -> _Form:
    """A JSON text as a value of type `form`.

    Raises:
        InputError: it is not JSON, or not of that form.
    """
    try:
        return cast("_Form", _adapter(cast("Any", form)).validate_json(text))
    except ValidationError as error:
        raise InputError(f"{where}: {first_error(error)}") from error


def first_error(error: ValidationError) -> str:
    """The first thing that a validation objects to, with its field."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return f"not valid JSON ({first['ctx']['error']})"
    field = ".".join(str(part) for part in first["loc"])
    return f"field {field}: {first['msg']}" if field else first["msg"]


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    return TypeAdapter(form)
