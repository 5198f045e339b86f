"""What is read once of a number: its value, its unit, its words and what it measures.

It measures the nearest word of the table of measured things in the clause, else the noun of the clause
with its verb (`shop let`), else the nearest word of the sentence. A thing has its name in
`text/data/measured.jsonl`, else the words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from countercase.fact_types.measures import figure_words
from countercase.facts.model import NumericalKind, NumericalValue
from countercase.facts.vocabulary import MOST
from countercase.text.nearest_word import (
    clause_of,
    nearest_in,
    noun_phrases,
    telling_words_for,
    window,
    words_for,
)
from countercase.text.numbers import read_number
from countercase.text.patterns import NamedPattern, expanded, pattern
from countercase.text.spans import Places, Span
from countercase.text.units import time_unit

LESSER: Final = re.compile(rf"(?i)({expanded('{TERM}')})\s*({expanded('{LESSER}')})")
STEPS: Final = {("years", "months"): 12, ("weeks", "days"): 7, ("hours", "minutes"): 60}
IN_DAYS: Final = {"years": 365.25, "months": 30.4375, "weeks": 7, "days": 1}

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
    """Return what `read` makes of the matches outside `taken`, in order; earlier rows go first."""
    mentions: list[Mention] = []
    used = Places(taken)
    for row in rows:
        for match in pattern(row.name).finditer(text):
            fresh = [item for item in read(text, match) if not used.meet(item.span)]
            mentions += [it for it in fresh if max(it.value.value, it.value.upper or 0) <= MOST]
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
    """A value, or a range that rises, with its context: what the words around say that it measures."""
    value, upper = ends
    measured = f"count {unit}" if kind == "count" else kind
    context = owner(text, around or span, measured, *_WINDOWS[kind])
    ceiling = None if upper is None or upper <= value else float(upper)
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
    return read_number(groups.get(name) or "")


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
        elif value is not None and lesser == "days" and unit in ("years", "months"):
            total += float(value) / IN_DAYS[unit]
    return round(total, 6)


def owner(text: str, span: Span, kind: str, before: int, after: int, lean: int = 0) -> str:
    """What the number at `span` measures, in at most four words, or ""."""
    sentence = window(text, span, before, after)
    clause = clause_of(text, span, sentence)
    table = words_for(kind)
    if kind.startswith(("age", "count")):
        found = (nearest_in(text, span, table, *place, lean) for place in (clause, sentence))
        name = next(filter(None, found), "")
        if kind == "age":
            return name
        some = pattern("STATE_OF_SOME")
        state = some.match(text, span.end) or some.search(text, span.start, span.end)
        told = kind in figure_words("told apart") and state and state[1].lower()
        return f"{name} {told}" if told and told not in name else name  # `accused convicted`
    if kind == "duration" and (period := _period_of_law(text, span)):
        return period
    telling = telling_words_for(kind)
    return (
        (_between(text, span, clause, sentence) if kind == "duration" else "")
        or nearest_in(text, span, telling, *clause, lean)
        or nearest_in(text, span, table, *clause, lean)
        or _clause_topic(text, span, clause)
        or nearest_in(text, span, table, *sentence, lean)
    )


def _between(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    """The events that a length of time lies between: `notice 45 days after the dishonour`."""
    link, events = pattern("AFTER_EVENT").match(text, span.end), words_for("event")
    if link is None:
        return ""
    piece = text[link.end() : min(sentence[1], link.end() + 40)]
    piece = re.split(r"[,;(]|\s(?:and|but|when|so)\s", piece)[0]
    other = nearest_in(piece, Span(0, 0), events, 0, len(piece))
    main = nearest_in(text, Span(span.start, span.start), events, clause[0], span.start)
    before = link["way"].lower() in ("before", "prior to")
    if not other or not main or main == other:
        return other and f"{'before' if before else 'since'} {other}"
    if main in figure_words("prompt"):
        return f"delay of {main}"
    return f"{main} to {other}" if before else f"{other} to {main}"


def _clause_topic(text: str, span: Span, clause: tuple[int, int]) -> str:
    """Return the noun before the number in its clause, or the subject with the participle: `shop let`."""
    people, phrases = pattern("PERSON"), noun_phrases(text, clause[0], span.start)
    things = [phrase for phrase in phrases if not people.match(phrase.words[-1])]
    if not things:
        return ""
    verb = pattern("PARTICIPLE").search(text, things[-1].end, span.start)
    words = things[-1].last(3).split()
    if len(words) == 1 and len(things) > 1:
        words = [*things[-2].last(2).split(), *words]
    return " ".join((*words, verb[1].lower()) if verb and verb[1].lower() not in words else words)


def _period_of_law(text: str, span: Span) -> str:
    """What a length of time measures that only one provision knows.

    60, 90 or 180 days that are over, where bail by default is asked (section 167(2) of the Code of
    1973, section 187(3) of the Sanhita of 2023); 240 days of continuous service (section 25B of the
    Industrial Disputes Act, 1947).
    """
    stated = text[span.start : span.end]
    if pattern("CONTINUOUS").match(stated):
        return "continuous service"
    ended = pattern("OVER").match(text, span.end) and pattern("DEFAULT_BAIL").search(text)
    return "default bail period" if ended and pattern("REMAND_DAYS").match(stated) else ""
