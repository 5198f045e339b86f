"""Cases that are run by a system once, and whose results are kept.

`run_cases` runs a system on every case and takes up what an earlier run stored in a `ResultStore`,
so that a stopped run goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter

from countercase.engines.engine import PLAIN, Engine
from countercase.engines.pools import Failed
from countercase.errors import StoreError
from countercase.integrity import code_fingerprint
from countercase.io import Progress, cache_root, make_folder, tell

_Case = TypeVar("_Case")

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


def counted(items: Sequence[_Case], what: str, progress: Progress | None) -> Iterator[_Case]:
    """Yield the items and report, before each and at the end, how many of them are done."""
    for done, item in enumerate(items):
        tell(progress, what, done, len(items))
        yield item
    tell(progress, what, len(items), len(items))


class ResultStore(AbstractContextManager["ResultStore"]):
    """JSON values by key in an SQLite file; each `put` is committed at once. Safe between threads.

    Only results with the same `made_with` are seen: a changed setting, model, corpus or program
    starts afresh, and going back finds the earlier results again.

    Args:
        made_with: everything that decides the results beside their keys, as JSON values.
    """

    def __init__(self, path: Path, made_with: Mapping[str, Any]) -> None:
        self.path = path
        self._made_with = fingerprint(made_with)
        self._lock = threading.Lock()
        make_folder(path.parent)
        with self._told():
            self._database = sqlite3.connect(
                path, timeout=60, isolation_level=None, check_same_thread=False
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS results "
                "(made_with TEXT, key TEXT, value TEXT, PRIMARY KEY (made_with, key))"
            )

    def get(self, key: str) -> Any | None:
        """Return the value stored under `key`; None if there is none, or a damaged one."""
        asked = "SELECT value FROM results WHERE made_with = ? AND key = ?"
        with self._told():
            row = self._database.execute(asked, (self._made_with, key)).fetchone()
        digest, _, text = row[0].partition(" ") if row else ("", "", "")
        return json.loads(text) if text and digest == fingerprint(key, text) else None

    def put(self, key: str, value: Any) -> None:
        """Store a JSON value in place of what was under `key`."""
        text = json.dumps(value, ensure_ascii=True, allow_nan=False)
        row = (self._made_with, key, f"{fingerprint(key, text)} {text}")  # against a flipped bit
        with self._told():
            self._database.execute("REPLACE INTO results VALUES (?, ?, ?)", row)

    def __exit__(self, *error: object) -> None:
        self._database.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Let one thread in at a time, and tell a failure of the database with its file."""
        try:
            with self._lock:
                yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(
                f"{self.path}: results cannot be stored there ({error}); delete the file if it is "
                "damaged, free some space, or name another folder"
            ) from error


def open_store(
    name: str, code: Sequence[str], made_with: Mapping[str, Any], folder: Path | None = None
) -> ResultStore:
    """Open the store of results that rest on this code, by default in the cache."""
    parts = {**made_with, "code": code_fingerprint(code)}
    return ResultStore((folder or cache_root() / "evaluation") / f"{name}.sqlite", parts)


def run_cases(
    cases: Sequence[_Case],
    run: Callable[[_Case], Any],
    identify: Callable[[_Case], Sequence[Any]],
    store: ResultStore | None = None,
    progress: Progress | None = None,
    what: str = "cases",
    engine: Engine = PLAIN,
    is_enough: Callable[[Any], bool] = lambda stored: True,
    form: Any = Any,
) -> list[Any]:
    """Return the result of every case: what is stored, or what `run` gives now.

    Where a case fails or is broken off, those finished before it are stored.

    Args:
        run: what can be pickled, unless the engine is plain.
        identify: the JSON values that make a case the one it is; other values, another result.
        store: made with everything else that results depend on.
        is_enough: whether a stored result will do.
        form: the type of a result, by which it becomes JSON values and is read of them.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(form)
    keys = [fingerprint(*identify(case)) for case in cases]
    results = [store.get(key) if store else None for key in keys]
    missing = [at for at, found in enumerate(results) if found is None or not is_enough(found)]
    done = len(cases) - len(missing)
    tell(progress, what, done, len(cases))

    def receive(number: int, result: Any) -> None:
        nonlocal done
        if isinstance(result, Failed):
            raise result.error
        at, done = missing[number], done + 1
        results[at] = adapter.dump_python(result, mode="json")
        if store:
            store.put(keys[at], results[at])
        tell(progress, what, done, len(cases))

    if missing:
        engine.run(run, [cases[at] for at in missing], receive)
    return list(map(adapter.validate_python, results))
