"""report.html: the report as one page; report.md and report.docx are written from its elements.

So is the terminal. Markdown has words and figures without drawings. Page, footer and every style of
Word are those of `templates/report.docx`, which Word opens and changes. No file holds a time: the
same analysis gives the same bytes.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from io import BytesIO
from types import MappingProxyType
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring

from countercase.io import read_table
from countercase.reports.drawings.canvas import Drawing, drawing_css
from countercase.reports.text import code, inline, legible, plain
from countercase.reports.tree_files import outline
from countercase.reports.view import View
from countercase.reports.wording import render


def html_report(view: View) -> str:
    """Return the report as HTML."""
    return render("report.html.j2", v=view, css=drawing_css(), outline=outline)


def blocks_of(page: str, but: Sequence[str] = ()) -> Iterator[Element]:
    """Yield headings, paragraphs, lists, tables and figures of a page `but` those of some sections."""
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
    """Yield the blocks of a page, `but` for some sections; where `narrow`, wide tables are lists."""
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
    """Return the words of an element on one line, escaped, with `mark` around those of its own."""
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


_TEXT_WIDTH: Final = 176.0
"""Millimetres between the margins of the page."""
_TALLEST: Final = 215.0
"""Millimetres that a picture may be high."""
_PIXELS: Final = 150 / 25.4
"""Pixels of a picture for a millimetre."""
_FIGURES: Final = 0.1
"""Share of the width of a table that a column of figures gets."""
_STYLES: Final = {row["class"]: row["style"] for row in read_table("reports/styles", dict)}
"""Style of each class of the page; of others it is the normal one."""


def docx_page(page: str, drawings: Mapping[str, Drawing] = MappingProxyType({})) -> bytes:
    """Return a page as a Word file, with its drawings by name; it holds no time."""
    from docx import Document, shared

    title, about = head_of(page)
    template = resources.files("countercase.reports") / "templates" / "report.docx"
    document = Document(BytesIO(template.read_bytes()))
    document.core_properties.title = plain(title)[:255]
    document.add_heading(plain(title), 0)
    document.add_paragraph(plain(about), "Caption Line")
    for block in blocks_of(page):
        kind = block.get("class", "")
        if block.tag in ("h2", "h3"):
            _add_runs(document.add_heading("", int(block.tag[1]) - 1), block)
        elif block.tag == "p":
            _add_runs(document.add_paragraph(style=_STYLES.get(kind)), block)
        elif kind == "legend":
            paragraph = document.add_paragraph()
            for mark in block.iter("mark"):
                paragraph.add_run(_plain_words(mark), _STYLES[mark.get("class", "")])
                paragraph.add_run("   ")
        elif block.tag == "ul":
            for item in block:
                _add_runs(document.add_paragraph(style="List Bullet"), item)
        elif block.tag == "dl":
            for term, meaning in zip(block[::2], block[1::2], strict=True):
                paragraph = document.add_paragraph(style=_STYLES.get(kind))
                paragraph.add_run(f"{_plain_words(term)}: ").bold = True
                _add_runs(paragraph, meaning)
        elif block.tag == "blockquote":
            text, place = block
            paragraph = document.add_paragraph(f"“{_plain_words(text)}”", "Passage")
            paragraph.add_run(f" {_plain_words(place)}", "Note")
        elif block.tag == "figure":
            drawing = drawings[str(block.get("data-drawing"))]
            scale = min(_TEXT_WIDTH / drawing.width, _TALLEST / drawing.height)
            if scale * drawing.width < _TEXT_WIDTH / 2:  # too small to be read
                document.add_paragraph(f"{drawing.title}: too tall for a page; see report.html.")
                continue
            image = BytesIO(drawing.png(scale * _PIXELS))
            shape: Any = document.add_picture(image, width=shared.Mm(scale * drawing.width))
            shape._inline.docPr.set("descr", legible(drawing.description))
            shape._inline.docPr.set("title", legible(drawing.title))
            document.paragraphs[-1].paragraph_format.keep_with_next = True
            document.add_paragraph(_plain_words(block[-1]), "Caption Line")
        elif block.tag == "table":
            _add_table(document, block)
        else:
            _add_narrative(document, block)
    saved, timeless = BytesIO(), BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(timeless, "w") as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name)  # as of 1980
            new.writestr(entry, old.read(name), zipfile.ZIP_DEFLATED)
    return timeless.getvalue()


def _plain_words(element: Element) -> str:
    return plain("".join(element.itertext()))


def _add_runs(paragraph: Any, element: Element, strong: bool = False) -> None:
    """Add the words of an element; small type stands on a line of its own."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement, ns

    for text, tag, address in runs_of(element):
        if tag == "small":
            paragraph.add_run().add_break()
        words, style = legible(text).replace("\n", " "), "Note" if tag == "small" else None
        run = paragraph.add_run(words, style)
        run.bold = tag == "b" or (strong and tag == element.tag) or None
        run.italic = tag == "i" or None
        if address:
            link = OxmlElement("w:hyperlink")
            kind = RELATIONSHIP_TYPE.HYPERLINK
            link.set(ns.qn("r:id"), paragraph.part.relate_to(address, kind, is_external=True))
            link.append(run._r)
            paragraph._p.append(link)


