"""Whole or damaged: the size and the checksum of every file of a folder, written with it.

XXH3 (128 bits) finds damage at the speed of memory; it is no defence against a forger. A large
file that was found whole is not read again until its inode, its size or its time of change differs.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

import xxhash

import countercase
from countercase.errors import StoreError
from countercase.io import write_files

Sums: TypeAlias = Mapping[str, tuple[int, str]]
"""Bytes and checksum of each file, by its path within a folder."""

LARGE: Final = 32_000_000
"""Bytes from which a file that was found whole is remembered; smaller ones are always read."""

_SETTLED: Final = 2.0
"""Seconds: a younger file is not remembered, its time of change may be that of a later change."""

_CODE_SUFFIXES: Final = frozenset({".py", ".json", ".jsonl", ".csv", ".tsv"})


class DamageWarning(UserWarning):
    """Something that can be made again was damaged, and is made again."""


def checksum(path: Path) -> str:
    """32 hex digits of XXH3 over a file's bytes."""
    with path.open("rb", buffering=0) as stream:
        return hashlib.file_digest(stream, xxhash.xxh3_128).hexdigest()


def sums_of(folder: Path) -> Sums:
    """Size and checksum of every file below `folder`, which is brought to the disk with them."""
    sums: dict[str, tuple[int, str]] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
        name = path.relative_to(folder).as_posix()
        sums[name] = (path.stat().st_size, checksum(path))
    return sums


def damage(folder: Path, sums: Sums, checked: Checked | None = None) -> str:
    """The first file of `folder` that is not as `sums` has it, and why; empty if all are whole.

    `checked` is what was found whole before; without it every byte is read.
    """
    for name, (size, expected) in sums.items():
        path, noted = folder / name, checked if size >= LARGE else None
        try:
            state = path.stat()
            if not stat.S_ISREG(state.st_mode):
                return f"{path}: no longer a file"
            if state.st_size != size:
                return f"{path}: damaged, {state.st_size:,} bytes where {size:,} were written"
            seen = [state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns, expected]
            if noted is not None and noted.notes.get(name) == seen:
                continue
            if checksum(path) != expected:
                return f"{path}: damaged, its bytes are not those that were written"
        except FileNotFoundError:
            return f"{path}: missing"
        except OSError as error:
            return f"{path}: cannot be read ({error.strerror})"
        if noted is not None and time.time() - state.st_ctime > _SETTLED:
            noted.take_note(name, seen)
    return ""


def seal(document: Mapping[str, Any]) -> dict[str, Any]:
    """`document` with a checksum of itself."""
    return {**document, "seal": _own_sum(document)}


def unsealed(text: str | bytes) -> dict[str, Any]:
    """The JSON object that `seal` made; ValueError where it is none, or not the one that was sealed."""
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(document, dict):
        raise ValueError("no JSON object")
    if document.pop("seal", None) != _own_sum(document):
        raise ValueError("its own checksum differs")
    return document


def _own_sum(document: Mapping[str, Any]) -> str:
    text = json.dumps(document, sort_keys=True)
    return xxhash.xxh3_128(text.encode("utf-8", "surrogatepass")).hexdigest()


def code_fingerprint(packages: Sequence[str]) -> str:
    """A short name of the program text and the tables of `retrieval`, `evaluation/retrieval/systems.py`."""
    digest = hashlib.sha256()
    root = Path(countercase.__file__).parent
    for package in packages:
        top = root / package
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.suffix in _CODE_SUFFIXES and path.is_file():
                digest.update(path.relative_to(root).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:24]


class Checked:
    """What was examined before, in a small file beside its folder; without it all is examined."""

    def __init__(self, folder: Path) -> None:
        self._path = folder.with_name(f"{folder.name}.checked.json")
        try:
            self.notes = unsealed(self._path.read_bytes())
        except (OSError, ValueError):
            self.notes = dict[str, Any]()
        self._changed = False

    def take_note(self, name: str, value: Any) -> None:
        """Note a JSON value under `name`."""
        self.notes[name], self._changed = value, True

    def save(self) -> None:
        """Write the notes, if there are new ones and they can be written."""
        if self._changed:
            with suppress(StoreError):  # in a home that is read-only or full all is examined again
                write_files(self._path.parent, {self._path.name: json.dumps(seal(self.notes))})
