"""Are the cases that a search finds similar to the query? Four tasks, at 3, 5 and 10 results.

Gold: the result is one of the query's positives. Accusation and Article: the sets of charges, or
of articles, are equal. Imprisonment: the term is within the larger of 20% of the query's and six
months; a life or death sentence is near only to its own kind.

The definitions are those of the published evaluation: Precision@K = matches / K, also where fewer
than K results came; Recall@K = matches / 10; Hit Rate@K the share of queries with a match;
Macro-F1 the mean of the queries' F1. Micro-F1 is taken over all results together, against those
that came, so it differs from Macro-F1 only where a service found fewer than K.

The service is asked with `POST /batch_search`, in batches, with retries. One that fails is an error
and never an empty ranking: what was not answered cannot be scored as wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

from pydantic import ValidationError

from countercase.errors import CounterCaseError, InputError
from countercase.evaluation.benchmarks.json_files import first_error
from countercase.evaluation.benchmarks.similar_cases.cases import (
    CaseRecord,
    GoldQuery,
    Labels,
    labels_of,
    text_key,
)
from countercase.io import Progress

if TYPE_CHECKING:
    import httpx

ENDPOINT: Final = "/batch_search"
TRY_AGAIN: Final = (429, 500, 502, 503, 504)
"""Statuses after which a batch is sent again."""
TEXT_FIELDS: Final = ("fact", "text", "content", "sentence")
"""Where services put the text of a result."""
QUERY_FIELDS: Final = ("queries", "facts")
"""Under which name a service takes the queries of a batch."""
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


class ServiceError(CounterCaseError):
    """A search service cannot be reached, fails, or does not answer with rankings."""


@dataclass(frozen=True)
class Hit:
    """One result of a service.

    Args:
        fields: the whole object as the service gave it.
    """

    doc_id: str
    text: str
    score: float
    fields: Mapping[str, Any]

    @property
    def meta(self) -> Mapping[str, Any]:
        """Where its labels stand: in `metadata`, in `meta`, or beside the text."""
        for name in ("metadata", "meta"):
            nested = self.fields.get(name)
            if isinstance(nested, Mapping) and "accusation" in nested:
                return nested
        return self.fields


@dataclass(frozen=True)
class ServiceOptions:
    """How a service is asked.

    Args:
        batch: queries of one request.
        top_k: results asked for, of each query.
        timeout: seconds to wait for one batch.
        retries: how often a batch is sent again.
        pause: seconds before it is sent again, twice as long each time.
        field: what the service calls the list of queries.
    """

    batch: int = 16
    top_k: int = 20
    timeout: float = 120.0
    retries: int = 3
    pause: float = 0.5
    field: str = "queries"


def endpoint_of(url: str) -> str:
    """The address that batches are posted to.

    Raises:
        InputError: `url` is not an http or https address.
    """
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise InputError(f"--url {url!r}: must be an address such as http://127.0.0.1:8642")
    return url.rstrip("/").removesuffix(ENDPOINT).removesuffix("/search") + ENDPOINT


def ask_service(
    url: str, queries: Sequence[str], options: ServiceOptions, progress: Progress | None = None
) -> list[list[Hit]]:
    """The results of each query, best first.

    Raises:
        InputError: `url` cannot be an address.
        ServiceError: a batch fails after all retries, or the answer is not a list of rankings.
    """
    import httpx

    address = endpoint_of(url)
    local = urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")
    rankings: list[list[Hit]] = []
    # A proxy of the environment has no business with a service on this machine.
    with httpx.Client(timeout=options.timeout, trust_env=not local) as client:
        for start in range(0, len(queries), options.batch):
            if progress is not None:
                progress("queries", start, len(queries))
            batch = list(queries[start : start + options.batch])
            answer = _post(client, address, {options.field: batch, "top_k": options.top_k}, options)
            rankings += _rankings(answer, len(batch), address)
    if progress is not None:
        progress("queries", len(queries), len(queries))
    return rankings


def _post(
    client: httpx.Client, address: str, payload: Mapping[str, Any], options: ServiceOptions
) -> Any:
    import httpx

    failure = ""
    for attempt in range(options.retries + 1):
        if attempt:
            time.sleep(options.pause * 2 ** (attempt - 1))
        try:
            response = client.post(address, json=payload)
        except httpx.HTTPError as error:
            failure = f"does not answer ({str(error) or type(error).__name__})"
            continue
        if response.status_code in TRY_AGAIN:
            failure = f"answers {response.status_code}"
            continue
        if response.status_code != 200:
            text = " ".join(response.text.split())[:200]
            raise ServiceError(f"{address}: answers {response.status_code}: {text}")
        try:
            return response.json()
        except ValueError as error:
            raise ServiceError(f"{address}: does not answer with JSON") from error
    raise ServiceError(
        f"{address}: {failure}, asked {options.retries + 1} times; "
        "start the service, for instance with `countercase serve`, or give it a longer --timeout"
    )


def _rankings(answer: Any, count: int, address: str) -> list[list[Hit]]:
    """The lists of results in an answer: the answer itself, or its `results`."""
    lists = answer.get("results") if isinstance(answer, Mapping) else answer
    if not isinstance(lists, list) or len(lists) != count:
        raise ServiceError(
            f"{address}: must answer with one list of results for each of the {count} queries"
        )
    for ranking in lists:
        if not isinstance(ranking, list) or not all(isinstance(hit, Mapping) for hit in ranking):
            raise ServiceError(f"{address}: a ranking must be a list of objects")
    return [[_hit(hit, at, address) for at, hit in enumerate(ranking)] for ranking in lists]


def _hit(fields: Mapping[str, Any], at: int, address: str) -> Hit:
    text = next((fields[name] for name in TEXT_FIELDS if fields.get(name)), None)
    if not isinstance(text, str):
        raise ServiceError(
            f"{address}: result {at + 1} has no text; it must stand in {' or '.join(TEXT_FIELDS)}"
        )
    name = next((fields[key] for key in ("id", "fact_id", "doc_id") if key in fields), "")
    score = fields.get("score")
    # A service without scores has an order all the same.
    number = float(score) if isinstance(score, int | float) else -float(at)
    return Hit(str(name), text, number, fields)


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
        matches = [[task for task in TASKS if task in hit.matches] for hit in self.hits]
        hits = [
            {"id": hit.doc_id, "score": round(hit.score, 9), "matches": tasks}
            for hit, tasks in zip(self.hits, matches, strict=True)
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
            message = f"result {hit.doc_id!r} of the service: {first_error(error)}"
            raise ServiceError(message) from error
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
    f1 = [harmonic(number / k, number / RECALL_OF) for number in matches]
    return {
        "precision": sum(matches) / (k * len(results)),
        "recall": recall,
        "hit_rate": sum(number > 0 for number in matches) / len(results),
        "macro_f1": sum(f1) / len(results),
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
