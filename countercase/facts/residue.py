"""The residue: what the narrative says beyond its facts, cut into segments.

Every fact is said by a statement of its own; what is left of the narrative when the extents of all
facts are taken out is the same in every state of the case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from countercase.facts.model import FactSheet
from countercase.registry import FACT_TYPES
from countercase.text.sentences import middle_cut, sentence_spans
from countercase.text.spans import Span, one_line, trimmed

SEGMENT_LIMIT: Final = 128
"""The most word pieces of a segment."""

FEWEST_WORDS: Final = 3
"""Where facts are stated, a segment of the residue with fewer words says nothing and is left out."""

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Segment:
    """One text of a query, blanks normalised: residue, or what states the fact of `fact_id`.

    Its span in the narrative is, of a statement, the first mention of its fact, or None.
    """

    text: str
    span: Span | None
    fact_id: str = ""


def root_ranges(
    narrative: str, count: Callable[[str], int], limit: int = SEGMENT_LIMIT
) -> tuple[Span, ...]:
    """Return the ranges of the sentences of `narrative`, long ones split, in order.

    A sentence of more than `limit` word pieces, as `count` counts them, is split near its middle at a
    semicolon, else a comma with a conjunction, else either, else a blank; a single word stays whole.
    """
    ranges = (Span(start, end) for start, end in sentence_spans(narrative))
    return tuple(part for whole in ranges for part in _split(narrative, whole, count, limit))


def extents_of(sheet: FactSheet) -> dict[str, tuple[Span, ...]]:
    """Return the extent of each fact by its id: the words of the narrative that state it."""
    return {
        fact.fact_id: FACT_TYPES.get(fact.fact_type).extent(sheet, fact)
        if fact.fact_type in FACT_TYPES
        else fact.spans
        for fact in sheet.facts
    }


def residue_of(
    sheet: FactSheet, count: Callable[[str], int], limit: int = SEGMENT_LIMIT
) -> tuple[Segment, ...]:
    """Return the narrative without the extents of its facts, split as by `root_ranges`.

    A text that states no fact is returned whole, however short.
    """
    stated = sorted({span for spans in extents_of(sheet).values() for span in spans})
    segments = []
    for place in root_ranges(sheet.narrative, count, limit):
        text = one_line(" ".join(sheet.narrative[p.start : p.end] for p in place.without(stated)))
        if len(_WORD.findall(text)) >= FEWEST_WORDS or not stated:
            segments.append(Segment(text, place))
    return tuple(segments)


def fit_into(text: str, count: Callable[[str], int], limit: int) -> str:
    """Return the beginning of a text that has at most `limit` word pieces, cut where it may be."""
    first = next(_split(text, Span(0, len(text)), count, limit), Span(0, 0))
    return one_line(text[first.start : first.end])


def _split(text: str, whole: Span, count: Callable[[str], int], limit: int) -> Iterator[Span]:
    whole = trimmed(text, whole)
    if whole.start == whole.end:
        return
    fits = count(one_line(text[whole.start : whole.end])) <= limit
    cut = None if fits else middle_cut(text, whole)
    if cut is None:
        yield whole
    else:
        yield from _split(text, Span(whole.start, cut), count, limit)
        yield from _split(text, Span(cut, whole.end), count, limit)
