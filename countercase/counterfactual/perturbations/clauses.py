"""The main clauses of a sentence, as far as an edit needs to know them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from countercase.facts.model import Span

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
_MAIN_CLAUSE: Final = re.compile(rf"(?:(?:[\w'’./():-]|,(?=\d))+\s+){{0,8}}?{VERB}")
"""A subject of up to eight words without a comma, if any, and a finite verb."""


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
    sound = all(_MAIN_CLAUSE.match(narrative, c.start, c.end) for c in clauses)
    return clauses if sound else [part]


def _parted(narrative: str, whole: Span, joint: re.Pattern[str]) -> list[Span]:
    joints = [(m.start(), m.end()) for m in joint.finditer(narrative, whole.start, whole.end)]
    edges = [(whole.start, whole.start), *joints, (whole.end, whole.end)]
    return [Span(left[1], max(left[1], right[0])) for left, right in pairwise(edges)]
