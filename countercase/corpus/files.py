"""Judgments kept as single files: plain text, and PDF with a text layer."""

from __future__ import annotations

import logging
from pathlib import Path

from countercase.corpus.beir import filled_text, identifier
from countercase.corpus.documents import Document
from countercase.errors import InputError


def read_file(path: Path, doc_id: str) -> Document:
    """The judgment in one `.txt` or `.pdf` file; its title is left for the metadata to find.

    Raises:
        InputError: the file cannot be read, is not UTF-8, is blank, or is a PDF that is
            encrypted, damaged or without a text layer.
    """
    identifier(doc_id, "name", str(path))
    if path.suffix.lower() == ".pdf":
        text, pages = read_pdf(path)
        return Document(doc_id, "", text, {}, pages)
    return Document(doc_id, "", _read_text(path))


def _read_text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from error
    if "\x00" in text:
        raise InputError(f"{path}: holds binary data, not text")
    return filled_text(text.replace("\r\n", "\n").replace("\r", "\n"), "text", str(path))


def read_pdf(path: Path) -> tuple[str, tuple[int, ...]]:
    """Text of a PDF and the offsets at which its pages begin; pages are joined by a newline.

    Raises:
        InputError: the file is encrypted, damaged, or has no text layer.
    """
    import pypdf
    from pypdf.errors import DependencyError, FileNotDecryptedError

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        with path.open("rb") as stream:
            reader = pypdf.PdfReader(stream)
            if reader.is_encrypted and not reader.decrypt(""):
                raise FileNotDecryptedError("it asks for a password")
            parts = [page.extract_text() for page in reader.pages]
    except (FileNotDecryptedError, DependencyError) as error:
        raise InputError(f"{path}: encrypted PDF ({error}); save it without a password") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except Exception as error:  # pypdf lets built-in errors of every kind out of damaged files
        raise InputError(
            f"{path}: damaged PDF ({type(error).__name__}: {error}); export it again"
        ) from error
    parts = [_without_surrogates(part) for part in parts]
    if not any(part.strip() for part in parts):
        raise InputError(f"{path}: PDF without a text layer; run it through text recognition first")
    pages, offset = [], 0
    for part in parts:
        pages.append(offset)
        offset += len(part) + 1
    return "\n".join(parts), tuple(pages)


def _without_surrogates(text: str) -> str:
    """Half a surrogate pair, which a broken font map may give, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
