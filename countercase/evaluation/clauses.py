"""Sentences cut into clauses: the unit in which something is said of somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from countercase.evaluation.content_words import content_words
from countercase.facts.sentences import sentence_spans

_BREAK: Final = re.compile(
    r"[;:,—–]+(?:\s+(?:and|but|or|yet|nor))?\s"
    r"|\s(?=(?:but|although|though|because|so|while|whereas|and|who|whose|which|where|when|if"
    r"|unless|until|since|as|that|than)\s)",
    re.IGNORECASE,
)
_AND: Final = re.compile(r"(?:and|as|than|so)\s", re.IGNORECASE)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|did|does|do|could|would|should|must|may|might|can"
    r"|cannot|will|shall|need|took|gave|came|went|stood|held|kept|fell|made|found|said|told|paid"
    r"|sent|left|drew|led|began|became|knew|saw|bore|brought|sold|bought|got|put|struck|lost|met"
    r"|shot|won|rose|ran|set|let|cut|hit|wrote|spoke|sought|[a-z]{3,}ed)\b"
)
_FEWEST: Final = 2
"""A piece with fewer content words belongs to the clause beside it."""


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
    found: list[Clause] = []
    for sentence, (start, end) in enumerate(sentence_spans(text)):
        for left, right in _pieces(text, start, end):
            found.append(Clause(text[left:right], sentence, len(found), left))
    return tuple(found)


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
    breaks = list(_BREAK.finditer(text, start, end))
    for at, match in enumerate(breaks):
        until = breaks[at + 1].start() if at + 1 < len(breaks) else end
        joins = _AND.match(text, match.end())
        comma = text[match.start()] in ",;:—–" and not joins
        if comma or not joins or _VERB.search(text, match.end(), until):
            cuts.append(match.end())
    left = start
    for right in [*cuts, end]:
        rest = text[right:end]
        few = len(content_words(text[left:right])) < _FEWEST
        if right < end and (few or len(content_words(rest)) < _FEWEST):
            continue
        yield left, right
        left = right
