"""Where a narrative states the facts that a case file states.

The recognisers say what each place means; a stated fact takes the places that mean the same.
What they do not see is looked for by its words and figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from countercase.fact_types.evidence.recognise import evidence_items
from countercase.facts.extraction import find_figures, find_sections
from countercase.facts.mentions import Found
from countercase.facts.model import EvidenceValue, NumericalValue, SectionValue
from countercase.text.dates import reserved_spans
from countercase.text.numbers import NUMBER, read_number
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_BASE_UNITS: Final = {
    "minutes": ("time", 1),
    "hours": ("time", 60),
    "days": ("time", 1440),
    "weeks": ("time", 10080),
    "months": ("calendar", 1),
    "years": ("calendar", 12),
    "mg": ("weight", 0.001),
    "g": ("weight", 1),
    "kg": ("weight", 1000),
    "ml": ("volume", 0.001),
    "l": ("volume", 1),
    "m": ("length", 1),
    "km": ("length", 1000),
}
_FIGURE: Final = re.compile(rf"(?<![\w.,/-]){NUMBER}", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-z]{3,}|\d+")
_COMMON: Final = frozenset(
    [
        "the",
        "and",
        "that",
        "this",
        "with",
        "from",
        "for",
        "was",
        "were",
        "had",
        "has",
        "have",
        "his",
        "her",
        "their",
        "its",
        "not",
        "but",
        "who",
        "which",
        "they",
        "she",
        "him",
        "them",
        "said",
        "been",
        "are",
        "into",
        "about",
        "after",
        "before",
        "upon",
        "under",
        "over",
        "also",
        "did",
        "does",
        "one",
        "two",
        "three",
        "would",
        "could",
        "case",
        "court",
    ]
)
_SHARED_WORDS: Final = 0.5
_SMALLEST_BARE: Final = 5


def locate_sections(text: str, values: Sequence[SectionValue]) -> list[tuple[Span, ...]]:
    """The citations of each provision, in the order of `values`."""
    found = find_sections(text)
    return [tuple(item.span for item in found if item.value == value) for value in values]


def locate_evidence(text: str, values: Sequence[EvidenceValue]) -> list[tuple[Span, ...]]:
    """The mentions of each item of evidence.

    Where several items of one type are stated, each mention goes to the item whose description
    shares most words with its sentence. An item that is alone of its type takes the mentions
    that `_told_of` says are its own. An item without a mention takes the sentence that holds at
    least half of the words of its description.
    """
    sentences = [Span(*span) for span in sentence_spans(text)]
    places: list[list[Span]] = [[] for _ in values]
    mentioned = evidence_items(text)
    for kind in dict.fromkeys(value.evidence_type for value in values):
        rivals = [n for n, value in enumerate(values) if value.evidence_type == kind]
        groups = [item.spans for item in mentioned if item.value.evidence_type == kind]
        if len(rivals) == 1:
            description = values[rivals[0]].description
            places[rivals[0]] += _told_of(text, sentences, description, groups)
            continue
        for span in (span for spans in groups for span in spans):
            words = _words(_around(text, sentences, span))
            best = max(rivals, key=lambda n: (_share(values[n].description, words), -n))
            places[best].append(span)
    for value, spans in zip(values, places, strict=True):
        if not spans:
            spans += _by_words(text, sentences, value.description)
    return [tuple(sorted(spans)) for spans in places]


def _told_of(
    text: str, sentences: Sequence[Span], description: str, groups: Sequence[tuple[Span, ...]]
) -> list[Span]:
    """The mentions that are of the one item so described; `groups` are the narrative's items.

    They are those whose sentences share words with the description: in the item that shares
    most, any word; in another, more than half as many. Where none shares a word they are all.
    """
    shares = [
        [_share(description, _words(_around(text, sentences, span))) for span in spans]
        for spans in groups
    ]
    best = max((max(group) for group in shares), default=0.0)
    return [
        span
        for spans, group in zip(groups, shares, strict=True)
        for span, share in zip(spans, group, strict=True)
        if best == 0.0 or share > (0.0 if max(group) == best else best / 2)
    ]


def locate_figures(text: str, values: Sequence[NumericalValue]) -> list[tuple[Span, ...]]:
    """The mentions of each figure, equal units converted (`1.25 kg` is `1250 g`).

    An amount or a quantity takes every place that gives its value, however it is written. Where
    the same value is stated twice, of different things, and for ages and durations, a stated
    figure takes the places that share a word with its context, if any does.
    """
    taken = [item.span for item in find_sections(text)]
    found = find_figures(text, taken)
    reserved = (*reserved_spans(text), *taken, *(item.span for item in found))
    return [_places(text, value, values, found, reserved) for value in values]


def _places(
    text: str,
    value: NumericalValue,
    values: Sequence[NumericalValue],
    found: Sequence[Found],
    reserved: Sequence[Span],
) -> tuple[Span, ...]:
    equal = [item for item in found if isinstance(item.value, NumericalValue)]
    same = [i for i in equal if _equal(value, _numerical(i)) and value.kind == _numerical(i).kind]
    if not same and value.kind in ("age", "duration"):
        same = [i for i in equal if _equal(value, _numerical(i))]
    if not same:
        return _bare(text, value, reserved)
    rivals = [other for other in values if other != value and _equal(value, other)]
    if len(same) > 1:
        one_sum = value.kind in ("amount", "quantity")
        own = [i for i in same if not one_sum and _context_share(text, value, i) > 0]
        if rivals:
            own = [
                i
                for i in same
                if _context_share(text, value, i)
                >= max(_context_share(text, rival, i) for rival in rivals)
            ]
        same = own or same
    return tuple(item.span for item in same)


def _numerical(item: Found) -> NumericalValue:
    assert isinstance(item.value, NumericalValue)
    return item.value


def _equal(left: NumericalValue, right: NumericalValue) -> bool:
    (left_base, left_size), (right_base, right_size) = (
        _BASE_UNITS.get(value.unit, (value.unit, 1)) for value in (left, right)
    )
    return left_base == right_base and math.isclose(
        left.value * left_size, right.value * right_size, rel_tol=1e-9, abs_tol=1e-9
    )


def _context_share(text: str, value: NumericalValue, item: Found) -> float:
    near = text[max(0, item.span.start - 80) : item.span.end + 80]
    return _share(value.context, _words(f"{near} {_numerical(item).context}"))


def _bare(text: str, value: NumericalValue, reserved: Sequence[Span]) -> tuple[Span, ...]:
    """The only place that gives the bare figure, where there is just one."""
    if value.value < _SMALLEST_BARE:
        return ()
    places = [
        Span(*match.span())
        for match in _FIGURE.finditer(text)
        if (number := read_number(match.group())) is not None
        and math.isclose(float(number), value.value)
    ]
    free = [place for place in places if not any(place.overlaps(span) for span in reserved)]
    return tuple(free) if len(free) == 1 else ()


def _by_words(text: str, sentences: Sequence[Span], description: str) -> list[Span]:
    shares = [
        (_share(description, _words(text[sentence.start : sentence.end])), -n)
        for n, sentence in enumerate(sentences)
    ]
    if not shares or len(_words(description)) < 2:
        return []
    best, order = max(shares)
    return [sentences[-order]] if best >= _SHARED_WORDS else []


def _around(text: str, sentences: Sequence[Span], place: Span) -> str:
    return " ".join(text[s.start : s.end] for s in sentences if s.overlaps(place))


def _words(text: str) -> frozenset[str]:
    return frozenset(word[:6] for word in _WORD.findall(text.lower()) if word not in _COMMON)


def _share(description: str, words: frozenset[str]) -> float:
    own = _words(description)
    return len(own & words) / len(own) if own else 0.0
