"""Text out of files: `.txt` in UTF-8, `.pdf` with a text layer, `.docx`.

Scanned pages have no text layer and are refused, not guessed at. A PDF or Word file is read in a
process of its own, with limits on time and memory.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from stat import S_ISREG
from typing import Final

from countercase.errors import InputError

MAX_BYTES: Final = 20_000_000
"""The largest input file that is read, unless the caller says otherwise."""

SECONDS: Final = 120
"""Wall clock seconds that one file may take."""

MEMORY: Final = 1 << 30
"""Bytes that reading may take, beside four times the size of the file."""

SUFFIXES: Final = (".txt", ".pdf", ".docx")
"""The endings of the files that are read as text."""

_EMPTY: Final = {
    ".txt": "is empty; write the facts of the case into it",
    ".docx": "holds no text; write the facts of the case into it",
    ".pdf": "has no text layer (a scan?); run it through character recognition or give its text",
}
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")
_UNSEEN: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_SOFT: Final = re.compile("\u00ad\r?\n[ \t]*")
_WORDS: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PARTED: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]+)-\n[ \t]*([^\W\d_]+)(?![\w-])(\S*)[ \t]*\n?")
_TEXT_CONTROL: Final = frozenset("\t\n\r\f\v\x1c\x1d\x1e\x1f\x85")


@dataclass(frozen=True)
class Document:
    """The text of a file, pages apart by a blank line, and where each of them begins in it."""

    text: str
    pages: tuple[int, ...]


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the bytes of a regular file of at most `max_bytes`; any other is an `InputError`."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the path of one case file")
        state = path.stat()
        if not S_ISREG(state.st_mode):
            raise InputError(f"{path} is a pipe or a device, no file; give a file, or - for stdin")
        with path.open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except (OSError, ValueError) as error:  # no path holds a NUL
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from error
    if (size := max(state.st_size, len(content))) > max_bytes:
        raise InputError(
            f"{path} has {size:,} bytes, more than the {max_bytes:,} allowed; "
            "shorten it or raise the limit in the settings"
        )
    return content


def decode(content: bytes, path: Path) -> str:
    """Return UTF-8 text, with or without a byte order mark; other bytes are an `InputError`."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path} is in UTF-16; save it as UTF-8")
    if content.startswith(b"%PDF-"):
        raise InputError(f"{path} is a PDF under another name; rename it to end in .pdf")
    if b"\x00" in content:
        raise InputError(f"{path} is a binary file; give a .json, .txt, .pdf or .docx case")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path} is not in UTF-8 (byte {error.start}, line {line}); save it as UTF-8"
        ) from error
    return check_characters(text, str(path))


def check_characters(text: str, source: str) -> str:
    """Return a text without `_UNSEEN`; an `InputError` says where it has a control character."""
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        kind = "control character" if found[0].isascii() else "half of a surrogate pair"
        raise InputError(f"{source}: {kind} U+{ord(found[0]):04X} in line {line}; take it out")
    return _SOFT.sub("", text).translate(_UNSEEN)


def read_document(path: Path, max_bytes: int = MAX_BYTES, seconds: float = SECONDS) -> Document:
    """Return the text of a `.txt`, `.pdf` or `.docx` file, with the places where its pages begin.

    One that cannot be read, has no text, or takes more than `seconds` is an `InputError`.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path} ends in {suffix or 'nothing'}; give a .txt, .pdf or .docx file")
    content = read_bytes(path, max_bytes)
    if suffix == ".txt":
        pages = [_unified(decode(content, path))]
    else:
        told = read_foreign(content, path, seconds=seconds)
        kept = (filter(lambda c: c.isprintable() or c in _TEXT_CONTROL, _unified(p)) for p in told)
        pages = ["".join(letters) for letters in kept]
    if not any(page.strip() for page in pages):
        raise InputError(f"{path} {_EMPTY[suffix]}")
    if suffix != ".pdf":
        return Document(pages[0] if suffix == ".txt" else pages[0].strip(), (0,))
    parts = [f"{page.rstrip()}\n\n" for page in pages]
    text = "".join(parts).rstrip()
    starts = accumulate((len(part) for part in parts[:-1]), initial=0)
    return Document(text, tuple(min(start, len(text)) for start in starts))


def _unified(text: str) -> str:
    """Return a text with plain line ends; a word that one parts is joined where it stands whole elsewhere."""
    text = _SOFT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    words = {*_WORDS.findall(text.lower())}

    def join(parts: re.Match[str]) -> str:
        whole, compound = parts[1] + parts[2], f"{parts[1]}-{parts[2]}"
        is_word = whole.lower() in words and compound.lower() not in words
        return f"{whole}{parts[3]}\n" if is_word else parts[0]

    return _PARTED.sub(join, text)


def read_foreign(
    content: bytes, path: Path, *, seconds: float = SECONDS, memory: int = MEMORY
) -> list[str]:
    """Return the text of each page of a `.pdf`, or the one text of a `.docx`, from its bytes.

    An `InputError` names `path` where it is damaged, encrypted, or takes too long or too much memory.
    """
    script = str(Path(__file__).with_name("foreign_child.py"))
    limit = str(memory + 4 * len(content))
    try:
        answer = subprocess.run(
            [sys.executable, "-P", script, path.suffix.lower(), limit],
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=True,
        ).stdout
    except subprocess.SubprocessError as error:
        slow = isinstance(error, subprocess.TimeoutExpired)
        reason = f"takes more than {seconds:g} seconds to read" if slow else "cannot be read"
        raise InputError(f"{path} {reason}; save it again or give its text") from error
    told = json.loads(answer)
    if "error" in told:
        raise InputError(f"{path} {told['error']}")
    return list(told["pages"])
