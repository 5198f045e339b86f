"""Evidence as notes state it: in few words, in shorthand, in Hindi words."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.fact_types.evidence.recognise import evidence_items


def _read(text: str) -> list[tuple[str, str]]:
    return [(item.value.evidence_type, item.value.strength) for item in evidence_items(text)]


@labelled("documents_of_notes")
def test_a_document_is_known_by_its_noun_whatever_is_said_of_it(text: str) -> None:
    assert _read(text) == [("documentary", "full")]


@labelled("documents_missing")
def test_a_document_is_missing_where_its_clause_says_so(text: str) -> None:
    assert ("documentary", "absent") in _read(text)
    assert ("documentary", "full") not in _read(text)


@labelled("evidence_of_notes")
def test_what_is_read_of_a_note_or_a_judgment(text: str, items: list[tuple[str, str]]) -> None:
    read = set(_read(text))
    assert read >= set(items) if items else not read


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("He filed a school certificate. She lived. He left. Authority on a certificate?", 1),
        ("The pronote is signed. He came. She left. His name is on the pronote.", 1),
        ("The pronote is signed. He came. She left. A pronote of 2004 is filed.", 2),
        ("A camera was there. She left. He came. Is the recording needed?", 1),
    ],
)
def test_a_question_or_a_bare_noun_speaks_of_what_was_told(text: str, items: int) -> None:
    assert len(_read(text)) == items


def test_witnesses_who_turned_hostile_or_saw_a_film_saw_nothing() -> None:
    assert _read("Independent witnesses turned hostile.") == [("hostile_witness", "full")]
    assert _read("The manager saw the footage.") == [("electronic_record", "full")]
