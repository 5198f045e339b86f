"""The nearest of the words for what a number may measure, in its clause or its sentence.

Words may be off by one letter (`compansation`, `custdy`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from countercase.io import read_table
from countercase.text.spans import Span

_STOP: Final = re.compile(r"[.?!](?=\s+[A-Z\"'“(])|;(?=\s)|\n\s*\n")
_ABBREVIATED: Final = re.compile(
    r"\b(?:Rs|Nos?|Dr|Mr|Mrs|Ms|Smt|Shri|Sri|St|vs?|[A-Z]|(?i:acc|accd|petr|petnr|resp|respdt|appl|app"
    r"|applt|compl|complt|deft|defdt|plff|pltf|dec|decd|inft|dt|dtd|approx|abt|adv|ld|md|mohd|kr|km"
    r"|insp|const|hon|ltd|pvt|secs?|arts?|distt|vill|regd|recd|amt|hosp|exh?|cert|dept))\Z"
)
_PAUSE: Final = re.compile(
    r"[,:](?=\s)|[;()\[\]?!=+→]|\s[-–—]\s|\.(?=\s+[A-Z(])|\n"
    r"|\s(?:and|but|while|whereas|so|then|though|because|bcoz|coz|when|who|which|&)\s"
)
_TOKEN: Final = re.compile(r"[^\W\d_][\w'’]*(?:-[^\W\d_]+)*")
_SLIP: Final = 6
"""Letters that a word must have for one wrong letter to be forgiven."""
_NO_SLIP: Final = ("police", "change", "notice", "notices", "policy")
"""Words that are one letter away from another."""

Lexicon = Sequence[tuple[str, re.Pattern[str]]]
"""Pairs of the context that a fact sheet gives and the words that stand for it in a text."""


@dataclass(frozen=True)
class Measured:
    """What a number of one kind may measure: `charas`, `prosecutrix`, `compensation`.

    Args:
        kind: a numerical kind, or `duration order` for words that only say when.
        name: the context that the fact sheet gives.
        words: pattern of the words that stand for it, from the beginning of a word.
        vague: whether any other word of the clause says it better (`unpaid`, `demanded`).
    """

    kind: str
    name: str
    words: str
    vague: bool = False


@cache
def words_for(kind: str) -> Lexicon:
    """The words for what numbers of one kind measure, from `data/measured.jsonl`."""
    rows = (row for row in read_table("text/measured", Measured) if row.kind == kind)
    return tuple((row.name, re.compile(rf"\b(?:{row.words})", re.IGNORECASE)) for row in rows)


@cache
def telling_words_for(kind: str) -> Lexicon:
    vague = {row.name for row in read_table("text/measured", Measured) if row.vague}
    return tuple(entry for entry in words_for(kind) if entry[0] not in vague)


def nearest(
    text: str, span: Span, words: Lexicon, before: int = 80, after: int = 80, lean: int = 0
) -> str:
    """The name of the entry of `words` that stands nearest to `span`, or "".

    The search keeps to the sentence of `span`, `before` and `after` characters around it. `lean`
    is added to the distance of what follows the span: above 0 the words before it are favoured.
    """
    return nearest_in(text, span, words, *window(text, span, before, after), lean)


def nearest_in(text: str, span: Span, words: Lexicon, left: int, right: int, lean: int = 0) -> str:
    """The name of the entry of `words` nearest to `span` between two places, or ""."""
    best: tuple[int, int, str] | None = None
    for order, (name, start, end) in _named(text, words, left, right):
        if end <= span.start:
            distance = span.start - end
        elif start >= span.end:
            distance = start - span.end + lean
        else:
            distance = 0
        if best is None or (distance, order) < best[:2]:
            best = (distance, order, name)
    return best[2] if best else ""


def _named(
    text: str, words: Lexicon, left: int, right: int
) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """What stands for an entry of `words`, with the entry's place in the table."""
    seen = []
    for order, (name, pattern) in enumerate(words):
        for match in pattern.finditer(text, left, right):
            seen.append(match.span())
            yield order, (name or " ".join(match.group().split()), *match.span())
    for token in _TOKEN.finditer(text, left, right):
        if (
            len(token.group()) >= _SLIP
            and token.group().lower() not in _NO_SLIP
            and not any(start < token.end() and token.start() < end for start, end in seen)
        ):
            meant = _slip(token.group().lower(), tuple(words))
            if meant is not None:
                yield meant, (words[meant][0], *token.span())


@lru_cache(maxsize=16_384)
def _slip(token: str, words: tuple[tuple[str, re.Pattern[str]], ...]) -> int | None:
    """The entry one of whose plain words `token` is, but for one letter."""
    for order, (name, pattern) in enumerate(words):
        for word in re.findall(r"(?<![\w\\?])[a-z]{6,}(?![\w\\?(*+\[-])", pattern.pattern):
            if name and word[0] == token[0] and _one_letter_off(token, word):
                return order
    return None


def _one_letter_off(left: str, right: str) -> bool:
    """Whether one letter added, dropped, changed or swapped with the next makes `left` `right`."""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if at is None:
        return True
    swapped = left[:at] + left[at : at + 2][::-1] + left[at + 2 :]
    rests = ((at + 1, at + 1), (at + 1, at), (at, at + 1))
    return swapped == right or any(left[a:] == right[b:] for a, b in rests)


def clause_of(text: str, span: Span, sentence: tuple[int, int]) -> tuple[int, int]:
    """The clause of `sentence` that holds `span`, from pause to pause."""
    left, right = sentence
    for earlier in _PAUSE.finditer(text, left, span.start):
        left = earlier.end()
    pause = _PAUSE.search(text, span.end, right)
    return left, pause.start() if pause else right


def window(text: str, span: Span, before: int, after: int) -> tuple[int, int]:
    """The sentence of `span`, at most `before` and `after` characters around it."""
    left, right = max(0, span.start - before), min(len(text), span.end + after)
    for stop in _STOP.finditer(text, left, span.start):
        if not _ABBREVIATED.search(text[max(0, stop.start() - 6) : stop.start()]):
            left = stop.end()
    for stop in _STOP.finditer(text, span.end, right):
        if not _ABBREVIATED.search(text[max(0, stop.start() - 6) : stop.start()]):
            right = stop.start()
            break
    return left, right
