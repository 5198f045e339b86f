"""Span-grounded passage retrieval: did the passages bring the words that answer the question?

The format is that of LegalBench-RAG (Pipitone and Houir Alami, "LegalBench-RAG: A Benchmark for
Retrieval-Augmented Generation in the Legal Domain", 2024): each query has gold answers, spans of a
document; a system hands in passages, best first. A passage and an answer match where one contains
the other, letter case and the kind of white space aside.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from math import fsum, log2
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import Field, StringConstraints

from countercase.errors import InputError
from countercase.evaluation.json_files import Row, read_json
from countercase.evaluation.report import Measure, Section, Table
from countercase.evaluation.statistics import mean_estimate

Idcg = Literal["gold", "retrieved"]
IDCGS: Final[tuple[Idcg, ...]] = get_args(Idcg)

_TOKEN: Final = re.compile(r"[^\W_]+")
_TITLES: Final = {
    "exact_match": "Exact match of the first passage",
    "span_f1": "Span F1 of the first passage",
    "recall": "Recall@{k} of the gold answers",
    "ndcg": "NDCG@{k} of the passages",
}
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


@dataclass(frozen=True)
class PassageQuery:
    """A query, its gold answers and the passages that a system retrieved, best first."""

    query: str
    answers: tuple[str, ...]
    retrieved: tuple[str, ...]


@dataclass(frozen=True)
class PassageScores:
    """The measures, each 0 to 1, of every query that has a gold answer; the others are counted."""

    k: int
    idcg: Idcg
    queries: tuple[str, ...]
    values: Mapping[str, Sequence[float]]
    without_gold: int = 0

    def mean(self, name: str) -> float:
        """The mean of `exact_match`, `span_f1`, `recall` or `ndcg` over the queries."""
        return fmean(self.values[name])

    def to_dict(self) -> dict[str, Any]:
        """The means under the names that are usual for this format, and every query."""
        rows = zip(self.queries, *self.values.values(), strict=True)
        return {
            **{_key(name, self.k): self.mean(name) for name in _TITLES},
            "num_examples": len(self.queries),
            "without_gold": self.without_gold,
            "k": self.k,
            "idcg": self.idcg,
            "queries": [dict(zip(("query", *self.values), row, strict=True)) for row in rows],
        }


def _key(name: str, k: int) -> str:
    return f"{name}@{k}" if "{k}" in _TITLES[name] else name


def normal_text(text: str) -> str:
    """Lower case, with single blanks and none at the ends: the form in which texts are compared."""
    return " ".join(text.lower().split())


def exact_match(passage: str, answers: Sequence[str]) -> float:
    """1 if the passage is one of the answers, else 0."""
    return float(normal_text(passage) in {normal_text(answer) for answer in answers})


def span_f1(passage: str, answers: Sequence[str]) -> float:
    """F1 of the sets of alphanumeric tokens of a passage and an answer, best over the answers."""
    held, *wanted = (set(_TOKEN.findall(text.lower())) for text in (passage, *answers))
    shares = (2 * len(held & words) / (len(held) + len(words)) for words in wanted if words)
    return max(shares, default=0.0)


def matched_answers(passage: str, answers: Sequence[str]) -> frozenset[int]:
    """Positions of the answers that the passage contains or is part of; a blank has none."""
    held, *wanted = map(normal_text, (passage, *answers))
    pairs = ((at, text) for at, text in enumerate(wanted) if held and text)
    return frozenset(at for at, text in pairs if text in held or held in text)


def recall_at_k(retrieved: Sequence[str], answers: Sequence[str], k: int) -> float:
    """Share of the answers that one of the first k passages matches."""
    matched = frozenset[int]().union(*(matched_answers(text, answers) for text in retrieved[:k]))
    return len(matched) / len(answers)


def ndcg_at_k(
    retrieved: Sequence[str], answers: Sequence[str], k: int, idcg: Idcg = "gold"
) -> float:
    """Compute NDCG@k, gains binary, discount log2(1 + rank) (Järvelin and Kekäläinen 2002).

    Args:
        idcg: `gold` takes the ideal over all gold answers, at most k; a passage that only repeats
            answers found above it gains nothing, since windows overlap, and answers found in one
            passage count as one. `retrieved` counts every matching passage, and takes the ideal
            over those that were retrieved, as some published figures do: a system that misses
            three answers of four and puts the fourth first gets 1.
    """
    seen: set[int] = set()
    gains = []
    for text in retrieved[:k]:
        matched = matched_answers(text, answers)
        gains.append(bool(matched) if idcg == "retrieved" else not matched <= seen)
        seen |= matched
    relevant = sum(gains) + (0 if idcg == "retrieved" else len(answers) - len(seen))
    discounts = [1 / log2(rank + 1) for rank in range(1, k + 1)]
    ideal = fsum(discounts[:relevant])
    return fsum(compress(discounts, gains)) / ideal if ideal else 0.0


def score_passages(
    queries: Sequence[PassageQuery], k: int = 10, idcg: Idcg = "gold"
) -> PassageScores:
    """Score all queries that have a gold answer; k passages count for recall and NDCG.

    Raises:
        ValueError: k is below 1, or no query has a gold answer.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    judged = [query for query in queries if query.answers]
    if not judged:
        raise ValueError("no query has a gold answer")
    firsts = [(next(iter(query.retrieved), ""), query.answers) for query in judged]
    values = {
        "exact_match": [exact_match(*pair) for pair in firsts],
        "span_f1": [span_f1(*pair) for pair in firsts],
        "recall": [recall_at_k(query.retrieved, query.answers, k) for query in judged],
        "ndcg": [ndcg_at_k(query.retrieved, query.answers, k, idcg) for query in judged],
    }
    texts = tuple(query.query for query in judged)
    return PassageScores(k, idcg, texts, values, len(queries) - len(judged))


