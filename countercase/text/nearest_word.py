"""The words for what a number may measure, which stands nearest to it, and runs of nouns.

No grammar model is used: a word is taken for a noun unless it is an English function word, a verb that
notes often use, a word for a number or a unit, or a particle of romanised Hindi.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table
from countercase.text.patterns import pattern
from countercase.text.spans import Span
from countercase.text.words import STOP_WORDS, read_words

NO_NOUNS: Final = STOP_WORDS | read_words("text/no_nouns")
"""Words of notes that name no thing and no person."""


@dataclass(frozen=True)
class Measured:
    """What a number of one kind may measure: `charas`, `prosecutrix`, `compensation`."""

    kind: str  # a numerical kind, or `duration order` for words that only say when
    name: str  # the context that the fact sheet gives
    words: str  # pattern of the words that stand for it, from the beginning of a word
    vague: bool = False  # whether any other word of the clause says it better (`unpaid`)


@dataclass(frozen=True)
class Lexicon:
    """The words for what numbers of one kind measure: the rows of `data/measured.jsonl` kept."""

    kind: str
    kept: tuple[int, ...]

    def find(self, text: str, left: int, right: int) -> Iterator[tuple[int, str, Span]]:
        """Return what stands for a row between two places: the row, its name, the words."""
        rows, ends = _rows(self.kind), dict.fromkeys(self.kept, 0)
        for match in _joined(self.kind).finditer(text, left, right):
            if match.lastindex is None:
                continue
            for row in self.kept:
                start, end = match.span(row + 1)
                if start >= ends[row]:
                    ends[row] = end
                    yield row, rows[row].name or " ".join(match[row + 1].split()), Span(start, end)

    def name_of(self, word: str) -> str:
        """Return the name of the first row that a word begins with; "" for none."""
        match = _joined(self.kind).match(word)
        fitting = (row for row in self.kept if match and match[row + 1] is not None)
        return next((_rows(self.kind)[row].name for row in fitting), "")


@cache
def _rows(kind: str) -> tuple[Measured, ...]:
    return tuple(row for row in read_table("text/measured", Measured) if row.kind == kind)


@cache
def _joined(kind: str) -> re.Pattern[str]:
    """All rows of a kind in one pattern, each in a group of its own that may match nothing."""
    groups = "".join(f"(?=({row.words})?)" for row in _rows(kind))
    return re.compile(rf"\b{groups}", re.IGNORECASE)


@cache
def words_for(kind: str) -> Lexicon:
    """Return the words for what numbers of one kind measure."""
    return Lexicon(kind, tuple(range(len(_rows(kind)))))


@cache
def telling_words_for(kind: str) -> Lexicon:
    """Return the words of a kind but those that are vague."""
    return Lexicon(kind, tuple(n for n, row in enumerate(_rows(kind)) if not row.vague))


def nearest_in(text: str, span: Span, words: Lexicon, left: int, right: int, lean: int = 0) -> str:
    """The name of the entry of `words` nearest to `span` between two places, or "".

    `lean` is added to the distance of what follows the span: above 0 words before it are favoured.
    """
    return min(
        words.find(text, left, right),
        key=lambda it: (span.gap(it[2]) + lean * (it[2].start >= span.end), it[0]),
        default=(0, "", span),
    )[1]


def clause_of(text: str, span: Span, sentence: tuple[int, int]) -> tuple[int, int]:
    """The clause of `sentence` that holds `span`, from pause to pause."""
    left, right = sentence
    for earlier in pattern("PAUSE").finditer(text, left, span.start):
        left = earlier.end()
    pause = pattern("PAUSE").search(text, span.end, right)
    return left, pause.start() if pause else right


def window(text: str, span: Span, before: int, after: int) -> tuple[int, int]:
    """The sentence of `span`, at most `before` and `after` characters around it."""
    left, right = max(0, span.start - before), min(len(text), span.end + after)
    earlier, later = _stops(text, left, span.start), _stops(text, span.end, right)
    left = max((stop.end() for stop in earlier), default=left)
    return left, next((stop.start() for stop in later), right)


def _stops(text: str, left: int, right: int) -> Iterator[re.Match[str]]:
    for stop in pattern("NEAREST_WORD_STOP").finditer(text, left, right):
        if not pattern("ABBREVIATED").search(text[max(0, stop.start() - 6) : stop.start()]):
            yield stop


@dataclass(frozen=True)
class Phrase:
    """A run of nouns, `of` between them included (`loss of estate`), with its place."""

    words: tuple[str, ...]
    start: int
    end: int

    def last(self, most: int) -> str:
        """Its last words, up to a number of them."""
        words = self.words[-most:]
        return " ".join(words[1:] if words[0] == "of" else words)


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
