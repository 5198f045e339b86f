"""report.docx: the page for Word.

Page, footer and every style are those of `templates/report.docx`, which Word opens and changes.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from importlib import resources
from io import BytesIO
from types import MappingProxyType
from typing import Any, Final
from xml.etree.ElementTree import Element

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm

from countercase.reports.drawings.canvas import Drawing
from countercase.reports.page import blocks_of, head_of, html_report, runs_of
from countercase.reports.text import legible, plain
from countercase.reports.view import View

_TEXT_WIDTH: Final = 176.0
"""Millimetres between the margins of the page."""
_TALLEST: Final = 215.0
"""Millimetres that a picture may be high."""
_PIXELS: Final = 150 / 25.4
"""Pixels of a picture for a millimetre."""
_FIGURES: Final = 0.1
"""Share of the width of a table that a column of figures gets."""
_STYLES: Final = {
    "lead": "Lead", "warning": "Warning", "strong": "Strong Line", "dim": "Dim",
    "caption": "Caption Line", "edit": "Supposed",
    "k0": "Fact 0", "k1": "Fact 1", "k2": "Fact 2", "k3": "Fact 3", "k4": "Fact 4",
}  # fmt: skip
"""Style of each class of the page; of others it is the normal one."""
_LINK: Final = RELATIONSHIP_TYPE.HYPERLINK
_ZIPPED: Final = (1980, 1, 1, 0, 0, 0)


def docx_report(view: View) -> bytes:
    """Return the report as a Word file; it holds no time: the same analysis gives the same bytes."""
    return docx_page(html_report(view), view.drawings)


def docx_page(page: str, drawings: Mapping[str, Drawing] = MappingProxyType({})) -> bytes:
    """Return a page as a Word file.

    Args:
        drawings: its figures, by name.
    """
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
                paragraph.add_run(_words(mark), _STYLES[mark.get("class", "")])
                paragraph.add_run("   ")
        elif block.tag == "ul":
            for item in block:
                _add_runs(document.add_paragraph(style="List Bullet"), item)
        elif block.tag == "dl":
            for term, meaning in zip(block[::2], block[1::2], strict=True):
                paragraph = document.add_paragraph(style=_STYLES.get(kind))
                paragraph.add_run(f"{_words(term)}: ").bold = True
                _add_runs(paragraph, meaning)
        elif block.tag == "blockquote":
            text, place = block
            paragraph = document.add_paragraph(f"“{_words(text)}”", "Passage")
            paragraph.add_run(f" {_words(place)}", "Note")
        elif block.tag == "figure":
            _add_picture(document, drawings[str(block.get("data-drawing"))], _words(block[-1]))
        elif block.tag == "table":
            _add_table(document, block)
        else:
            _add_narrative(document, block)
    stream = BytesIO()
    document.save(stream)
    return _timeless(stream.getvalue())


def _words(element: Element) -> str:
    return plain("".join(element.itertext()))


def _add_runs(paragraph: Any, element: Element, strong: bool = False) -> None:
    """Add the words of an element; small type stands on a line of its own."""
    for text, tag, address in runs_of(element):
        words = legible(text).replace("\n", " ")
        if tag == "small":
            paragraph.add_run().add_break()
        run = paragraph.add_run(words, "Note" if tag == "small" else None)
        run.bold = tag == "b" or (strong and tag == element.tag) or None
        run.italic = tag == "i" or None
        if address:
            link = OxmlElement("w:hyperlink")
            link.set(qn("r:id"), paragraph.part.relate_to(address, _LINK, is_external=True))
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


def _add_picture(document: Any, drawing: Drawing, caption: str) -> None:
    """Show a drawing over the width of the text, with what it says as its alternative text."""
    width = min(_TEXT_WIDTH, _TALLEST * drawing.width / drawing.height)
    image = BytesIO(drawing.png(width * _PIXELS / drawing.width))
    shape = document.add_picture(image, width=Mm(width))
    shape._inline.docPr.set("descr", legible(drawing.description))
    shape._inline.docPr.set("title", legible(drawing.title))
    document.paragraphs[-1].paragraph_format.keep_with_next = True
    document.add_paragraph(caption, "Caption Line")


def _add_table(document: Any, block: Element) -> None:
    """Add a table over the width of the text; its head stands on every page, no row on two."""
    rows = list(block.iter("tr"))
    kinds = [cell.get("class", "") for cell in rows[0]]
    room = 1 - _FIGURES * kinds.count("n")
    parts = {kind: 2.5 if kind == "wider" else 1.0 for kind in kinds}
    whole = sum(parts[kind] for kind in kinds if kind != "n")
    shares = [_FIGURES if kind == "n" else room * parts[kind] / whole for kind in kinds]
    table = document.add_table(rows=0, cols=len(kinds), style="Report")
    table.autofit = False
    for column, share in zip(table.columns, shares, strict=True):
        column.width = Mm(_TEXT_WIDTH * share)
    for at, row in enumerate(rows):
        is_head = not at and row[-1].tag == "th"
        properties = (added := table.add_row())._tr.get_or_add_trPr()
        for name in ("w:cantSplit", "w:tblHeader")[: 1 + is_head]:
            properties.append(OxmlElement(name))
        for cell, source, share in zip(added.cells, row, shares, strict=True):
            cell.width = Mm(_TEXT_WIDTH * share)
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


def _timeless(data: bytes) -> bytes:
    """Give every file of an archive the same time."""
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, _ZIPPED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(name))
    return stream.getvalue()


WORD: Final = {"report.docx": docx_report}
