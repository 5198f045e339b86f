"""Predictions and gold answers of passage retrieval, as files in the format of LegalBench-RAG."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from countercase.errors import InputError
from countercase.evaluation.benchmarks.passages.scores import PassageQuery

_Filled = Annotated[str, StringConstraints(pattern=r"\S")]
_Read = TypeVar("_Read")


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Snippet(_Row):
    """A gold answer: the words at `span` of the document at `file_path`."""

    file_path: str
    span: tuple[int, int]
    answer: _Filled


class GoldQuery(_Row):
    """A query and where its answers stand; `snippets` may be empty."""

    query: _Filled
    snippets: list[Snippet]


class Benchmark(_Row):
    """The queries of a benchmark, in order."""

    tests: Annotated[list[GoldQuery], Field(min_length=1)]


class Prediction(_Row):
    """What a system retrieved for one query, best first."""

    query: _Filled
    retrieved_passages: list[str]


def read_benchmark(path: Path, limit: int | None = None) -> list[GoldQuery]:
    """The tests of a gold file: `{"tests": [{"query", "snippets": [...]}]}`.

    Args:
        limit: only the first so many.

    Raises:
        InputError: not readable, not JSON or not of that form; file and field are named.
    """
    return _read(path, TypeAdapter(Benchmark)).tests[:limit]


def read_predictions(path: Path) -> list[Prediction]:
    """The predictions of a file: `[{"query", "retrieved_passages": [...]}]`.

    Raises:
        InputError: not readable, not JSON or not of that form; file and field are named.
    """
    return _read(path, TypeAdapter(list[Prediction]))


def predictions_document(
    queries: Sequence[str], passages: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """Predictions as they are written, in the order of the queries."""
    return [
        {"query": query, "retrieved_passages": list(found)}
        for query, found in zip(queries, passages, strict=True)
    ]


def pair_predictions(
    predictions: Sequence[Prediction], tests: Sequence[GoldQuery]
) -> list[PassageQuery]:
    """Each query with its prediction, found by the words of the query.

    A query that stands several times is paired in order; predictions for other queries are passed
    over.

    Raises:
        InputError: a query has no prediction.
    """
    waiting: dict[str, deque[Prediction]] = defaultdict(deque)
    for prediction in predictions:
        waiting[_key(prediction.query)].append(prediction)
    pairs, missing = [], []
    for test in tests:
        found = waiting[_key(test.query)]
        if not found:
            missing.append(test.query)
            continue
        pairs.append(
            PassageQuery(
                query=test.query,
                answers=tuple(snippet.answer for snippet in test.snippets),
                retrieved=tuple(found.popleft().retrieved_passages),
            )
        )
    if missing:
        raise InputError(
            f"{len(missing)} of {len(tests)} queries have no prediction, first {missing[0]!r}; give "
            "each an entry (an empty list of passages counts as nothing found), or judge the "
            "first N queries alone with --limit N"
        )
    return pairs


def _key(query: str) -> str:
    return " ".join(query.split())


def _read(path: Path, form: TypeAdapter[_Read]) -> _Read:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        return form.validate_json(raw.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise InputError(f"{path}: {where}: {first['msg']}") from error
