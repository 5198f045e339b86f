"""Indexing from a path, and the corpora that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from countercase.corpus.index.build import (
    index_corpus,
    known_corpora,
    list_corpora,
    open_index,
    remove_corpus,
)
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CorpusIndexError, InputError

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
