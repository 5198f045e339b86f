"""Shorthand, slips of the pen and Hindi words of legal notes, put as plain English words.

A junior writes `65B certficate not recd` or `koi gawah nahi`. Patterns for evidence and parties read
`65B certificate not received` and `any witness not`. The words are in `text/data/shorthand.jsonl` and
`text/data/words_that_matter.jsonl`; every place of the plain text has its place in the source.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from countercase.io import read_table
from countercase.text.spans import Span
from countercase.text.words import is_one_slip

_LEAST_LETTERS: Final = 7
"""A word that matters with fewer letters is too near to other words to be guessed."""

_LONG_WORD: Final = re.compile(r"[A-Za-z]{6,}")


@dataclass(frozen=True)
class ImportantWord:
    """A word that patterns look for, with words of one letter's difference that are no slips."""

    word: str
    not_a_slip: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlainText:
    """A text in plain words, by pieces: (place in it, place in the source, whether replaced)."""

    text: str
    pieces: tuple[tuple[int, int, bool], ...]

    def source(self, span: Span) -> Span:
        """The range of the source that a range of the plain text stands for."""
        return Span(self._place(span.start, False), self._place(span.end, True))

    def _place(self, at: int, end: bool) -> int:
        n = bisect_right(self.pieces, (at - end, float("inf"))) - 1
        start, source, replaced = self.pieces[max(n, 0)]
        if not replaced:
            return source + at - start
        return self.pieces[n + 1][1] if end else source


def plain_text(text: str) -> PlainText:
    """`text` with its shorthand written out and its slips mended.

    >>> plain_text("Lathi was recoverd").text
    'Lathi was recovered'
    """
    parts: list[str] = []
    pieces: list[tuple[int, int, bool]] = []
    at = length = 0
    for span, words in _replacements(text):
        before = text[at : span.start]
        pieces += [(length, at, False), (length + len(before), span.start, True)]
        parts += [before, words]
        length += len(before) + len(words)
        at = span.end
    pieces.append((length, at, False))
    return PlainText("".join([*parts, text[at:]]), tuple(pieces))


@lru_cache(maxsize=4096)
def mended(word: str) -> str:
    """The word that matters from which `word` differs by one slip, else `word` itself.

    A slip is a letter too many, missing, wrong, or changed with its neighbour, not the first.
    """
    known, kept = _important_words()
    lower = word.lower()
    if lower in known or lower in kept:
        return word
    return next((r for r in known if r[0] == lower[0] and is_one_slip(lower, r)), word)


def _replacements(text: str) -> Iterator[tuple[Span, str]]:
    at = 0
    for match in _shorthand().finditer(text):
        yield from _slips(text, at, match.start())
        group = next(name for name, words in match.groupdict().items() if words is not None)
        plain = read_table("text/shorthand", dict)[int(group[1:])]["plain"]
        yield Span(*match.span()), _capital_as(match[0], plain)
        at = match.end()
    yield from _slips(text, at, len(text))


def _slips(text: str, start: int, end: int) -> Iterator[tuple[Span, str]]:
    for match in _LONG_WORD.finditer(text, start, end):
        if (right := mended(match[0])) != match[0]:
            yield Span(*match.span()), _capital_as(match[0], right)


def _capital_as(word: str, plain: str) -> str:
    """A word that begins a sentence begins it in plain words too."""
    return plain[0].upper() + plain[1:] if word[0].isupper() else plain


@cache
def _important_words() -> tuple[tuple[str, ...], frozenset[str]]:
    rows = read_table("text/words_that_matter", ImportantWord)
    right = tuple(row.word for row in rows if len(row.word) >= _LEAST_LETTERS)
    return right, frozenset(word for row in rows for word in row.not_a_slip)


@cache
def _shorthand() -> re.Pattern[str]:
    """All shorthand; the full stop of an abbreviation goes with it unless it ends a sentence."""
    rows = read_table("text/shorthand", dict)
    words = "|".join(f"(?P<s{n}>{row['pattern']})" for n, row in enumerate(rows))
    return re.compile(rf"(?<![\w'’])(?i:{words})(?!\w|['’](?!s\b))(?:\.(?=\s*(?-i:[a-z,;(/&+-])))?")
