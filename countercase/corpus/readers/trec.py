"""TREC document collections: files of <DOC> elements with <DOCNO>, a title and <TEXT>."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from countercase.corpus.documents import Document
from countercase.corpus.readers.base import OnDamaged, filled_text, identifier, read_files
from countercase.errors import InputError

_DOCUMENT: Final = re.compile(r"<DOC>([^<]*(?:<(?!/?DOC>)[^<]*)*)</DOC>", re.I)
_DOCNO: Final = re.compile(r"<DOCNO>([^<]*(?:<(?!/?DOCNO>)[^<]*)*)</DOCNO>", re.I)
_HEADING: Final = r"(?:TITLE|HEAD|HEADLINE)>"
_TITLE: Final = re.compile(rf"<{_HEADING}([^<]*(?:<(?!/|{_HEADING})[^<]*)*)</", re.I)
_BODY: Final = re.compile(r"<TEXT>([^<]*(?:<(?!/?TEXT>)[^<]*)*)</TEXT>", re.I)
_TAG: Final = re.compile(r"<[^<>]*>")


class _TrecReader:
    """One file of <DOC> elements, or the files of a folder that open with one."""

    name = "trec"
    accepts = "files of TREC's <DOC> elements"

    def reads(self, path: Path) -> bool:
        return bool(_files(path))

    def count(self, path: Path) -> int | None:
        return None

    def documents(self, path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Document]:
        return read_files(_files(path), _read, on_damaged)


READER: Final = _TrecReader()


def _files(path: Path) -> list[Path]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.is_file() and _opens_with_document(file)]


def _opens_with_document(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(64).lstrip().lower().startswith(b"<doc>")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def _read(path: Path) -> Iterator[Document]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    for at, element in enumerate(_DOCUMENT.finditer(text), start=1):
        yield _document(element[1], f"{path}, document {at}")


def _document(body: str, where: str) -> Document:
    number, title = _DOCNO.search(body), _TITLE.search(body)
    texts = " ".join(element[1] for element in _BODY.finditer(body))
    plain_title = html.unescape(_TAG.sub(" ", title[1])) if title else ""
    return Document(
        doc_id=identifier(number[1].strip() if number else None, "DOCNO", where),
        title=" ".join(plain_title.split()),
        text=filled_text(html.unescape(_TAG.sub(" ", texts)).strip(), "TEXT", where),
    )
