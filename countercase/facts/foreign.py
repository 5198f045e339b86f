"""Read PDF and Word files in a process of their own, with limits on time and memory.

One such process serves all files that this one reads; it is started for the first, and again after
a file that ended it.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

from countercase.errors import InputError

SECONDS: Final = 120
"""Wall clock seconds that one file may take."""

MEMORY: Final = 1 << 30
"""Bytes that reading may take, beside four times the size of the file."""

_LOCK: Final = threading.Lock()
_READERS: Final[dict[int, subprocess.Popen[bytes]]] = {}
"""The reading process of this process, by our own id, so that a fork starts one of its own."""


def read_foreign(
    content: bytes, path: Path, *, seconds: float = SECONDS, memory: int = MEMORY
) -> list[str]:
    """The text of each page of a `.pdf`; one text for a `.docx`.

    Args:
        content: the bytes of the file.
        path: its name, for its kind and for messages.
        seconds, memory: what reading it may take; the memory in bytes.

    Raises:
        InputError: it is damaged, encrypted, not readable within the limits, or ended the process.
    """
    request = {
        "suffix": path.suffix.lower(), "size": len(content), "memory": memory + 4 * len(content),
    }  # fmt: skip
    with _LOCK:
        reader = _reader()
        try:
            answer = _ask(reader, json.dumps(request).encode() + b"\n" + content, seconds)
        except (TimeoutError, EOFError, BrokenPipeError) as error:
            _stop(os.getpid())
            slow = isinstance(error, TimeoutError)
            reason = f"takes more than {seconds:g} seconds to read" if slow else "cannot be read"
            raise InputError(f"{path} {reason}; save it again or give its text") from error
        except BaseException:  # Ctrl-C in the middle of an answer: the next must not read its rest
            _stop(os.getpid())
            raise
        told = json.loads(answer)
        if "spent" in told:
            _stop(os.getpid())
    if "error" in told:
        raise InputError(f"{path} {told['error']}")
    pages: list[str] = told["pages"]
    return pages


def _reader() -> subprocess.Popen[bytes]:
    reader = _READERS.get(os.getpid())
    if reader is None or reader.poll() is not None:
        script = str(Path(__file__).with_name("foreign_child.py"))
        reader = subprocess.Popen(
            [sys.executable, "-P", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        _READERS[os.getpid()] = reader
        atexit.register(_stop, os.getpid())
    return reader


def _stop(owner: int) -> None:
    if owner == os.getpid() and (reader := _READERS.pop(owner, None)):
        reader.kill()
        reader.communicate()


def _ask(reader: subprocess.Popen[bytes], request: bytes, seconds: float) -> bytes:
    assert reader.stdin is not None and reader.stdout is not None
    reader.stdin.write(request)
    reader.stdin.flush()
    until, answer, place = time.monotonic() + seconds, bytearray(), reader.stdout.fileno()
    while not answer.endswith(b"\n"):
        if not select.select([place], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError
        part = os.read(place, 1 << 20)
        if not part:
            raise EOFError
        answer += part
    return bytes(answer)
