"""Predictions and gold answers of passage retrieval, as files in the format of LegalBench-RAG."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from countercase.errors import InputError
from countercase.evaluation.benchmarks.json_files import Row, read_json
from countercase.evaluation.benchmarks.passages.scores import (
    Idcg,
    PassageQuery,
    PassageScores,
    score_passages,
)

_NotBlank = Annotated[str, StringConstraints(pattern=r"\S")]


class Snippet(Row):
    """A gold answer: the words at `span` of the document at `file_path`."""

    file_path: str
    span: tuple[int, int]
    answer: _NotBlank


class GoldQuery(Row):
    """A query and where its answers stand; `snippets` may be empty."""

    query: _NotBlank
    snippets: list[Snippet]


class Benchmark(Row):
    """The queries of a benchmark, in order."""

    tests: Annotated[list[GoldQuery], Field(min_length=1)]


class Prediction(Row):
    """What a system retrieved for one query, best first."""

    query: _NotBlank
    retrieved_passages: list[str]


def read_benchmark(path: Path, limit: int | None = None) -> list[GoldQuery]:
    """The tests of a gold file: `{"tests": [{"query", "snippets": [...]}]}`.

    Args:
        limit: only the first `limit` tests.

    Raises:
        InputError: not readable, not JSON or not of that form; file and field are named.
    """
    return read_json(path, Benchmark).tests[:limit]


def read_predictions(path: Path) -> list[Prediction]:
    """The predictions of a file: `[{"query", "retrieved_passages": [...]}]`.

    Raises:
        InputError: not readable, not JSON or not of that form; file and field are named.
    """
    return read_json(path, list[Prediction])


def score_files(
    predictions: Path, gold: Path, k: int = 10, idcg: Idcg = "gold", limit: int | None = None
) -> PassageScores:
    """Score the predictions in one file by the gold answers in another.

    Args:
        k: passages of a query that count for recall and NDCG.
        idcg: see `ndcg_at_k`.
        limit: only the first `limit` queries of the gold file.

    Raises:
        InputError: a file cannot be read or is not of its form, a query has no prediction, or no
            query has a gold answer.
    """
    pairs = pair_predictions(read_predictions(predictions), read_benchmark(gold, limit))
    if not any(pair.answers for pair in pairs):
        raise InputError(f"{gold}: no query has a gold answer; nothing can be scored")
    return score_passages(pairs, k, idcg)


def predictions_document(
    queries: Sequence[str], passages: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """Predictions for JSON, in the order of the queries."""
    return [
        {"query": query, "retrieved_passages": list(retrieved)}
        for query, retrieved in zip(queries, passages, strict=True)
    ]


def pair_predictions(
    predictions: Sequence[Prediction], tests: Sequence[GoldQuery]
) -> list[PassageQuery]:
    """Each query with its prediction, matched by the words of the query.

    A query that occurs several times is paired in order; predictions for other queries are
    ignored.

    Raises:
        InputError: a query has no prediction.
    """
    waiting: dict[str, deque[tuple[str, ...]]] = defaultdict(deque)
    for prediction in predictions:
        waiting[_key(prediction.query)].append(tuple(prediction.retrieved_passages))
    pairs, missing = [], []
    for test in tests:
        retrieved = waiting[_key(test.query)]
        if retrieved:
            answers = tuple(snippet.answer for snippet in test.snippets)
            pairs.append(PassageQuery(test.query, answers, retrieved.popleft()))
        else:
            missing.append(test.query)
    if missing:
        raise InputError(
            f"{len(missing)} of {len(tests)} queries have no prediction, first {missing[0]!r}; give "
            "each an entry (an empty list of passages counts as nothing found), or judge the "
            "first N queries alone with --limit N"
        )
    return pairs


def _key(query: str) -> str:
    return " ".join(query.split())
