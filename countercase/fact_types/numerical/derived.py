"""Figures that follow from two dates: the time since a marriage, a custody, an age.

The table `law/data/intervals.jsonl` says which two events a line of the law lies between; what
happened on a date is learnt (`dated_events`). Where it is in doubt, nothing is derived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import permutations
from typing import Final

from countercase.fact_types.catalogue import Scope, matter_of
from countercase.fact_types.numerical.dated_events import DatedEvent, find_days, find_events
from countercase.facts.extraction import Narrative
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue
from countercase.io import read_table
from countercase.text.dates import time_between
from countercase.text.spans import Span

_OLDEST: Final = 120


@dataclass(frozen=True, kw_only=True)
class Interval(Scope):
    """A length of time that the law asks for, by the two events that it lies between.

    Args:
        name: what the figure measures: the words of its context.
        unit: of the figure, that of the line.
        begins, ends: the events, any of which may be the one.
        provision: the law that asks for it.
        first: whether it ends with the first such event after its beginning, and not with the
            likeliest.
    """

    name: str
    unit: str
    begins: tuple[str, ...]
    ends: tuple[str, ...]
    provision: str
    kind: NumericalKind = "duration"
    first: bool = False


Figure = tuple[NumericalValue, tuple[Span, ...]]
"""A figure with the places that state it."""


def derive(narrative: Narrative) -> list[Figure]:
    """Return the figures that follow from two dates of a narrative, with both mentions."""
    matter = matter_of(FactSheet("", narrative.text, narrative.facts))
    rows = [row for row in read_table("law/intervals", Interval) if matter.admits(row)]
    events = find_events(narrative.text) if rows else []
    found: dict[NumericalValue, tuple[Span, ...]] = {}
    for row in rows:
        for start, end in _pairs(row, events):
            value = figure_between(row, start.day, end.day)
            if value is not None:
                found.setdefault(value, tuple(sorted((start.span, end.span))))
    return list(found.items())


def _pairs(row: Interval, events: Sequence[DatedEvent]) -> list[tuple[DatedEvent, DatedEvent]]:
    starts = _dates_of(row.begins, events)
    pairs = []
    for start in starts:
        ends = _dates_of(row.ends, [it for it in events if it.day > start.day])
        if not ends:
            continue
        end = min(ends, key=lambda it: it.day) if row.first else ends[0]
        if not row.first or not any(start.day < it.day < end.day for it in starts):
            pairs.append((start, end))
    return pairs


def _dates_of(names: Sequence[str], events: Sequence[DatedEvent]) -> list[DatedEvent]:
    """The dates of the events of a row, the likeliest first."""
    likely = [
        (-it.events[name], it.span, it) for it in events for name in names if it.is_likely(name)
    ]
    return list(dict.fromkeys(it for *_, it in sorted(likely, key=lambda it: it[:2])))


def figure_between(row: Interval, first: date, last: date) -> NumericalValue | None:
    """Return the time between two days as the figure of a row; None where it can be none."""
    days = first.isoformat(), last.isoformat()
    value = time_between(*days, row.unit)
    if value <= 0 or (row.kind == "age" and value > _OLDEST):
        return None
    return NumericalValue(row.kind, value, row.unit, row.name, None, *days)


def find_source(text: str, value: NumericalValue) -> Figure:
    """Return a figure of a case file with the two dates of the text from which it follows.

    A figure that no row of the table derives, or no two dates give, has no mentions.
    """
    table = read_table("law/intervals", Interval)
    rows = [row for row in table if (row.name, row.unit) == (value.context, value.unit)]
    for (first, start), (last, end) in permutations(find_days(text) if rows else (), 2):
        found = figure_between(rows[0], first, last)
        if found is not None and replace(found, begins="", ends="") == value:
            return found, tuple(sorted((start, end)))
    return value, ()
