"""Sentences cut into clauses, for two purposes that need clauses of two sizes.

- `clauses_of`: the smallest unit in which something is said of somebody; statements are compared.
- `clause_around` and `middle_cut`: readable pieces of a long sentence, for a description or a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from countercase.text.patterns import pattern
from countercase.text.sentences import bounded_runs, sentence_spans
from countercase.text.spans import Span
from countercase.text.words import content_words

_FEWEST: Final = 2
"""A piece with fewer content words belongs to the clause beside it."""

_CUTS: Final = (
    re.compile(r";\s+"),
    re.compile(r",\s+(?=(?:and|but|or|while|whereas|whereupon|who|which|when|where|after|as)\b)"),
    re.compile(r"[,:]\s+|\s+(?=(?:and|but|who|which|when|where|after|that)\s)"),
    re.compile(r"\s+"),
)
"""Where a long sentence may be cut, the best kinds of place first."""


@dataclass(frozen=True)
class Clause:
    """One or two clauses of a sentence.

    Args:
        sentence, index: which sentence of the text, which clause of it.
        start: where it begins in the text.
    """

    text: str
    sentence: int
    index: int
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(content_words(self.text))


@lru_cache(maxsize=256)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of all sentences of `text`, in order; together they hold all its words.

    A comma or a conjunction begins a new clause, but not an `and` that only joins two nouns.
    """
    text = bounded_runs(text)
    clauses: list[Clause] = []
    for sentence, (start, end) in enumerate(sentence_spans(text)):
        for left, right in _pieces(text, start, end):
            clauses.append(Clause(text[left:right], sentence, len(clauses), left))
    return tuple(clauses)


@lru_cache(maxsize=256)
def windows_of(text: str) -> tuple[Clause, ...]:
    """Every clause of `text`, and every two of one sentence that follow each other."""
    single = clauses_of(text)
    pairs = [
        Clause(text[left.start : right.end], left.sentence, left.index, left.start)
        for left, right in pairwise(single)
        if left.sentence == right.sentence
    ]
    return (*single, *pairs)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    cuts = []
    breaks = list(pattern("BREAK").finditer(text, start, end))
    for at, match in enumerate(breaks):
        until = breaks[at + 1].start() if at + 1 < len(breaks) else end
        joins = pattern("AND").match(text, match.end())
        comma = text[match.start()] in ",;:—–" and not joins
        if comma or not joins or pattern("CLAUSES_VERB").search(text, match.end(), until):
            cuts.append(match.end())
    left = start
    for right in [*cuts, end]:
        rest = text[right:end]
        few = len(content_words(text[left:right])) < _FEWEST
        if right < end and (few or len(content_words(rest)) < _FEWEST):
            continue
        yield left, right
        left = right


def clause_around(text: str, sentence: Span, mention: Span) -> Span:
    """The clause of `sentence` that holds `mention`."""
    start, end = sentence.start, sentence.end
    for mark in pattern("AROUND").finditer(text, sentence.start, sentence.end):
        if mark.end() <= mention.start:
            start = mark.end()
        elif mark.start() >= mention.end:
            end = mark.start()
            break
    return Span(start, end)


def middle_cut(text: str, whole: Span) -> int | None:
    """Where to cut a long sentence in two; None for a single word.

    After the mark nearest to the middle, of the best kind that has one in the middle half.
    """
    middle = (whole.start + whole.end) / 2
    fair = (whole.end - whole.start) / 4
    nearest: int | None = None
    for marks in _CUTS:
        cuts = [match.end() for match in marks.finditer(text, whole.start, whole.end)]
        inner = [cut for cut in cuts if whole.start < cut < whole.end]
        if inner:
            nearest = min(inner, key=lambda cut: (abs(cut - middle), cut))
            if abs(nearest - middle) <= fair:
                return nearest
    return nearest
