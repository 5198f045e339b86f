"""Shorthand, slips and Hindi words are read as plain words, each at its place in the source."""

from __future__ import annotations

import pytest

from countercase.text.plain_words import mended, plain_text
from countercase.text.spans import Span


@pytest.mark.parametrize(
    ("told", "plain"),
    [
        ("Lathi was recoverd", "lathi"),
        ("65B certficate not recd", "65B certificate not received"),
        ("w/o FSL of handwritting", "without FSL of handwriting"),
        ("realted witneses", "related witnesses"),
        ("koi gawah nahi", "any witness not"),
        ("गवाह और राजीनामा", "witness और compromise"),
        ("complt's wife", "complainant's wife"),
    ],
)
def test_notes_are_put_in_plain_words(told: str, plain: str) -> None:
    assert plain in plain_text(told).text.replace("Lathi", "lathi")


@pytest.mark.parametrize(
    "word",
    ["concession", "compiled", "attacked", "precious", "relaxed", "hostel", "mission", "entity",
     "recovers", "statements", "witnessed", "registrar", "issuance", "dependent"],
)  # fmt: skip
def test_other_words_are_no_slips(word: str) -> None:
    assert mended(word) == word


def test_a_place_of_the_plain_text_is_a_place_of_the_source() -> None:
    told = "Kamla w/o Ram gave a stmt. She saw the certficate."
    plain = plain_text(told)
    at = plain.text.index("certificate")
    place = plain.source(Span(at, at + len("certificate")))
    assert told[place.start : place.end] == "certficate"
    assert "w/o Ram" in plain.text
    assert "statement. She" in plain.text
