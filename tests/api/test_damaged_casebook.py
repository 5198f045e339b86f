"""The casebook's index mends itself, and says so; `doctor --deep` finds what is damaged."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_casebook import casebook_of_five
from typed_commands import typed

from countercase.cli.setup import Check, examine
from countercase.config import Settings
from countercase.corpus.casebook.records import CASEBOOK
from countercase.corpus.index.build import index_folder
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.integrity import DamageWarning
from countercase.session import Session, open_session

QUERY = "One blow in a sudden quarrel, and the man died."


@pytest.fixture(scope="module")
def made(
    home: Path, encoders: EmbeddedEncoders, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A home with the prepared models and the index of a casebook of five decisions."""
    folder = tmp_path_factory.mktemp("casebook-home")
    with casebook_of_five(home, folder):
        opened()
        yield folder


def opened() -> Session:
    return open_session(Settings(USE_RERANKER=False))


def ranked(session: Session) -> list[tuple[str, float]]:
    return [(result.case_id, result.score) for result in session.search(QUERY).results]


def snapshot_files() -> dict[str, bytes]:
    folder = index_folder(CASEBOOK) / "snapshot"
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def flip(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[random.Random(path.name).randrange(len(raw))] ^= 16
    path.write_bytes(raw)


@pytest.mark.parametrize("name", ["sentence.npy", "manifest.json", "lexicon/pairs.npy"])
@pytest.mark.parametrize("damage", [flip, Path.unlink])
def test_damage_is_mended_and_said(made: Path, name: str, damage: Callable[[Path], None]) -> None:
    before, expected = snapshot_files(), ranked(opened())
    damage(index_folder(CASEBOOK) / "snapshot" / name)
    if (name, damage) == ("manifest.json", Path.unlink):  # as if it was never finished
        again = opened()
    else:
        with pytest.warns(DamageWarning, match=rf"{name}: .*it is built anew"):
            again = opened()
    assert ranked(again) == expected
    assert snapshot_files() == before


def test_a_store_that_cannot_be_opened_is_begun_anew(made: Path) -> None:
    before = snapshot_files()
    (index_folder(CASEBOOK) / "records.sha256").write_bytes(b"\xff of other records")
    (index_folder(CASEBOOK) / "chroma" / "chroma.sqlite3").write_bytes(b"no database" * 999)
    with pytest.warns(DamageWarning, match=r"chroma\.sqlite3: damaged.*made anew from the index"):
        opened()
    assert snapshot_files() == before


def found(name: str) -> Check:
    [check] = [check for check in examine(deep=True) if check.name == name]
    return check


def test_doctor_finds_damage_in_every_store(made: Path) -> None:
    typed("doctor", "--deep")
    assert "every byte is whole" in found("corpus casebook").found
    assert "every value is whole" in found("cached vectors").found

    texts = index_folder(CASEBOOK) / "snapshot" / "texts.bin"
    raw = texts.read_bytes()
    flip(texts)
    assert not found("corpus casebook").ok
    assert str(texts) in found("corpus casebook").found
    done = typed("doctor", "--deep", status=1)
    assert "corpus casebook" in done.stdout.splitlines()[-1]
    typed("doctor")  # sizes are as they were
    texts.write_bytes(raw)

    with sqlite3.connect(made / "cache" / "vectors.sqlite") as database:
        database.execute("UPDATE entry SET value = zeroblob(length(value)) WHERE key IN "
                         "(SELECT key FROM entry LIMIT 2)")  # fmt: skip
    assert "2 values are damaged" in found("cached vectors").found

    for path in (made / "models").glob("*/model.xml"):
        text = path.read_bytes()
        path.unlink()  # the file is shared with another home by a hard link
        path.write_bytes(text.replace(b"1", b"2", 1))
    for role in ("sentence", "cross"):
        check = found(f"{role} model")
        assert (check.ok, check.needed) == (False, True)
        assert "model.xml: damaged" in check.found
        assert "models prepare --again" in check.advice
