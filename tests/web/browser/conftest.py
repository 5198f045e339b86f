"""The application in Chromium: its address, a browser, a page, and a finished analysis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsing import SOON, analyse, chromium, finish, give
from live_server import listening
from playwright.sync_api import Browser, Page, expect

from countercase.web.app import create_app
from countercase.web.corpora import serve_session
from countercase.web.security import Rate
from countercase.web.worker import Worker

expect.set_options(timeout=SOON)


@pytest.fixture(scope="module")
def url(worker: Worker) -> Iterator[str]:
    searcher = serve_session(worker.workspace.session)
    with listening(create_app(searcher, worker=worker, rate=Rate(1e6, 10**6))) as url:
        yield url


@pytest.fixture(scope="module")
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
    page.on(
        "console",
        lambda said: faults.append(said.text) if "Content Security" in said.text else None,
    )
    page.set_default_timeout(SOON)
    yield page
    context.close()
    assert faults == []


@pytest.fixture(scope="module")
def results(browser: Browser, url: str) -> str:
    """The address of the results of a finished analysis of the narrative."""
    page = browser.new_page(base_url=url)
    give(page)
    address = analyse(page)
    finish(page)
    page.close()
    return address
