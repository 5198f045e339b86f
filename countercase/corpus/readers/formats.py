"""Readers of single files (plain text, PDF with a text layer, Word), of Parquet tables and of TREC."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from countercase.corpus.documents import Document
from countercase.corpus.readers import base
from countercase.errors import InputError
from countercase.facts.documents import SUFFIXES, read_document
from countercase.io import parse_json

MAX_FILE_BYTES: Final = 200_000_000
"""The largest single judgment that is read; a scan with a text layer may be large."""


@dataclass(frozen=True)
class JudgmentFile:
    """A judgment in a file of its own, not read yet."""

    doc_id: str
    path: Path

    @property
    def size(self) -> int:
        """Bytes of the file; 0 where it is not there."""
        return self.path.stat().st_size if self.path.is_file() else 0  # `read` says what is wrong

    def read(self) -> Document:
        """Return the judgment, its title left for the metadata to find; InputError if it cannot be read."""
        read = read_document(self.path, MAX_FILE_BYTES)
        pages = read.pages if self.path.suffix.lower() == ".pdf" else ()
        doc_id = base.identifier(self.doc_id, "name", str(self.path))
        return Document(doc_id, "", read.text, {}, pages)


class FilesReader:
    """A folder of `.txt`, `.pdf` and `.docx` files at any depth; ids are relative paths without suffix."""

    name = "files"
    accepts = "a folder of .txt, .pdf and .docx files"

    def reads(self, path: Path) -> bool:
        return path.is_dir() and bool(base.files_below(path, SUFFIXES))

    def count(self, path: Path) -> int | None:
        return len(base.files_below(path, SUFFIXES))

    def unread(self, path: Path) -> Iterator[JudgmentFile]:
        """Yield the files of a folder, sorted by path."""
        for file in base.files_below(path, SUFFIXES):
            yield JudgmentFile(file.relative_to(path).with_suffix("").as_posix(), file)

    def documents(self, path: Path, on_damaged: base.OnDamaged | None = None) -> Iterator[Document]:
        unread = {file.path: file for file in self.unread(path)}
        return base.read_files(unread, lambda file: iter([unread[file].read()]), on_damaged)


_ID_COLUMNS: Final = ("_id", "id")
_BATCH_ROWS: Final = 64
"""Rows held in memory at a time; a judgment may run to a megabyte."""


@dataclass(frozen=True)
class _FormatReader:
    """A file of a format of many documents, or the files of a folder that `find` finds."""

    name: str
    accepts: str
    find: Callable[[Path], Sequence[Path]]
    read: Callable[[Path], Iterator[Document]]
    count: Callable[[Path], int | None]

    def reads(self, path: Path) -> bool:
        return bool(self.find(path))

    def documents(self, path: Path, on_damaged: base.OnDamaged | None = None) -> Iterator[Document]:
        return base.read_files(self.find(path), self.read, on_damaged)


def _parquet_files(path: Path) -> tuple[Path, ...]:
    """Return the `.parquet` files of a folder, at any depth; InputError where texts are there too."""
    tables = base.files_below(path, (".parquet",))
    if tables and (texts := base.files_below(path, SUFFIXES)):
        raise InputError(
            f"{path}: holds both {tables[0].name} and {texts[0].name}; "
            "give a folder with Parquet files only or with texts only"
        )
    return tables


def _count_rows(path: Path) -> int | None:
    """Return the number of rows of the files, from their footers; None where one cannot be read."""
    try:
        return sum(int(_open_parquet(file).metadata.num_rows) for file in _parquet_files(path))
    except InputError:
        return None


def read_parquet(path: Path) -> Iterator[Document]:
    """Read the documents of a Parquet file in row order; InputError names the row (from 1) and column."""
    import pyarrow as pa

    file = _open_parquet(path)
    names = file.schema_arrow.names
    id_column = next((name for name in _ID_COLUMNS if name in names), None)
    if id_column is None or "text" not in names:
        missing = "text" if id_column else " or ".join(_ID_COLUMNS)
        raise InputError(f"{path}: column {missing} is missing; it has {', '.join(names)}")
    number, told = 0, set[str]()
    try:
        for batch in file.iter_batches(batch_size=_BATCH_ROWS):
            for row in batch.to_pylist():
                number += 1
                where = f"{path}, row {number}"
                if isinstance(row.get("metadata"), str):
                    row["metadata"] = parse_json(row["metadata"], f"{where}: field metadata")
                filled = {
                    name: value
                    if name in (id_column, "title", "text")
                    # Dates and other types that JSON lacks become their text, NaN null.
                    else json.loads(json.dumps(value, default=str), parse_constant=lambda _: None)
                    for name, value in row.items()
                    if value is not None
                }
                yield base.document_of(filled, id_column, where, told)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}, after row {number}: damaged Parquet ({error})") from error


def _open_parquet(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():  # it would never end, or is not there
        raise InputError(f"{path}: a pipe, a device or a broken link, no file")
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not readable as Parquet ({error})") from error


_OPENING: Final = re.compile("<DOC>", re.I)
_DOCUMENT: Final = re.compile(r"<DOC>([^<]*(?:<(?!/?DOC>)[^<]*)*)</DOC>", re.I)
_DOCNO: Final = re.compile(r"<DOCNO>([^<]*(?:<(?!/?DOCNO>)[^<]*)*)</DOCNO>", re.I)
_HEADING: Final = r"(?:TITLE|HEAD|HEADLINE)>"
_TITLE: Final = re.compile(rf"<{_HEADING}([^<]*(?:<(?!/|{_HEADING})[^<]*)*)</", re.I)
_BODY: Final = re.compile(r"<TEXT>([^<]*(?:<(?!/?TEXT>)[^<]*)*)</TEXT>", re.I)
_TAG: Final = re.compile(r"<[^<>]*>")


def _trec_files(path: Path) -> list[Path]:
    """Return a file of <DOC> elements, or the files of a folder that open with one."""
    found = []
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        if file.is_file():
            with base.reading(file), file.open("rb") as stream:
                if stream.read(64).lstrip().lower().startswith(b"<doc>"):
                    found.append(file)
    return found


def _read_trec(path: Path) -> Iterator[Document]:
    """Yield the <DOC> elements of a file, each with <DOCNO>, a title and <TEXT>."""
    with base.reading(path):
        text = path.read_text(encoding="utf-8-sig")
    for at, opened in enumerate(_OPENING.finditer(text), start=1):
        element, where = _DOCUMENT.match(text, opened.start()), f"{path}, document {at}"
        body = element[1] if element else text[opened.end() :]
        number, title = _DOCNO.search(body), _TITLE.search(body)
        if element is None:
            named = f" ({number[1].strip()})" if number else ""
            raise InputError(f"{where}{named}: its <DOC> is not closed; is the file cut off?")
        texts = " ".join(part[1] for part in _BODY.finditer(body))
        yield Document(
            doc_id=base.identifier(number[1].strip() if number else None, "DOCNO", where),
            title=" ".join(_plain_text(title[1]).split()) if title else "",
            text=base.filled_text(_plain_text(texts).strip(), "TEXT", where),
        )


def _plain_text(markup: str) -> str:
    return html.unescape(_TAG.sub(" ", markup))


FILES: Final = FilesReader()
PARQUET: Final = _FormatReader(
    "parquet", ".parquet files", _parquet_files, read_parquet, _count_rows
)
TREC: Final = _FormatReader(
    "trec", "files of TREC's <DOC> elements", _trec_files, _read_trec, lambda path: None
)
