"""Span-grounded passage retrieval: did the passages bring the words that answer the question?

The format is that of LegalBench-RAG (Pipitone and Houir Alami, "LegalBench-RAG: A Benchmark for
Retrieval-Augmented Generation in the Legal Domain", 2024): each query has gold answers, spans of a
document; a system hands in passages, best first. A passage and an answer match where one contains
the other, letter case and the kind of white space aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from math import fsum, log2
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from pydantic import Field, StringConstraints

from countercase.errors import InputError
from countercase.evaluation.report import Section
from countercase.evaluation.sets import Row, read_json
from countercase.evaluation.statistics import group_by, mean_estimate

Idcg = Literal["gold", "retrieved"]
IDCGS: Final[tuple[Idcg, ...]] = get_args(Idcg)

_TOKEN: Final = re.compile(r"[^\W_]+")
_MEASURES: Final = {
    "exact_match": "exact_match", "span_f1": "span_f1", "recall": "recall@{k}", "ndcg": "ndcg@{k}",
}  # fmt: skip
"""The key of each measure."""
_NOTES: Final[dict[Idcg, str]] = {
    "gold": "The ideal ranking holds every gold answer, found or not.",
    "retrieved": "The ideal ranking holds only what was retrieved, so that a missed answer costs "
    "nothing: for comparison with figures published so, not for judging a system.",
}
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


class _Benchmark(Row):
    tests: Annotated[list[GoldQuery], Field(min_length=1)]


class Prediction(Row):
    """What a system retrieved for one query, best first."""

    query: _NotBlank
    retrieved_passages: list[str]


PassageQuery: TypeAlias = tuple[str, Sequence[str], Sequence[str]]
"""A query, its gold answers and the passages that a system retrieved, best first."""


def normal_text(text: str) -> str:
    """Return the form in which texts are compared: lower case, with single blanks."""
    return " ".join(text.lower().split())


def matched_answers(passage: str, answers: Sequence[str]) -> frozenset[int]:
    """Return positions of the answers that the passage contains or is part of; a blank has none."""
    held, *wanted = map(normal_text, (passage, *answers))
    pairs = ((at, text) for at, text in enumerate(wanted) if held and text)
    return frozenset(at for at, text in pairs if text in held or held in text)


def measure_query(
    answers: Sequence[str], retrieved: Sequence[str], k: int, idcg: Idcg = "gold"
) -> dict[str, float]:
    """Compute exact match and span F1 of the first passage, and recall and NDCG of the first k.

    Span F1 is of the sets of alphanumeric tokens, best over the answers; recall is the share of the
    answers that a passage matches. The gains of NDCG are binary, the discount is log2(1 + rank)
    (Järvelin and Kekäläinen 2002). `gold` takes the ideal over all gold answers, at most k; a
    passage that only repeats answers found above it gains nothing, since windows overlap, and
    answers found in one passage count as one. `retrieved` counts every matching passage, and takes
    the ideal over those retrieved.
    """
    first = next(iter(retrieved), "")
    held, *wanted = (set(_TOKEN.findall(text.lower())) for text in (first, *answers))
    shares = (2 * len(held & words) / (len(held) + len(words)) for words in wanted if words)
    seen, gains = set[int](), []
    for text in retrieved[:k]:
        matched = matched_answers(text, answers)
        gains.append(bool(matched) if idcg == "retrieved" else not matched <= seen)
        seen |= matched
    relevant = sum(gains) + (0 if idcg == "retrieved" else len(answers) - len(seen))
    discounts = [1 / log2(rank + 1) for rank in range(1, k + 1)]
    ideal = fsum(discounts[:relevant])
    return {
        "exact_match": float(normal_text(first) in map(normal_text, answers)),
        "span_f1": max(shares, default=0.0),
        "recall": len(seen) / len(answers),
        "ndcg": fsum(compress(discounts, gains)) / ideal if ideal else 0.0,
    }


def score_passages(
    queries: Sequence[PassageQuery], k: int = 10, idcg: Idcg = "gold"
) -> dict[str, Any]:
    """Score the queries that have a gold answer, the first k passages of each, for JSON."""
    rows: list[dict[str, Any]] = [
        {"query": query, **measure_query(answers, retrieved, k, idcg)}
        for query, answers, retrieved in queries
        if answers
    ]
    means = {key.format(k=k): fmean(row[name] for row in rows) for name, key in _MEASURES.items()}
    counts = {"num_examples": len(rows), "without_gold": len(queries) - len(rows)}
    return {**means, **counts, "k": k, "idcg": idcg, "queries": rows}


def passages_section(scores: dict[str, Any], seed: int = 0) -> Section:
    """Report scores as means with 95% bootstrap intervals over the queries."""
    found, rows = Section("passages", "Passages", details=scores), scores["queries"]
    for name, key in _MEASURES.items():
        mean = mean_estimate([row[name] for row in rows], seed)
        found.add_measure(key, mean, k=scores["k"], ideal=_NOTES[scores["idcg"]])
    counts = {
        "queries": len(rows),
        "queries without a gold answer, in no mean": scores["without_gold"],
        "queries with every answer found": sum(row["recall"] == 1 for row in rows),
        "queries with no answer found": sum(row["recall"] == 0 for row in rows),
    }
    found.add_table("passages.queries", counts.items())
    return found


def read_benchmark(path: Path, limit: int | None = None) -> list[GoldQuery]:
    """Read the first `limit` tests of a gold file: `{"tests": [{"query", "snippets": [...]}]}`."""
    return read_json(path, _Benchmark).tests[:limit]


def score_files(
    predictions: Path, gold: Path, k: int = 10, idcg: Idcg = "gold", limit: int | None = None
) -> dict[str, Any]:
    """Score predictions, `[{"query", "retrieved_passages": [...]}]`, by the gold answers of a file."""
    pairs = pair_predictions(read_json(predictions, list[Prediction]), read_benchmark(gold, limit))
    if not any(answers for _, answers, _ in pairs):
        raise InputError(f"{gold}: no query has a gold answer; nothing can be scored")
    return score_passages(pairs, k, idcg)


def pair_predictions(
    predictions: Sequence[Prediction], tests: Sequence[GoldQuery]
) -> list[PassageQuery]:
    """Pair each query with its prediction by its words; equal queries are paired in order."""
    waiting = group_by(predictions, lambda prediction: tuple(prediction.query.split()))
    pairs: list[PassageQuery] = []
    missing = []
    for test in tests:
        if answered := waiting.get(tuple(test.query.split())):
            answers = [snippet.answer for snippet in test.snippets]
            pairs.append((test.query, answers, answered.pop(0).retrieved_passages))
        else:
            missing.append(test.query)
    if missing:
        raise InputError(
            f"{len(missing)} of {len(tests)} queries have no prediction, first {missing[0]!r}; give "
            "each an entry (an empty list of passages counts as nothing found), or judge the "
            "first N queries alone with --limit N"
        )
    return pairs
