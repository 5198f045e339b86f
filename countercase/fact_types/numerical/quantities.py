"""Weights, volumes, lengths and areas: what was seized, carried or conveyed.

`1.25 kg of charas`, `250 gms`, `2 acres of land`, `3 1/2 bighas`, `1 kg 200 grams`, `two
quintals`. Units outside the closed list (feet, tolas, guntas) are not read.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from countercase.facts.model import Mention, NumericalValue, free_of
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import nearest, words_for
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span
from countercase.text.units import WRITTEN_QUANTITIES

_UNIT: Final = "|".join(f"(?P<u{i}>{w.pattern})" for i, w in enumerate(WRITTEN_QUANTITIES))
_SMALL: Final = rf"(?:\s*(?:and|,)?\s*(?P<rest>{NUMBER})\s*(?:grams?|gms?|gr?)\b\.?)?"
_FIGURES: Final = re.compile(
    rf"(?<![\w.,/:-])(?P<first>{NUMBER})(?:\s*(?:to|or|-|–)\s*(?P<second>{NUMBER}))?"
    rf"[\s-]*(?:{_UNIT})\b(?:\.(?!\s+[A-Z]|\s*\Z))?{_SMALL}",
    re.IGNORECASE,
)


def find_quantities(text: str) -> list[Mention]:
    """Every weight, volume, length or area that `text` states, in order.

    Values are in the unit the text uses, except that quintals and tonnes come in kg, and `1 kg
    200 grams` as 1.2 kg. The context is the thing measured (`charas`, `land`), or "".
    """
    taken = reserved_spans(text)
    mentions: list[Mention] = []
    for match in _FIGURES.finditer(text):
        mentions += free_of(_read(text, match), taken)
    return mentions


def _read(text: str, match: re.Match[str]) -> list[Mention]:
    index = next(i for i in range(len(WRITTEN_QUANTITIES)) if match[f"u{i}"])
    unit, factor = WRITTEN_QUANTITIES[index].unit, WRITTEN_QUANTITIES[index].count
    first = read_number(match["first"])
    second = read_number(match["second"]) if match["second"] else None
    rest = read_number(match["rest"]) if match["rest"] else None
    if first is None:
        return []
    whole = Span(*match.span())
    if second is not None:
        left = Span(match.start(), match.end("first"))
        right = Span(match.start("second"), match.end(f"u{index}"))
        return [
            _mention(text, first * factor, unit, left, whole),
            _mention(text, second * factor, unit, right, whole),
        ]
    if rest is not None and unit == "kg" and factor == 1:
        return [_mention(text, first + rest / 1000, unit, whole, whole)]
    span = Span(match.start(), match.end(f"u{index}")) if rest is not None else whole
    return [_mention(text, first * factor, unit, span, whole)]


def _mention(text: str, value: Decimal, unit: str, span: Span, around: Span) -> Mention:
    context = nearest(text, around, words_for("quantity"), before=60, after=40, lean=-10)
    return Mention(NumericalValue("quantity", float(value), unit, context), span)
