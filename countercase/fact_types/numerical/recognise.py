"""Amounts, ages, durations and quantities of a narrative, and where it states given ones."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.base import numbered, share_of_words, telling_words
from countercase.fact_types.numerical.ages import find_ages
from countercase.fact_types.numerical.amounts import find_amounts
from countercase.fact_types.numerical.durations import find_durations
from countercase.fact_types.numerical.quantities import find_quantities
from countercase.facts.model import Fact, Mention, NumericalKind, NumericalValue, free_of
from countercase.text.dates import reserved_spans
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span
from countercase.text.units import UNITS

_FINDERS: Final = {
    "amount": find_amounts,
    "age": find_ages,
    "duration": find_durations,
    "quantity": find_quantities,
}
KINDS: Final[tuple[NumericalKind, ...]] = ("amount", "age", "duration", "quantity")
"""The numerical kinds, in sheet order."""

_ONE_SUM: Final = ("amount", "quantity")
"""Kinds of which one value is one fact, since a sum named twice is nearly always the same sum."""

_YOUNG: Final = frozenset(
    {"prosecutrix", "girl", "daughter", "child", "minor", "student", "deceased", "niece", "woman"}
)
_NUMBER: Final = re.compile(rf"(?<![\w.,/-]){NUMBER}", re.IGNORECASE)
_SMALLEST_BARE: Final = 5
_NEAR: Final = 80


@dataclass(frozen=True)
class Figure:
    """A numerical value with the places that state it."""

    value: NumericalValue
    spans: tuple[Span, ...]


def find_figures(text: str, taken: Iterable[Span] = ()) -> list[Figure]:
    """Every mention of an amount, age, duration or quantity of `text` outside `taken`, in order.

    No two overlap.
    """
    mentions: list[Mention] = []
    for kind in KINDS:
        mentions += free_of(_FINDERS[kind](text), (*taken, *(m.span for m in mentions)))
    return [
        Figure(mention.value, (mention.span,))
        for mention in sorted(mentions, key=lambda mention: mention.span)
        if isinstance(mention.value, NumericalValue)
    ]


def merge(figures: Iterable[Figure]) -> list[Figure]:
    """One entry per value, by kind and then by first mention, with all its mentions.

    Amounts and quantities of one value and unit are one fact; ages and durations must also be of
    the same thing, as far as the text says what they measure.
    """
    groups: list[Figure] = []
    for figure in figures:
        value = figure.value
        for index, known in enumerate(groups):
            if _same(known.value, value):
                context = known.value.context or value.context
                merged = replace(known.value, context=context)
                groups[index] = Figure(merged, (*known.spans, *figure.spans))
                break
        else:
            groups.append(figure)
    return sorted(groups, key=lambda figure: KINDS.index(figure.value.kind))


def as_facts(figures: Iterable[Figure]) -> list[Fact]:
    """Facts with ids `numerical:<kind>:<n>`, numbered per kind in the order given."""
    return numbered("Numerical", [(f"numerical:{f.value.kind}", f.value, f.spans) for f in figures])


def _same(known: NumericalValue, new: NumericalValue) -> bool:
    if (known.kind, known.value, known.unit) != (new.kind, new.value, new.unit):
        return False
    contexts = {known.context, new.context}
    of_one_thing = len(contexts) == 1 or "" in contexts
    return known.kind in _ONE_SUM or of_one_thing or (known.kind == "age" and contexts <= _YOUNG)


def locate(text: str, values: Sequence[NumericalValue], taken: Sequence[Span] = ()) -> list[Figure]:
    """Each value with its mentions, equal units converted (`1.25 kg` is `1250 g`).

    An amount or a quantity takes every place that gives its value, however it is written. Where
    the same value is stated twice, of different things, and for ages and durations, a value takes
    the places that share a word with its context, if any does.

    Args:
        taken: the citations of the text, whose numbers are not values.
    """
    figures = find_figures(text, taken)
    reserved = (*reserved_spans(text), *taken, *(span for f in figures for span in f.spans))
    return [Figure(value, _places(text, value, values, figures, reserved)) for value in values]


def _places(
    text: str,
    value: NumericalValue,
    values: Sequence[NumericalValue],
    figures: Sequence[Figure],
    reserved: Sequence[Span],
) -> tuple[Span, ...]:
    equal = [figure for figure in figures if _equal(value, figure.value)]
    same = [figure for figure in equal if figure.value.kind == value.kind]
    if not same and value.kind not in _ONE_SUM:
        same = equal
    if not same:
        return _bare(text, value, reserved)
    rivals = [other for other in values if other != value and _equal(value, other)]
    if len(same) > 1:
        own = [f for f in same if value.kind not in _ONE_SUM and _shared(text, value, f) > 0]
        if rivals:
            own = [
                figure
                for figure in same
                if _shared(text, value, figure)
                >= max(_shared(text, rival, figure) for rival in rivals)
            ]
        same = own or same
    return tuple(span for figure in same for span in figure.spans)


def _equal(left: NumericalValue, right: NumericalValue) -> bool:
    units = [UNITS.get(value.unit) for value in (left, right)]
    dimensions = {unit.dimension if unit else None for unit in units}
    if len(dimensions) > 1 or (None in dimensions and left.unit != right.unit):
        return False
    sizes = [unit.size if unit else 1 for unit in units]
    return math.isclose(left.value * sizes[0], right.value * sizes[1], rel_tol=1e-9, abs_tol=1e-9)


def _shared(text: str, value: NumericalValue, figure: Figure) -> float:
    """How much of the context of `value` the words around a mention share, 0 to 1."""
    [span] = figure.spans
    near = text[max(0, span.start - _NEAR) : span.end + _NEAR]
    return share_of_words(value.context, telling_words(f"{near} {figure.value.context}"))


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
