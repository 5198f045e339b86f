"""What an index keeps: the same numbers with it and without, damage that is said, and no reading."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from countercase.corpus.documents import Document
from countercase.corpus.index import kept
from countercase.corpus.index.build import build_index, index_in_memory
from countercase.corpus.index.kept import kept_hubness, kept_readings, kept_sides
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CorpusIndexError
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever

DOCUMENTS = [
    Document("a", "A v. State", "He struck one blow in a sudden fight. The knife was recovered."),
    Document(
        "b",
        "B v. C",
        "The cheque was dishonoured. Notice was sent after thirty days.",
        {"points": [["Notice was sent after thirty days.", "Notice was sent in time."]]},
    ),
    Document("c", "C v. D", "The tenant had sublet the shop. Rent was unpaid for three years."),
]
QUERY = Query(("A quarrel broke out and one blow was struck.", "The knife was found later."))


@pytest.fixture(scope="module")
def indexed(encoders: EmbeddedEncoders) -> Snapshot:
    """An index of the documents."""
    return build_index(DOCUMENTS, "kept", encoders, 64)[0]


def folder_of(snapshot: Snapshot) -> Path:
    assert snapshot.folder is not None
    return snapshot.folder


def test_no_chunk_is_read_and_of_an_edited_case_only_the_changed_segment(
    indexed: Snapshot, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    encode, apart = encoders.encode, encoders.apart
    plain = apart.read
    monkeypatch.setattr(
        encoders, "encode", lambda role, texts, *a: (read.extend(texts), encode(role, texts, *a))[1]
    )
    monkeypatch.setattr(apart, "read", lambda texts, *a: (read.extend(texts), plain(texts, *a))[1])
    retriever = HybridRetriever(indexed, encoders)
    [ranking] = retriever.retrieve([QUERY])
    assert "rerank" in ranking.results[0].stages
    assert set(read) == set(QUERY.segments)
    read.clear()
    retriever.retrieve([Query((QUERY.segments[0], "No knife was ever found."))])
    assert set(read) == {"No knife was ever found."}


def test_what_is_kept_is_what_would_be_computed(
    indexed: Snapshot, encoders: EmbeddedEncoders
) -> None:
    folder = folder_of(indexed)
    reading = kept_readings(folder, encoders)
    texts = [indexed.text(chunk) for chunk in range(len(indexed.chunks))]
    for chunk, expected in enumerate(encoders.apart.read(texts)):
        found = reading(chunk)
        assert found is not None and found.packed() == expected.packed()
    for asking, answering in kept.CHANNELS:
        scores = kept_hubness(indexed, encoders, asking, answering)
        [again] = kept.hubness_of(indexed, encoders, [(asking, answering)])
        assert scores.tobytes() == again.tobytes()
    in_memory = index_in_memory(DOCUMENTS, encoders, 64)
    assert list(folder.glob("sides-*")) and in_memory.folder is None
    assert kept_sides(indexed, encoders).tolist() == kept_sides(in_memory, encoders).tolist()


def test_readings_of_a_large_corpus_are_not_kept(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_READINGS", 2)
    folder = folder_of(build_index(DOCUMENTS, "large", encoders, 64)[0])
    assert not list(folder.glob("readings-*"))
    assert kept_readings(folder, encoders)(0) is None
    assert len(list(folder.glob("hubness-*"))) == 2


def test_damage_is_said(encoders: EmbeddedEncoders) -> None:
    snapshot, _ = build_index(DOCUMENTS[:2], "harmed", encoders, 64)
    folder = folder_of(snapshot)
    [path] = folder.glob("readings-*.bin")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CorpusIndexError, match=r"damaged .*countercase index"):
        kept_readings(folder, encoders)
    for path in (*folder.glob("hubness-*"), *folder.glob("sides-*")):
        np.save(path, np.zeros(7))
    with pytest.raises(CorpusIndexError, match="not one number a judgment"):
        kept_hubness(snapshot, encoders, "question", "passage")
    with pytest.raises(CorpusIndexError, match="not one vector a side"):
        kept_sides(snapshot, encoders)
