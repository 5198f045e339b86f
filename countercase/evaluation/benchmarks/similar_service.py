"""A search service that finds similar cases, asked with `POST /batch_search`, with retries.

A service that fails is an error and never an empty ranking: what was not answered cannot be scored
as wrong.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from countercase.errors import CounterCaseError, InputError
from countercase.evaluation.benchmarks.similar_cases import Labels, text_key
from countercase.evaluation.sets import first_error
from countercase.io import Progress

if TYPE_CHECKING:
    import httpx

ENDPOINT: Final = "/batch_search"
TRY_AGAIN: Final = (429, 500, 502, 503, 504)
"""Statuses after which a batch is sent again."""
QUERY_FIELDS: Final = ("queries", "facts")
"""Under which name a service takes the queries of a batch."""


class ServiceError(CounterCaseError):
    """A search service cannot be reached, fails, or does not answer with rankings."""


class Hit(BaseModel):
    """One result of a service, with all that it gave."""

    model_config = ConfigDict(extra="allow", frozen=True, coerce_numbers_to_str=True)

    doc_id: str = Field("", validation_alias=AliasChoices("id", "fact_id", "doc_id"))
    text: str = Field(
        min_length=1, validation_alias=AliasChoices("fact", "text", "content", "sentence")
    )
    score: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _drop_blanks(cls, given: Any) -> Any:
        """Pass over fields without a value, so that another name of the field is taken."""
        filled = isinstance(given, Mapping)
        return {k: v for k, v in given.items() if v not in (None, "")} if filled else given

    def labels(self, known: Mapping[str, Labels]) -> Labels:
        """Return its labels, of its own (`metadata`, `meta`, beside the text) or known of the text.

        Raises:
            ServiceError: they stand nowhere, or one is missing or of the wrong type.
        """
        given = self.model_extra or {}
        places = (given.get("metadata"), given.get("meta"), given)
        meta = next((m for m in places if isinstance(m, Mapping) and "accusation" in m), None)
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


_LABELS: Final = TypeAdapter(Labels)
_ANSWER: Final = TypeAdapter(list[list[Hit]])
_ADDRESS: Final = TypeAdapter(HttpUrl)


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
    """Return the address that batches are posted to."""
    try:
        _ADDRESS.validate_python(url)
    except ValidationError as error:
        message = f"--url {url!r}: must be an address such as http://127.0.0.1:8642"
        raise InputError(message) from error
    return url.rstrip("/").removesuffix(ENDPOINT).removesuffix("/search") + ENDPOINT


def ask_service(
    url: str, queries: Sequence[str], options: ServiceOptions, progress: Progress | None = None
) -> list[list[Hit]]:
    """Return the results of each query, best first.

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
            rankings += _ask_batch(client, address, batch, options)
    report("queries", len(queries), len(queries))
    return rankings


def _ask_batch(
    client: httpx.Client, address: str, queries: list[str], options: ServiceOptions
) -> list[list[Hit]]:
    """Send a batch, again where it fails, and read the lists of results in the answer."""
    # By hand: the retries of httpx's own transport are for lost connections alone.
    import httpx

    def refuse(problem: str) -> ServiceError:
        return ServiceError(f"{address}: {problem}")

    body = {options.field: queries, "top_k": options.top_k}
    for attempt in range(options.retries + 1):
        if attempt:
            time.sleep(options.pause * 2 ** (attempt - 1))
        try:
            response = client.post(address, json=body)
        except httpx.HTTPError as error:
            failure = f"does not answer ({str(error) or type(error).__name__})"
            continue
        if response.status_code not in TRY_AGAIN:
            break
        failure = f"answers {response.status_code}"
    else:
        hint = "start the service, for instance with `countercase serve`, or give it a longer"
        raise refuse(f"{failure}, asked {options.retries + 1} times; {hint} --timeout")
    if response.status_code != 200:
        raise refuse(f"answers {response.status_code}: {' '.join(response.text.split())[:200]}")
    try:
        answer = response.json()
        wrapped = isinstance(answer, Mapping) and "results" in answer
        rankings = _ANSWER.validate_python(answer["results"] if wrapped else answer)
    except ValidationError as error:
        raise refuse(f"must answer with lists of results: {first_error(error)}") from error
    except ValueError as error:
        raise refuse("does not answer with JSON") from error
    if len(rankings) != len(queries):
        raise refuse(f"must answer with one list of results for each of the {len(queries)} queries")
    return rankings
