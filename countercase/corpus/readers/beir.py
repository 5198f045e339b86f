"""The BEIR layout: `corpus.jsonl`, `queries.jsonl` and relevance judgements (qrels).

One JSON object a line, `_id`, `title`, `text` and `metadata` for a document, `_id` and `text`
for a query; qrels are tab-separated with a header, or in the four columns of TREC.
Source: Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information
Retrieval Models", NeurIPS 2021 Datasets and Benchmarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from countercase.corpus.documents import Document
from countercase.corpus.readers import base
from countercase.errors import InputError
from countercase.io import parse_json, shown

CORPUS_FILE: Final = "corpus.jsonl"
QUERIES_FILE: Final = "queries.jsonl"
QRELS_HEADER: Final = ("query-id", "corpus-id", "score")

Qrels = dict[str, dict[str, int]]
"""Relevance grade by query id and document id, in the order of the file."""

HIGHEST_GRADE: Final = 1000
"""The highest grade of relevance that is read; gains of 2^grade stay finite."""

COUNT_LIMIT: Final = 1 << 30
"""Bytes of a `corpus.jsonl` above which its lines are not counted ahead of reading."""


class _BeirReader:
    """A `.jsonl` file, or a folder that holds `corpus.jsonl`."""

    name = "beir"
    accepts = f"a folder with {CORPUS_FILE}, a .jsonl file"

    def reads(self, path: Path) -> bool:
        return path.suffix.lower() == ".jsonl" if path.is_file() else (path / CORPUS_FILE).is_file()

    def count(self, path: Path) -> int | None:
        file = path if path.is_file() else path / CORPUS_FILE
        if file.stat().st_size > COUNT_LIMIT:
            return None
        with file.open("rb") as lines:
            return sum(1 for line in lines if line.strip())

    def documents(self, path: Path, on_damaged: base.OnDamaged | None = None) -> Iterator[Document]:
        return read_beir_corpus(path if path.is_file() else path / CORPUS_FILE)


READER: Final = _BeirReader()


def read_beir_corpus(path: Path) -> Iterator[Document]:
    """Read the documents of one `corpus.jsonl`, streamed in file order; ids may repeat here.

    InputError, with file, line and field, where a line is no JSON object or a field is missing,
    empty or of the wrong type.
    """
    told = set[str]()
    for number, row in _objects(path):
        yield base.document_of(row, "_id", f"{path}, line {number}", told)


def read_queries(path: Path) -> dict[str, str]:
    """Return the text by query id of a file or folder, in file order; InputError where one is unfit."""
    path = path / QUERIES_FILE if path.is_dir() else path
    queries: dict[str, str] = {}
    for number, row in _objects(path):
        where = f"{path}, line {number}"
        query_id = base.identifier(row.get("_id"), "_id", where)
        if query_id in queries:
            raise InputError(
                f"{where}: field _id: {query_id!r} is used before; give each query its own"
            )
        queries[query_id] = base.filled_text(row.get("text"), "text", where)
    if not queries:
        raise InputError(f"{path}: holds no query; write one JSON object a line with _id and text")
    return queries


def read_qrels(path: Path) -> Qrels:
    """Return relevance judgements of a BEIR file (header and three columns) or a TREC file (four).

    InputError where a line has other columns or a grade that is no whole number, a pair is judged
    twice with different grades, or nothing is judged.
    """
    qrels: Qrels = {}
    beir = False
    for number, line in _lines(path):
        where = f"{path}, line {number}"
        columns = list(map(str.strip, line.split("\t") if "\t" in line else line.split()))
        if number == 1 and tuple(map(str.lower, columns)) == QRELS_HEADER:
            beir = True
            continue
        wanted = 3 if beir else 4
        if len(columns) != wanted:
            raise InputError(
                f"{where}: {len(columns)} columns; expected the BEIR header "
                f"`{' '.join(QRELS_HEADER)}` and three columns, or the four columns of TREC qrels"
            )
        query_id, doc_id, grade = columns[0], columns[-2], columns[-1]
        field = f"{where}: field score: {shown(grade)} is"
        try:
            value = int(grade)
        except ValueError as error:
            raise InputError(f"{field} not a whole number") from error
        if abs(value) > HIGHEST_GRADE:
            raise InputError(f"{field} no grade; the highest is {HIGHEST_GRADE}")
        if qrels.setdefault(query_id, {}).setdefault(doc_id, value) != value:
            raise InputError(
                f"{where}: {query_id} and {doc_id} were judged before with another grade"
            )
    if not qrels:
        raise InputError(f"{path}: holds no judgement")
    return qrels


def _objects(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in _lines(path):
        row = parse_json(line, f"{path}, line {number}")
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: must be an object, not {base.type_name(row)}")
        yield number, row


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield lines that are not blank, with their numbers, decoded one by one."""
    with base.reading(path), path.open("rb") as lines:
        for number, raw in enumerate(lines, start=1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            try:
                if raw.strip():
                    yield number, raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{path}, line {number}: not UTF-8 at byte {error.start}; save it as UTF-8"
                ) from error