def _add_narrative(document: Any, block: Element) -> None:
    """Add the narrative, each fact marked in the style of its kind and followed by its number."""
    pieces = [(block.text or "", "")]
    for part in block:
        pieces += [("".join(part.itertext()), part.get("class", "sup")), (part.tail or "", "")]
    paragraph = document.add_paragraph()
    for text, kind in pieces:
        for at, line in enumerate(text.split("\n")):
            if at and paragraph.runs:  # a blank line makes no empty paragraph
                paragraph = document.add_paragraph()
            if line and kind == "sup":
                paragraph.add_run(line).font.superscript = True
            elif line:
                paragraph.add_run(line, _STYLES.get(kind))


def _add_table(document: Any, block: Element) -> None:
    """Add a table over the width of the text; its head stands on every page, no row on two."""
    from docx import oxml, shared
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    rows = list(block.iter("tr"))
    kinds = [cell.get("class", "") for cell in rows[0]]
    room = 1 - _FIGURES * kinds.count("n")
    parts = {kind: 2.5 if kind == "wider" else 1.0 for kind in kinds}
    whole = sum(parts[kind] for kind in kinds if kind != "n")
    shares = [_FIGURES if kind == "n" else room * parts[kind] / whole for kind in kinds]
    table = document.add_table(rows=0, cols=len(kinds), style="Report")
    table.autofit = False
    for column, share in zip(table.columns, shares, strict=True):
        column.width = shared.Mm(_TEXT_WIDTH * share)
    for at, row in enumerate(rows):
        is_head = not at and row[-1].tag == "th"
        properties = (added := table.add_row())._tr.get_or_add_trPr()
        for name in ("w:cantSplit", "w:tblHeader")[: 1 + is_head]:
            properties.append(oxml.OxmlElement(name))
        for cell, source, share in zip(added.cells, row, shares, strict=True):
            cell.width = shared.Mm(_TEXT_WIDTH * share)
            paragraph = cell.paragraphs[0]
            paragraph.style = "Cell"
            is_figure = source.get("class") == "n"
            if is_figure:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            if source is row[0]:
                paragraph.add_run("– " * (int(row.get("data-depth", "1")) - 1))
            strong = row.get("class") == "strong" and not is_figure
            _add_runs(paragraph, source, is_head or strong)
    document.add_paragraph()


HTML: Final = {"report.html": html_report}
MARKDOWN: Final = {"report.md": lambda view: markdown_page(html_report(view))}
WORD: Final = {"report.docx": lambda view: docx_page(html_report(view), view.drawings)}
