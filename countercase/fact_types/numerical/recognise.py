"""Amounts, ages, durations and quantities of a narrative, and where it states given ones."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import numbered, share_of_words, spans_of, telling_words
from countercase.fact_types.measures import figure_words
from countercase.fact_types.numerical import figures as finders
from countercase.fact_types.numerical.dated_events import Figure, find_source
from countercase.fact_types.numerical.mentions import Mention, free_of
from countercase.fact_types.roles import name_in, named_role
from countercase.facts.model import Fact, NumericalKind, NumericalValue
from countercase.text.dates import reserved_spans, time_between
from countercase.text.numbers import read_number
from countercase.text.patterns import expanded
from countercase.text.spans import Span
from countercase.text.units import UNITS

_FINDERS: Final[dict[NumericalKind, Callable[[str], Sequence[Mention]]]] = {
    "amount": finders.find_amounts,
    "age": finders.find_ages,
    "duration": finders.find_durations,
    "quantity": finders.find_quantities,
    "count": finders.find_counts,
}
KINDS: Final = tuple(_FINDERS)
"""The numerical kinds, in sheet order."""

_ONE_SUM: Final = ("amount", "quantity")
"""Kinds of which one value is one fact, since a sum named twice is nearly always the same sum."""

_NUMBER: Final = re.compile(rf"(?i)(?<![\w.,/-]){expanded('{NUMBER}')}")
_SMALLEST_BARE: Final = 5
_NEAR: Final = 80
_RELATIONS: Final = {"relative", "parent", "child"}
"""Roles that say whose somebody is, which a word like `mother` says better."""


def find_figures(text: str, taken: Iterable[Span] = ()) -> list[Mention]:
    """Return each amount, age, duration, quantity and count outside `taken`, none overlapping."""
    mentions: list[Mention] = []
    for find in _FINDERS.values():
        mentions += free_of(find(text), (*taken, *(m.span for m in mentions)))
    return sorted(mentions, key=lambda mention: mention.span)


def merge(mentions: Iterable[Mention]) -> list[Figure]:
    """One entry per value, by kind and then by first mention, with all its mentions.

    Amounts and quantities of one value and unit are one fact; ages and durations must also be of
    the same thing, as far as the text says what they measure.
    """
    figures: list[Figure] = []
    for mention in mentions:
        value = mention.value
        same = (at for at, (known, _) in enumerate(figures) if _same(known, value))
        if (at := next(same, None)) is None:
            figures.append((value, (mention.span,)))
        else:
            known, spans = figures[at]
            merged = replace(known, context=known.context or value.context)
            figures[at] = (merged, (*spans, mention.span))
    return sorted(figures, key=lambda figure: KINDS.index(figure[0].kind))


def add_owners(text: str, figures: Iterable[Figure]) -> list[Figure]:
    """Return figures, the stated ones as those of the persons that the learnt reader is sure of.

    An age is also said of that person where its words name no role in the matter.
    """
    from countercase.facts.reader import find_owner, find_person

    owned = []
    for value, spans in figures:
        owner, context = "", value.context
        if value.kind == "age" and not value.is_derived:
            name, role = name_in(context), named_role(context)
            named = {*spans_of(text, name), *spans_of(text, name.split(" ")[0])}
            owner = find_person(text, spans[0], sorted(named), role)
            said = role or owner in context or (context and owner in _RELATIONS)
            context = context if said else f"{owner} {context}".strip()
        elif not value.is_derived:
            owner = find_owner(text, spans[0])
        owned.append((replace(value, context=context, owner=owner), spans))
    return owned


def add_derived(stated: Sequence[Figure], derived: Iterable[Figure]) -> list[Figure]:
    """Return the stated figures and those derived ones that none of them states already.

    A stated time of which no word says what it measures (`i.e. 6 yrs 10 mths`) measures the same.
    """
    figures, fresh = [*stated], list[Figure]()
    for value, spans in derived:
        states = (known.kind == value.kind and _states(known, value) for known, _ in stated)
        if (at := next((at for at, same in enumerate(states) if same), None)) is None:
            fresh.append((value, spans))
        elif value.kind == "duration" and not figures[at][0].context:
            figures[at] = (replace(figures[at][0], context=value.context), figures[at][1])
    return sorted((*figures, *fresh), key=lambda figure: KINDS.index(figure[0].kind))


def _states(known: NumericalValue, derived: NumericalValue) -> bool:
    """Whether a stated figure is a derived one in whole days, months or years."""
    if known.kind == "age" and known.context not in ("", derived.context):
        return False
    if known.unit not in ("days", "months", "years"):
        return False
    if known.context and not share_of_words(known.context, telling_words(derived.context)):
        return False
    exact = time_between(derived.begins, derived.ends, known.unit)
    return known.value in (math.floor(exact), round(exact))


def as_facts(figures: Iterable[Figure]) -> list[Fact]:
    """Facts with ids `numerical:<kind>:<n>`, numbered per kind in the order given."""
    return numbered("Numerical", [(f"numerical:{v.kind}", v, spans) for v, spans in figures])


def _same(known: NumericalValue, new: NumericalValue) -> bool:
    if replace(known, context="") != replace(new, context=""):
        return False
    contexts = {known.context, new.context}
    of_one_thing = len(contexts) == 1 or "" in contexts or known.kind in _ONE_SUM
    return of_one_thing or (known.kind == "age" and contexts <= figure_words("young"))


def locate(text: str, values: Sequence[NumericalValue], taken: Sequence[Span] = ()) -> list[Figure]:
    """Return each value with its mentions, equal units converted (`1.25 kg` is `1250 g`).

    An amount or a quantity takes every place that gives its value, however it is written. Where the
    same value is stated twice, of different things, and for ages and durations, a value takes the
    places that share a word with its context, if any does. Numbers of the citations `taken` are
    none.
    """
    mentions = find_figures(text, taken)
    reserved = (*reserved_spans(text), *taken, *(mention.span for mention in mentions))
    located = ((value, _places(text, value, values, mentions, reserved)) for value in values)
    return [it if it[1] else find_source(text, it[0]) for it in located]


def _places(
    text: str,
    value: NumericalValue,
    values: Sequence[NumericalValue],
    mentions: Sequence[Mention],
    reserved: Sequence[Span],
) -> tuple[Span, ...]:
    equal = [mention for mention in mentions if _equal(value, mention.value)]
    same = [mention for mention in equal if mention.value.kind == value.kind]
    if not same and value.kind not in _ONE_SUM:
        same = equal
    if not same:
        return _bare(text, value, reserved)
    if len(same) > 1:
        rivals = [other for other in values if other != value and _equal(value, other)]
        own = [m for m in same if value.kind not in _ONE_SUM and _shared(text, value, m) > 0]
        if rivals:
            best = [max(_shared(text, rival, m) for rival in rivals) for m in same]
            own = [m for m, b in zip(same, best, strict=True) if _shared(text, value, m) >= b]
        same = own or same
    return tuple(mention.span for mention in same)


def _equal(left: NumericalValue, right: NumericalValue) -> bool:
    units = [UNITS.get(value.unit) for value in (left, right)]
    dimensions = {unit.dimension if unit else None for unit in units}
    if len(dimensions) > 1 or (None in dimensions and left.unit != right.unit):
        return False
    sizes = [unit.size if unit else 1 for unit in units]
    ends = [
        (v.value * size, (v.upper or v.value) * size)
        for v, size in zip((left, right), sizes, strict=True)
    ]
    return all(math.isclose(*pair, rel_tol=1e-9, abs_tol=1e-9) for pair in zip(*ends, strict=True))


def _shared(text: str, value: NumericalValue, mention: Mention) -> float:
    """How much of the context of `value` the words around a mention share, 0 to 1."""
    near = text[max(0, mention.span.start - _NEAR) : mention.span.end + _NEAR]
    return share_of_words(value.context, telling_words(f"{near} {mention.value.context}"))


def _bare(text: str, value: NumericalValue, reserved: Sequence[Span]) -> tuple[Span, ...]:
    """The only place that gives the bare number, where there is just one."""
    if value.value < _SMALLEST_BARE:
        return ()
    places = [
        Span(*match.span())
        for match in _NUMBER.finditer(text)
        if (number := read_number(match.group())) is not None
        and math.isclose(float(number), value.value)
    ]
    free = [place for place in places if not any(place.overlaps(span) for span in reserved)]
    return tuple(free) if len(free) == 1 else ()
