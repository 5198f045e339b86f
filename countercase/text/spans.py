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
