"""PDF and Word files made by hand, and the tags of a page as a browser sees them."""

from __future__ import annotations

import io
import zipfile
from html.parser import HTMLParser

_WORD = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PARTS = {
    "[Content_Types].xml": b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/'
    b'package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.'
    b'openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType='
    b'"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/'
    b'package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/'
    b'officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    b"</Relationships>",
}


def word(document: bytes, **others: bytes) -> bytes:
    """A .docx whose main part is `document`, with other parts by name."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**_PARTS, "word/document.xml": document, **others}.items():
            archive.writestr(name, content)
    return stream.getvalue()


def word_document(inner: bytes, before: bytes = b"") -> bytes:
    """The main part of a .docx with this body, and what stands before it."""
    return before + b"<w:document %s><w:body>%s</w:body></w:document>" % (_WORD, inner)


def pdf(*pages: str, password: str = "") -> bytes:
    """A PDF with one line of text on each page, none where it is empty, by pypdf's own objects."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    names = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    font = DictionaryObject({NameObject(key): NameObject(name) for key, name in names.items()})
    for words in pages:
        page = writer.add_blank_page(width=600, height=800)
        if words:
            fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
            page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
            stream = DecodedStreamObject()
            stream.set_data(f"BT /F1 12 Tf 40 700 Td ({words}) Tj ET".encode("latin-1"))
            page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


class Tags(HTMLParser):
    """The tags of a page, in order, with their attributes; and its text, but for styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += "" if self.cdata_elem else data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]
