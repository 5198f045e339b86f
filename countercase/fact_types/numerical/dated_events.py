"""Figures that follow from two dates: the time since a marriage, a custody, an age.

The table `law/data/intervals.jsonl` says which two events a figure lies between that the law asks for.
What happened on a date is learnt; where it is in doubt, nothing is derived.

The words around a date, those before and behind it apart, and the states of the reader there tell how
likely each event is, as in a multinomial logistic regression. `python -m training.dated_events` fits
it to labelled dates and writes `fact_types/data/dated_events.jsonl` and the reader's question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import permutations
from typing import Final

from countercase.fact_types.catalogue import Scope, matter_of
from countercase.facts.extraction import Narrative
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue
from countercase.io import read_table
from countercase.text.dates import find_dates, read_date, time_between
from countercase.text.spans import Span

_FULL: Final = len("2024-08-12")
_TOKEN: Final = re.compile(r"[^\W\d_]+|[;,]|(?<=[.!?)])\s+(?=[A-Z(\"“])")
_LETTERS, _STEM = 6, 3
_BEFORE, _BEHIND, _EARLIER, _FEW = 10, 6, 6, 4  # behind fewer words those after it count as much
_AROUND: Final = 60  # characters on each side of a date that are read with it
_OLDEST: Final = 120
QUESTION: Final = "date.event"
SURE: Final = 0.3
"""How likely one of the events of an interval must be on a date."""
NEAR_BEST: Final = 0.7
"""The share of its likelihood on the likeliest date that it must have on another one."""
_GAPS: Final = (0, 1, 5, 12, 40)  # years between a date and the last one of the text


@dataclass(frozen=True)
class WordModel:
    """What the words around a date, or a name, say of one class: the weight of each feature."""

    name: str
    weights: dict[str, float]

    def score(self, features: dict[str, float]) -> float:
        """Return what the words add to the log-odds of the class."""
        return math.fsum(self.weights.get(name, 0.0) * it for name, it in features.items())


@dataclass(frozen=True, eq=False)
class DatedEvent:
    """A day that the text names in full, and how likely each event happened on it."""

    day: date
    span: Span
    events: dict[str, float]

    def likelihood(self, names: Sequence[str]) -> float:
        """Return how likely one of these events is."""
        return math.fsum(self.events.get(name, 0.0) for name in {*names})


def find_events(text: str) -> list[DatedEvent]:
    """Return the full dates of a text, in order, each with the likelihood of every event."""
    days, found = find_days(text), list[DatedEvent]()
    if not days:
        return found
    from countercase.facts.reader import class_scores

    models = read_table("fact_types/dated_events", WordModel)
    for (day, span), features, around in zip(
        days, features_of(text, days), surroundings(text, days), strict=True
    ):
        read = class_scores(QUESTION, text, [span], [around])
        scores = {m.name: m.score(features) + read.get(m.name, 0.0) for m in models}
        highest = max(scores.values())
        odds = {event: math.exp(score - highest) for event, score in scores.items()}
        total = math.fsum(odds.values())
        found.append(DatedEvent(day, span, {event: own / total for event, own in odds.items()}))
    return found


def find_days(text: str) -> list[tuple[date, Span]]:
    """Return the days that a text names in full, with their places, in order."""
    read = ((read_date(text[span.start : span.end]), span) for span in find_dates(text))
    return [(date.fromisoformat(day), span) for day, span in read if len(day) == _FULL]


def surroundings(text: str, days: Sequence[tuple[date, Span]]) -> list[Span]:
    """Return the words around each date, up to the dates beside it."""
    edges = [0, *(edge for _, span in days for edge in (span.start, span.end)), len(text)]
    return [
        Span(max(edges[2 * n], span.start - _AROUND), min(edges[2 * n + 3], span.end + _AROUND))
        for n, (_, span) in enumerate(days)
    ]


def features_of(text: str, days: Sequence[tuple[date, Span]]) -> list[dict[str, float]]:
    """Return what the words around each date are, by the name of the feature."""
    last = max((day for day, _ in days), default=date.min)
    found = []
    for n, (day, span) in enumerate(days):
        left = days[n - 1][1].end if n else 0
        right = days[n + 1][1].start if n + 1 < len(days) else len(text)
        features: dict[str, float] = {}
        ahead = _words(text[max(left, span.start - 160) : span.start])[::-1]
        own = ahead.index("") if "" in ahead else len(ahead)
        after = _words(text[span.end : min(right, span.end + 90)])
        close = next((at for at, word in enumerate(after) if word in ("", ",")), len(after))
        for side, words, most in (
            ("before", ahead[:own], _BEFORE),
            ("earlier", ahead[own + 1 :], _EARLIER),
            ("behind", after[:close], _BEHIND),
            ("beyond", after[close + 1 :], _BEHIND),
        ):
            for place, word in enumerate(words[:most]):
                weight = 1 - place / (2 * most)
                features.setdefault(f"{side} {word[:_LETTERS]}", weight)
                if side == "before" or (side == "behind" and own < _FEW):
                    features.setdefault(f"stem {word[:_STEM]}", weight)
                    features.setdefault(f"near {word[:_LETTERS]}", weight)
        years = (last - day).days / 365.25
        features[f"years {sum(years > gap for gap in _GAPS)}"] = 1.0
        features["first"] = float(n == 0)
        found.append(features)
    return found


def _words(text: str) -> list[str]:
    """The words of a text in lower case; "" stands between two sentences."""
    return [token.lower().strip().replace(";", "") for token in _TOKEN.findall(text)]


@dataclass(frozen=True, kw_only=True)
class Interval(Scope):
    """A length of time that the law asks for, by the two events that it lies between."""

    name: str  # what the figure measures: the words of its context
    unit: str  # of the figure, that of the line
    begins: tuple[str, ...]  # events any of which may be the one
    ends: tuple[str, ...]
    provision: str  # the law that asks for it
    kind: NumericalKind = "duration"
    first: bool = False  # whether it ends with the first of `ends`, not the likeliest
    unless: str = ""  # a figure of a row before it that takes its place: the law counts from there


Figure = tuple[NumericalValue, tuple[Span, ...]]
"""A figure with the places that state it."""


def derive(narrative: Narrative) -> list[Figure]:
    """Return the figures that follow from two dates of a narrative, with both mentions."""
    read = narrative.text if narrative.learnt else ""  # an area of law is asked of the reader
    matter = matter_of(FactSheet("", read, tuple(replace(f, spans=()) for f in narrative.facts)))
    rows = [row for row in read_table("law/intervals", Interval) if matter.admits(row)]
    events = find_events(narrative.text) if rows else []
    found: dict[NumericalValue, tuple[Span, ...]] = {}
    for row in rows:
        told = row.unless and any(value.context == row.unless for value in found)
        for start, end in () if told else _pairs(row, events):
            value = figure_between(row, start.day, end.day)
            if value is not None:
                found.setdefault(value, tuple(sorted((start.span, end.span))))
    return list(found.items())


def _pairs(row: Interval, events: Sequence[DatedEvent]) -> list[tuple[DatedEvent, DatedEvent]]:
    starts = dates_of(row.begins, events)
    pairs = []
    for start in starts:
        ends = dates_of(row.ends, [it for it in events if it.day > start.day])
        if not ends:
            continue
        end = min(ends, key=lambda it: it.day) if row.first else ends[0]
        if not row.first or not any(start.day < it.day < end.day for it in starts):
            pairs.append((start, end))
    return pairs


def dates_of(names: Sequence[str], events: Sequence[DatedEvent]) -> list[DatedEvent]:
    """The dates on which one of these events is likely, the likeliest first."""
    best = max((it.likelihood(names) for it in events), default=0.0)
    likely = [it for it in events if it.likelihood(names) >= max(SURE, NEAR_BEST * best)]
    return sorted(likely, key=lambda it: (-it.likelihood(names), it.span))


def is_occurrence(day: DatedEvent, known: str, events: Sequence[DatedEvent]) -> bool:
    """Return whether a day is that of the occurrence, or of the death where that is the `known` one."""
    deaths = {str(it.day) for it in dates_of(("death",), events)}
    names = ("occurrence", "death") if known in deaths else ("occurrence",)
    return max(day.events, key=lambda event: day.events[event]) in names


def figure_between(row: Interval, first: date, last: date) -> NumericalValue | None:
    """Return the time between two days as the figure of a row; None where it can be none."""
    days = first.isoformat(), last.isoformat()
    value = time_between(*days, row.unit)
    if value <= 0 or (row.kind == "age" and value > _OLDEST):
        return None
    return NumericalValue(row.kind, value, row.unit, row.name, None, *days)


def find_source(text: str, value: NumericalValue) -> Figure:
    """Return a figure of a case file with the two dates that give it; no mentions where none do."""
    table = read_table("law/intervals", Interval)
    rows = [row for row in table if (row.name, row.unit) == (value.context, value.unit)]
    for (first, start), (last, end) in permutations(find_days(text) if rows else (), 2):
        found = figure_between(rows[0], first, last)
        if found is not None and replace(found, begins="", ends="", owner=value.owner) == value:
            return replace(found, owner=value.owner), tuple(sorted((start, end)))
    return value, ()
