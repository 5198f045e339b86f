"""A Word file on A4 with the few elements that the report is made of.

The same elements give the same bytes: properties and times of the file are fixed.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

from docx import Document
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_UNDERLINE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from countercase.reports.drawings.picture import picture, png
from countercase.reports.drawings.shapes import Drawing
from countercase.reports.text import legible, plain

_TEXT_WIDTH: Final = 176.0
"""Millimetres between the margins of an A4 page."""
_TALLEST: Final = 215.0
"""Millimetres that a picture may be high."""
_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_ZIPPED: Final = (1980, 1, 1, 0, 0, 0)
DIM: Final = RGBColor(0x50, 0x5A, 0x64)
_KINDS: Final = (
    ("DCE9F7", WD_UNDERLINE.SINGLE, RGBColor(0x0B, 0x53, 0x94)),
    ("EFE2F6", WD_UNDERLINE.DOUBLE, RGBColor(0x6A, 0x3D, 0x9A)),
    ("FDEADB", WD_UNDERLINE.DASH, RGBColor(0xA6, 0x3A, 0x00)),
    ("DFF0E4", WD_UNDERLINE.DOTTED, RGBColor(0x17, 0x66, 0x3A)),
    ("E9EBEE", WD_UNDERLINE.DOT_DASH, RGBColor(0x1B, 0x1F, 0x24)),
)
"""Shade, underline and its colour of each kind of fact; the last is that of all further kinds."""


class WordFile:
    """A Word file that grows from top to bottom."""

    def __init__(self, title: str) -> None:
        self.document = Document()
        self._prepare(plain(title))

    def data(self) -> bytes:
        """The file; the same elements, the same bytes."""
        stream = BytesIO()
        self.document.save(stream)
        return _timeless(stream.getvalue())

    def _prepare(self, title: str) -> None:
        document = self.document
        properties = document.core_properties
        properties.title, properties.author = title[:255], "CounterCase"
        properties.last_modified_by, properties.comments = "CounterCase", ""
        properties.created = properties.modified = _MADE
        properties.revision, properties.language = 1, "en"
        [section] = document.sections
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm(17)
        section.top_margin, section.bottom_margin = Mm(18), Mm(20)
        normal = document.styles["Normal"]
        normal.font.name, normal.font.size = "Cambria", Pt(10.5)
        normal.paragraph_format.space_after = Pt(6)
        for level, size in ((1, 15), (2, 11.5)):
            style = document.styles[f"Heading {level}"]
            style.font.name, style.font.size, style.font.bold = "Calibri", Pt(size), True
            style.font.color.rgb = RGBColor(0x1B, 0x1F, 0x24)
            fonts = style.element.rPr.rFonts
            for name in list(fonts.attrib):
                if "Theme" in name:  # a theme font would win over the named one
                    del fonts.attrib[name]
            style.paragraph_format.space_before = Pt(18 if level == 1 else 10)
        self._footer(section.footer.paragraphs[0])
        document.add_heading(title, 0)

    def _footer(self, paragraph: Any) -> None:
        paragraph.add_run("CounterCase report. Not legal advice. Page ").font.size = Pt(8)
        for instruction in ("PAGE", "NUMPAGES"):
            if instruction == "NUMPAGES":
                paragraph.add_run(" of ").font.size = Pt(8)
            run = paragraph.add_run()
            run.font.size = Pt(8)
            for kind, text in (("begin", ""), ("", instruction), ("end", "")):
                element = OxmlElement("w:fldChar" if kind else "w:instrText")
                if kind:
                    element.set(qn("w:fldCharType"), kind)
                else:
                    element.text = text
                run._r.append(element)

    def heading(self, text: str, level: int = 1) -> None:
        """A heading; the title of the file stands above level 1."""
        self.document.add_heading(plain(text), level)

    def paragraph(self, text: str, style: str | None = None) -> Any:
        """A paragraph; returned so that runs can be added."""
        return self.document.add_paragraph(plain(text), style)

    def dim(self, text: str, keep: bool = False) -> Any:
        """A small grey paragraph; `keep` keeps it on the page of what follows."""
        paragraph = self.document.add_paragraph()
        run = paragraph.add_run(plain(text))
        run.font.size, run.font.color.rgb = Pt(9), DIM
        paragraph.paragraph_format.keep_with_next = keep
        return paragraph

    def terms(self, rows: Sequence[tuple[str, str]]) -> None:
        """Terms, each with its meaning."""
        for term, meaning in rows:
            paragraph = self.document.add_paragraph()
            paragraph.add_run(f"{plain(term)}: ").bold = True
            paragraph.add_run(plain(meaning))

    def table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
    ) -> None:
        """A table over the width of the text; columns with a narrow share hold numbers.

        Args:
            widths: of the columns, as shares of the whole.
        """
        table = self.document.add_table(rows=0, cols=len(widths), style="Light Shading")
        _plain_first_column(table, bool(head))
        for column, share in zip(table.columns, widths, strict=True):
            column.width = Mm(_TEXT_WIDTH * share)
        table.alignment, table.autofit = WD_TABLE_ALIGNMENT.CENTER, False
        for at, row in enumerate([head, *rows] if head else rows):
            cells = table.add_row().cells
            for cell, text, share in zip(cells, row, widths, strict=True):
                cell.width = Mm(_TEXT_WIDTH * share)
                paragraph = cell.paragraphs[0]
                paragraph.paragraph_format.space_after = Pt(3)
                run = paragraph.add_run(plain(text))
                run.font.size, run.font.name = Pt(8.5), "Calibri"
                run.bold = bool(head) and at == 0
                if share < 0.12:
                    paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            _not_split(table.rows[-1], repeated=bool(head) and at == 0)
        self.document.add_paragraph().paragraph_format.space_after = Pt(2)

    def picture(self, drawing: Drawing) -> None:
        """A drawing over the width of the text, with what it shows as its alternative text."""
        width = min(_TEXT_WIDTH, _TALLEST * drawing.width / drawing.height)
        image = BytesIO(png(picture(drawing), 150))
        shape = self.document.add_picture(image, width=Mm(width))
        shape._inline.docPr.set("descr", legible(drawing.description))
        shape._inline.docPr.set("title", legible(drawing.title))

    def before_after(self, before: str, after: str) -> None:
        """Write the statement of a fact as it is and as it is supposed."""
        for name, words, missing in (
            ("as it is: ", before, "the case does not have it"),
            ("supposed: ", after, "not known"),
        ):
            paragraph = self.document.add_paragraph()
            paragraph.paragraph_format.left_indent = Mm(7)
            paragraph.paragraph_format.keep_with_next = name == "as it is: "
            label = paragraph.add_run(name)
            label.font.size, label.font.color.rgb = Pt(8.5), DIM
            paragraph.add_run(plain(words or missing)).italic = not words


def _timeless(data: bytes) -> bytes:
    """The same archive with every time in it the same."""
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, _ZIPPED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(name))
    return stream.getvalue()


def mark(run: Any, kind: int) -> None:
    """Shade and underline the words of a fact as those of its kind."""
    shade, underline, colour = _KINDS[min(kind, len(_KINDS) - 1)]
    run.font.underline = underline
    run._r.get_or_add_rPr().find(qn("w:u")).set(qn("w:color"), str(colour))
    shading = OxmlElement("w:shd")
    shading.set(qn("w:val"), "clear")
    shading.set(qn("w:fill"), shade)
    run._r.get_or_add_rPr().append(shading)


def _plain_first_column(table: Any, headed: bool) -> None:
    """Switch off the bands and the bold first column of a style, and its head where there is none."""
    look = table._tbl.tblPr.find(qn("w:tblLook"))
    values = {
        "val": "0620" if headed else "0600", "firstRow": "01"[headed], "firstColumn": "0", "noHBand": "1",
    }  # fmt: skip
    for name, value in values.items():
        look.set(qn(f"w:{name}"), value)


def _not_split(row: Any, repeated: bool) -> None:
    """Keep a row of a table on one page; `repeated` shows it again on every page."""
    properties = row._tr.get_or_add_trPr()
    properties.append(OxmlElement("w:cantSplit"))
    if repeated:
        properties.append(OxmlElement("w:tblHeader"))
