"""Take a picture of every page, on a desktop and on a phone, for `docs/screenshots`.

    python -m tools.screenshots

It serves the casebook, analyses the example of a dowry death, and needs Chromium on the PATH.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

OUT: Final = Path("docs/screenshots")
WIDTHS: Final = {"desktop": 1280, "phone": 390}
TALLEST: Final = {"desktop": 1800, "phone": 2200}
"""Pixels below which a page is cut, so that the pictures stay small."""
COLOURS: Final = 96
PATIENCE: Final = 600_000
"""Milliseconds that an analysis may take."""


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """The address and the process id of `countercase serve` on a free port."""
    command = [sys.executable, "-m", "countercase", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"http://\S+?(?=;)", line)
        if found is None:
            raise SystemExit(f"`countercase serve` said {line!r} and gave no address")
        try:
            yield found[0], server.pid
        finally:
            server.terminate()


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """Chromium, as it lies on the PATH."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("no chromium on the PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])


def analysed(page: Page) -> tuple[str, str]:
    """Analyse the example; the addresses of its case and of its results."""
    page.goto("/")
    page.get_by_role("button", name="Dowry death").click()
    page.wait_for_url("**/cases/*")
    case = page.url
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("heading", name="Why not another decision?").wait_for(timeout=PATIENCE)
    return case, page.url


def pages_of(page: Page, case: str, results: str) -> dict[str, str]:
    """The address of every page, by the name of its picture."""
    page.goto(results)
    decision = page.locator(".precedents h3 a").first.get_attribute("href")
    return {
        "start": "/",
        "case": case,
        "precedents": results,
        "decision": str(decision),
        "why-not": f"{results}/why-not?decision=Kewal+Krishan",
        "facts": f"{results}/facts",
        "tree": f"{results}/tree",
        "suppose": f"{results}/suppose?suppose=the+marriage+had+lasted+8+years",
        "rate": f"{results}/rate?rater=Meera",
        "about": "/about",
        "for-programs": "/docs",
    }


def small_png(picture: bytes) -> bytes:
    """The picture with a palette, which text on paper needs no more than."""
    kept = io.BytesIO()
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(kept, "PNG", optimize=True)
    return kept.getvalue()


def take(browser: Browser, url: str, out: Path) -> None:
    """Write a picture of every page at every width."""
    page = browser.new_page(base_url=url)
    pages = pages_of(page, *analysed(page))
    page.close()
    for device, width in WIDTHS.items():
        page = browser.new_page(base_url=url, viewport={"width": width, "height": 844})
        for name, address in pages.items():
            page.goto(address)
            tall = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": min(tall, TALLEST[device])})
            (out / f"{name}-{device}.png").write_bytes(small_png(page.screenshot()))
            page.set_viewport_size({"width": width, "height": 844})
        page.close()


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help=f"Folder (default: {OUT}).")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with opened_browser() as browser, served() as (url, _):
        take(browser, url, out)
    pictures = sorted(out.glob("*.png"))
    print(f"{len(pictures)} pictures, {sum(p.stat().st_size for p in pictures):,} bytes in {out}")


if __name__ == "__main__":
    main()
