"""Are the cases that a search finds similar to the query? Four tasks, at 3, 5 and 10 results.

Gold: the result is one of the query's positives. Accusation and Article: the sets of charges, or
of articles, are equal. Imprisonment: the term is within the larger of 20% of the query's and six
months; a life or death sentence is near only to its own kind.

The definitions are those of the published evaluation: Precision@K = matches / K, also where fewer
than K results came; Recall@K = matches / 10; Hit Rate@K the share of queries with a match;
Macro-F1 the mean of the queries' F1. Micro-F1 is taken over all results together, against those
that came, so it differs from Macro-F1 only where a service found fewer than K.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from countercase.evaluation.benchmarks.json_files import first_error
from countercase.evaluation.benchmarks.similar_cases.cases import (
    CaseRecord,
    GoldQuery,
    Labels,
    labels_of,
    text_key,
)
from countercase.evaluation.benchmarks.similar_cases.client import Hit, ServiceError

TASKS: Final = ("gold", "accusation", "article", "imprisonment")
CUTS: Final = (3, 5, 10)
"""Numbers of results that are scored."""
RECALL_OF: Final = 10
"""The denominator of recall, and the most positives of a query that count."""
METRICS: Final = ("precision", "recall", "hit_rate", "macro_f1", "micro_f1")


@dataclass(frozen=True)
class Found:
    """One result and the tasks in which it matches the query."""

    doc_id: str
    score: float
    matches: frozenset[str]


@dataclass(frozen=True)
class SimilarResult:
    """What a service found for one query, without the query itself and repeated texts.

    Args:
        itself: results dropped because they are the query.
        repeated: results dropped because their text came before.
    """

    query_id: str
    found: tuple[Found, ...]
    itself: int = 0
    repeated: int = 0

    def matches(self, task: str, k: int) -> int:
        """Matches among the first `k`."""
        return sum(task in result.matches for result in self.found[:k])

    def precision(self, task: str, k: int) -> float:
        """Share of `k` results that match."""
        return self.matches(task, k) / k

    def recall(self, task: str, k: int) -> float:
        """Matches out of ten."""
        return self.matches(task, k) / RECALL_OF

    def f1(self, task: str, k: int) -> float:
        """Harmonic mean of both."""
        return harmonic(self.precision(task, k), self.recall(task, k))

    def to_dict(self) -> dict[str, Any]:
        """The results of the query for JSON."""
        hits = [
            {
                "id": hit.doc_id,
                "score": round(hit.score, 9),
                "matches": [task for task in TASKS if task in hit.matches],
            }
            for hit in self.found
        ]
        counts = {"itself": self.itself, "repeated": self.repeated}
        return {"query_id": self.query_id, "found": hits, **counts}


@dataclass(frozen=True)
class Scores:
    """One task at one cut, over all queries; each from 0 to 1."""

    precision: float
    recall: float
    hit_rate: float
    macro_f1: float
    micro_f1: float


def labelled_with(records: Sequence[CaseRecord] = ()) -> Callable[[Hit], Labels]:
    """A function that gives the labels of a result: the service's own, else those in `records`.

    It raises ServiceError for a result whose labels stand in neither.
    """
    known = {record.key: record.labels for record in records}

    def labels(hit: Hit) -> Labels:
        if "accusation" in hit.meta:
            try:
                return labels_of(hit.meta)
            except ValidationError as error:
                raise ServiceError(
                    f"result {hit.doc_id!r} of the service: {first_error(error)}"
                ) from error
        record_labels = known.get(text_key(hit.text))
        if record_labels is None:
            raise ServiceError(
                f"result {hit.doc_id!r} of the service has no accusation, relevant_articles and "
                "term_of_imprisonment; let it give them, or name the records with --records"
            )
        return record_labels

    return labels


def judge_results(
    gold: GoldQuery, hits: Sequence[Hit], labels: Callable[[Hit], Labels]
) -> SimilarResult:
    """The results of one query, each with the tasks in which it matches.

    Raises:
        ServiceError: the labels of a result are not known.
    """
    wanted = gold.query.labels
    positives = {positive.case.key for positive in gold.positives[:RECALL_OF]}
    seen: set[str] = set()
    results: list[Found] = []
    itself = repeated = 0
    for hit in hits:
        key = text_key(hit.text)
        if key == gold.query.key:
            itself += 1
        elif key in seen:
            repeated += 1
        else:
            seen.add(key)
            if len(results) < max(CUTS):
                matches = _matches(wanted, labels(hit), key in positives)
                results.append(Found(hit.doc_id, hit.score, matches))
    return SimilarResult(gold.query.record_id, tuple(results), itself, repeated)


def scores(results: Sequence[SimilarResult], task: str, k: int) -> Scores:
    """One task at one cut.

    Raises:
        ValueError: there is no result.
    """
    if not results:
        raise ValueError("no query was asked")
    count = len(results)
    matches = [result.matches(task, k) for result in results]
    came = sum(min(k, len(result.found)) for result in results)
    return Scores(
        precision=sum(matches) / (k * count),
        recall=sum(matches) / (RECALL_OF * count),
        hit_rate=sum(number > 0 for number in matches) / count,
        macro_f1=sum(result.f1(task, k) for result in results) / count,
        micro_f1=harmonic(sum(matches) / came if came else 0.0, sum(matches) / (RECALL_OF * count)),
    )


def score_table(results: Sequence[SimilarResult]) -> dict[str, dict[str, dict[int, float]]]:
    """Every figure: task -> metric -> cut -> value."""
    cells = {(task, k): scores(results, task, k) for task in TASKS for k in CUTS}
    return {
        task: {metric: {k: getattr(cells[task, k], metric) for k in CUTS} for metric in METRICS}
        for task in TASKS
    }


def harmonic(precision: float, recall: float) -> float:
    """The harmonic mean of two shares; 0 where both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _matches(wanted: Labels, given: Labels, gold: bool) -> frozenset[str]:
    agreed = {
        "gold": gold,
        "accusation": wanted.accusations == given.accusations,
        "article": wanted.articles == given.articles,
        "imprisonment": wanted.term.near(given.term),
    }
    return frozenset(task for task, holds in agreed.items() if holds)
