"""Files in the formats of TREC: topics, documents and runs."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from countercase.corpus.documents import Document
from countercase.corpus.readers.base import filled_text, identifier
from countercase.corpus.readers.beir import read_queries
from countercase.corpus.readers.detect import read_corpus
from countercase.errors import InputError
from countercase.evaluation.report import Run

_TOPIC: Final = re.compile(r"<top>(.*?)</top>|<topic\b([^>]*)>(.*?)</topic>", re.DOTALL | re.I)
_FIELD: Final = re.compile(r"<(num|title|desc|description|query)>(.*?)(?=<|\Z)", re.DOTALL | re.I)
_NUMBER: Final = re.compile(r"""\b(?:number|id|num)\s*=\s*["']?([^"'\s>]+)""", re.I)
_LABEL: Final = re.compile(r"\A\s*(?:Number|Topic|Description)\s*:", re.I)
_DOCUMENT: Final = re.compile(r"<DOC>(.*?)</DOC>", re.DOTALL | re.I)
_DOCNO: Final = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.DOTALL | re.I)
_TITLE: Final = re.compile(r"<(?:TITLE|HEAD|HEADLINE)>(.*?)</", re.DOTALL | re.I)
_BODY: Final = re.compile(r"<TEXT>(.*?)</TEXT>", re.DOTALL | re.I)
_TAG: Final = re.compile(r"<[^>]*>")
_RUN_COLUMNS: Final = 6


def read_topics(path: Path) -> dict[str, str]:
    """Text by query id: BEIR's `queries.jsonl`, TREC topics, or lines of id, tab and text.

    Of a TREC topic the title and the description are read; its narrative says what counts as
    relevant, and is no part of the query.

    Raises:
        InputError: nothing of the kind is there, an id is used twice, or a text is empty.
    """
    if path.is_dir() or path.suffix.lower() == ".jsonl":
        return read_queries(path)
    text = _text(path)
    rows = _topics(path, text) if text.lstrip().startswith("<") else _lines(path, text)
    queries: dict[str, str] = {}
    for where, number, words in rows:
        query_id = identifier(number, "number", where)
        if query_id in queries:
            raise InputError(f"{where}: the number {query_id!r} is used before; give each its own")
        queries[query_id] = filled_text(words, "text", where)
    if not queries:
        raise InputError(f"{path}: holds no topic; give <top> or <topic> elements")
    return queries


def read_collection(path: Path) -> Iterator[Document]:
    """The documents of a corpus: all that `read_corpus` reads, or files of TREC's <DOC> elements.

    Raises:
        InputError: as for `read_corpus`; also a <DOC> without its number or text.
    """
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    files = [file for file in files if file.is_file() and _opens_with_document(file)]
    if not files:
        yield from read_corpus(path)
        return
    seen: set[str] = set()
    for file in files:
        for at, found in enumerate(_DOCUMENT.finditer(_text(file)), start=1):
            document = _document(found[1], f"{file}, document {at}")
            if document.doc_id in seen:
                raise InputError(
                    f"{file}, document {at}: the number {document.doc_id!r} is used before"
                )
            seen.add(document.doc_id)
            yield document


def read_run(path: Path) -> Run:
    """A TREC run: `query Q0 document rank score name`, separated by blanks or tabs.

    As in trec_eval, the score alone decides the order; the rank's column is not read.

    Raises:
        InputError: a line has other columns or a score that is no finite number, a document is
            listed twice for a query, or the file holds no line. File and line are named.
    """
    run: Run = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        columns = line.split()
        if not columns:
            continue
        where = f"{path}, line {number}"
        if len(columns) != _RUN_COLUMNS:
            raise InputError(
                f"{where}: {len(columns)} columns; a run has six: query Q0 document rank score name"
            )
        query_id, _, doc_id, _, score, _ = columns
        try:
            value = float(score)
        except ValueError as error:
            raise InputError(f"{where}: field score: {score!r} is not a number") from error
        if not math.isfinite(value):
            raise InputError(f"{where}: field score: {score!r} is not a finite number")
        listed = run.setdefault(query_id, {})
        if doc_id in listed:
            raise InputError(f"{where}: {doc_id} is listed twice for query {query_id}")
        listed[doc_id] = value
    if not run:
        raise InputError(f"{path}: holds no line of a run")
    return run


def _topics(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    for at, found in enumerate(_TOPIC.finditer(text), start=1):
        body = found[1] if found[1] is not None else found[3]
        fields = {
            name.lower(): _words(_LABEL.sub("", value)) for name, value in _FIELD.findall(body)
        }
        number = fields.pop("num", "")
        if found[2] is not None and (given := _NUMBER.search(found[2])):
            number = given[1]
        words = " ".join(fields.values()) if fields else _words(_TAG.sub(" ", body))
        yield f"{path}, topic {at}", number, words


def _lines(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        query_id, tab, words = line.partition("\t")
        if not tab:
            raise InputError(
                f"{path}, line {number}: no tab; give queries.jsonl, TREC topics, or lines of an "
                "id, a tab and the text"
            )
        yield f"{path}, line {number}", query_id.strip(), words.strip()


def _document(body: str, where: str) -> Document:
    number, title = _DOCNO.search(body), _TITLE.search(body)
    texts = " ".join(found[1] for found in _BODY.finditer(body))
    return Document(
        doc_id=identifier(number[1].strip() if number else None, "DOCNO", where),
        title=_words(_TAG.sub(" ", title[1])) if title else "",
        text=filled_text(html.unescape(_TAG.sub(" ", texts)).strip(), "TEXT", where),
    )


def _words(text: str) -> str:
    return " ".join(html.unescape(text).split())


def _opens_with_document(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(64).lstrip().lower().startswith(b"<doc>")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
