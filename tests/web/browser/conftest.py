"""The application in Chromium: its address, a browser, a page, and a finished analysis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsing import SOON, analyse, chromium, finish, give
from live_server import listening
from playwright.sync_api import Browser, Page, expect
from served_case import working

from countercase.session import Session
from countercase.web.app import create_app
from countercase.web.corpora import serve_session
from countercase.web.security import Rate
from countercase.web.worker import Worker

expect.set_options(timeout=SOON)


@pytest.fixture(scope="package")
def worker(small_session: Session, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with working(small_session, tmp_path_factory.mktemp("browsed")) as worker:
        yield worker


@pytest.fixture(scope="package")
def url(worker: Worker) -> Iterator[str]:
    searcher = serve_session(worker.workspace.session)
    with listening(create_app(searcher, worker=worker, rate=Rate(1e6, 10**6))) as url:
        yield url


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """A page of a browser of its own, which fails on any error of a script."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    policy = "Content Security"
    page.on("console", lambda it: faults.append(it.text) if policy in it.text else None)
    page.set_default_timeout(SOON)
    yield page
    context.close()
    assert faults == []


@pytest.fixture(scope="package")
def results(browser: Browser, url: str) -> str:
    """The address of the results of a finished analysis of the narrative."""
    page = browser.new_page(base_url=url)
    give(page)
    address = analyse(page)
    finish(page)
    page.close()
    return address
