"""Read a corpus of any registered format.

Documents are streamed in a fixed order, so a corpus need not fit in memory and gives the same index
every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from countercase.corpus.documents import Document
from countercase.corpus.readers.base import CorpusReader, OnDamaged
from countercase.errors import InputError
from countercase.registry import CORPUS_READERS

_WORD: Final = re.compile(r"[^\W_]")


def read_corpus(path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Document]:
    """The documents of the corpus at `path`, in file order, or sorted by path in a folder.

    `path` is a BEIR `.jsonl` file or a folder that holds `corpus.jsonl`; a `.parquet` file or a
    folder of them; files of TREC's <DOC> elements; a folder with `.txt` and `.pdf` files at any
    depth, whose ids are their relative paths without suffix; or what another registered reader
    reads. Only the ids are held in memory.

    Args:
        on_damaged: called with each damaged file of a folder, which is then skipped; None to
            raise its error.

    Raises:
        InputError: nothing readable is at `path`, a document is damaged or empty, or an id is
            used twice. The message names the file, the line or row, and the field.
    """
    reader = reader_of(path)
    return _unique(reader.documents(path, None if path.is_file() else on_damaged), path)


def count_documents(path: Path) -> int | None:
    """How many documents `read_corpus(path)` will give; None where counting costs too much.

    Raises:
        InputError: as for `read_corpus`, as far as it shows before the texts are read.
    """
    return reader_of(path).count(path)


def reader_of(path: Path) -> CorpusReader:
    """The first registered reader that reads `path`.

    Raises:
        InputError: there is none, or nothing is at `path`.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; give {_accepted()}")
    for reader in _readers():
        if reader.reads(path):
            return reader
    if path.is_dir():
        raise InputError(f"{path}: no document found in it; give {_accepted()}")
    raise InputError(f"{path}: not a corpus; give {_accepted()}")


def _readers() -> list[CorpusReader]:
    return [CORPUS_READERS.get(name) for name in CORPUS_READERS.names()]


def _accepted() -> str:
    *others, last = [getattr(reader, "accepts", reader.name) for reader in _readers()]
    return f"{', '.join(others)}, or {last}" if others else last


def _unique(documents: Iterator[Document], path: Path) -> Iterator[Document]:
    """The same documents, as long as no id comes twice, one comes, and one has a word."""
    seen: dict[str, int] = {}
    words = False
    for position, document in enumerate(documents, start=1):
        first = seen.setdefault(document.doc_id, position)
        if first != position:
            raise InputError(
                f"{path}: field _id: {document.doc_id!r} is the id of document {first} and of "
                f"document {position}; give each its own"
            )
        words = words or _WORD.search(document.text) is not None
        yield document
    if not seen:
        raise InputError(f"{path}: holds no document; give {_accepted()}")
    if not words:
        raise InputError(f"{path}: no word in any of its texts; give texts of judgments")
