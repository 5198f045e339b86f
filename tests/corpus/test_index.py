"""Indexing: complete, resumable, the same however it came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_corpus import judgment, judgments

from countercase.corpus.documents import Document
from countercase.corpus.index import preparation
from countercase.corpus.index.build import (
    build_index,
    index_folder,
    known_corpora,
    open_index,
)
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CorpusIndexError, InputError

PIECES = 64


CORPUS = judgments(("murder", "cheating", "land", "service"), (7,))


def build(documents: list[Document], name: str, encoders: EmbeddedEncoders) -> Snapshot:
    return build_index(documents, name, encoders, PIECES)[0]


def test_everything_is_stored_with_its_place(encoders: EmbeddedEncoders) -> None:
    snapshot = build(CORPUS, "whole", encoders)
    assert snapshot.case_ids == ("J0", "J1", "J2", "J3")
    for case, document in enumerate(CORPUS):
        chunks = range(snapshot.starts[case], snapshot.starts[case + 1])
        assert len(chunks) > 1
        for chunk in chunks:
            start, end = snapshot.field(chunk, "start"), snapshot.field(chunk, "end")
            assert document.text[start:end] == snapshot.text(chunk)
            assert encoders.count(snapshot.text(chunk)) <= PIECES
    assert snapshot.metadata[0].year == 1980
    assert "IPC-300" in snapshot.metadata[0].provisions
    stored = encoders.encode("sentence", [snapshot.text(0)])[0]
    assert snapshot.sentence[0] == pytest.approx(stored, abs=1e-6)


def test_what_has_not_changed_is_skipped_and_what_has_is_not(encoders: EmbeddedEncoders) -> None:
    build_index(CORPUS, "changing", encoders, PIECES)
    _, same = build_index(CORPUS, "changing", encoders, PIECES)
    assert (same.added, same.changed, same.unchanged, same.removed) == (0, 0, 4, 0)
    altered = [replace(CORPUS[0], text="1. Another judgment altogether, on tax."), *CORPUS[1:3]]
    snapshot, report = build_index(altered, "changing", encoders, PIECES)
    assert (report.added, report.changed, report.unchanged, report.removed) == (0, 1, 2, 1)
    assert snapshot.case_ids == ("J0", "J1", "J2")
    assert snapshot.text(0) == altered[0].text


def test_the_same_bytes_in_any_order_and_after_an_interruption(encoders: EmbeddedEncoders) -> None:
    straight = build(CORPUS, "straight", encoders)
    turned = build(CORPUS[::-1], "turned", encoders)

    def broken() -> Iterator[Document]:
        yield from CORPUS[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(broken(), "broken", encoders, PIECES)
    resumed = build(CORPUS, "broken", encoders)
    assert straight.manifest.checksum == turned.manifest.checksum == resumed.manifest.checksum
    assert np.array_equal(straight.sentence, resumed.sentence)
    for name in ("chunks.npy", "texts.bin", "cases.jsonl", "case_vectors.npy", "provisions.json"):
        assert (straight.folder / name).read_bytes() == (resumed.folder / name).read_bytes()


def test_an_index_that_was_stopped_loses_no_vectors(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "BATCH_CHARACTERS", 1)
    texts = [judgment(number, "a cheque and a notice") for number in (51, 52)]

    def broken() -> Iterator[Document]:
        yield from texts
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(broken(), "stopped", encoders, PIECES)
    before = encoders.computed
    assert build(texts, "stopped", encoders).case_ids == ("J51", "J52")
    assert encoders.computed == before


def test_opening_says_what_is_wrong(encoders: EmbeddedEncoders, home: Path) -> None:
    with pytest.raises(CorpusIndexError, match="no judgment was indexed"):
        build_index([], "empty", encoders, PIECES)
    with pytest.raises(CorpusIndexError, match="no finished index"):
        open_index("unheard-of", encoders, PIECES)
    build(CORPUS[:1], "opened", encoders)
    assert "opened" in known_corpora()
    with pytest.raises(CorpusIndexError, match="other models or chunk sizes"):
        open_index("opened", encoders, PIECES + 1)
    (index_folder("opened") / "snapshot" / "chunks.npy").write_bytes(b"garbage")
    with pytest.raises(CorpusIndexError, match=r"chunks\.npy: damaged, 7 bytes where"):
        open_index("opened", encoders, PIECES)


@pytest.mark.parametrize("name", ["", "A", "Upper", "with space", "../up", "-x-", "a..b", 55])
def test_names_of_corpora_are_checked(name: Any) -> None:
    with pytest.raises(InputError, match="--corpus"):
        index_folder(name)
