"""Results that are kept while a long evaluation runs, so that a second run goes on where the first
one stopped.

A result is kept under the fingerprint of everything that it depends on. A changed case, setting,
model, corpus or program has another fingerprint, so nothing stale is ever read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import countercase
from countercase.errors import StoreError
from countercase.io import make_folder

_KINDS: Final = frozenset({".py", ".json", ".jsonl", ".csv", ".tsv"})


def fingerprint(*parts: Any) -> str:
    """A short name of JSON values; the same values, the same name."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def code_fingerprint(packages: Sequence[str]) -> str:
    """A short name of the program text and the tables of these packages of CounterCase."""
    digest = hashlib.sha256()
    root = Path(countercase.__file__).parent
    for package in packages:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in _KINDS and path.is_file():
                digest.update(path.relative_to(root).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:24]


class Kept:
    """Texts by fingerprint, one file each, in a folder that is made when first written to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> str | None:
        """What was kept under `key`; None where nothing was, or it cannot be read."""
        try:
            return (self.folder / f"{key}.json").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, key: str, text: str) -> None:
        """Keep `text`; it is there whole or not at all.

        Raises:
            StoreError: the folder cannot be written.
        """
        make_folder(self.folder)
        target = self.folder / f"{key}.json"
        staging = target.with_suffix(".new")
        try:
            staging.write_text(text, encoding="utf-8", newline="\n")
            staging.replace(target)
        except OSError as error:
            raise StoreError(
                f"{self.folder}: cannot be written ({error.strerror}); free some space or set "
                "COUNTERCASE_HOME to another folder"
            ) from error
