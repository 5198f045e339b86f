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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

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
METRICS: Final = {
    "precision": "Precision",
    "recall": "Recall",
    "hit_rate": "Hit Rate",
    "macro_f1": "Macro-F1",
    "micro_f1": "Micro-F1",
}
"""Metrics with their titles."""

Figures: TypeAlias = Mapping[str, Mapping[str, Mapping[int, float]]]
"""Task -> metric -> cut -> value, each from 0 to 1."""


@dataclass(frozen=True)
class JudgedHit:
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
    hits: tuple[JudgedHit, ...]
    itself: int = 0
    repeated: int = 0

    def matches(self, task: str, k: int) -> int:
        """Matches among the first `k`."""
        return sum(task in result.matches for result in self.hits[:k])

    def to_dict(self) -> dict[str, Any]:
        """The results of the query for JSON."""
        hits = [
            {
                "id": hit.doc_id,
                "score": round(hit.score, 9),
                "matches": [task for task in TASKS if task in hit.matches],
            }
            for hit in self.hits
        ]
        counts = {"itself": self.itself, "repeated": self.repeated}
        return {"query_id": self.query_id, "found": hits, **counts}


def labelled_with(records: Sequence[CaseRecord] = ()) -> Callable[[Hit], Labels]:
    """A function that gives the labels of a result: the service's own, else those in `records`.

    It raises ServiceError for a result whose labels stand in neither.
    """
    known = {record.key: record.labels for record in records}

    def labels(hit: Hit) -> Labels:
        try:
            if "accusation" in hit.meta:
                return labels_of(hit.meta)
            return known[text_key(hit.text)]
        except ValidationError as error:
            raise ServiceError(
                f"result {hit.doc_id!r} of the service: {first_error(error)}"
            ) from error
        except KeyError as error:
            raise ServiceError(
                f"result {hit.doc_id!r} of the service has no accusation, relevant_articles and "
                "term_of_imprisonment; let it give them, or name the records with --records"
            ) from error

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
    keys = [text_key(hit.text) for hit in hits]
    itself = keys.count(gold.query.key)
    unique: dict[str, Hit] = {}
    for key, hit in zip(keys, hits, strict=True):
        if key != gold.query.key:
            unique.setdefault(key, hit)
    results = []
    for key, hit in list(unique.items())[: max(CUTS)]:
        given = labels(hit)
        agreed = {
            "gold": key in positives,
            "accusation": wanted.accusations == given.accusations,
            "article": wanted.articles == given.articles,
            "imprisonment": wanted.term.near(given.term),
        }
        matches = frozenset(task for task, holds in agreed.items() if holds)
        results.append(JudgedHit(hit.doc_id, hit.score, matches))
    repeated = len(hits) - itself - len(unique)
    return SimilarResult(gold.query.record_id, tuple(results), itself, repeated)


def scores(results: Sequence[SimilarResult], task: str, k: int) -> dict[str, float]:
    """The metrics of one task at one cut.

    Raises:
        ValueError: there is no result.
    """
    if not results:
        raise ValueError("no query was asked")
    matches = [result.matches(task, k) for result in results]
    came = sum(min(k, len(result.hits)) for result in results)
    recall = sum(matches) / (RECALL_OF * len(results))
    return {
        "precision": sum(matches) / (k * len(results)),
        "recall": recall,
        "hit_rate": sum(number > 0 for number in matches) / len(results),
        "macro_f1": sum(harmonic(number / k, number / RECALL_OF) for number in matches)
        / len(results),
        "micro_f1": harmonic(sum(matches) / came if came else 0.0, recall),
    }


def score_table(results: Sequence[SimilarResult]) -> Figures:
    """Every figure."""
    cells = {task: {k: scores(results, task, k) for k in CUTS} for task in TASKS}
    return {
        task: {metric: {k: cells[task][k][metric] for k in CUTS} for metric in METRICS}
        for task in TASKS
    }


def harmonic(precision: float, recall: float) -> float:
    """The harmonic mean of two shares; 0 where both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
