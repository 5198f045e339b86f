"""The process in which one PDF or Word file is read; run as a script, it imports nothing of ours.

Such a file may take any time and memory, or end the process; here that harms nobody.

Arguments: the suffix and the bytes of memory; stdin the file. Answer: JSON with `pages` or `error`.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
from typing import Any, BinaryIO, Final

MOST_PAGES: Final = 20_000
MOST_CHARACTERS: Final = 50_000_000
MOST_UNPACKED: Final = 60_000_000
"""Bytes to which the parts of a Word file may unpack."""
_AROUND: Final = ("ins", "moveTo", "sdt", "sdtContent", "smartTag", "customXml", "fldSimple")
"""What stands around text in a Word file and is not told."""


def main() -> None:
    """Read the file on stdin and answer."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    suffix, memory = sys.argv[1:]
    content = sys.stdin.buffer.read()
    _limit_memory(int(memory))
    with answer:
        json.dump(_answer(suffix, content), answer)


def _answer(suffix: str, content: bytes) -> dict[str, Any]:
    pdf = suffix == ".pdf"
    try:
        return {"pages": (_pdf if pdf else _docx)(io.BytesIO(content))}
    except _RefusedError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "takes more memory than a document may; give its text"}
    except Exception as error:  # whatever a foreign library raises is what this process is for
        kind = "PDF" if pdf else "or encrypted Word file"
        advice = "save it again or give its text" if pdf else "save it again without a password"
        return {"error": f"is a damaged {kind} ({type(error).__name__}); {advice}"}


class _RefusedError(Exception):
    """Why a file is not read, in words that follow its name."""


def _limit_memory(most: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _pdf(content: BinaryIO) -> list[str]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    try:
        reader = PdfReader(content)
        if reader.is_encrypted and not reader.decrypt(""):
            raise _RefusedError("is encrypted; save a copy without a password")
        if len(reader.pages) > MOST_PAGES:
            raise _RefusedError(f"has more than {MOST_PAGES:,} pages; split it")
        pages, total = [], 0
        for page in reader.pages:
            pages.append(page.extract_text() or "")
            total += len(pages[-1])
            if total > MOST_CHARACTERS:
                raise _RefusedError(f"holds more than {MOST_CHARACTERS:,} characters; split it")
    except (DependencyError, NotImplementedError) as error:  # a cipher or a filter that pypdf lacks
        raise _RefusedError(
            "is encrypted or packed in a way that cannot be read here; save a plain copy of it "
            "or give its text"
        ) from error
    return pages


def _docx(content: BinaryIO) -> list[str]:
    """Paragraphs and the rows of tables in their order, one a line, every change taken over."""
    from zipfile import ZipFile

    from docx import Document
    from lxml import etree

    with ZipFile(content) as parts:
        if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
            raise _RefusedError(f"unpacks to more than {MOST_UNPACKED:,} bytes; give its text")
    document = Document(content)
    etree.strip_elements(document.element.body, "{*}del", "{*}moveFrom", with_tail=False)
    etree.strip_tags(document.element.body, *(f"{{*}}{name}" for name in _AROUND))
    return ["\n".join(_lines_of(document))]


def _lines_of(part: Any) -> list[str]:
    lines = []
    for block in part.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                cells = {cell._tc: cell for cell in row.cells}.values()  # a wide one once
                lines.append(" | ".join("\n".join(_lines_of(cell)) for cell in cells))
        else:
            lines.append(block.text)
    return lines


if __name__ == "__main__":
    main()
