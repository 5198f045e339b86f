"""The narrative with its facts marked."""

from __future__ import annotations

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
