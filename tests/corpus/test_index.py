"""Indexing: complete, resumable, the same however it came about; and the corpora that are there."""

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
    index_corpus,
    index_folder,
    known_corpora,
    list_corpora,
    open_index,
    remove_corpus,
)
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.readers.detect import read_corpus
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


# From a path

TEXT = "The accused was convicted of theft in a dwelling house and appeals."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9")
    (tmp_path / "worse.pdf").write_bytes(b"%PDF-1.7\ngarbage")
    return tmp_path


def test_a_damaged_file_is_skipped_and_listed_unless_strict(
    folder: Path, encoders: EmbeddedEncoders
) -> None:
    steps: list[tuple[str, int, int]] = []
    report = index_corpus(
        folder, "damaged-files", encoders, progress=lambda *step: steps.append(step)
    )
    assert (report.added, report.cases) == (1, 1)
    assert [Path(file).name for file, _ in report.damaged] == ["bad.txt", "worse.pdf"]
    assert all(Path(file).name in why for file, why in report.damaged)
    assert ("indexing", 1, 3) in steps
    with pytest.raises(InputError, match=r"bad\.txt"):
        index_corpus(folder, "damaged-files", encoders, strict=True)


def test_a_damaged_corpus_of_one_file_is_an_error(
    tmp_path: Path, encoders: EmbeddedEncoders
) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "x"}\n{', encoding="utf-8")
    for path in (tmp_path, tmp_path / "corpus.jsonl"):
        with pytest.raises(InputError, match="line 2"):
            index_corpus(path, "one-damaged", encoders)
    with pytest.raises(InputError, match="choose another name"):
        index_corpus(tmp_path, "casebook", encoders)


def test_trec_documents_are_a_corpus(tmp_path: Path, encoders: EmbeddedEncoders) -> None:
    (tmp_path / "part-1").write_text(
        f"<DOC>\n<DOCNO> LA-1 </DOCNO>\n<HEADLINE><P>Theft &amp; house</P></HEADLINE>\n"
        f"<TEXT><P>{TEXT}</P></TEXT>\n</DOC>\n<doc><docno>LA-2</docno><text>A lease.</text></doc>",
        encoding="utf-8",
    )
    (tmp_path / "readme").write_text("not a document", encoding="utf-8")
    one, two = read_corpus(tmp_path)
    assert (one.doc_id, one.title, one.text) == ("LA-1", "Theft & house", TEXT)
    assert (two.doc_id, two.title, two.text) == ("LA-2", "", "A lease.")
    assert list(read_corpus(tmp_path / "part-1")) == [one, two]
    report = index_corpus(tmp_path, "trec-files", encoders)
    assert (report.cases, report.damaged) == (2, ())
    (tmp_path / "part-2").write_text("<DOC><TEXT>No number.</TEXT></DOC>", encoding="utf-8")
    report = index_corpus(tmp_path, "trec-files", encoders)
    assert (report.unchanged, len(report.damaged)) == (2, 1)
    assert "part-2, document 1: field DOCNO is missing" in report.damaged[0][1]


def test_corpora_are_listed_removed_and_made_again(
    tmp_path: Path, encoders: EmbeddedEncoders
) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    report = index_corpus(tmp_path, "short-lived", encoders)
    [info] = [corpus for corpus in list_corpora() if corpus.name == "short-lived"]
    assert (info.documents, info.chunks, info.checksum) == (1, 1, report.checksum)
    assert info.models["sentence"] == encoders.fingerprint("sentence")
    assert info.size > 1000
    assert info.problem == ""
    remove_corpus("short-lived")
    assert "short-lived" not in known_corpora()
    with pytest.raises(CorpusIndexError, match="no corpus 'short-lived'"):
        remove_corpus("short-lived")
    again = index_corpus(tmp_path, "short-lived", encoders)
    assert (again.added, again.checksum) == (1, report.checksum)
    manifest = open_index("short-lived", encoders, 200).folder / "manifest.json"
    manifest.write_text("{}")
    [info] = [corpus for corpus in list_corpora() if corpus.name == "short-lived"]
    assert "countercase index PATH --corpus short-lived" in info.problem
