"""Chromium, driven by Playwright, and the rules of axe-core for a page that it shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from served_case import CASE

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
NARRATIVE: Final = CASE["text"]
SOON: Final = 120_000
"""Milliseconds within which a small analysis is done on a machine that is busy."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser; skips the test where this machine has none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on the PATH (apt-get install chromium)")
    with sync_playwright() as playwright:
        # The sandbox needs kernel rights that containers do not give.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong on a page, of any impact: the rule and the first places."""
    axe = resources.files("axe_playwright_python") / "axe.min.js"
    page.evaluate(axe.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{rule['id']} ({rule['impact']}): "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in rule["nodes"][:4])
        for rule in found
    ]


def overflow(page: Page) -> list[str]:
    """The elements that stand out of the window sideways, where the page can be scrolled so."""
    found: list[str] = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          const inside = (e) => { while ((e = e.parentElement))
            if (getComputedStyle(e).overflowX !== "visible") return true; return false; };
          return [...document.body.querySelectorAll("*")]
            .filter((e) => e.getBoundingClientRect().right > width + 1 && !inside(e))
            .map((e) => "cut off: " + e.outerHTML.slice(0, 100)).slice(0, 5);
        }"""
    )
    return found


def give(page: Page, text: str = NARRATIVE, title: str = "Ramu v. State of Bihar") -> None:
    """Paste a case on the first page."""
    page.goto("/")
    page.get_by_label("Title, if it has one").fill(title)
    page.get_by_label("The facts, as you would tell them to a colleague").fill(text)
    page.get_by_role("button", name="Read the facts").click()
    page.wait_for_url("**/cases/*")


def begin_with(page: Page, example: str) -> None:
    """Choose an example, one whose tree takes longer than that of the narrative."""
    page.goto("/")
    page.get_by_role("button", name=example).click()
    page.wait_for_url("**/cases/*")


def analyse(page: Page, **fields: str) -> str:
    """Start the analysis of the case that is shown; return the address of its results."""
    if fields:
        page.get_by_text("Settings: length of the list").click()
    for name, value in fields.items():
        field = page.locator(f"#{name}")
        field.select_option(value) if name == "criterion" else field.fill(value)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(re.compile("/results/[0-9a-f]{16}"))
    found = re.search("/results/[0-9a-f]{16}", page.url)
    assert found is not None
    return found[0]


def finish(page: Page) -> None:
    """Wait until the analysis whose precedents are shown is over."""
    page.get_by_role("heading", name="Why not another decision?").wait_for(timeout=SOON)
