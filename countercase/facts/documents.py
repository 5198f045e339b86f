"""Text out of files: `.txt` in UTF-8, `.pdf` with a text layer, `.docx`.

Scanned pages have no text layer and are refused, not guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from countercase.errors import InputError

MAX_BYTES: Final = 20_000_000
"""The largest input file that is read, unless the caller says otherwise."""

MOST_UNPACKED: Final = 60_000_000
"""The largest Word file once it is unpacked; zipfile reads no more of a part than it declares."""

SUFFIXES: Final = (".txt", ".pdf", ".docx")
"""The endings of the files that are read as text."""

_TEXT_CONTROL: Final = frozenset("\t\n\r\f\v\x1c\x1d\x1e\x1f\x85")


@dataclass(frozen=True)
class Document:
    """The text of a file.

    Args:
        text: all pages, joined by a blank line.
        pages: where each page begins in `text`; (0,) for a file without pages.
    """

    text: str
    pages: tuple[int, ...]


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a regular file of at most `max_bytes` bytes.

    Raises:
        InputError: there is no such file, it is a folder, too large or may not be read.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the path of one case file")
        size = path.stat().st_size
        if size > max_bytes:
            raise InputError(
                f"{path} has {size:,} bytes, more than the {max_bytes:,} allowed; "
                "shorten it or raise the limit in the settings"
            )
        with path.open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(content) > max_bytes:
        raise InputError(f"{path} gives more than the {max_bytes:,} bytes allowed; shorten it")
    return content


def decode(content: bytes, path: Path) -> str:
    """UTF-8 text, with or without a byte order mark.

    Raises:
        InputError: the bytes are UTF-16, another encoding, or no text at all.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path} is in UTF-16; save it as UTF-8")
    if content.startswith(b"%PDF-"):
        raise InputError(f"{path} is a PDF under another name; rename it to end in .pdf")
    if b"\x00" in content:
        raise InputError(f"{path} is a binary file; give a .json, .txt, .pdf or .docx case")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path} is not in UTF-8 (byte {error.start}, line {line}); save it as UTF-8"
        ) from error


def read_document(path: Path, max_bytes: int = MAX_BYTES) -> Document:
    """The text of a `.txt`, `.pdf` or `.docx` file, with the places where its pages begin.

    Raises:
        InputError: the file is missing, too large, damaged, encrypted, of another kind, or has
            no text.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path} ends in {suffix or 'nothing'}; give a .txt, .pdf or .docx file")
    content = read_bytes(path, max_bytes)
    if suffix == ".txt":
        document = Document(_unified(decode(content, path)), (0,))
        if not document.text.strip():
            raise InputError(f"{path} is empty; write the facts of the case into it")
        return document
    return _read_docx(content, path) if suffix == ".docx" else _read_pdf(content, path)


def _read_docx(content: bytes, path: Path) -> Document:
    """Paragraphs and the rows of tables in the order of the page, one a line."""
    import io
    from zipfile import BadZipFile, ZipFile

    from docx import Document as WordDocument
    from docx.opc.exceptions import PackageNotFoundError
    from docx.table import Table

    try:
        with ZipFile(io.BytesIO(content)) as parts:
            unpacked = sum(part.file_size for part in parts.infolist())
        if unpacked > MOST_UNPACKED:
            raise InputError(
                f"{path} unpacks to {unpacked:,} bytes, more than the {MOST_UNPACKED:,} allowed; "
                "save its text as .txt"
            )
        blocks = WordDocument(io.BytesIO(content)).iter_inner_content()
        lines = [
            line
            for block in blocks
            for line in (
                [" | ".join(dict.fromkeys(cell.text for cell in row.cells)) for row in block.rows]
                if isinstance(block, Table)
                else [block.text]
            )
        ]
    except (BadZipFile, PackageNotFoundError, KeyError, ValueError, SyntaxError) as error:
        # lxml's error of broken XML, and of entities that grow without end, is a SyntaxError
        raise InputError(
            f"{path} is a damaged or encrypted Word file; save it again without a password"
        ) from error
    text = _clean(_unified("\n".join(lines))).strip()
    if not text:
        raise InputError(f"{path} holds no text; write the facts of the case into it")
    return Document(text, (0,))


def _read_pdf(content: bytes, path: Path) -> Document:
    import io

    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{path} is encrypted; save a copy without a password")
        pages = [_clean(_unified(page.extract_text() or "")) for page in reader.pages]
    except InputError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise InputError(
            f"{path} is a damaged PDF ({type(error).__name__}); save it again or give its text"
        ) from error
    except ImportError as error:
        raise InputError(
            f"{path} is encrypted in a way that needs more software; save a copy without a password"
        ) from error
    if not any(page.strip() for page in pages):
        raise InputError(
            f"{path} has no text layer (a scan?); run it through character recognition or give "
            "its text"
        )
    parts = [f"{page.rstrip()}\n\n" for page in pages]
    text = "".join(parts).rstrip()
    starts = accumulate((len(part) for part in parts[:-1]), initial=0)
    return Document(text, tuple(min(start, len(text)) for start in starts))


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _clean(text: str) -> str:
    return "".join(c for c in text if c.isprintable() or c in _TEXT_CONTROL)
