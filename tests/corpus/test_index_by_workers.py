"""Indexing by workers: the same index as here, whatever the engine and whatever happens to one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import index_work
import pytest
from made_corpus import judgments
from ray_cluster import FOLDERS, cluster, needs_ray

from countercase.corpus.documents import Document
from countercase.corpus.index import preparation
from countercase.corpus.index.build import IndexReport, build_index, index_corpus
from countercase.corpus.index.preparation import Workers
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.engines.engine import Engine
from countercase.errors import CorpusIndexError, InputError

PIECES = 64
SUBJECTS = ("murder", "cheating", "land", "service", "rent", "notice", "dowry", "tax", "arms")
CORPUS = judgments(SUBJECTS)


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    """One Ray for all tests of this module."""
    with cluster(4) as found:
        yield found


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """One judgment a batch; and workers find the modules of these tests."""
    monkeypatch.setattr(preparation, "BATCH_CHARACTERS", 1)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, FOLDERS)))


@pytest.fixture(scope="module")
def plain(encoders: EmbeddedEncoders) -> Snapshot:
    """The corpus indexed here, in one batch."""
    return build_index(CORPUS, "by-one", encoders, PIECES)[0]


def built(
    name: str, encoders: EmbeddedEncoders, workers: Workers, documents: list[Document] = CORPUS
) -> tuple[Snapshot, IndexReport]:
    return build_index(documents, name, encoders, PIECES, workers=workers)


def assert_same(snapshot: Snapshot, plain: Snapshot) -> None:
    """Every file has the same size and checksum; the manifest differs in the corpus's name."""
    assert len(snapshot.manifest.files) >= 10
    assert snapshot.manifest.files == plain.manifest.files
    assert snapshot.manifest.checksum == plain.manifest.checksum


def assert_same_by(
    engine: Engine, opened: Callable[[], Encoders], plain: Snapshot, encoders: EmbeddedEncoders
) -> None:
    name = f"by-{engine.name}-{engine.workers}-{opened is index_work.uncached}".lower()
    snapshot, report = built(name, encoders, Workers(engine, opened))
    assert (report.added, report.unchanged) == (len(CORPUS), 0)
    assert_same(snapshot, plain)


@needs_ray
@pytest.mark.parametrize("count", [1, 3])
def test_ray_writes_the_same_bytes(
    count: int, address: str, plain: Snapshot, encoders: EmbeddedEncoders
) -> None:
    assert_same_by(Engine("ray", count, address), index_work.uncached, plain, encoders)


def killed(mark: Path) -> Callable[[], Encoders]:
    return partial(index_work.KilledAt, "considered rent", mark)


def test_a_process_killed_while_it_indexes_loses_nothing(
    plain: Snapshot, encoders: EmbeddedEncoders, tmp_path: Path
) -> None:
    assert_same_by(Engine("processes", 2), killed(tmp_path / "mark"), plain, encoders)
    assert (tmp_path / "mark").exists()


@needs_ray
def test_a_worker_of_ray_killed_while_it_indexes_loses_nothing(
    address: str, plain: Snapshot, encoders: EmbeddedEncoders, tmp_path: Path
) -> None:
    assert_same_by(Engine("ray", 2, address), killed(tmp_path / "mark"), plain, encoders)
    assert (tmp_path / "mark").exists()


def test_what_stopped_half_way_is_taken_up_by_workers(
    plain: Snapshot, encoders: EmbeddedEncoders
) -> None:
    workers = Workers(Engine("processes", 2), index_work.uncached)
    build_index(CORPUS[2:6], "half-way", encoders, PIECES)
    snapshot, report = built("half-way", encoders, workers)
    assert (report.added, report.changed, report.unchanged) == (5, 0, 4)
    assert_same(snapshot, plain)
    altered = [Document("J0", "", "Another judgment on land."), *CORPUS[1:7]]
    _, report = built("half-way", encoders, workers, altered)
    assert (report.added, report.changed, report.unchanged, report.removed) == (0, 1, 6, 2)


def test_workers_read_files_and_tell_of_damaged_ones(
    encoders: EmbeddedEncoders, tmp_path: Path
) -> None:
    for document in CORPUS[:3]:
        (tmp_path / f"{document.doc_id}.txt").write_text(document.text, encoding="utf-8")
    (tmp_path / "J1-damaged.txt").write_bytes(b"caf\xe9")
    os.mkfifo(tmp_path / "pipe.txt")
    workers = Workers(Engine("processes", 2), index_work.uncached)
    here = index_corpus(tmp_path, "files-here", encoders, chunk_pieces=PIECES)
    there = index_corpus(tmp_path, "files-there", encoders, chunk_pieces=PIECES, workers=workers)
    assert [Path(file).name for file, _ in there.damaged] == ["J1-damaged.txt", "pipe.txt"]
    assert there.damaged == here.damaged
    assert (there.added, there.checksum) == (3, here.checksum)
    with pytest.raises(InputError, match=r"J1-damaged\.txt"):
        index_corpus(
            tmp_path, "files-there", encoders, chunk_pieces=PIECES, workers=workers, strict=True
        )


def test_a_folder_of_damaged_files_takes_nothing_out(
    encoders: EmbeddedEncoders, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(CORPUS[0].text, encoding="utf-8")
    report = index_corpus(tmp_path, "damaged-later", encoders)
    for content, message in ((b"caf\xe9", "holds no document"), (b"...", "no word in any")):
        file.write_bytes(content)
        with pytest.raises(InputError, match=message):
            index_corpus(tmp_path, "damaged-later", encoders)
    file.write_text(CORPUS[0].text, encoding="utf-8")
    again = index_corpus(tmp_path, "damaged-later", encoders)
    assert again.checksum == report.checksum


def test_a_worker_with_other_models_refuses(encoders: EmbeddedEncoders) -> None:
    workers = Workers(Engine("processes", 1), index_work.Others)
    with pytest.raises(CorpusIndexError, match="this worker has other models"):
        built("others", encoders, workers)
