"""Segments: the sentences and clauses of a narrative that are encoded, ranked and cached.

The ranges are those of the root case. An edit changes the text of the ranges it touches and of no
other, so whatever was computed for the other segments still holds, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from countercase.facts.model import Fact, FactSheet
from countercase.registry import FACT_TYPES
from countercase.text.clauses import middle_cut
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span, one_line, trimmed

SEGMENT_LIMIT: Final = 128
"""The most word pieces of a segment."""

_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True)
class Segment:
    """One unit of a query.

    Args:
        text: the words, blanks normalised.
        span: its range in the root narrative; None where it is not in the root narrative (an
            added sentence, or a fact rendered as a sentence of its own).
        fact_ids: the facts stated in it, in sheet order.
    """

    text: str
    span: Span | None
    fact_ids: tuple[str, ...]


Replacing = tuple[int, int, str]
"""(start, end, text): put `text` in place of `narrative[start:end]` of the root case."""


def root_ranges(
    narrative: str, count: Callable[[str], int], limit: int = SEGMENT_LIMIT
) -> tuple[Span, ...]:
    """The ranges of the segments of `narrative`, in order.

    Args:
        count: the number of word pieces of a text.
        limit: the most word pieces of a segment. A longer sentence is split near its middle at a
            semicolon, else a comma with a conjunction, else a comma or conjunction, else a blank.

    The ranges do not overlap and hold every character that is not white space. A single word of
    more than `limit` word pieces stays whole.
    """
    ranges = (Span(start, end) for start, end in sentence_spans(narrative))
    return tuple(part for whole in ranges for part in _split(narrative, whole, count, limit))


def render(
    root: FactSheet,
    facts: Sequence[Fact],
    replacements: Sequence[Replacing],
    ranges: Sequence[Span],
    count: Callable[[str], int],
    limit: int = SEGMENT_LIMIT,
) -> tuple[Segment, ...]:
    """The segments of a state of the case `root`, in the order of the narrative.

    Args:
        facts: the facts of the state, with their spans in the *edited* narrative.
        replacements: the edits, in the coordinates of the root narrative, not overlapping.
        ranges: `root_ranges` of the root narrative.

    A range that no edit touches gives the same text in every state. One that becomes empty is
    left out; one that grows beyond `limit` is split. A sentence inserted between ranges is a
    segment of its own. Facts without a span follow, each rendered as one sentence.
    """
    segments: list[Segment] = []
    for text, start, root_range in _pieces(root.narrative, sorted(replacements), ranges):
        if _WORD.search(text):
            for part in _split(text, Span(0, len(text)), count, limit):
                place = Span(start + part.start, start + part.end)
                ids = tuple(f.fact_id for f in facts if any(s.overlaps(place) for s in f.spans))
                words = one_line(text[part.start : part.end])
                segments.append(Segment(words, root_range, ids))
    for fact in facts:
        if not fact.spans:
            text = FACT_TYPES.get(fact.fact_type).render(fact)
            for part in _split(text, Span(0, len(text)), count, limit):
                segments.append(Segment(text[part.start : part.end], None, (fact.fact_id,)))
    return tuple(segments)


def _pieces(
    narrative: str, changes: Sequence[Replacing], ranges: Sequence[Span]
) -> Iterator[tuple[str, int, Span | None]]:
    """The edited narrative, cut where the root was: gap, range, gap, range, ..., gap.

    Each piece has its text, where it starts in the edited narrative, and its root range.
    """
    edges = [0, *(edge for whole in ranges for edge in (whole.start, whole.end)), len(narrative)]
    owners = [_owner(narrative, change, ranges) for change in changes]
    position = 0
    for index, (start, end) in enumerate(pairwise(edges)):
        parts, at = [], start
        for (first, last, text), owner in zip(changes, owners, strict=True):
            if owner != index and not (first < end and last > start):
                continue
            parts.append(narrative[at : min(max(first, at), end)])
            parts.append(text if owner == index else "")
            at = min(max(last, at), end)
        edited = "".join([*parts, narrative[at:end]])
        yield edited, position, Span(start, end) if index % 2 else None
        position += len(edited)


def _owner(narrative: str, change: Replacing, ranges: Sequence[Span]) -> int:
    """Where the new words go: 2n + 1 for range n, 2n for the gap before it."""
    start, end, text = change
    for index, whole in enumerate(ranges):
        if start == end == whole.start:
            return 2 * index if re.search(r"[.!?]\s*\Z", text) else 2 * index + 1
        if start == end == whole.end:
            return 2 * index + (2 if _opens_sentence(narrative, whole, text) else 1)
        if start < whole.end and end > whole.start:
            return 2 * index + 1
        if end <= whole.start:
            return 2 * index
    return 2 * len(ranges)


def _opens_sentence(narrative: str, before: Span, text: str) -> bool:
    ended = narrative[before.start : before.end].rstrip("\"'”’)").endswith((".", "!", "?", ";"))
    return ended and text[:1].isspace()


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
