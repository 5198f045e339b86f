"""The service keeps to its own OpenAPI schema, whatever is sent (Schemathesis)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_server import listening
from schemathesis import GenerationMode
from schemathesis.checks import positive_data_acceptance

from countercase.web.app import create_app
from countercase.web.corpora import serve_session
from countercase.web.security import Rate
from countercase.web.worker import Worker

OPERATIONS = (
    "POST /batch_search", "POST /search", "GET /health", "POST /analyses", "GET /analyses/{job}",
    "DELETE /analyses/{job}", "POST /analyses/{job}/cancel", "POST /analyses/{job}/run",
    "GET /analyses/{job}/events", "POST /facts", "POST /retrieve", "GET /precedents/{case_id}",
)  # fmt: skip
NEVER_WRONG = ("GET /health", "GET /precedents/{case_id}")
"""No request to these can fail to fit the schema."""


@pytest.fixture(scope="module")
def schema(worker: Worker) -> Iterator[schemathesis.BaseSchema]:
    """The schema of a running server."""
    searcher = serve_session(worker.workspace.session)
    with listening(create_app(searcher, worker=worker, rate=Rate(1e6, 10**6))) as url:
        yield schemathesis.openapi.from_url(f"{url}/openapi.json")


def test_every_operation_is_tried(schema: schemathesis.BaseSchema) -> None:
    tried = [f"{method.upper()} {path}" for path in schema for method in schema[path]]
    assert sorted(tried) == sorted(OPERATIONS)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        (name, mode)
        for name in OPERATIONS
        for mode in GenerationMode
        if mode == GenerationMode.POSITIVE or name not in NEVER_WRONG
    ],
)
def test_the_service_keeps_to_its_schema(
    schema: schemathesis.BaseSchema, name: str, mode: GenerationMode
) -> None:
    """Requests that fit the schema (positive) and that do not (negative)."""
    method, path = name.split(" ")
    cases = schema[path][method].as_strategy(generation_mode=mode)

    @settings(
        max_examples=15, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=st.data())
    def keeps_to_it(data: st.DataObject) -> None:
        # What fits may still be refused: a provision that no Act has, a case without facts.
        case = data.draw(cases)
        case.call_and_validate(excluded_checks=[positive_data_acceptance], timeout=60)

    keeps_to_it()
