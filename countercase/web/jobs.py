"""Cases and analyses in SQLite, so that they survive a restart.

An analysis is `queued`, `running`, and then `done`, `cancelled` (by its user), `stopped` (the
server was asked to end; what was measured is kept), `failed`, or `broken`: the server was killed in
the middle of it. All but `done` can be run again. A row that cannot be read any more is an analysis
that is `unreadable`, and nothing but deleting it is left.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from importlib.resources import files
from os.path import samestat
from pathlib import Path
from typing import Any, Final, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from countercase.errors import InputError, StoreError
from countercase.io import make_folder
from countercase.reports.wording import name_matter
from countercase.web.models import AnalysisOptions, Status, StoredCase, StoredRating, StoredResult
from countercase.web.render import BusyError, MissingError, UnreadableError

MOST_QUEUED: Final = 20
"""Analyses that wait; a further one is refused."""


def _dumped(document: Any) -> str:
    """Return a JSON text as it is stored, its digest before it."""
    text = json.dumps(document, allow_nan=False)
    return _digest(text.encode()) + text


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def read_object(kind: Any, text: object) -> dict[str, Any]:
    """Return a stored JSON object of its kind; UnreadableError where its digest does not match."""
    whole = str(text)
    try:
        body = whole[whole.index("{") :]
        if body != whole != _digest(body.encode()) + body:
            raise ValueError("damaged")
        given: dict[str, Any] = json.loads(body)
        TypeAdapter(kind).validate_python(given)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("what is stored of it cannot be read; begin it again") from error
    return given


_read_result: Final = lru_cache(maxsize=4)(partial(read_object, StoredResult))
"""Read what an analysis gave, which its pages read again and again and nobody changes."""


class Job(BaseModel, frozen=True):
    """One analysis, without its result.

    `source` is the id of the case on whose page it was asked for, "" where a program sent it;
    `detail` why it failed, or what was left unmeasured; `corrected` whether its case is another
    now, None without a page; `case_file` is as `StoredCase` has it.
    """

    id: str
    source: str = ""
    status: Status = "unreadable"
    started: float = 0.0
    case_file: dict[str, Any]
    options: AnalysisOptions
    detail: str = "What is stored of this analysis cannot be read. Delete it."
    corrected: bool | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status not in ("queued", "running")

    @property
    def when(self) -> str:
        """When it began, in the server's own time."""
        return time.strftime("%d.%m.%Y, %H:%M", time.localtime(self.started))

    @property
    def title(self) -> str:
        """What its case is called."""
        names = (str(self.case_file.get(name, "")) for name in ("title", "case_id", "text"))
        return name_matter(*names)

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Job:
        """Return a row as an analysis; one that cannot be read is an analysis that says so."""
        kinds = {"case_file": StoredCase, "options": AnalysisOptions}
        try:
            read = {name: read_object(kind, row[name]) for name, kind in kinds.items()}
            return cls.model_validate({**row, **read})
        except (ValidationError, UnreadableError):
            named, options = str(row["id"]), AnalysisOptions.model_validate({})
            return cls(id=named, case_file={"case_id": named}, options=options)


@contextmanager
def _usable(path: Path, other: str = "another program") -> Iterator[None]:
    """Raise a `StoreError` for what SQLite cannot do; what an `other` one holds is not damaged."""
    try:
        yield
    except sqlite3.Error as error:
        told = f"cannot be used ({error}); free some space, or delete it if it is damaged"
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            told = f"{other} uses it; stop that one, or name another COUNTERCASE_HOME"
        raise StoreError(f"{path}: {told}") from error


_NOW: Final = "(SELECT case_file != jobs.case_file FROM cases WHERE id = jobs.source) AS corrected"
_FIELDS: Final = ", ".join([*list(Job.model_fields)[:-1], _NOW])


