"""The cache: what was put is found, what was damaged is not trusted."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from countercase.encoders.cache import VectorCache, key_of, missing
from countercase.errors import StoreError


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    key, row = key_of("model", "text"), np.array([1.5, -2.25], dtype=np.float32)
    cache = VectorCache(path)
    cache.put({key: row})
    cache.close()
    [found] = VectorCache(path).get([key], 2).values()
    assert found.tobytes() == row.tobytes()


def test_keys_tell_texts_and_models_apart() -> None:
    keys = {
        key_of("m", "ab", "c"),
        key_of("m", "a", "bc"),
        key_of("n", "ab", "c"),
        key_of("m", "abc"),
    }
    assert len(keys) == 4


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entry SET value = zeroblob(8)",
        "UPDATE entry SET value = x'00'",
        "UPDATE entry SET digest = x'0011223344556677'",
    ],
)
def test_a_damaged_entry_is_not_trusted(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "cache.sqlite"
    key = key_of("model", "text")
    cache = VectorCache(path)
    cache.put({key: np.array([1.0, 2.0], dtype=np.float32)})
    with sqlite3.connect(path) as db:
        db.execute(damage)
    assert cache.get([key], 2) == {}
    assert cache.rejected == 1


def test_a_file_that_is_no_database_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"this is no database at all, " * 50)
    cache = VectorCache(path)
    assert len(cache) == 0
    assert path.with_suffix(".damaged").exists()


def test_a_cache_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    (tmp_path / "cache.sqlite").mkdir()
    with pytest.raises(StoreError, match="cannot be opened"):
        VectorCache(tmp_path / "cache.sqlite")


def test_each_missing_key_is_named_once() -> None:
    row = np.zeros(1, dtype=np.float32)
    assert missing([b"a", b"b", b"a", b"c", b"b"], {b"c": row}) == [0, 1]
