"""report.html: the report as one page; report.md: its words and figures, without its drawings.

Markdown, Word and the terminal are written from the elements of a page. It holds no time of day: the
same analysis gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element, fromstring

from countercase.reports.drawings.canvas import drawing_css
from countercase.reports.text import code, inline
from countercase.reports.view import View
from countercase.reports.wording import render


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


_MARKS: Final = {"b": "**", "i": "*"}
"""What stands around the words of an element."""


def markdown_page(page: str) -> str:
    """Return a page as Markdown, in which every value stays text, the answer first."""
    title, about = head_of(page)
    _, answer, *blocks = markdown_blocks(page, ("narrative",))
    return "\n\n".join(["# " + inline(title), answer, inline(about), *blocks]) + "\n"


def markdown_blocks(page: str, but: Sequence[str] = (), narrow: bool = False) -> Iterator[str]:
    """Yield the blocks of a page that Markdown can show.

    Args:
        but: the sections that are left out.
        narrow: write a table of many columns as a list.
    """
    for block in blocks_of(page, but):
        kind = block.get("class", "")
        if block.tag in ("h2", "h3"):
            yield "#" * int(block.tag[1]) + " " + _words(block)
        elif block.tag == "p":
            text = _words(block, "**" if kind in ("lead", "strong") else "")
            yield f"> {text}" if kind == "warning" else text
        elif block.tag == "ul":
            yield "\n".join(f"- {_words(item)}" for item in block)
        elif block.tag == "dl":
            pairs = zip(block[::2], block[1::2], strict=True)
            yield "\n".join(f"- {_words(term, '**')}: {_words(meaning)}" for term, meaning in pairs)
        elif block.tag == "blockquote":
            yield "\n>\n".join(f"> {_words(part)}" for part in block)
        elif block.tag == "table":
            rows = list(block.iter("tr"))
            write = _list if narrow and len(rows[0]) > 4 else _table
            yield "\n".join(_outline(rows) if kind == "outline" else write(rows))


def _table(rows: list[Element]) -> Iterator[str]:
    """Write a table; one without a head gets an empty one, which Markdown wants."""
    width = len(rows[0])
    if rows[0][-1].tag != "th":
        yield "|" + " |" * width
        yield "|" + "---|" * width
    for at, row in enumerate(rows):
        strong = row.get("class") == "strong"
        cells = [_words(cell, "**" if strong and not cell.get("class") else "") for cell in row]
        yield f"| {' | '.join(cells)} |"
        if not at and row[-1].tag == "th":
            yield "|" + "---|" * width


def _list(rows: list[Element]) -> Iterator[str]:
    """Write a table as a list: number and name of each row, then every figure after its head."""
    _, _, *heads = map(_words, rows[0])
    for row in rows[1:]:
        number, name, *cells = map(_words, row)
        figures = (f"{head} {cell}" for head, cell in zip(heads, cells, strict=True))
        yield f"- {number} {name} · {'; '.join(figures)}"


def _outline(rows: list[Element]) -> Iterator[str]:
    """Write states as nested lists: figure, supposition, and what became of it."""
    for row in rows[1:]:
        text, figure, note = map(_words, row)
        depth = int(row.get("data-depth", "0"))
        aside = f" *({note})*" if note else ""
        yield "  " * depth + (f"- **{figure}** {text}{aside}" if depth else f"- {text}")


def _words(element: Element, mark: str = "") -> str:
    """Return the words of an element on one line, escaped, with marks around what is marked.

    Args:
        mark: what stands around its own words.
    """
    words = []
    for text, tag, address in runs_of(element):
        body = text.strip()
        if not body:
            words.append(" ")
            continue
        around = mark if tag == element.tag else _MARKS.get(tag, "")
        body = code(body) if tag == "code" else f"{around}{inline(body)}{around}"
        body = f"[{body}](<{address}>)" if address else body
        before = " · " if tag == "small" else " " * text[0].isspace()
        words.append(f"{before}{body}{' ' * text[-1].isspace()}")
    return " ".join("".join(words).split())


MARKDOWN: Final = {"report.md": lambda view: markdown_page(html_report(view))}
HTML: Final = {"report.html": html_report}
