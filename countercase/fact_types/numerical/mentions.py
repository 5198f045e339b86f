"""What is read once of a number: its value, its unit, its words and whose or of what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from countercase.fact_types.measures import figure_words
from countercase.fact_types.numerical.owners import owner
from countercase.facts.model import NumericalKind, NumericalValue
from countercase.text.nearest_word import nearest, words_for
from countercase.text.numbers import read_number
from countercase.text.patterns import NamedPattern, expanded, pattern
from countercase.text.spans import Places, Span
from countercase.text.units import time_unit

LESSER: Final = re.compile(rf"(?i)({expanded('{NUMBER}')})\s*({expanded('{LESSER}')})")
STEPS: Final = {("years", "months"): 12, ("weeks", "days"): 7, ("hours", "minutes"): 60}
_IN_DAYS: Final = {"years": 365.25, "months": 30.4375}

_WINDOWS: Final[dict[NumericalKind, tuple[int, int, int]]] = {
    "amount": (90, 70, 10), "age": (70, 45, 25), "duration": (60, 40, 0), "quantity": (60, 40, -10),
    "count": (60, 60, 0),
}  # fmt: skip
"""Per kind: how far before and behind a number its context is looked for, and `lean` of `nearest`."""


@dataclass(frozen=True)
class Mention:
    """A value and the words of the narrative that state it once."""

    value: NumericalValue
    span: Span


def free_of(mentions: Iterable[Mention], taken: Iterable[Span]) -> list[Mention]:
    """The mentions that share no character with `taken`."""
    spans = Places(taken)
    return [item for item in mentions if not spans.meet(item.span)]


def read_all(
    text: str,
    rows: Iterable[NamedPattern],
    read: Callable[[str, re.Match[str]], list[Mention]],
    taken: Iterable[Span] = (),
) -> list[Mention]:
    """What `read` makes of the matches of the patterns outside `taken`, in order.

    Earlier patterns take their words first.
    """
    mentions: list[Mention] = []
    used = Places(taken)
    for row in rows:
        for match in pattern(row.name).finditer(text):
            fresh = [item for item in read(text, match) if not used.meet(item.span)]
            mentions += fresh
            for item in fresh:
                used.add(item.span)
    return sorted(mentions, key=lambda item: item.span)


def mention(
    text: str,
    kind: NumericalKind,
    ends: tuple[Decimal | float, Decimal | float | None],
    unit: str,
    span: Span,
    around: Span | None = None,
) -> Mention:
    """A value, or a range, with its context: what the words around it say that it measures."""
    value, upper = ends
    measured = f"count {unit}" if kind == "count" else kind
    context = owner(text, around or span, measured, *_WINDOWS[kind])
    if context in figure_words("somebody's"):
        whose = nearest(text, span, words_for("age"), 25, 5)
        context = f"{whose}'s {context}" if whose else context
    ceiling = None if upper is None else float(upper)
    return Mention(NumericalValue(kind, float(value), unit, context, ceiling), span)


def ends_of(match: re.Match[str], whole: Span) -> tuple[Decimal | None, Decimal | None, Span]:
    """Both ends of a range with its words; `Section 302 to ten years` is no range."""
    groups = match.groupdict()
    first, second = (number_of(groups, name) for name in ("first", "second"))
    if first is None or second is None or first < second:
        return first, second, whole
    return second, None, Span(match.start("second"), whole.end)


def number_of(groups: dict[str, str | None], name: str) -> Decimal | None:
    """The number that a group of a match states; None where it took no part."""
    words = groups.get(name)
    return read_number(words) if words else None


def part_of(groups: dict[str, str | None]) -> Decimal:
    """The half or the quarters of `a year and a half`, `two years and three quarters`."""
    parts = {"": "0", "half": "0.5", "quarter": "0.25"}
    return Decimal(parts.get((groups.get("half") or "").lower(), "0.75"))


def lesser_of(groups: dict[str, str | None], unit: str) -> float:
    """The months and days after years, or the days after months, in `unit`."""
    total = 0.0
    for number, word in LESSER.findall(groups.get("rest") or ""):
        value, lesser = read_number(number), time_unit(word.strip())
        if value is not None and (unit, lesser) in STEPS:
            total += float(value) / STEPS[unit, lesser]
        elif value is not None and lesser == "days" and unit in _IN_DAYS:
            total += float(value) / _IN_DAYS[unit]
    return round(total, 6)
