"""Ranges of characters."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of characters of the narrative: `narrative[start:end]`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start} to {self.end}")

    def overlaps(self, other: Span) -> bool:
        """Whether the two ranges share at least one character."""
        return self.start < other.end and other.start < self.end

    def gap(self, other: Span) -> int:
        """Return how many characters stand between the two ranges; 0 where they overlap."""
        return max(self.start - other.end, other.start - self.end, 0)

    def without(self, others: Iterable[Span]) -> tuple[Span, ...]:
        """Return the parts of the range that none of `others` covers, in order."""
        parts, at = [], self.start
        for other in sorted(others):
            if other.start < self.end and other.end > at:
                if other.start > at:
                    parts.append(Span(at, other.start))
                at = max(at, other.end)
        return (*parts, Span(at, self.end)) if at < self.end else tuple(parts)


class Places:
    """Spans that are taken, so that asking what meets them does not look at each.

    Overlapping spans are held as one; empty ones meet nothing.
    """

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._held: list[tuple[int, int]] = []
        for span in sorted(spans):
            self.add(span)

    def meet(self, span: Span) -> bool:
        """Whether a held span shares a character with `span`, or holds it inside where it is empty."""
        at = bisect_left(self._held, (span.end, 0))
        return at > 0 and self._held[at - 1][1] > span.start

    def add(self, span: Span) -> None:
        """Hold `span` too."""
        start, end = span.start, span.end
        while (at := bisect_left(self._held, (end, 0))) > 0 and self._held[at - 1][1] > start:
            left, right = self._held.pop(at - 1)
            start, end = min(start, left), max(end, right)
        if start < end:
            insort(self._held, (start, end))


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the ranges in order, those that touch or overlap as one."""
    rest: list[Span] = []
    for span in sorted(spans):
        if rest and span.start <= rest[-1].end:
            span = Span(rest[-1].start, max(span.end, rest.pop().end))
        rest.append(span)
    return tuple(rest)


def trimmed(text: str, span: Span) -> Span:
    """`span` without white space at its ends."""
    words = text[span.start : span.end]
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, start + len(words.strip()))


def one_line(text: str) -> str:
    """`text` with each run of white space as one blank."""
    return " ".join(text.split())
