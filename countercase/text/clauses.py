"""Sentences cut into clauses, for three purposes that need clauses of three sizes.

- `main_clauses`: clauses that can stand alone; an edit takes one away as a whole.
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

from countercase.text.runs import bounded_runs
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from countercase.text.words import content_words

_SEMICOLON: Final = re.compile(r";\s+")
_JOINT: Final = re.compile(r",?\s+(?:and|but|while|whereas)\s+")
_NOT_VERBS: Final = (
    "aged|accused|deceased|alleged|hundred|need|indeed|injured|armed|retired|blood-stained"
)
VERB: Final = (
    r"(?:was|were|is|are|had|has|have|did|does|saw|said|told|gave|went|came|made|took|found|fell|died"
    r"|says|shows|states|tells|makes|puts|holds|relies|claims|denies|supports|calls|ran|led|kept|brought"
    r"|wrote|sent|spoke|stood|put|left|knew|heard|held|paid|sold|bought|struck|shot|fled|began|met|set"
    rf"|(?!(?:{_NOT_VERBS})\b)[a-z]+ed)\b"
)
"""Pattern of the finite verbs that judgments and pleadings use."""
MAIN_CLAUSE: Final = re.compile(rf"(?:(?:[\w'’./():-]|,(?=\d))+\s+){{0,8}}?{VERB}")
"""A subject of up to eight words without a comma, if any, and a finite verb."""

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

_AROUND: Final = re.compile(
    r";\s+|,\s+(?=(?:and|but|while|whereas|whereupon|who|which|when|where|after|as)\b)"
    r"|\s+(?=(?:whereafter|whereupon|thereafter|but|and\s+(?:that|also|the|he|she|they))\b)"
)
_CUTS: Final = (
    re.compile(r";\s+"),
    re.compile(r",\s+(?=(?:and|but|or|while|whereas|whereupon|who|which|when|where|after|as)\b)"),
    re.compile(r"[,:]\s+|\s+(?=(?:and|but|who|which|when|where|after|that)\s)"),
    re.compile(r"\s+"),
)
"""Where a long sentence may be cut, the best kinds of place first."""


def main_clauses(narrative: str, sentence: Span) -> list[Span]:
    """The main clauses of a sentence without its last stop, in order.

    A semicolon always parts two; `and`, `but`, `while` and `whereas` do where each side has a verb
    of its own.
    """
    end = sentence.end
    while end > sentence.start and narrative[end - 1] in ".!?\"'”’)":
        end -= 1
    whole = Span(sentence.start, max(sentence.start, end))
    return [
        clause
        for part in _parted(narrative, whole, _SEMICOLON)
        for clause in _sound(narrative, part)
    ]


def _sound(narrative: str, part: Span) -> list[Span]:
    clauses = _parted(narrative, part, _JOINT)
    sound = all(MAIN_CLAUSE.match(narrative, c.start, c.end) for c in clauses)
    return clauses if sound else [part]


def _parted(narrative: str, whole: Span, joint: re.Pattern[str]) -> list[Span]:
    joints = [(m.start(), m.end()) for m in joint.finditer(narrative, whole.start, whole.end)]
    edges = [(whole.start, whole.start), *joints, (whole.end, whole.end)]
    return [Span(left[1], max(left[1], right[0])) for left, right in pairwise(edges)]


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


def clause_around(text: str, sentence: Span, mention: Span) -> Span:
    """The clause of `sentence` that holds `mention`."""
    start, end = sentence.start, sentence.end
    for mark in _AROUND.finditer(text, sentence.start, sentence.end):
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
