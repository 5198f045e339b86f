"""The pattern tables: every part that a pattern names exists, and every pattern compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from countercase import fact_types
from countercase.fact_types.base import NamedPattern, expanded, share_of_words, telling_words
from countercase.fact_types.evidence.recognise import Exempt
from countercase.fact_types.evidence.triggers import Hint, Trigger
from countercase.fact_types.evidence.weakening import Weakness
from countercase.fact_types.party.notes import PartyNote, Proceeding
from countercase.fact_types.party.types import PartyPattern
from countercase.io import read_table

FOLDER = Path(fact_types.__file__).parent
HINTS = read_table("fact_types/evidence_hints", Hint)
PARTS = read_table("fact_types/patterns", NamedPattern)
PATTERNS = [
    *(part.pattern for part in PARTS),
    *(p for row in read_table("fact_types/evidence_triggers", Trigger) for p in row.patterns),
    *(row.trigger for row in HINTS),
    *(p for row in HINTS for p in (row.sentence_has, row.sentence_lacks)),
    *(p for row in HINTS for p in (row.text_has, row.text_lacks)),
    *(row.trigger for row in read_table("fact_types/evidence_exceptions", Exempt)),
    *(
        p
        for row in read_table("fact_types/evidence_weaknesses", Weakness)
        for p in (row.needs, row.around, row.unless, row.words)
    ),
    *(row.pattern for row in read_table("fact_types/party_patterns", PartyPattern)),
    *(row.pattern for row in read_table("fact_types/party_notes", PartyNote)),
    *(
        p
        for r in read_table("fact_types/party_notes", PartyNote)
        for p in (r.text_has, r.text_lacks)
    ),
    *(
        p
        for r in read_table("fact_types/party_proceedings", Proceeding)
        for p in (r.strong, r.signs)
    ),
    "{CLIENT_BEFORE}a{CLIENT_AFTER}",
]


def test_every_pattern_compiles_with_its_parts_put_in() -> None:
    for pattern in PATTERNS:
        whole = expanded(pattern)
        assert not re.search(r"\{[A-Z]", whole), pattern
        re.compile(whole)


def test_every_part_is_used() -> None:
    named = {name for pattern in PATTERNS for name in re.findall(r"\{([A-Z_]+)\}", pattern)}
    sources = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py")]
    in_code = {name for text in sources for name in re.findall(r'["{]([A-Z_]{2,})["}]', text)}
    names = [part.name for part in PARTS]
    in_code |= {
        f"{place}_{side}" for place in ("BEFORE", "AFTER") for side in ("PETITIONER", "RESPONDENT")
    }
    assert set(names) <= named | in_code
    assert len(set(names)) == len(names)


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(KeyError, match="NO_SUCH_PART"):
        expanded("a{NO_SUCH_PART}b")


def test_repetitions_are_left_alone() -> None:
    assert expanded(r"\d{1,3}[A-Z]{2}") == r"\d{1,3}[A-Z]{2}"


def test_shared_words_ignore_common_words_and_endings() -> None:
    words = telling_words("The scooters were recovered from the court")
    assert words == {"scoote", "recove"}
    assert share_of_words("recovery of a knife", words) == 0.5
    assert share_of_words("the and", words) == 0.0
