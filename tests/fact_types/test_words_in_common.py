"""Telling words: what two descriptions of one thing have in common."""

from __future__ import annotations

from countercase.fact_types.base import share_of_words, telling_words


def test_common_words_and_endings_do_not_count() -> None:
    words = telling_words("The scooters were recovered from the court")
    assert words == {"scoote", "recove"}
    assert share_of_words("recovery of a knife", words) == 0.5
    assert share_of_words("the and", words) == 0.0
