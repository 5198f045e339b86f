"""Judgments kept as single files: plain text, and PDF with a text layer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from countercase.corpus.documents import Document
from countercase.corpus.readers.beir import identifier
from countercase.facts.documents import read_document

MAX_FILE_BYTES: Final = 200_000_000
"""The largest single judgment that is read; a scan with a text layer may be large."""


def read_file(path: Path, doc_id: str) -> Document:
    """The judgment in one `.txt` or `.pdf` file; its title is left for the metadata to find.

    Raises:
        InputError: the file cannot be read, is not UTF-8, is blank, or is a PDF that is
            encrypted, damaged or without a text layer.
    """
    read = read_document(path, MAX_FILE_BYTES)
    pages = read.pages if path.suffix.lower() == ".pdf" else ()
    return Document(identifier(doc_id, "name", str(path)), "", read.text, {}, pages)
