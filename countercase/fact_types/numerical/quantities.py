"""Weights, volumes, lengths and areas: what was seized, carried or conveyed.

`1.25 kg of charas`, `250 gms`, `2 acres of land`, `3 1/2 bighas`, `1 kg 200 grams`, `two
quintals`. Units outside the closed list (feet, tolas, guntas) are not read.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from countercase.facts.mentions import Found, free_of
from countercase.facts.model import NumericalValue
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import Lexicon, lexicon, nearest
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span

_UNITS: Final = (
    (r"milligrams?|mgs?", "mg", 1),
    (r"kilo\s?grams?|kilos?|kgs?|k\.g\.?s?", "kg", 1),
    (r"grams?|grammes?|gms?|gr?", "g", 1),
    (r"quintals?|qtls?", "kg", 100),
    (r"metric\s+tonn?e?s?|tonnes?|MTs?", "kg", 1000),
    (r"millilit(?:re|er)s?|mls?", "ml", 1),
    (r"lit(?:re|er)s?|ltrs?|lts?", "l", 1),
    (r"(?:square|sq\.?)\s*(?:met(?:re|er)s?|mtrs?|mts?|m)", "sq_m", 1),
    (r"kilomet(?:re|er)s?|kms?", "km", 1),
    (r"met(?:re|er)s?|mtrs?|mts", "m", 1),
    (r"hectares?|ha", "hectare", 1),
    (r"acres?", "acre", 1),
    (r"bighas?", "bigha", 1),
)
_UNIT: Final = "|".join(f"(?P<u{i}>{pattern})" for i, (pattern, _, _) in enumerate(_UNITS))
_SMALL: Final = rf"(?:\s*(?:and|,)?\s*(?P<rest>{NUMBER})\s*(?:grams?|gms?|gr?)\b\.?)?"
_FIGURES: Final = re.compile(
    rf"(?<![\w.,/:-])(?P<first>{NUMBER})(?:\s*(?:to|or|-|–)\s*(?P<second>{NUMBER}))?"
    rf"[\s-]*(?:{_UNIT})\b(?:\.(?!\s+[A-Z]|\s*\Z))?{_SMALL}",
    re.IGNORECASE,
)

_THINGS: Final[Lexicon] = lexicon(
    ("charas", r"charas|hashish"),
    ("ganja", r"ganja|cannabis"),
    ("heroin", r"heroin|brown sugar|diacetylmorphine|smack"),
    ("opium", r"opium"),
    ("poppy straw", r"poppy (?:straw|husk)"),
    ("cocaine", r"cocaine"),
    ("morphine", r"morphine"),
    ("methaqualone", r"mandrax|methaqualone"),
    ("narcotic drug", r"narcotics?|contraband|psychotropic|drugs?\b"),
    ("gold", r"gold"),
    ("silver", r"silver"),
    ("liquor", r"liquor|arrack|spirit|alcohol"),
    ("explosive", r"RDX|gelatine|explosives?|gunpowder"),
    ("fuel", r"petrol|diesel|kerosene"),
    ("grain", r"rice|wheat|paddy|sugar|foodgrains?"),
    ("house", r"house|flat|building|plot|built-up|premises"),
    ("land", r"lands?\b|fields?\b|holding|agricultural|cultivat\w+|estate"),
    ("distance", r"away|distance|from\b|far"),
)


def find_quantities(text: str) -> list[Found]:
    """Every weight, volume, length or area that `text` states, in order.

    Values are in the unit the text uses, except that quintals and tonnes come in kg, and `1 kg
    200 grams` as 1.2 kg. The context is the thing measured (`charas`, `land`), or "".
    """
    taken = reserved_spans(text)
    found: list[Found] = []
    for match in _FIGURES.finditer(text):
        found += free_of(_read(text, match), taken)
    return found


def _read(text: str, match: re.Match[str]) -> list[Found]:
    index = next(i for i in range(len(_UNITS)) if match[f"u{i}"])
    _, unit, factor = _UNITS[index]
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
            _found(text, first * factor, unit, left, whole),
            _found(text, second * factor, unit, right, whole),
        ]
    if rest is not None and unit == "kg" and factor == 1:
        return [_found(text, first + rest / 1000, unit, whole, whole)]
    span = Span(match.start(), match.end(f"u{index}")) if rest is not None else whole
    return [_found(text, first * factor, unit, span, whole)]


def _found(text: str, value: Decimal, unit: str, span: Span, around: Span) -> Found:
    context = nearest(text, around, _THINGS, before=60, after=40, lean=-10)
    return Found(NumericalValue("quantity", float(value), unit, context), span)