class Jobs:
    """The store, safe to share between threads: `jobs.sqlite` in a folder, with the texts of the cases.

    `StoreError`: the folder cannot be written, or another server uses it; `MissingError`: it is not
    there; `UnreadableError`: what is stored of it cannot be read; `BusyError`: the queue is full.
    """

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self._path, self._lock = folder / "jobs.sqlite", threading.RLock()
        # Shared by threads, without transactions of its own.
        connect = partial(sqlite3.connect, isolation_level=None, check_same_thread=False)
        # Held as long as this process lives: a second server on the same jobs would take the
        # running ones for broken.
        with _usable(claimed := folder / "server.lock", "another `countercase serve`"):
            self._claim = connect(claimed, timeout=0)
            self._claim.execute("BEGIN EXCLUSIVE")
        with _usable(self._path):
            self._database = connect(self._path, timeout=30)
            self._opened, self._database.row_factory = self._path.stat(), sqlite3.Row
            self._database.executescript((files("countercase.web") / "jobs.sql").read_text())
        self.break_off("The server was killed in the middle of this analysis. Run it again.")

    # Cases

    def put_case(self, case_file: Mapping[str, Any]) -> str:
        """Store a case; returns its id."""
        case, text = secrets.token_hex(8), _dumped(case_file)
        self._do("INSERT INTO cases VALUES (?, ?, ?, ?)", case, time.time(), text, text)
        return case

    def version(self, case: str) -> str:
        """Return what is another one after each correction of a case."""
        [now] = self._find("case", "SELECT case_file FROM cases WHERE id = ?", case)
        return _digest(str(now).encode())

    def change_case(self, case: str, seen: str, case_file: Mapping[str, Any]) -> None:
        """Store a case corrected; what was first read of it, and what it was, are kept beside it.

        An `InputError` is raised where it is no longer the version that was `seen`.
        """
        before = "INSERT INTO changes (id, case_file) SELECT id, case_file FROM cases WHERE id = ?"
        with self._still(case, seen):
            self._do(before, case)
            self._do("UPDATE cases SET case_file = ? WHERE id = ?", _dumped(case_file), case)

    def undo_change(self, case: str, seen: str) -> None:
        """Store a case as it was before its last correction, where there was one.

        An `InputError` is raised as in `change_case`, and where what it was cannot be read.
        """
        last = "SELECT number, case_file FROM changes WHERE id = ? ORDER BY number DESC LIMIT 1"
        with self._still(case, seen):
            for number, before in self._do(last, case):
                try:
                    read_object(StoredCase, before)
                except UnreadableError as error:
                    raise InputError("what the case was before is damaged") from error
                self._do("UPDATE cases SET case_file = ? WHERE id = ?", before, case)
                self._do("DELETE FROM changes WHERE number = ?", number)

    @contextmanager
    def _still(self, case: str, seen: str) -> Iterator[None]:
        with self._lock:
            if self.version(case) != seen:
                raise InputError("the case was corrected meanwhile; load the page again")
            yield

    def changes(self, case: str) -> int:
        """Return how many corrections of a case can be undone."""
        return int(self._do("SELECT count(*) FROM changes WHERE id = ?", case)[0][0])

    def case(self, case: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a case file as it is now, and as it was first read."""
        now, first = self._find("case", "SELECT case_file, original FROM cases WHERE id = ?", case)
        return read_object(StoredCase, now), read_object(StoredCase, first)

    def cases(self, most: int) -> list[tuple[str, str]]:
        """Return the id and the name of the cases that were read or analysed last, the last first."""
        last = "max(created, coalesce((SELECT max(created) FROM jobs WHERE source = cases.id), 0))"
        rows = self._do(f"SELECT * FROM cases ORDER BY {last} DESC, rowid DESC LIMIT ?", most)
        return [(row["id"], Job.read({**row, "options": _dumped({})}).title) for row in rows]

    def remove_case(self, case: str) -> None:
        """Delete a case with its analyses."""
        self._do("DELETE FROM cases WHERE id = ?", case)

    # Analyses

    def put(
        self, case_file: Mapping[str, Any], options: Mapping[str, Any], source: str = ""
    ) -> Job:
        """Queue an analysis."""
        names = "id, source, status, created, started, finished, case_file, options, detail"
        statement = f"INSERT INTO jobs ({names}) VALUES (?, ?, 'queued', ?, 0, 0, ?, ?, '')"
        row = (secrets.token_hex(8), source, time.time(), _dumped(case_file), _dumped(options))
        return self._queue(statement, *row)

    def put_again(self, job: str) -> Job:
        """Queue an analysis once more, behind all others."""
        fresh = "status = 'queued', started = 0, finished = 0, detail = '', result = NULL"
        last = "(SELECT max(number) + 1 FROM jobs)"
        return self._queue(f"UPDATE jobs SET {fresh}, number = {last} WHERE id = ?", job)

    def _queue(self, statement: str, *values: object) -> Job:
        with self._lock:
            if len(self.queue()) >= MOST_QUEUED:
                detail = f"{MOST_QUEUED} analyses wait already; ask again when one is finished"
                raise BusyError(detail, 60)
            return Job.read(self._find("analysis", f"{statement} RETURNING {_FIELDS}", *values))

    def job(self, job: str) -> Job:
        """Return an analysis by its id."""
        return Job.read(self._find("analysis", f"SELECT {_FIELDS} FROM jobs WHERE id = ?", job))

    def jobs(self, most: int = 50, source: str | None = None) -> list[Job]:
        """Return the latest analyses, the last first; where a `source` is given, those of it."""
        own = "WHERE ?1 IS NULL OR source = ?1 ORDER BY number DESC LIMIT ?2"
        return [*map(Job.read, self._do(f"SELECT {_FIELDS} FROM jobs {own}", source, most))]

    def queue(self) -> list[str]:
        """Return the ids of the analyses that wait, the next first."""
        waiting = "SELECT id FROM jobs WHERE status = 'queued' ORDER BY number"
        return [job for [job] in self._do(waiting)]

    def oldest_wait(self) -> float:
        """Return the seconds that the longest-waiting analysis has waited; 0 where none waits."""
        [[since]] = self._do("SELECT min(created) FROM jobs WHERE status = 'queued'")
        return max(0.0, time.time() - since) if isinstance(since, float) else 0.0

    def start_next(self) -> Job | None:
        """Mark the next analysis as running and return it; None where none waits."""
        with self._lock:
            self.break_off("It ended without an answer. Run it again.")  # nothing runs now
            started = "UPDATE jobs SET status = 'running', started = ? WHERE id = ?"
            for job in self.queue():
                if self.job(job).status != "unreadable":
                    self._do(started, time.time(), job)
                    return self.job(job)
                self.finish(job, "failed")
            return None

    def break_off(self, detail: str) -> None:
        """Mark as broken what is said to run although nothing does."""
        self._do("UPDATE jobs SET status = 'broken', detail = ? WHERE status = 'running'", detail)

    def finish(self, job: str, status: Status, detail: str = "", result: Any = None) -> None:
        """Mark an analysis as over, with what it gave."""
        self._do(
            "UPDATE jobs SET status = ?, detail = ?, finished = ?, result = ? WHERE id = ?",
            status, detail, time.time(), None if result is None else _dumped(result), job,
        )  # fmt: skip

    def cancel_queued(self, job: str) -> bool:
        """Cancel an analysis that waits; False where it does not wait."""
        with self._lock:
            if job not in self.queue():
                return False
            self.finish(job, "cancelled", "It was cancelled before it began.")
            return True

    def result(self, job: str) -> dict[str, Any] | None:
        """Return what an analysis gave; None where there is nothing.

        A result that cannot be read is dropped, and the analysis says so and may be run again.
        """
        try:
            [text] = self._find("result", "SELECT result FROM jobs WHERE id = ?", job)
            return _read_result(text) if text else None
        except MissingError:
            return None
        except UnreadableError:
            self.finish(job, "broken", "Its stored result cannot be read. Run it again.")
            return None

    def put_file(self, job: str, name: str, report: str | bytes) -> None:
        """Store a report of an analysis, its digest before it; none of one that was deleted."""
        content = report.encode() if isinstance(report, str) else report
        sealed = _digest(content).encode() + content
        self._do("REPLACE INTO files SELECT id, ?, ? FROM jobs WHERE id = ?", name, sealed, job)

    def file(self, job: str, name: str) -> bytes | None:
        """Return a report of an analysis; None where there is none, or a damaged one."""
        own = "SELECT CAST(content AS BLOB) FROM files WHERE job = ? AND name = ?"
        [[stored]] = self._do(own, job, name) or [[b""]]
        if stored[:16] == _digest(stored[16:]).encode():
            return bytes(stored[16:])
        return stored if stored[:1] in (b"<", b"P") else None  # those of before have no digest

    def remove(self, job: str) -> None:
        """Delete an analysis with its case, its reports and its ratings."""
        self._do("DELETE FROM jobs WHERE id = ?", job)

    def rate(self, job: str, rater: str, item: str, scores: Mapping[str, int], notes: str) -> None:
        """Store what a rater says of an explanation, in place of what the same rater said."""
        row = job, rater, item, _dumped({"scores": {**scores}, "notes": notes})
        self._do("REPLACE INTO ratings VALUES (?, ?, ?, ?, '')", *row)

    def ratings(self, job: str, rater: str) -> dict[str, tuple[dict[str, int], str]]:
        """Return scores and notes of a rater by item; once both had a column of their own."""
        own = "SELECT item, scores, notes FROM ratings WHERE job = ? AND rater = ?"
        rows = self._do(own, job, rater)
        read = [(it, read_object(StoredRating | dict[str, int], own), n) for it, own, n in rows]
        return {it: (own.get("scores", own), own.get("notes", notes)) for it, own, notes in read}

    def close(self) -> None:
        """Close the files, so that another server may use them."""
        self._database.close()
        self._claim.close()

    def _do(self, statement: str, *values: object) -> list[Any]:
        with _usable(self._path), self._lock:
            with suppress(OSError):  # where the file is gone
                if samestat(self._opened, self._path.stat()):
                    return self._database.execute(statement, cast("Any", values)).fetchall()
            raise StoreError(f"{self._path}: removed while the server ran; start it again")

    def _find(self, what: str, statement: str, *values: object) -> Any:
        for row in self._do(statement, *values):
            return row
        raise MissingError(f"There is no such {what}.")
