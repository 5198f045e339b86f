"""Results of long evaluations, stored one by one, so that a stopped run goes on where it was."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from countercase.errors import StoreError
from countercase.io import Progress, make_folder

_Item = TypeVar("_Item")

RANKING_CODE: Final = (
    "text", "law", "facts", "fact_types", "corpus", "encoders", "salience", "retrieval", "session.py",
)  # fmt: skip
"""The parts of the program that decide a ranking."""
ANALYSIS_CODE: Final = (*RANKING_CODE, "counterfactual")
"""The parts of the program that decide what an analysis finds."""


def fingerprint(*parts: Any) -> str:
    """Give JSON values a short name: equal values have equal names."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def counted(items: Sequence[_Item], what: str, progress: Progress | None) -> Iterator[_Item]:
    """Yield the items and report, before each and at the end, how many of them are done."""
    for done, item in enumerate(items):
        if progress is not None:
            progress(what, done, len(items))
        yield item
    if progress is not None:
        progress(what, len(items), len(items))


class ResultStore:
    """JSON values by key in an SQLite file; each `put` is committed at once. Safe between threads.

    Only results with the same `made_with` are seen: a changed setting, model, corpus or program
    starts afresh, and going back finds the earlier results again.

    Args:
        made_with: everything that decides the results beside their keys, as JSON values.

    Raises:
        StoreError: the file cannot be read or written, or is no result store.
    """

    def __init__(self, path: Path, made_with: Mapping[str, Any]) -> None:
        self.path = path
        self._made_with = fingerprint(made_with)
        self._lock = threading.Lock()
        make_folder(path.parent)
        try:
            self._database = sqlite3.connect(
                path, timeout=60, isolation_level=None, check_same_thread=False
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS results "
                "(made_with TEXT, key TEXT, value TEXT, PRIMARY KEY (made_with, key))"
            )
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._error(error) from error

    def get(self, key: str) -> Any | None:
        """Return the value stored under `key`; None if there is none, or a damaged one."""
        rows = self._execute(
            "SELECT value FROM results WHERE made_with = ? AND key = ?", self._made_with, key
        )
        digest, _, text = rows[0][0].partition(" ") if rows else ("", "", "")
        return json.loads(text) if text and digest == fingerprint(key, text) else None

    def put(self, key: str, value: Any) -> None:
        """Store a JSON value in place of what was under `key`."""
        text = json.dumps(value, ensure_ascii=True, allow_nan=False)
        value = f"{fingerprint(key, text)} {text}"  # a flipped bit is no other result
        self._execute("REPLACE INTO results VALUES (?, ?, ?)", self._made_with, key, value)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _execute(self, statement: str, *values: str) -> list[Any]:
        try:
            with self._lock:
                return self._database.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> StoreError:
        return StoreError(
            f"{self.path}: results cannot be stored there ({error}); delete the file if it is "
            "damaged, free some space, or name another folder"
        )
