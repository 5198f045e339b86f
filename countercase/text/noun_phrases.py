"""Runs of nouns in a text, found without a grammar model.

A word is taken for a noun unless it is an English function word, a verb that notes often use, a word
for a number or a unit, or a particle of romanised Hindi.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from countercase.text.nearest_word import words_for
from countercase.text.patterns import pattern
from countercase.text.words import STOP_WORDS, read_words

NO_NOUNS: Final = STOP_WORDS | read_words("text/no_nouns")
"""Words of notes that name no thing and no person."""


@dataclass(frozen=True)
class Phrase:
    """A run of nouns, `of` between them included (`loss of estate`), with its place."""

    words: tuple[str, ...]
    start: int
    end: int

    def first(self, most: int) -> str:
        """Its first words, up to a number of content words."""
        return " ".join(_cut(self.words, most))

    def last(self, most: int) -> str:
        """Its last words, up to a number of them."""
        return " ".join(_cut(self.words[::-1], most)[::-1])


def _cut(words: tuple[str, ...], most: int) -> tuple[str, ...]:
    kept = words[:most]
    return kept[:-1] if kept and kept[-1] == "of" else kept


def noun_phrases(text: str, left: int, right: int) -> list[Phrase]:
    """The runs of nouns of `text` between two places, in order."""
    found: list[Phrase] = []
    for match in pattern("NOUN_PHRASES_TOKEN").finditer(text, left, right):
        word = match.group().strip("'’-/")
        cut = text[match.start() - 1 : match.start()].isalnum() or (
            text[match.end() : match.end() + 1].isalpha()
        )
        if cut or not is_noun(word):
            continue
        word = words_for("abbreviation").name_of(word) or word
        join = pattern("JOIN").match(text, found[-1].end, match.start()) if found else None
        if found and join and join.end() == match.start():
            link = ("of",) if join["of"] else ()
            found[-1] = Phrase((*found[-1].words, *link, word), found[-1].start, match.end())
        else:
            found.append(Phrase((word,), match.start(), match.end()))
    return found


def is_noun(word: str) -> bool:
    """Whether a word may name a thing or a person."""
    low = word.lower()
    return len(low) > 1 and low not in NO_NOUNS and not pattern("VERBAL").match(low)
