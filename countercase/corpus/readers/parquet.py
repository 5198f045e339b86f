"""Parquet corpora: one judgment a row, read batch by batch with pyarrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from countercase.corpus.documents import JSON, Document
from countercase.corpus.readers import base
from countercase.errors import InputError
from countercase.facts.documents import SUFFIXES
from countercase.io import parse_json

ID_COLUMNS: Final = ("_id", "id")
BATCH_ROWS: Final = 64
"""Rows held in memory at a time; a judgment may run to a megabyte."""


class _ParquetReader:
    """A `.parquet` file, or a folder of them at any depth."""

    name = "parquet"
    accepts = ".parquet files"

    def reads(self, path: Path) -> bool:
        return bool(base.files_below(path, (base.PARQUET_SUFFIX,)))

    def count(self, path: Path) -> int | None:
        """Return the number of rows of the files, from their footers; None where one cannot be read."""
        try:
            return sum(int(_open(file).metadata.num_rows) for file in self._files(path))
        except InputError:
            return None

    def documents(self, path: Path, on_damaged: base.OnDamaged | None = None) -> Iterator[Document]:
        return base.read_files(self._files(path), read_parquet, on_damaged)

    def _files(self, path: Path) -> tuple[Path, ...]:
        tables = base.files_below(path, (base.PARQUET_SUFFIX,))
        if texts := base.files_below(path, SUFFIXES):
            raise InputError(
                f"{path}: holds both {tables[0].name} and {texts[0].name}; "
                "give a folder with Parquet files only or with texts only"
            )
        return tables


READER: Final = _ParquetReader()


def read_parquet(path: Path) -> Iterator[Document]:
    """Read the documents of one Parquet file in row order; `metadata` may be an object or its JSON.

    InputError, with file, row (from 1) and column, where one is damaged or missing.
    """
    file = _open(path)
    names = file.schema_arrow.names
    id_column = next((name for name in ID_COLUMNS if name in names), None)
    if id_column is None or "text" not in names:
        missing = "text" if id_column else " or ".join(ID_COLUMNS)
        raise InputError(f"{path}: column {missing} is missing; it has {', '.join(names)}")
    number = 0
    import pyarrow as pa

    try:
        for batch in file.iter_batches(batch_size=BATCH_ROWS):
            for row in batch.to_pylist():
                number += 1
                yield _document(row, id_column, f"{path}, row {number}")
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}, after row {number}: damaged Parquet ({error})") from error


def _open(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    base.check_is_file(path)
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not readable as Parquet ({error})") from error


def _document(row: dict[str, Any], id_column: str, where: str) -> Document:
    cell = row.get("metadata")
    if isinstance(cell, str):
        cell = parse_json(cell, f"{where}: field metadata")
    checked = (id_column, "title", "text")
    filled = {
        name: value if name in checked else _json(value)
        for name, value in (row | {"metadata": cell}).items()
        if value is not None
    }
    return base.document_of(filled, id_column, where)


def _json(cell: Any) -> JSON:
    """Return a cell as JSON; dates and other types that JSON lacks become their text, NaN null."""
    value: JSON = json.loads(json.dumps(cell, default=str), parse_constant=lambda _: None)
    return value
