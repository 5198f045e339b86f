"""The way of a new user, from the last line of `make demo` to the first ranking in the browser.

    python benchmarks/first_ranking.py [--width 1280] [--json FILE]

It does what that line says, reads what the server prints, and then only clicks what a page shows
without scrolling or guessing; it fails where a step cannot be seen. Gives the seconds of each step.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Locator, Page

from tools.screenshots import opened_browser

HEIGHT = 800
PATIENCE = 120_000


def said_by_demo() -> list[str]:
    """The command that the last line of `make demo` names."""
    last = [line for line in Path("Makefile").read_text().splitlines() if "To try it" in line][-1]
    found = re.search(r"\$\(BIN\)/countercase (\w+)", last)
    assert found is not None and "open the address that it prints" in last, last
    return [sys.executable, "-m", "countercase", found[1], "--port", "0"]


def in_sight(what: Locator, label: str) -> Locator:
    """`what`, if a user sees it without scrolling."""
    what.wait_for(timeout=PATIENCE)
    box = what.bounding_box()
    if box is None or box["y"] + box["height"] > HEIGHT:
        raise SystemExit(f"{label} is not in sight: {box}")
    return what


def follow(page: Page, name: str) -> None:
    """Follow a link within the page, which only narrow pages have."""
    link = page.get_by_role("link", name=name)
    if link.is_visible():
        in_sight(link, name).click()


def main() -> None:
    """Walk it and print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    seconds: dict[str, float] = {}
    began = last = time.monotonic()

    def step(name: str) -> None:
        nonlocal last
        now = time.monotonic()
        seconds[name], last = round(now - last, 1), now

    with subprocess.Popen(said_by_demo(), stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            told = [server.stdout.readline(), server.stdout.readline()]
            found = re.fullmatch(r"To begin, open (http://\S+) in your browser\.\n", told[1])
            if found is None:
                raise SystemExit(f"the server does not say what to open: {told}")
            step("countercase serve: the address is printed")
            with opened_browser() as browser:
                size = {"width": options.width, "height": HEIGHT}
                page = browser.new_page(viewport=size)  # type: ignore[arg-type]
                page.goto(found[1])
                follow(page, "Or begin with an example")
                in_sight(page.get_by_role("heading", name="Or begin with an example"), "examples")
                step("the first page")
                in_sight(page.get_by_role("button", name="Sudden fight"), "the example").click()
                page.wait_for_url("**/cases/*")
                follow(page, "Find the precedents")
                analyse = in_sight(page.get_by_role("button", name="Analyse"), "Analyse")
                step("the facts of the example")
                analyse.click()
                page.get_by_role("progressbar").wait_for(timeout=PATIENCE)
                step("the tree begins to grow")
                first = page.locator(".precedents h2 a").first
                in_sight(first, "the first precedent")
                step("the first ranking")
                print(f"first: {first.inner_text()}")
        finally:
            server.terminate()
    seconds["in all"] = round(time.monotonic() - began, 1)
    print(json.dumps(seconds, indent=2))
    if options.json:
        options.json.write_text(json.dumps(seconds, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
