"""The application over a handful of casebook decisions, with its worker, asked in process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from served_case import analysed, of_area, working
from starlette.testclient import TestClient

from countercase.config import Settings
from countercase.corpus.index.build import index_in_memory
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.session import Session
from countercase.web.app import create_app
from countercase.web.corpora import serve_session
from countercase.web.security import Access
from countercase.web.worker import Worker


@pytest.fixture(scope="session")
def small_session(encoders: EmbeddedEncoders) -> Session:
    settings = Settings(TOP_K=4, DEPTH=1, MAX_STATES=8, NULL_EDITS=2, USE_RERANKER=False)
    documents = [*of_area("dowry", "IPC-302")[:8], *of_area("homicide", "IPC-302")[:6]]
    return Session(settings, encoders, index_in_memory(documents, encoders, 200))


@pytest.fixture(scope="module")
def worker(small_session: Session, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with working(small_session, tmp_path_factory.mktemp("web")) as worker:
        yield worker


@pytest.fixture(scope="module")
def client(worker: Worker) -> Iterator[TestClient]:
    app = create_app(
        serve_session(worker.workspace.session), Access(frozenset({"testserver"})), worker
    )
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def done(client: TestClient) -> str:
    """The id of a finished analysis of CASE."""
    return analysed(client)
