"""Judgments kept as single files: plain text, and PDF with a text layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from countercase.corpus.documents import Document
from countercase.corpus.readers import base
from countercase.facts.documents import SUFFIXES, read_document

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
        try:
            return self.path.stat().st_size
        except OSError:
            return 0  # `read` says what is wrong

    def read(self) -> Document:
        """Return the judgment; its title is left for the metadata to find.

        InputError where it cannot be read, is blank, not UTF-8, encrypted, or without a text layer.
        """
        base.check_is_file(self.path)
        read = read_document(self.path, MAX_FILE_BYTES)
        pages = read.pages if self.path.suffix.lower() == ".pdf" else ()
        return Document(
            base.identifier(self.doc_id, "name", str(self.path)), "", read.text, {}, pages
        )


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


READER: Final = FilesReader()