def passages_section(scores: PassageScores, seed: int = 0) -> Section:
    """Report the means with 95% bootstrap intervals over the queries."""
    measures = []
    for name, form in _TITLES.items():
        note = _NOTES[scores.idcg] if name == "ndcg" else ""
        key, title = _key(name, scores.k), form.format(k=scores.k)
        mean = mean_estimate(scores.values[name], seed)
        measures.append(Measure.of(key, title, mean, note=note))
    recall = scores.values["recall"]
    counts = (
        ("queries", len(scores.queries)),
        ("queries without a gold answer, in no mean", scores.without_gold),
        ("queries with every answer found", sum(value == 1 for value in recall)),
        ("queries with no answer found", sum(value == 0 for value in recall)),
    )
    table = Table("Queries", ("what", "number"), counts)
    return Section("passages", "Passages", tuple(measures), (table,), details=scores.to_dict())


def read_benchmark(path: Path, limit: int | None = None) -> list[GoldQuery]:
    """Read the first `limit` tests of a gold file: `{"tests": [{"query", "snippets": [...]}]}`.

    Raises:
        InputError: not readable, not JSON or not of that form; file and field are named.
    """
    return read_json(path, _Benchmark).tests[:limit]


def score_files(
    predictions: Path, gold: Path, k: int = 10, idcg: Idcg = "gold", limit: int | None = None
) -> PassageScores:
    """Score predictions, `[{"query", "retrieved_passages": [...]}]`, by the gold answers of a file.

    Raises:
        InputError: a file cannot be read or is not of its form, a query has no prediction, or no
            query has a gold answer.
    """
    pairs = pair_predictions(read_json(predictions, list[Prediction]), read_benchmark(gold, limit))
    if not any(pair.answers for pair in pairs):
        raise InputError(f"{gold}: no query has a gold answer; nothing can be scored")
    return score_passages(pairs, k, idcg)


def pair_predictions(
    predictions: Sequence[Prediction], tests: Sequence[GoldQuery]
) -> list[PassageQuery]:
    """Pair each query with its prediction by its words; equal queries are paired in order.

    Raises:
        InputError: a query has no prediction.
    """
    waiting: dict[tuple[str, ...], deque[tuple[str, ...]]] = defaultdict(deque)
    for prediction in predictions:
        waiting[*prediction.query.split()].append(tuple(prediction.retrieved_passages))
    pairs, missing = [], []
    for test in tests:
        retrieved = waiting[*test.query.split()]
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
