"""The protocol of a corpus reader, and what readers of every format share.

`countercase.corpus.readers.detect` asks the readers in the order of `registry.CORPUS_READERS`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from countercase.corpus.documents import Document
from countercase.corpus.judgment.metadata import unread_fields
from countercase.errors import InputError
from countercase.io import shown

OnDamaged: TypeAlias = Callable[[Path, InputError], None]
"""Called with a file of a folder that cannot be read, and why; the file is then skipped."""


class CorpusReader(Protocol):
    """Reads corpora of one format; `accepts` says in messages what the format looks like."""

    name: str
    accepts: str

    def reads(self, path: Path) -> bool:
        """Return whether `path`, an existing file or folder, is a corpus of this format."""

    def count(self, path: Path) -> int | None:
        """Return the number of documents, without reading their texts; None where that costs as much."""

    def documents(self, path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Document]:
        """Return the documents in a fixed order, streamed; None for `on_damaged` raises the error.

        InputError where a document is damaged or empty, with file, line or row, and field.
        """


def read_files(
    files: Iterable[Path], read: Callable[[Path], Iterator[Document]], on_damaged: OnDamaged | None
) -> Iterator[Document]:
    """Yield the documents of several files; a damaged one is reported and its rest is skipped."""
    for file in files:
        try:
            yield from read(file)
        except InputError as error:
            if on_damaged is None:
                raise
            on_damaged(file, error)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise as an InputError what a disk raises while a file is read, and text that is no UTF-8."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def files_below(path: Path, suffixes: tuple[str, ...]) -> tuple[Path, ...]:
    """Return files with these suffixes, `path` or below it, sorted, but no hidden ones or linked folders."""
    if path.is_file():
        return (path,) if path.suffix.lower() in suffixes else ()

    def stop(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be listed ({error.strerror})") from error

    files: list[Path] = []
    for root, folders, names in os.walk(path, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(root, name) for name in names if not name.startswith(".")]
    matching = [file for file in files if file.suffix.lower() in suffixes]
    return tuple(sorted(matching, key=lambda file: file.relative_to(path).parts))


def identifier(value: object, field: str, where: str) -> str:
    """Return an id as text, figures where it is a whole number; InputError where it is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = _filled(value, f"{where}: field {field}", "every row needs an id of its own")
    if not text.isprintable():
        raise InputError(f"{where}: field {field}: {text!r} holds control characters")
    return text


def _filled(value: object, what: str, advice: str) -> str:
    if value is None:
        raise InputError(f"{what} is missing; {advice}")
    if not isinstance(value, str):
        raise InputError(f"{what} must be a string, not {type_name(value)}")
    if not value.strip():
        raise InputError(f"{what} is empty; {advice}")
    return value


def filled_text(value: object, field: str, where: str) -> str:
    """Return a text; InputError where it is missing, blank, of another type, or no UTF-8 can hold it."""
    text = _filled(value, f"{where}: field {field}", "take the row out or give it a text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{where}: field {field} holds half of a surrogate pair at character {error.start}"
        ) from error
    return text


def document_of(row: Mapping[str, Any], id_key: str, where: str, told: set[str]) -> Document:
    """Make a document of a row, whose other keys join the metadata; InputError names a wrong field.

    A field of the metadata that cannot be read is a warning, unless `told` names it already.
    """
    given = {name: value for name, value in row.items() if value is not None}
    extra, title = given.get("metadata", {}), given.get("title", "")
    if not isinstance(extra, dict):
        raise InputError(f"{where}: field metadata must be an object, not {type_name(extra)}")
    if not isinstance(title, str):
        raise InputError(f"{where}: field title must be a string, not {type_name(title)}")
    known = (id_key, "title", "text", "metadata")
    metadata = {key: value for key, value in row.items() if key not in known} | extra
    for field in {*unread_fields(metadata)} - told:
        told.add(field)
        value = f"field {field}: {shown(metadata[field])} cannot be read, and is passed over"
        warnings.warn(f"{where}: {value}; later rows like it are not named", stacklevel=2)
    return Document(
        doc_id=identifier(row.get(id_key), id_key, where),
        title=title.strip(),
        text=filled_text(row.get("text"), "text", where),
        metadata=metadata,
    )


def type_name(value: object) -> str:
    """Return the type of a JSON value, in words."""
    numbers = {bool: "true or false", int: "a number", float: "a number"}
    names = numbers | {str: "a string", list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), type(value).__name__)
