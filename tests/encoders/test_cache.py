"""The cache: what was put is found, what was damaged is not trusted."""

from __future__ import annotations

import random
import sqlite3
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from countercase.encoders.base import CachedEncoders, EncoderOptions, Role, Vectors
from countercase.encoders.cache import CacheWarning, Report, VectorCache, key_of
from countercase.errors import StoreError
from countercase.integrity import DamageWarning


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a cache stands."""
    return tmp_path / "cache.sqlite"


KEY = key_of("model", "text")


def test_what_was_put_is_found_and_keys_tell_texts_and_models_apart(path: Path) -> None:
    cache = VectorCache(path)
    cache.put({KEY: b"a value"})
    cache.close()
    assert VectorCache(path).get([KEY, key_of("model", "other")]) == {KEY: b"a value"}
    parts = (("m", "ab", "c"), ("m", "a", "bc"), ("n", "ab", "c"), ("m", "abc"))
    assert len({key_of(*each) for each in parts}) == 4


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entry SET value = zeroblob(8)",
        "UPDATE entry SET value = x'00'",
        "UPDATE entry SET digest = x'0011223344556677'",
    ],
)
def test_a_damaged_entry_is_not_trusted(path: Path, damage: str) -> None:
    cache = VectorCache(path)
    cache.put({KEY: b"12345678"})
    with sqlite3.connect(path) as db:
        db.execute(damage)
    assert cache.get([KEY]) == {}


def filled(path: Path, entries: int = 400) -> dict[bytes, bytes]:
    """A closed cache of some hundred pages at `path`, and what it holds."""
    rows = {
        key_of("model", str(at)): np.arange(at, at + 96, dtype=np.float32).tobytes()
        for at in range(entries)
    }
    cache = VectorCache(path)
    cache.put(rows)
    cache.close()
    return rows


def test_a_file_that_is_no_database_is_set_aside_and_said(path: Path) -> None:
    path.write_bytes(b"this is no database at all, " * 50)
    with pytest.warns(DamageWarning, match=r"cache\.sqlite: .* not a database.* cache\.damaged"):
        cache = VectorCache(path)
    assert cache._db.execute("SELECT COUNT(*) FROM entry").fetchone() == (0,)
    assert path.with_suffix(".damaged").read_bytes().startswith(b"this is no database")


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE entry (key BLOB, value BLOB, digest BLOB, extra INT NOT NULL)",
        "CREATE TABLE rows (key BLOB)",
    ],
)
def test_a_cache_of_another_schema_is_set_aside(path: Path, schema: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(schema)
    with pytest.warns(DamageWarning, match="not those of this version"):
        cache = VectorCache(path)
    cache.put({KEY: b"a value"})
    assert cache.get([KEY]) == {KEY: b"a value"}


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bits_never_change_a_value_and_what_is_computed_again_is_kept(
    path: Path, seed: int
) -> None:
    rows = filled(path)
    chance = random.Random(seed)
    raw = bytearray(path.read_bytes())
    # The first page is the file's header, the pages after it the upper levels of the tree.
    for place in (chance.randrange(100), *(chance.randrange(len(raw)) for _ in range(seed * 20))):
        raw[place] ^= 1 << chance.randrange(8)
    path.write_bytes(raw)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for _ in range(2):
            cache = VectorCache(path)
            found = cache.get(list(rows))
            assert found.items() <= rows.items()
            cache.put({key: row for key, row in rows.items() if key not in found})
            cache.close()


def test_two_that_find_the_same_damage_set_it_aside_once(path: Path) -> None:
    rows = filled(path)
    first, second = VectorCache(path), VectorCache(path)
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + b"\xff" * (len(raw) - 4096))
    [key] = list(rows)[:1]
    with pytest.warns(DamageWarning, match="malformed"):
        assert first.get([key]) == {}
    first.put({key: rows[key]})
    assert second.get(list(rows)) == {}  # finds the damage too, and leaves the new file there
    assert second.get([key]) == {key: rows[key]}


def test_a_cache_that_cannot_be_written_is_read(path: Path) -> None:
    rows = filled(path, 3)
    cache = VectorCache(path)
    cache._db.execute("PRAGMA query_only=1")
    key = key_of("model", "new")
    with pytest.warns(CacheWarning, match="cannot be written .* is not kept"):
        cache.put({key: rows[key_of("model", "0")]})
    assert len(cache.get([*rows, key])) == 3


def test_a_cache_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        VectorCache(tmp_path)


class Lengths(CachedEncoders):
    """The vector of a text is its length; `asked` are the texts that were encoded."""

    def __init__(self, options: EncoderOptions) -> None:
        super().__init__(options)
        self.asked: list[str] = []

    def fingerprint(self, role: Role) -> str:
        return "lengths"

    def width(self, role: Role) -> int:
        return 1

    def counts(self, texts: list[str]) -> list[int]:
        return [len(text) for text in texts]

    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> list[Vectors]:
        return [np.zeros(1, dtype=np.float32) for _ in pairs]

    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> list[Vectors]:
        self.asked.extend(texts)
        report(len(texts))
        return [np.array([len(text)], dtype=np.float32) for text in texts]


def test_what_is_missing_is_computed_once_in_order_and_kept(path: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    options = EncoderOptions(VectorCache(path))
    made = Lengths(options)
    vectors = made.encode(
        "sentence", ["a", "bb", "a", "ccc", "bb"], lambda *step: steps.append(step)
    )
    assert vectors.tolist() == [[1], [2], [1], [3], [2]]
    assert (made.asked, made.computed, steps) == (["a", "bb", "ccc"], 3, [("encoding", 3, 3)])
    again = Lengths(options)
    assert again.encode("sentence", ["dddd", "a"]).tolist() == [[4], [1]]
    assert (again.asked, again.computed) == (["dddd"], 1)


def test_a_value_of_another_length_or_no_number_is_computed_again(path: Path) -> None:
    cache, key = VectorCache(path), key_of("lengths", "text")
    for raw in (b"123", np.array([np.nan], dtype=np.float32).tobytes()):
        cache.put({key: raw})
        assert Lengths(EncoderOptions(cache)).encode("sentence", ["text"]).tolist() == [[4]]
    assert cache.get([key]) == {key: np.array([4], dtype=np.float32).tobytes()}
