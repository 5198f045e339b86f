"""Ranges of characters."""

from __future__ import annotations

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


def trimmed(text: str, span: Span) -> Span:
    """`span` without white space at its ends."""
    words = text[span.start : span.end]
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, start + len(words.strip()))


def one_line(text: str) -> str:
    """`text` with each run of white space as one blank."""
    return " ".join(text.split())
