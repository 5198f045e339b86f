"""A search service that finds similar cases, asked with `POST /batch_search`, with retries.

A service that fails is an error and never an empty ranking: what was not answered cannot be scored
as wrong.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from countercase.errors import CounterCaseError, InputError
from countercase.evaluation.benchmarks.similar_cases.cases import Labels, text_key
from countercase.evaluation.json_files import first_error
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

_LABELS: Final = TypeAdapter(Labels)


class ServiceError(CounterCaseError):
    """A search service cannot be reached, fails, or does not answer with rankings."""


@dataclass(frozen=True)
class Hit:
    """One result of a service, as it gave it (`fields`), with the tasks in which it matches."""

    doc_id: str
    text: str
    score: float
    fields: Mapping[str, Any] = field(default_factory=dict)
    matches: frozenset[str] = frozenset()

    def labels(self, known: Mapping[str, Labels]) -> Labels:
        """Return its labels, of its own (`metadata`, `meta`, beside the text) or known of the text.

        Raises:
            ServiceError: they stand nowhere, or one is missing or of the wrong type.
        """
        given = (self.fields.get("metadata"), self.fields.get("meta"), self.fields)
        meta = next((m for m in given if isinstance(m, Mapping) and "accusation" in m), None)
        try:
            return known[text_key(self.text)] if meta is None else _LABELS.validate_python(meta)
        except ValidationError as error:
            message = f"result {self.doc_id!r} of the service: {first_error(error)}"
            raise ServiceError(message) from error
        except KeyError as error:
            raise ServiceError(
                f"result {self.doc_id!r} of the service has no accusation, relevant_articles and "
                "term_of_imprisonment; let it give them, or name the records with --records"
            ) from error


@dataclass(frozen=True)
class ServiceOptions:
    """How a service is asked.

    Args:
        batch: queries of one request.
        top_k: results asked for, of each query.
        timeout: seconds to wait for one batch.
        retries, pause: how often a batch is sent again, after how many seconds, doubled each time.
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
    report = progress or (lambda what, done, of: None)
    local = urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")
    rankings: list[list[Hit]] = []
    # A proxy of the environment has no business with a service on this machine.
    with httpx.Client(timeout=options.timeout, trust_env=not local) as client:
        for start in range(0, len(queries), options.batch):
            report("queries", start, len(queries))
            batch = list(queries[start : start + options.batch])
            answer = _post(client, address, {options.field: batch, "top_k": options.top_k}, options)
            rankings += _rankings(answer, len(batch), address)
    report("queries", len(queries), len(queries))
    return rankings


def _post(
    client: httpx.Client, address: str, payload: Mapping[str, Any], options: ServiceOptions
) -> Any:
    # By hand: the retries of httpx's own transport are for lost connections alone.
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
        status = f"answers {response.status_code}"
        if response.status_code in TRY_AGAIN:
            failure = status
            continue
        if response.status_code != 200:
            raise ServiceError(f"{address}: {status}: {' '.join(response.text.split())[:200]}")
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
        places = " or ".join(TEXT_FIELDS)
        raise ServiceError(f"{address}: result {at + 1} has no text; it must stand in {places}")
    name = next((fields[key] for key in ("id", "fact_id", "doc_id") if key in fields), "")
    score = fields.get("score")
    # A service without scores has an order all the same.
    return Hit(
        str(name), text, float(score) if isinstance(score, int | float) else -float(at), fields
    )
