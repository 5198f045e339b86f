"""Evidence in single sentences of notes: there, denied or missing, or not named at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from labelled_rows import labelled

from countercase.fact_types.evidence.nouns import document_spans
from countercase.fact_types.evidence.polarity import is_absent
from countercase.fact_types.evidence.recognise import evidence_items
from countercase.text.spans import Span

SENTENCES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "gold" / "evidence_notes.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def _read(text: str) -> set[tuple[str, str]]:
    return {(item.value.evidence_type, item.value.strength) for item in evidence_items(text)}


@pytest.mark.parametrize("kind", sorted({row["evidence_type"] for row in SENTENCES} - {""}))
@pytest.mark.parametrize("strength", ["full", "absent"])
def test_a_sentence_states_or_denies_evidence(kind: str, strength: str) -> None:
    other = "full" if strength == "absent" else "absent"
    for row in SENTENCES:
        if (row["evidence_type"], row["strength"]) == (kind, strength):
            read = _read(row["text"])
            assert (kind, strength) in read, row["text"]
            assert (kind, other) not in read, row["text"]


def test_a_sentence_with_words_of_evidence_may_state_none() -> None:
    for row in SENTENCES:
        if not row["evidence_type"]:
            assert _read(row["text"]) == set(), row["text"]


@labelled("denied_nouns")
def test_words_of_the_clause_deny_what_it_names(text: str, noun: str, absent: bool) -> None:
    start = text.index(noun)
    assert is_absent(text, Span(0, len(text)), Span(start, start + len(noun))) is absent


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("The sale deed of 2004 is registered.", [("sale deed", False)]),
        ("A copy of the lease deed was not supplied.", [("lease deed", True)]),
        ("If no document is there, age is read from the test.", []),
        ("Please prepare the affidavit.", []),
        ("The SIM card is mine.", []),
        ("I have the ration card.", [("ration card", False)]),
    ],
)  # fmt: skip
def test_documents_are_known_by_their_noun(text: str, documents: list[tuple[str, bool]]) -> None:
    read = [(text[s.start : s.end], gone) for s, gone in document_spans(text, Span(0, len(text)))]
    assert read == documents
