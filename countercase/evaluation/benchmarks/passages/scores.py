"""Span-grounded passage retrieval: did the passages bring the words that answer the question?

The format is that of LegalBench-RAG (Pipitone and Houir Alami, "LegalBench-RAG: A Benchmark for
Retrieval-Augmented Generation in the Legal Domain", 2024): each query has gold answers, spans of a
document; a system hands in passages, best first. A passage and an answer match where one contains
the other, letter case and the kind of white space aside.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import fsum, log2
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import Field, StringConstraints

from countercase.errors import InputError
from countercase.evaluation.benchmarks.json_files import Row, read_json
from countercase.evaluation.report import Measure, Section, Table

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


class Benchmark(Row):
    """The queries of a benchmark, in order."""

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
class PassageScore:
    """The four measures of one query, each 0 to 1."""

    query: str
    exact_match: float
    span_f1: float
    recall: float
    ndcg: float


@dataclass(frozen=True)
class PassageScores:
    """The measures of all queries.

    Args:
        without_gold: queries that have no gold answer; they are in no mean.
    """

    k: int
    idcg: Idcg
    queries: tuple[PassageScore, ...]
    without_gold: int = 0

    def mean(self, name: str) -> float:
        """The mean of `exact_match`, `span_f1`, `recall` or `ndcg` over the queries."""
        return fsum(getattr(query, name) for query in self.queries) / len(self.queries)

    def to_dict(self) -> dict[str, Any]:
        """The means under the names that are usual for this format, and every query."""
        return {
            **{_key(name, self.k): self.mean(name) for name in _TITLES},
            "num_examples": len(self.queries),
            "without_gold": self.without_gold,
            "k": self.k,
            "idcg": self.idcg,
            "queries": [asdict(query) for query in self.queries],
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
    held = set(_TOKEN.findall(passage.lower()))
    wanted = [set(_TOKEN.findall(answer.lower())) for answer in answers]
    return max(
        (2 * len(held & words) / (len(held) + len(words)) for words in wanted if words), default=0.0
    )


def matched_answers(passage: str, answers: Sequence[str]) -> frozenset[int]:
    """Positions of the answers that the passage contains or is part of; a blank has none."""
    held = normal_text(passage)
    wanted = [normal_text(answer) for answer in answers]
    return frozenset(
        at for at, text in enumerate(wanted) if held and text and (text in held or held in text)
    )


def recall_at_k(retrieved: Sequence[str], answers: Sequence[str], k: int) -> float:
    """Share of the answers that one of the first k passages matches."""
    matched = frozenset[int]().union(*(matched_answers(text, answers) for text in retrieved[:k]))
    return len(matched) / len(answers)


def ndcg_at_k(
    retrieved: Sequence[str], answers: Sequence[str], k: int, idcg: Idcg = "gold"
) -> float:
    """NDCG@k with binary gains and the discount log2(1 + rank) (Järvelin and Kekäläinen 2002).

    Args:
        idcg: `gold` takes the ideal over all gold answers, at most k. A passage that only repeats
            answers found above it gains nothing, since windows overlap and one answer stands in
            two of them; answers that are found in one passage count as one. The result is at
            most 1. `retrieved` counts every matching passage, and takes the ideal over those that
            were retrieved: some published figures were made so, but a system that misses three
            answers of four and puts the fourth first gets 1.
    """
    seen: set[int] = set()
    gains = []
    for text in retrieved[:k]:
        matched = matched_answers(text, answers)
        gains.append(bool(matched) if idcg == "retrieved" else not matched <= seen)
        seen |= matched
    relevant = sum(gains) + (0 if idcg == "retrieved" else len(answers) - len(seen))
    ideal = fsum(1 / log2(rank + 2) for rank in range(min(relevant, k)))
    gained = fsum(1 / log2(rank + 2) for rank, gain in enumerate(gains) if gain)
    return gained / ideal if ideal else 0.0


def score_passages(
    queries: Sequence[PassageQuery], k: int = 10, idcg: Idcg = "gold"
) -> PassageScores:
    """All measures of all queries that have a gold answer.

    Args:
        k: how many passages of each query count for recall and NDCG.

    Raises:
        ValueError: k is below 1, or no query has a gold answer.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    judged = [query for query in queries if query.answers]
    if not judged:
        raise ValueError("no query has a gold answer")

    def score(query: PassageQuery) -> PassageScore:
        first, answers = next(iter(query.retrieved), ""), query.answers
        of_first = (exact_match(first, answers), span_f1(first, answers)) if first else (0.0, 0.0)
        recall = recall_at_k(query.retrieved, answers, k)
        ndcg = ndcg_at_k(query.retrieved, answers, k, idcg)
        return PassageScore(query.query, *of_first, recall, ndcg)

    return PassageScores(k, idcg, tuple(map(score, judged)), len(queries) - len(judged))


def passages_section(scores: PassageScores, seed: int = 0) -> Section:
    """The scores as a section: means with 95% bootstrap intervals over the queries.

    Args:
        seed: of the resampling; the same scores and seed give the same bytes.
    """
    measures = []
    for name, form in _TITLES.items():
        values = [getattr(query, name) for query in scores.queries]
        note = _NOTES[scores.idcg] if name == "ndcg" else ""
        key, title = _key(name, scores.k), form.format(k=scores.k)
        measures.append(Measure.of_mean(key, title, values, seed, note=note))
    counts = (
        ("queries", len(scores.queries)),
        ("queries without a gold answer, in no mean", scores.without_gold),
        ("queries with every answer found", sum(query.recall == 1 for query in scores.queries)),
        ("queries with no answer found", sum(query.recall == 0 for query in scores.queries)),
    )
    table = Table("Queries", ("what", "number"), counts)
    details = scores.to_dict()
    return Section("passages", "Passages", tuple(measures), (table,), details=details)


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
