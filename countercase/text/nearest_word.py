"""What a number measures: the nearest of some words in its sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table
from countercase.text.spans import Span

_STOP: Final = re.compile(r"[.;?!](?=\s+[A-Z\"'“(])|\n\s*\n")
_ABBREVIATED: Final = re.compile(r"\b(?:Rs|No|Nos|Dr|Mr|Mrs|Smt|Shri|Sri|St|vs?|[A-Z])\Z")

Lexicon = Sequence[tuple[str, re.Pattern[str]]]
"""Pairs of the context that a fact sheet gives and the words that stand for it in a text."""


@dataclass(frozen=True)
class Measured:
    """What a number of one kind may measure: `charas`, `prosecutrix`, `compensation`.

    Args:
        kind: a numerical kind, or `duration order` for words that only say when.
        name: the context that the fact sheet gives.
        words: pattern of the words that stand for it, from the beginning of a word.
    """

    kind: str
    name: str
    words: str


@cache
def words_for(kind: str) -> Lexicon:
    """The words for what numbers of one kind measure, from `data/measured.jsonl`."""
    rows = (row for row in read_table("text/measured", Measured) if row.kind == kind)
    return tuple((row.name, re.compile(rf"\b(?:{row.words})", re.IGNORECASE)) for row in rows)


def nearest(
    text: str, span: Span, words: Lexicon, before: int = 80, after: int = 80, lean: int = 0
) -> str:
    """The name of the entry of `words` that stands nearest to `span`, or "".

    The search keeps to the sentence of `span`, `before` and `after` characters around it. `lean`
    is added to the distance of what follows the span: above 0 the words before it are favoured.
    """
    left, right = _window(text, span, before, after)
    best: tuple[int, int, str] | None = None
    for order, (name, pattern) in enumerate(words):
        for match in pattern.finditer(text, left, right):
            if match.end() <= span.start:
                distance = span.start - match.end()
            elif match.start() >= span.end:
                distance = match.start() - span.end + lean
            else:
                distance = 0
            if best is None or (distance, order) < best[:2]:
                best = (distance, order, name)
    return best[2] if best else ""


def _window(text: str, span: Span, before: int, after: int) -> tuple[int, int]:
    left, right = max(0, span.start - before), min(len(text), span.end + after)
    for stop in _STOP.finditer(text, left, span.start):
        if not _ABBREVIATED.search(text[max(0, stop.start() - 6) : stop.start()]):
            left = stop.end()
    for stop in _STOP.finditer(text, span.end, right):
        if not _ABBREVIATED.search(text[max(0, stop.start() - 6) : stop.start()]):
            right = stop.start()
            break
    return left, right
