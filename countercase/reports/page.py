"""report.html: the report as one page, from whose elements Word and Markdown are written too.

It holds no time of day: the same analysis gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element, fromstring

from countercase.reports.drawings.canvas import drawing_css
from countercase.reports.rendering import render
from countercase.reports.view import View


def html_report(view: View) -> str:
    """Return the report as HTML."""
    return render("report.html.j2", v=view, css=drawing_css())


def blocks_of(page: str, but: Sequence[str] = ()) -> Iterator[Element]:
    """Yield headings, paragraphs, lists, tables and figures of a page, from top to bottom.

    Args:
        but: the sections that are left out.
    """
    main = fromstring(page[page.index("<main>") : page.index("</main>")] + "</main>")
    for section in main:
        if section.get("aria-labelledby") not in but:
            yield from (block for block in section if block.tag != "nav")


def head_of(page: str) -> tuple[str, str]:
    """Return the title of a page and the line below it, which says what it is about."""
    header = fromstring(page[page.index("<header>") : page.index("</header>")] + "</header>")
    return header[1].text or "", header[2].text or ""


def runs_of(element: Element) -> list[tuple[str, str, str]]:
    """Return the words of an element in order, each run with the tag in which it stands.

    A run that leads out of the page has its address; that of others is empty.
    """
    address = element.get("href", "")
    leads_out = address.startswith(("http://", "https://"))
    runs = [(element.text or "", element.tag, address if leads_out else "")]
    for part in element:
        runs += [*runs_of(part), (part.tail or "", element.tag, "")]
    return [run for run in runs if run[0]]


HTML: Final = {"report.html": html_report}
