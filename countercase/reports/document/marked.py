"""Texts with marked parts: the narrative with its facts, sentences with what an edit changed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from countercase.text.spans import Span


@dataclass(frozen=True)
class Stretch:
    """A stretch of the narrative between two borders of mentions.

    Args:
        facts: numbers of the facts that mention it, the shortest mention first.
        ending: those of them whose mention ends here.
    """

    text: str
    facts: tuple[int, ...] = ()
    ending: tuple[int, ...] = ()


def stretches(narrative: str, mentions: Sequence[tuple[int, Span]]) -> list[Stretch]:
    """The narrative cut at the borders of all mentions; joined, the texts are the narrative.

    Args:
        mentions: number of a fact, and where it is mentioned; mentions may overlap.
    """
    borders = {0, len(narrative)}
    for _, span in mentions:
        borders |= {span.start, span.end}
    cuts = sorted(borders)
    pieces = []
    for start, end in pairwise(cuts):
        over = [(span.end - span.start, number, span) for number, span in mentions
                if span.start <= start and end <= span.end]  # fmt: skip
        over.sort(key=lambda item: item[:2])
        ending = tuple(dict.fromkeys(number for _, number, span in over if span.end == end))
        numbers = tuple(dict.fromkeys(number for _, number, _ in over))
        pieces.append(Stretch(narrative[start:end], numbers, ending))
    return pieces


@dataclass(frozen=True)
class Part:
    """Words of a sentence, and whether an edit took them away or put them there."""

    text: str
    changed: bool = False


def changed_parts(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """A sentence before and after an edit, with the words that went and that came marked."""
    old, new = before.split(), after.split()
    sides: tuple[list[Part], list[Part]] = ([], [])
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        for side, words in zip(sides, (old[a:b], new[c:d]), strict=True):
            if words:
                side.append(Part(" ".join(words), kind != "equal"))
    return sides
