"""The content-addressed cache of vectors and scores, kept across runs.

A key is a hash of the model's fingerprint and the text; a value is bytes with their own digest. A
value whose digest or length does not match is computed again, never trusted. The cache only saves
time: a damaged one is set aside, and one that cannot be written is read.
"""

from __future__ import annotations

import hashlib
import sqlite3
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from countercase.errors import StoreError
from countercase.integrity import DamageWarning
from countercase.io import Progress, make_folder, tell
from countercase.locks import locked

Item = TypeVar("Item")
Value = TypeVar("Value")
Report: TypeAlias = Callable[[int], None]
"""Called with the number of texts or pairs of a block that are finished."""

_BLOCK: Final = 256
"""Values that are computed before they are written."""
_BATCH = 500
_SCHEMA: Final = (
    "CREATE TABLE entry"
    " (key BLOB PRIMARY KEY, value BLOB NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID"
)
DatabaseFailure: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading a database raises; on a damaged one its messages are not always text."""


class CacheWarning(UserWarning):
    """What is computed cannot be kept."""


def key_of(model: str, *texts: str) -> bytes:
    """Return the key of what `model` computes of `texts`: 20 bytes of sha256."""
    digest = hashlib.sha256(model.encode())
    for text in texts:
        raw = text.encode()
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()[:20]


def _check(value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=8).digest()


class VectorCache:
    """A SQLite file of values; safe to use from several processes at once.

    One that is damaged or has other tables is set aside as `.damaged` and begun anew, with a
    `DamageWarning`; one that cannot be written is only read, with a `CacheWarning` where something
    new cannot be kept. StoreError where the path cannot hold a database.
    """

    _db: sqlite3.Connection

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: tuple[int, int] | None = None
        self._unwritable = ""
        try:
            make_folder(path.parent)
            with locked("cache", "waiting for the cache"):
                self._open_or_begin()
        except StoreError as error:  # nothing can be written there; what is known can be read
            if not path.is_file():
                raise
            self._unwritable = str(error)
            # Not in the ordinary way, in which SQLite would write beside the file.
            address = f"{path.absolute().as_uri()}?immutable=1"
            self._db = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._db.text_factory = bytes

    def _open_or_begin(self) -> None:
        try:
            self._open()
        except DatabaseFailure as error:
            if not _is_damage(error):
                raise StoreError(f"{self.path}: the cache cannot be opened ({error})") from error
            self._set_aside(error)
            self._open()

    def _open(self) -> None:
        db = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            tables = dict(db.execute("SELECT name, sql FROM sqlite_master"))
            if not tables:
                db.execute(_SCHEMA)
            elif tables != {"entry": _SCHEMA}:
                raise sqlite3.DatabaseError("its tables are not those of this version")
        except DatabaseFailure:
            db.close()
            raise
        db.text_factory = bytes  # damage may turn a value into text
        self._db, self._file = db, _identity(self.path)
        weakref.finalize(self, db.close)  # also as the process ends, so that one file holds all

    def _set_aside(self, error: Exception) -> None:
        """Move the file away, unless another process has done so since it was opened here."""
        if self._file in (None, _identity(self.path)):
            aside = self.path.with_suffix(".damaged")
            try:
                self.path.replace(aside)
                for end in ("-wal", "-shm"):
                    self.path.with_name(self.path.name + end).unlink(missing_ok=True)
            except OSError as failed:
                raise StoreError(
                    f"{self.path}: the cache is damaged ({error}) and cannot be set aside "
                    f"({failed.strerror}); delete it"
                ) from failed
            told = f"the cache is damaged ({error}); {aside.name} holds it, and one is begun anew"
            warnings.warn(f"{self.path}: {told}", DamageWarning, stacklevel=1)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the entries whose digest is right; StoreError if damage cannot be set aside."""
        values: dict[bytes, bytes] = {}
        try:
            for start in range(0, len(keys), _BATCH):
                part = keys[start : start + _BATCH]
                marks = ",".join("?" * len(part))
                asked = f"SELECT key, value, digest FROM entry WHERE key IN ({marks})"
                for key, value, digest in self._db.execute(asked, part):
                    if isinstance(value, bytes) and _check(value) == digest:
                        values[key] = value
        except DatabaseFailure as error:
            self._failed(error, "read")
        return values

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Keep `entries`, replacing what was there; a `CacheWarning` says that it cannot be done."""
        if self._unwritable:
            self._warn(self._unwritable)
            return
        rows = [(key, raw, _check(raw)) for key, raw in entries.items()]
        try:
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", rows)
        except DatabaseFailure as error:
            self._failed(error, "written")

    def _failed(self, error: Exception, what: str) -> None:
        """Go on without what could not be read or written; begin anew where that is damage."""
        if _is_damage(error) and not self._unwritable:
            with locked("cache", "waiting for the cache"):
                self._db.close()
                self._set_aside(error)
                self._open_or_begin()
        else:
            self._warn(f"{self.path}: the cache cannot be {what} ({error})")

    def _warn(self, reason: str) -> None:
        told = f"{reason}; going on, but what is computed is not kept"
        warnings.warn(told, CacheWarning, stacklevel=1)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def compute_missing(
    cache: VectorCache | None,
    keys: Sequence[bytes],
    items: Sequence[Item],
    compute: Callable[[list[Item], Report], Iterable[Value]],
    unpack: Callable[[bytes], Value | None],
    pack: Callable[[Value], bytes],
    what: str,
    progress: Progress | None = None,
) -> tuple[list[Value], int]:
    """Return one value per item, those of the cache as they are, and how many were computed.

    The cache is read, and written block by block. `compute` gives the values of items, each key
    asked for once; `unpack` the value of its bytes, None where they are none, and it is computed.
    """
    found = {} if cache is None else cache.get(keys)
    known = {key: value for key, raw in found.items() if (value := unpack(raw)) is not None}
    first = {key: at for at, key in reversed(list(enumerate(keys)))}
    wanted = sorted(at for key, at in first.items() if key not in known)
    for start in range(0, len(wanted), _BLOCK):
        positions = wanted[start : start + _BLOCK]

        def report(done: int, start: int = start) -> None:
            tell(progress, what, start + done, len(wanted))

        values = compute([items[at] for at in positions], report)
        fresh = {keys[at]: value for at, value in zip(positions, values, strict=True)}
        known |= fresh
        if cache is not None:
            cache.put({key: pack(value) for key, value in fresh.items()})
    return [known[key] for key in keys], len(wanted)


def database_problem(path: Path, mode: str, check: str, entries: str = "") -> str:
    """Return what a check of SQLite finds wrong with a database; empty if nothing is.

    `mode` is how it is opened; `entries` selects values with their digests, which are checked too.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as db:
            [[found]] = db.execute(f"PRAGMA {check}(1)").fetchall()
            if found != "ok":
                return str(found)
            values = db.execute(entries) if entries else ()
            damaged = sum(_check(bytes(value)) != digest for value, digest in values)
    except (*DatabaseFailure, TypeError) as error:
        return str(error)
    return f"{damaged:,} values are damaged" if damaged else ""


def problem_of(path: Path) -> str:
    """Return what is wrong with a cache, every page and value of it read; empty if nothing is."""
    return database_problem(path, "ro", "integrity_check", "SELECT value, digest FROM entry")


def _is_damage(error: Exception) -> bool:
    """Return whether the file is at fault, and not a lock, the disk or permissions."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        state = path.stat()
        return state.st_dev, state.st_ino
    return None
