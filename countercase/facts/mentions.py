"""What a recogniser hands back: a value and the words that state it."""

from __future__ import annotations

from dataclasses import dataclass

from countercase.facts.model import FactValue
from countercase.text.spans import Span


@dataclass(frozen=True)
class Found:
    """One mention of one fact.

    Args:
        value: the fact, in the units of `NumericalValue` where it is a figure.
        span: the words of the narrative that state it.
    """

    value: FactValue
    span: Span


def free_of(found: list[Found], taken: tuple[Span, ...]) -> list[Found]:
    """The mentions that share no character with `taken`."""
    return [item for item in found if not any(item.span.overlaps(span) for span in taken)]
