"""The content-addressed cache of vectors and scores, kept across runs.

A key is a hash of the model's fingerprint and the text; a value is float32 bytes with their own
digest. A value whose digest or length does not match is computed again, never trusted.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from countercase.errors import StoreError
from countercase.io import make_folder

Vectors = NDArray[np.float32]
_BATCH = 500


def key_of(model: str, *texts: str) -> bytes:
    """The key of what `model` computes of `texts`: 20 bytes of sha256."""
    digest = hashlib.sha256(model.encode())
    for text in texts:
        raw = text.encode()
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()[:20]


def _check(value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=8).digest()


class VectorCache:
    """A SQLite file of float32 rows; safe to use from several processes at once.

    Args:
        path: the database; a file that is no database is moved aside and begun anew.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rejected = 0
        make_folder(path.parent)
        try:
            self._open()
        except sqlite3.DatabaseError:
            path.replace(path.with_suffix(".damaged"))
            self._open()

    def _open(self) -> None:
        try:
            self._db = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS entry"
                " (key BLOB PRIMARY KEY, value BLOB NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path}: the cache cannot be opened ({error})") from error

    def get(self, keys: Sequence[bytes], width: int) -> dict[bytes, Vectors]:
        """The entries there are among `keys`, each of shape (width,)."""
        rows: dict[bytes, Vectors] = {}
        for key, value in self.get_bytes(keys).items():
            row = np.frombuffer(value, dtype="<f4") if len(value) == 4 * width else None
            if row is None or not np.isfinite(row).all():
                self.rejected += 1
            else:
                rows[key] = row.astype(np.float32)
        return rows

    def get_bytes(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The entries there are among `keys` whose digest is right."""
        values: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _BATCH):
            part = keys[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            entries = self._db.execute(
                f"SELECT key, value, digest FROM entry WHERE key IN ({marks})", part
            )
            for key, value, digest in entries:
                if _check(value) == digest:
                    values[key] = value
                else:
                    self.rejected += 1
        return values

    def put(self, entries: Mapping[bytes, Vectors]) -> None:
        """Keep `entries`, replacing what was there; see `put_bytes`."""
        self.put_bytes({key: row.astype("<f4").tobytes() for key, row in entries.items()})

    def put_bytes(self, entries: Mapping[bytes, bytes]) -> None:
        """Keep `entries`, replacing what was there.

        Raises:
            StoreError: the disk is full or the cache is not writable.
        """
        rows = [(key, raw, _check(raw)) for key, raw in entries.items()]
        try:
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", rows)
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"{self.path}: the cache cannot be written ({error}); "
                "free some space or set COUNTERCASE_HOME"
            ) from error

    def __len__(self) -> int:
        return int(self._db.execute("SELECT COUNT(*) FROM entry").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._db.close()
