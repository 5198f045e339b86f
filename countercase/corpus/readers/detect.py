"""Corpora of judgments: a BEIR `corpus.jsonl`, Parquet files, or a folder of `.txt` and `.pdf`.

Documents are streamed in a fixed order, so a corpus need not fit in memory and gives the same
index every time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

from countercase.corpus.documents import Document
from countercase.corpus.readers.beir import CORPUS_FILE, read_beir_corpus
from countercase.errors import InputError

TEXT_SUFFIXES: Final = (".txt", ".pdf")
PARQUET_SUFFIX: Final = ".parquet"
COUNT_LIMIT: Final = 1 << 30
"""Bytes of a `corpus.jsonl` above which its lines are not counted ahead of reading."""

_ACCEPTED: Final = (
    f"a folder with {CORPUS_FILE}, a .jsonl file, .parquet files, or .txt and .pdf files"
)

_Format: TypeAlias = Literal["beir", "parquet", "files"]


def read_corpus(path: Path) -> Iterator[Document]:
    """The documents of the corpus at `path`, in file order, or sorted by path in a folder.

    `path` is a BEIR `.jsonl` file or a folder that holds `corpus.jsonl`; a `.parquet` file or a
    folder of them; or a folder with `.txt` and `.pdf` files at any depth, whose ids are their
    relative paths without suffix. Only the ids are held in memory.

    Raises:
        InputError: nothing readable is at `path`, a document is damaged or empty, or an id is
            used twice. The message names the file, the line or row, and the field.
    """
    kind, files = _files_of(path)
    return _unique(_read(path, kind, files), path)


def count_documents(path: Path) -> int | None:
    """How many documents `read_corpus(path)` will give, without reading their texts.

    None where counting would cost as much as reading (a `.jsonl` above `COUNT_LIMIT` bytes).

    Raises:
        InputError: as for `read_corpus`, as far as it shows before the texts are read.
    """
    kind, files = _files_of(path)
    if kind == "files":
        return len(files)
    if kind == "parquet":
        from countercase.corpus.readers.parquet import count_rows

        return sum(count_rows(file) for file in files)
    if files[0].stat().st_size > COUNT_LIMIT:
        return None
    with files[0].open("rb") as lines:
        return sum(1 for line in lines if line.strip())


def _files_of(path: Path) -> tuple[_Format, tuple[Path, ...]]:
    """Which format the corpus at `path` has, and the files that make it up."""
    if path.is_file():
        suffix = path.suffix.lower()
        if suffix == ".jsonl":
            return "beir", (path,)
        if suffix == PARQUET_SUFFIX:
            return "parquet", (path,)
        raise InputError(f"{path}: not a corpus; give {_ACCEPTED}")
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder; give {_ACCEPTED}")
    if (path / CORPUS_FILE).is_file():
        return "beir", (path / CORPUS_FILE,)
    files = _walk(path)
    tables = tuple(file for file in files if file.suffix.lower() == PARQUET_SUFFIX)
    texts = tuple(file for file in files if file.suffix.lower() in TEXT_SUFFIXES)
    if tables and texts:
        raise InputError(
            f"{path}: holds both {tables[0].name} and {texts[0].name}; "
            "give a folder with Parquet files only or with texts only"
        )
    if tables:
        return "parquet", tables
    if texts:
        return "files", texts
    raise InputError(f"{path}: no document found in it; give {_ACCEPTED}")


def _walk(folder: Path) -> list[Path]:
    """Files below `folder` in sorted order; hidden ones and links to folders are left out."""

    def stop(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be listed ({error.strerror})") from error

    found: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(root, name) for name in names if not name.startswith(".")]
    return sorted(found, key=lambda file: file.relative_to(folder).parts)


def _read(path: Path, kind: _Format, files: tuple[Path, ...]) -> Iterator[Document]:
    if kind == "beir":
        yield from read_beir_corpus(files[0])
    elif kind == "parquet":
        from countercase.corpus.readers.parquet import read_parquet

        for file in files:
            yield from read_parquet(file)
    else:
        from countercase.corpus.readers.files import read_file

        for file in files:
            doc_id = file.relative_to(path).with_suffix("").as_posix()
            yield read_file(file, doc_id)


def _unique(documents: Iterator[Document], path: Path) -> Iterator[Document]:
    """The same documents, as long as no id comes twice and at least one comes."""
    seen: dict[str, int] = {}
    for position, document in enumerate(documents, start=1):
        first = seen.setdefault(document.doc_id, position)
        if first != position:
            raise InputError(
                f"{path}: field _id: {document.doc_id!r} is the id of document {first} and of "
                f"document {position}; give each its own"
            )
        yield document
    if not seen:
        raise InputError(f"{path}: holds no document; give {_ACCEPTED}")
