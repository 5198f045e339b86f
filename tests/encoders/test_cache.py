"""The cache: what was put is found, what was damaged is not trusted."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from countercase.encoders.base import CachedEncoders, EncoderOptions, Report, Role, Vectors
from countercase.encoders.cache import VectorCache, key_of
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


def test_what_is_missing_is_computed_once_in_order_and_kept(tmp_path: Path) -> None:
    class Lengths(CachedEncoders):
        def fingerprint(self, role: Role) -> str:
            return "lengths"

        def width(self, role: Role) -> int:
            return 1

        def counts(self, texts: list[str]) -> list[int]:
            return [len(text) for text in texts]

        def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> list[Vectors]:
            return [np.zeros(1, dtype=np.float32) for _ in pairs]

        def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> list[Vectors]:
            asked.extend(texts)
            report(len(texts))
            return [np.array([len(text)], dtype=np.float32) for text in texts]

    asked: list[str] = []
    steps: list[tuple[str, int, int]] = []
    options = EncoderOptions(VectorCache(tmp_path / "cache.sqlite"))
    made = Lengths(options)
    vectors = made.encode(
        "sentence", ["a", "bb", "a", "ccc", "bb"], lambda *step: steps.append(step)
    )
    assert vectors.tolist() == [[1], [2], [1], [3], [2]]
    assert (asked, made.computed, steps) == (["a", "bb", "ccc"], 3, [("encoding", 3, 3)])
    again = Lengths(options)
    assert again.encode("sentence", ["dddd", "a"]).tolist() == [[4], [1]]
    assert (asked[3:], again.computed) == (["dddd"], 1)
    assert again.encode("sentence", ["a"], keep=False).tolist() == [[1]]
    assert again.computed == 2
