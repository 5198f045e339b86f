"""Files of test collections: queries, judgements, documents and runs of BEIR, TREC and our sets."""

from __future__ import annotations

import hashlib
import html
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from countercase.corpus.readers.base import filled_text, identifier
from countercase.corpus.readers.beir import read_qrels, read_queries
from countercase.errors import InputError
from countercase.evaluation.metrics import Judged
from countercase.evaluation.report import Run
from countercase.evaluation.sets import Labels, RetrievalQuery, free_name, read_set, read_text

SET: Final = Path("eval_sets/retrieval.jsonl")
"""The evaluation set, where `countercase init` puts it."""

_TOPIC: Final = re.compile(
    r"<top>([^<]*(?:<(?!/?top>)[^<]*)*)</top>"
    r"|<topic\b([^<>]*)>([^<]*(?:<(?!/?topic\b)[^<]*)*)</topic>",
    re.I,
)
_FIELD: Final = re.compile(r"<(num|title|desc|description|query)>([^<]*)", re.I)
_NUMBER: Final = re.compile(r"""\b(?:number|id|num)\s*=\s*["']?([^"'\s>]+)""", re.I)
_LABEL: Final = re.compile(r"\A\s*(?:Number|Topic|Description)\s*:", re.I)
_TAG: Final = re.compile(r"<[^<>]*>")


def read_labels(
    set_file: Path | None, queries: Path | None, qrels: Path | None, texts: bool = True
) -> Labels:
    """Read queries (their `texts` where needed) and judgements of an evaluation set or a collection."""
    if qrels is None and queries is None:
        rows = read_set(set_file or SET, RetrievalQuery)
        relevant, words, area, voice = (
            {row.query_id: getattr(row, field) for row in rows}
            for field in ("relevant", "text", "area", "voice")
        )
        return Labels(relevant, words, {"area": area, "voice": voice})
    if set_file is not None:
        raise InputError("a set holds queries and judgements; leave out queries and qrels")
    if qrels is None:
        raise InputError("queries need their judgements; give qrels")
    given = read_qrels(qrels)
    if queries is None:
        if texts:
            raise InputError("judgements need the texts of their queries; give queries, or a run")
        return Labels(given)
    topics = read_topics(queries)
    judged = {name: given[name] for name in topics if name in given}
    if not judged:
        raise InputError(f"{qrels}: judges no query of {queries}; check that their ids agree")
    return Labels(judged, topics)


def read_topics(path: Path) -> dict[str, str]:
    """Read texts by query id: BEIR's `queries.jsonl`, TREC topics, or lines of id, tab, text.

    Of a TREC topic the title and the description are read; its narrative says what counts as
    relevant, and is no part of the query.
    """
    if path.is_dir() or path.suffix.lower() == ".jsonl":
        return read_queries(path)
    text, queries = read_text(path), dict[str, str]()
    rows = _topics(path, text) if text.lstrip().startswith("<") else _lines(path, text)
    for where, number, words in rows:
        query_id = identifier(number, "number", where)
        if query_id in queries:
            raise InputError(f"{where}: the number {query_id!r} is used before; give each its own")
        queries[query_id] = filled_text(words, "text", where)
    if not queries:
        raise InputError(f"{path}: holds no topic; give <top> or <topic> elements")
    return queries


def read_run(path: Path) -> Run:
    """Read a TREC run: `query Q0 document rank score name`, separated by blanks or tabs.

    As in trec_eval, the score alone decides the order; the rank's column is not read.
    """
    run: Run = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        where, columns = f"{path}, line {number}", line.split()
        if not columns:
            continue
        if len(columns) != 6:
            hint = "a run has six: query Q0 document rank score name"
            raise InputError(f"{where}: {len(columns)} columns; {hint}")
        query_id, _, doc_id, _, score, _ = columns
        value = math.nan
        with suppress(ValueError):
            value = float(score)
        if not math.isfinite(value):
            raise InputError(f"{where}: field score: {score!r} is not a finite number")
        listed = run.setdefault(query_id, {})
        if doc_id in listed:
            raise InputError(f"{where}: {doc_id} is listed twice for query {query_id}")
        listed[doc_id] = value
    if not run:
        raise InputError(f"{path}: holds no line of a run")
    return run


def read_runs(paths: Sequence[Path], judged: Judged) -> dict[str, Run]:
    """Read runs by the names of their files without suffix, numbered where two would be alike."""
    runs: dict[str, Run] = {}
    for path in paths:
        run = runs[free_name(path.stem, runs)] = read_run(path)
        if run.keys().isdisjoint(judged):
            raise InputError(f"{path}: ranks no judged query; check that query ids agree")
    return runs


def index_name(path: Path) -> str:
    """Name the index of a corpus that is given as a path: the same path, the same name."""
    whole = path.resolve()
    digest = hashlib.sha256(str(whole).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    stem = re.sub(r"[^a-z0-9]+", "-", whole.stem.lower()).strip("-")[:24].strip("-")
    return "-".join(filter(None, ("eval", stem, digest)))


def _topics(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    def words(part: str) -> str:
        return " ".join(html.unescape(part).split())

    for at, match in enumerate(_TOPIC.finditer(text), start=1):
        body = match[3] if match[1] is None else match[1]
        found = _FIELD.findall(body)
        fields = {name.lower(): words(_LABEL.sub("", value)) for name, value in found}
        number = fields.pop("num", "")
        if given := _NUMBER.search(match[2] or ""):
            number = given[1]
        said = " ".join(fields.values()) if fields else words(_TAG.sub(" ", body))
        yield f"{path}, topic {at}", number, said


def _lines(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        query_id, tab, words = line.partition("\t")
        if tab and line.strip():
            yield f"{path}, line {number}", query_id.strip(), words.strip()
        elif line.strip():
            hint = "give queries.jsonl, TREC topics, or lines of an id, a tab and the text"
            raise InputError(f"{path}, line {number}: no tab; {hint}")
