"""Read a corpus of any registered format, streamed in a fixed order: only the ids are in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from countercase.corpus.documents import Document
from countercase.corpus.readers.base import CorpusReader, OnDamaged
from countercase.corpus.readers.formats import FilesReader, JudgmentFile
from countercase.errors import InputError
from countercase.registry import CORPUS_READERS

Source: TypeAlias = Document | JudgmentFile
"""A judgment, or the file that it is read from where it is needed."""


def read_corpus(path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Document]:
    """Return the documents of the corpus at `path`, in file order, or sorted by path in a folder.

    `path` is what one of the registered readers reads. A damaged file of a folder is told to
    `on_damaged` and skipped. Without it, and for all else that is damaged, empty or used twice, an
    InputError names the file, line or row, and field.
    """
    reader = reader_of(path)
    return _checked(reader.documents(path, None if path.is_file() else on_damaged), Whole(path))


def read_sources(path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Source]:
    """As `read_corpus`, but single files are not read yet, and a `Whole` checks ids as they are."""
    reader = reader_of(path)
    if isinstance(reader, FilesReader):
        return reader.unread(path)
    return reader.documents(path, None if path.is_file() else on_damaged)


def reader_of(path: Path) -> CorpusReader:
    """Return the first registered reader that reads `path`; InputError where there is none."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; give {_accepted()}")
    for reader in _readers():
        if reader.reads(path):
            return reader
    why = "no document found in it" if path.is_dir() else "not a corpus"
    raise InputError(f"{path}: {why}; give {_accepted()}")


def _readers() -> list[CorpusReader]:
    return [CORPUS_READERS.get(name) for name in CORPUS_READERS.names()]


def _accepted() -> str:
    *others, last = [getattr(reader, "accepts", reader.name) for reader in _readers()]
    return f"{', '.join(others)}, or {last}" if others else last


class Whole:
    """What must be so of the documents of a corpus together: there is one, and each has its own id."""

    def __init__(self, path: Path) -> None:
        self._path, self._seen = path, dict[str, int]()

    def add(self, doc_id: str) -> None:
        """Take note of the next document; InputError where an earlier one has its id."""
        position = len(self._seen) + 1
        first = self._seen.setdefault(doc_id, position)
        if first != position:
            raise InputError(
                f"{self._path}: field _id: {doc_id!r} is the id of document {first} and of "
                f"document {position}; give each its own"
            )

    def end(self) -> None:
        """Take note that no document follows; InputError where none came."""
        if not self._seen:
            raise InputError(f"{self._path}: holds no document; give {_accepted()}")


def _checked(documents: Iterator[Document], whole: Whole) -> Iterator[Document]:
    for document in documents:
        whole.add(document.doc_id)
        yield document
    whole.end()
