"""Features of judgments: read once, kept, read anew where text or file changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from countercase.corpus.casebook import CASEBOOK, casebook_records, load_casebook
from countercase.corpus.documents import Document
from countercase.corpus.index import kept_features
from countercase.corpus.index.build import build_index
from countercase.corpus.index.kept_features import FEATURES_FILE, case_features
from countercase.corpus.index.memory import index_in_memory
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import StoreError
from countercase.integrity import DamageWarning

DOCUMENTS = [
    Document("a", "", "He carried charas of 1,200 grams and was tried under section 20 NDPS Act."),
    Document("b", "", "The cheque bounced: section 138 of the Negotiable Instruments Act."),
]
CHARAS = (
    "evidence:recovery",
    "figure:quantity",
    "line:NDPS-2(viia):1000 g:above",
    "line:NDPS-2(xxiiia):100 g:above",
    "provision:NDPS-20",
)
CHEQUE = ("provision:NIA-138",)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the judgments whose text is read."""
    ids: list[str] = []
    plain = kept_features.extract

    def extract(text: str, case_id: str, *args: object, **options: object) -> object:
        ids.append(case_id)
        return plain(text, case_id, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_features, "extract", extract)
    return ids


def indexed(name: str, encoders: EmbeddedEncoders, documents: list[Document]) -> Snapshot:
    return build_index(documents, name, encoders, 64)[0]


def kept_file(snapshot: Snapshot) -> Path:
    assert snapshot.folder is not None
    return snapshot.folder.parent / FEATURES_FILE


def test_facts_of_a_text_are_its_features_and_are_read_once(
    encoders: EmbeddedEncoders, read: list[str]
) -> None:
    told: list[tuple[str, int, int]] = []
    snapshot = indexed("facts-once", encoders, DOCUMENTS)
    assert case_features(snapshot, lambda *step: told.append(step)) == [CHARAS, CHEQUE]
    assert told == [("reading the facts of the judgments", at, 2) for at in (1, 2)]
    assert case_features(indexed("facts-once", encoders, DOCUMENTS)) == [CHARAS, CHEQUE]
    assert read == ["a", "b"]


def test_only_a_changed_judgment_is_read_anew(encoders: EmbeddedEncoders, read: list[str]) -> None:
    before = indexed("facts-changed", encoders, DOCUMENTS)
    case_features(before)
    changed = [DOCUMENTS[0], Document("b", "", "He was convicted under section 302 IPC.")]
    after = indexed("facts-changed", encoders, changed)
    assert case_features(after) == [CHARAS, ("provision:IPC-302",)]
    assert read == ["a", "b", "b"]
    assert len(json.loads(kept_file(after).read_text())["features"]) == 2


def test_another_version_of_the_program_reads_anew(
    encoders: EmbeddedEncoders, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = indexed("facts-version", encoders, DOCUMENTS)
    case_features(snapshot)
    monkeypatch.setattr(kept_features, "code_fingerprint", lambda parts: "another")
    assert case_features(snapshot) == [CHARAS, CHEQUE]
    assert read == ["a", "b", "a", "b"]


def test_a_damaged_file_is_said_and_made_again(encoders: EmbeddedEncoders, read: list[str]) -> None:
    snapshot = indexed("facts-damaged", encoders, DOCUMENTS)
    case_features(snapshot)
    path = kept_file(snapshot)
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole.replace(b"NIA-138", b"NIA-139"), b"\xff", b"[]"):
        path.write_bytes(damaged)
        read.clear()
        with pytest.warns(DamageWarning, match=r"features\.json: damaged"):
            assert case_features(snapshot) == [CHARAS, CHEQUE]
        assert read == ["a", "b"]
        assert path.read_bytes() == whole


def test_a_run_that_was_stopped_goes_on(
    encoders: EmbeddedEncoders, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_features, "AT_LEAST", 1)
    snapshot = indexed("facts-stopped", encoders, DOCUMENTS)

    def stop(what: str, done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        case_features(snapshot, stop)
    assert case_features(snapshot) == [CHARAS, CHEQUE]
    assert read == ["a", "b"]


def test_what_cannot_be_kept_is_an_error(encoders: EmbeddedEncoders) -> None:
    snapshot = indexed("facts-full", encoders, DOCUMENTS)
    kept_file(snapshot).mkdir()
    with pytest.warns(DamageWarning), pytest.raises(StoreError, match="cannot be written"):
        case_features(snapshot)


def test_a_corpus_in_memory_has_the_same_features_in_any_order(encoders: EmbeddedEncoders) -> None:
    assert case_features(index_in_memory(DOCUMENTS[::-1], encoders, 64)) == [CHARAS, CHEQUE]


def test_a_long_text_is_read_to_its_limit(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = kept_features.within_length
    monkeypatch.setattr(kept_features, "within_length", lambda text: plain(text, (10_000, 1)))
    text = "He was convicted under section 302 IPC. He was fined under section 138 of the NI Act."
    assert case_features(index_in_memory([Document("a", "", text)], encoders, 64)) == [
        ("provision:IPC-302",)
    ]


def test_a_record_of_the_casebook_gives_what_it_states(
    encoders: EmbeddedEncoders, read: list[str]
) -> None:
    """A record lists its evidence and parties, which its text alone might not tell."""
    record = casebook_records()[1]
    [document] = [d for d in load_casebook() if d.doc_id == record["case_id"]]
    snapshot = index_in_memory([document], encoders, 200)
    from_text = case_features(snapshot)
    assert read == [record["case_id"]]
    object.__setattr__(snapshot.manifest, "corpus", CASEBOOK)
    [features] = case_features(snapshot)
    assert read == [record["case_id"]]
    stated = {f"evidence:{item['evidence_type']}" for item in record["evidence_items"]}
    stated |= {f"party:{side}:{party['type']}" for side, party in record["parties"].items()}
    kinds = {token.removesuffix(":absent").removesuffix(":weakened") for token in features}
    assert stated <= kinds
    assert [features] != from_text
