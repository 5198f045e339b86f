"""Judgments kept as single files: plain text, and PDF with a text layer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from countercase.corpus.documents import Document
from countercase.corpus.readers.base import (
    OnDamaged,
    files_below,
    identifier,
    read_files,
)
from countercase.facts.documents import SUFFIXES, read_document

MAX_FILE_BYTES: Final = 200_000_000
"""The largest single judgment that is read; a scan with a text layer may be large."""


class _FilesReader:
    """A folder of `.txt`, `.pdf` and `.docx` files at any depth; ids are relative paths without suffix."""

    name = "files"
    accepts = "a folder of .txt, .pdf and .docx files"

    def reads(self, path: Path) -> bool:
        return path.is_dir() and bool(files_below(path, SUFFIXES))

    def count(self, path: Path) -> int | None:
        return len(files_below(path, SUFFIXES))

    def documents(self, path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Document]:
        def read(file: Path) -> Iterator[Document]:
            yield read_file(file, file.relative_to(path).with_suffix("").as_posix())

        return read_files(files_below(path, SUFFIXES), read, on_damaged)


READER: Final = _FilesReader()


def read_file(path: Path, doc_id: str) -> Document:
    """The judgment in one `.txt`, `.pdf` or `.docx` file; its title is left for the metadata to find.

    Raises:
        InputError: the file cannot be read, is not UTF-8, is blank, or is a PDF or Word file that is
            encrypted, damaged or without a text layer.
    """
    read = read_document(path, MAX_FILE_BYTES)
    pages = read.pages if path.suffix.lower() == ".pdf" else ()
    return Document(identifier(doc_id, "name", str(path)), "", read.text, {}, pages)
