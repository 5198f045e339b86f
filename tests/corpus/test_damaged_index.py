"""A damaged index never gives another answer: each file of it is missed when it is not as written."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
from made_corpus import judgments

from countercase import integrity
from countercase.config import RetrievalSettings
from countercase.corpus.index.build import build_index, check_corpus, index_folder, open_index
from countercase.corpus.index.snapshot import Snapshot, read_manifest
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CorpusIndexError, DamagedIndexError
from countercase.integrity import DamageWarning
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever

PIECES = 64
CORPUS = judgments(("murder", "cheating", "a lease", "dismissal", "customs duty", "a cheque"))


@pytest.fixture(scope="module")
def whole(encoders: EmbeddedEncoders) -> Snapshot:
    """The undamaged index."""
    return build_index(CORPUS, "undamaged", encoders, PIECES)[0]


@pytest.fixture
def copied(whole: Snapshot) -> Path:
    """The folder of a copy of its snapshot, under the corpus name `copied`."""
    folder = index_folder("copied") / "snapshot"
    shutil.rmtree(folder.parent, ignore_errors=True)
    shutil.copytree(str(whole.folder), folder)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def content(snapshot: Snapshot) -> list[object]:
    """Everything that a ranking rests on."""
    asked = "murder under section 301 of the Indian Penal Code"
    arrays = (snapshot.chunks, snapshot.sentence, snapshot.passage, snapshot.case_vectors)
    return [
        snapshot.case_ids,
        snapshot.metadata,
        snapshot.manifest,
        [np.asarray(array).tobytes() for array in arrays],
        [snapshot.case_text(case) for case in range(len(snapshot.case_ids))],
        snapshot.lexicon.scores(asked).tobytes(),
        snapshot.citing.scores(asked).tobytes(),
    ]


def flip(path: Path, chance: random.Random) -> None:
    raw = bytearray(path.read_bytes())
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    path.write_bytes(raw)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "shortened": half,
    "lengthened": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "flipped": lambda path: flip(path, random.Random(path.name)),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_every_file_is_missed(
    kind: str, whole: Snapshot, copied: Path, encoders: EmbeddedEncoders
) -> None:
    for name, raw in files_of(copied).items():
        DAMAGE[kind](copied / name)
        with pytest.raises(CorpusIndexError) as raised:
            open_index("copied", encoders, PIECES)
        message = str(raised.value)
        assert "countercase index PATH --corpus copied" in message
        if (name, kind) not in {("manifest.json", "missing"), ("manifest.json", "a folder")}:
            assert isinstance(raised.value, DamagedIndexError)
            assert str(copied / name) in message
        if kind == "a folder":
            (copied / name).rmdir()
        (copied / name).write_bytes(raw)
    assert content(open_index("copied", encoders, PIECES)) == content(whole)


def test_indexing_again_mends_it_byte_for_byte(encoders: EmbeddedEncoders) -> None:
    folder = build_index(CORPUS, "mended", encoders, PIECES)[0].folder
    before = files_of(folder)
    for name in before:
        flip(folder / name, random.Random(name))
        mended, report = build_index(CORPUS, "mended", encoders, PIECES)
        assert (report.added, report.unchanged) == (len(CORPUS), 0)
        assert files_of(mended.folder) == before


def test_a_large_file_is_read_once_until_it_changes(
    copied: Path, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(path: Path, real: Callable[[Path], str] = integrity.checksum) -> str:
        read.append(path.name)
        return real(path)

    monkeypatch.setattr(integrity, "LARGE", 0)
    open_index("copied", encoders, PIECES)
    assert not copied.with_name("snapshot.checked.json").exists()  # it was just written
    monkeypatch.setattr(integrity, "_SETTLED", -1.0)
    monkeypatch.setattr(integrity, "checksum", counted)
    open_index("copied", encoders, PIECES)
    assert set(read) == {Path(name).name for name in read_manifest(copied).files}
    read.clear()
    open_index("copied", encoders, PIECES)
    assert read == []
    state = (copied / "sentence.npy").stat()
    flip(copied / "sentence.npy", random.Random(1))
    os.utime(copied / "sentence.npy", ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(DamagedIndexError, match=r"sentence\.npy"):
        open_index("copied", encoders, PIECES)
    assert read == ["sentence.npy"]


def test_what_was_remembered_is_not_believed_when_it_is_damaged(
    copied: Path, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integrity, "LARGE", 0)
    monkeypatch.setattr(integrity, "_SETTLED", -1.0)
    open_index("copied", encoders, PIECES)
    notes = copied.with_name("snapshot.checked.json")
    for seed in range(40):
        raw = notes.read_bytes()
        flip(notes, random.Random(seed))
        open_index("copied", encoders, PIECES)
        notes.write_bytes(raw)


class Remembered(dict[str, Any]):
    """Notes that say of everything that it was found as it is."""

    def get(self, name: str, default: Any = None) -> Any:
        return ANY


def test_deep_examination_does_not_rely_on_what_was_remembered(
    copied: Path, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    flip(copied / "texts.bin", random.Random(3))
    monkeypatch.setattr(integrity, "LARGE", 0)
    notes = property(lambda _: Remembered(), lambda *_: None)
    monkeypatch.setattr(integrity.Checked, "notes", notes, raising=False)
    open_index("copied", encoders, PIECES)
    with pytest.raises(DamagedIndexError, match=r"texts\.bin"):
        check_corpus("copied", deep=True)


def test_damage_in_chroma_never_reaches_a_ranking(encoders: EmbeddedEncoders) -> None:
    """The collections are filled from the index again, with a warning."""
    snapshot, _ = build_index(CORPUS, "stored", encoders, PIECES)
    by_candidates = RetrievalSettings(search="chroma", use_reranker=False)
    query = Query(("Murder under section 300 of the Indian Penal Code.",))
    [expected] = HybridRetriever(snapshot, encoders, by_candidates).retrieve([query])
    path = index_folder("stored") / "chroma" / "chroma.sqlite3"
    path.write_bytes(b"no database" * 999)
    with pytest.warns(DamageWarning, match=r"chroma\.sqlite3: damaged .*made anew from the index"):
        retriever = HybridRetriever(snapshot, encoders, by_candidates)
    assert retriever.retrieve([query]) == [expected]
    by_all = RetrievalSettings(use_reranker=False)
    [exact] = HybridRetriever(snapshot, encoders, by_all).retrieve([query])
    assert exact.results == expected.results
