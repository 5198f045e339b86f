"""How soon a what-if of a known change answers: at the server, and in Chromium from key to paint.

    python benchmarks/what_if.py [--rounds 20] [--json FILE]

The example of a sudden fight is analysed first; every fact is then switched off and on again. A
change is known when it was ranked before, as those that the page offers are after an analysis.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import numpy as np
from playwright.sync_api import Page

from tools.screenshots import analysed, opened_browser, served

FROM_KEY_TO_PAINT = """() => new Promise((painted) => {
  const choice = document.querySelector("#what-if-form select");
  choice.focus();
  let began = 0;
  choice.addEventListener("change", (event) => { began = event.timeStamp; }, { once: true });
  document.body.addEventListener("htmx:afterSwap", () => requestAnimationFrame(() => {
    const channel = new MessageChannel();  // the first task after the frame was drawn
    channel.port1.onmessage = () => painted(performance.now() - began);
    channel.port2.postMessage(null);
  }), { once: true });
  window.ready = true;
})"""


def at_the_server(results: str, rounds: int) -> list[float]:
    """Milliseconds of each answer, every change asked for once before."""
    with httpx.Client(timeout=60, trust_env=False, headers={"HX-Request": "true"}) as client:
        page = httpx.get(f"{results}/what-if", timeout=60, trust_env=False).text
        changes = [change for change in re.findall(r'<option value="([^"]+)"', page) if change]
        taken = []
        for turn in range(rounds + 1):
            for change in changes:
                began = time.perf_counter()
                client.get(f"{results}/what-if?e={quote(change)}").raise_for_status()
                if turn:
                    taken.append(1000 * (time.perf_counter() - began))
                time.sleep(0.03)
    return taken


def in_the_browser(page: Page, results: str, rounds: int) -> list[float]:
    """Milliseconds from the key that changes a choice to the frame with the new list."""
    page.goto(f"{results}/what-if")
    taken = []
    for turn in range(2 * rounds + 2):
        page.evaluate(f"window.ready = false; window.took = ({FROM_KEY_TO_PAINT})(); null")
        page.wait_for_function("window.ready")
        page.keyboard.press("ArrowDown" if turn % 2 == 0 else "ArrowUp")
        took = float(page.evaluate("window.took"))
        if turn > 1:
            taken.append(took)
    return taken


def told(taken: list[float]) -> dict[str, Any]:
    """Quantiles of the milliseconds."""
    p50, p95 = np.percentile(taken, [50, 95])
    return {"n": len(taken), "p50_ms": round(float(p50), 1), "p95_ms": round(float(p95), 1)}


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with opened_browser() as browser, served() as (url, _):
        page = browser.new_page(base_url=url)
        _, results = analysed(page)
        found = {
            "server": told(at_the_server(results, options.rounds)),
            "browser": told(in_the_browser(page, results, options.rounds)),
        }
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
