"""Lengths of time: terms of imprisonment, periods, delays.

`within seven years of marriage`, `imprisonment for ten years`, `delay of 45 days`, `half an
hour`, `two and a half years`, `10-15 days`. Ages, dates and clock times are not lengths of time.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from countercase.fact_types.numerical.ages import find_ages
from countercase.facts.mentions import Found, free_of
from countercase.facts.model import NumericalValue
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import Lexicon, lexicon, nearest
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span

_UNIT: Final = (
    r"(?:minutes?|mins?\b\.?|hours?|hrs?\b\.?|days?|weeks?|months?|years?|yrs?\b\.?|decades?)"
)
_NOT_AFTER: Final = r"(?!\w|\s+(?:old|of\s+age)\b|-old\b|\s*,\s*of\s+age\b)"

_FIGURES: Final = re.compile(
    rf"(?<![\w.,/:-])(?P<first>{NUMBER})(?:\s*(?:to|or|-|–)\s*(?P<second>{NUMBER}))?"
    rf"[\s-]*(?P<unit>{_UNIT}){_NOT_AFTER}"
    rf"(?:\s*(?:,|and)?\s*(?P<rest>{NUMBER})\s*(?P<lesser>months?|days?|minutes?){_NOT_AFTER})?"
    r"(?P<half>\s+and\s+a\s+half\b)?",
    re.IGNORECASE,
)
_HALF: Final = re.compile(rf"\bhalf\s+an?\s+(?P<unit>hour|day|year|month){_NOT_AFTER}", re.I)
_SINGLE: Final = re.compile(
    r"\b(?:for|within|after|of|about|nearly|over)\s+"
    r"(?P<span>an?\s+(?P<unit>minute|hour|day|week|month|year)\b"
    r"(?P<half>\s+and\s+a\s+half\b)?)(?!\s+(?:old|or\s+two)\b)",
    re.IGNORECASE,
)
_LONGEST: Final = 999  # above it, `years` follows a calendar year
_ONE_DAY: Final = re.compile(r"\Aone\s+day\Z", re.IGNORECASE)
_ONE_DAY_BEFORE: Final = re.compile(r"\b(?:for|within|after|of|about|than)\s+\Z", re.IGNORECASE)
_ONE_DAY_AFTER: Final = re.compile(
    r"\s+(?:before|prior|after|earlier|later|ago|late|delay)\b", re.I
)

_CONTEXTS: Final[Lexicon] = lexicon(
    (
        "imprisonment",
        r"imprisonment|R\.?\s?I\b|S\.?\s?I\b|rigorous|sentenced?|jail|convict(?:ed|ion)",
    ),
    ("since marriage", r"marriage|married|wedding|wedlock|marital"),
    ("delay", r"delay(?:ed)?|belated(?:ly)?|late\b"),
    ("notice", r"notice"),
    ("limitation", r"limitation|time-barred"),
    ("custody", r"custody|detention|detained|remand|incarceration|captivity|confin\w+"),
    (
        "service",
        r"service|employ(?:ed|ment|er)|worked|working|tenure|probation|suspension|posted",
    ),
    ("lease", r"lease|tenancy|tenant|rent"),
    ("possession", r"possession|occupation|occupied"),
    ("practice", r"practice|practised"),
    ("treatment", r"hospital\w*|treatment|treated|bed\b|admitted"),
    ("pregnancy", r"pregnan\w+"),
    ("separation", r"separated|separation|deserted|desertion|living apart|lived apart"),
    ("stay", r"stay(?:ed|ing)?|resid\w+|lived|living|visit\w*|vacation"),
    ("payment", r"pay(?:ment|able)?|paid|repay\w*|instal?ments?"),
)
_ORDER: Final[Lexicon] = lexicon(
    ("before the incident", r"(?:before|prior to|earlier|previous\w*|preceding|ago)"),
    ("after the incident", r"(?:later|after|thereafter|lapse|subsequent\w*)"),
    ("period", r"period|span|term"),
)


def find_durations(text: str) -> list[Found]:
    """Every length of time that `text` states, in order, in the unit it is stated in.

    A range gives both its ends; `1 year and 6 months` is 18 months; decades are ten years each.
    The context is what lasted (`imprisonment`, `since marriage`, `delay`), or "".
    """
    taken = (*reserved_spans(text), *(item.span for item in find_ages(text)))
    found: list[Found] = []
    for pattern in (_FIGURES, _HALF, _SINGLE):
        for match in pattern.finditer(text):
            if not _is_some_day(text, match):
                found += free_of(_read(text, match), (*taken, *(item.span for item in found)))
    return sorted(found, key=lambda item: item.span)


def _is_some_day(text: str, match: re.Match[str]) -> bool:
    """Whether `one day` means a certain day (`one day he came`) and no length of time."""
    return bool(
        _ONE_DAY.match(match.group())
        and not _ONE_DAY_BEFORE.search(text, max(0, match.start() - 12), match.start())
        and not _ONE_DAY_AFTER.match(text, match.end())
    )


def _read(text: str, match: re.Match[str]) -> list[Found]:
    groups = match.groupdict()
    unit = _unit(match["unit"])
    span = Span(match.start("span"), match.end("span")) if "span" in groups else Span(*match.span())
    if "first" not in groups:
        value = Decimal("0.5") if "span" not in groups else Decimal(1)
        value += Decimal("0.5") if groups.get("half") else 0
        return [_found(text, value, unit, span)]
    first = read_number(match["first"])
    if first is None or (unit == "years" and first > _LONGEST):
        return []
    second = read_number(match["second"]) if match["second"] else None
    factor = 10 if match["unit"].lower().startswith("decade") else 1
    if second is not None:
        left = Span(match.start(), match.end("first"))
        right = Span(match.start("second"), match.end())
        return [
            _found(text, first * factor, unit, left, context_of=span),
            _found(text, second * factor, unit, right, context_of=span),
        ]
    first = first * factor + (Decimal("0.5") if match["half"] else 0)
    if match["rest"]:
        return _compound(text, match, first, unit)
    return [_found(text, first, unit, span)]


_STEPS: Final = {("years", "months"): 12, ("weeks", "days"): 7, ("hours", "minutes"): 60}


def _compound(text: str, match: re.Match[str], first: Decimal, unit: str) -> list[Found]:
    rest, lesser = read_number(match["rest"]), _unit(match["lesser"])
    step = _STEPS.get((unit, lesser))
    if rest is not None and step is not None:
        return [_found(text, first * step + rest, lesser, Span(*match.span()))]
    both = [_found(text, first, unit, Span(match.start(), match.end("unit")))]
    if rest is not None and lesser != unit:
        both.append(_found(text, rest, lesser, Span(match.start("rest"), match.end("lesser"))))
    return both


def _unit(word: str) -> str:
    lowered = word.lower().rstrip(".")
    for start, unit in (
        ("min", "minutes"),
        ("h", "hours"),
        ("d", "days"),
        ("w", "weeks"),
        ("mon", "months"),
    ):
        if lowered.startswith(start) and not lowered.startswith("decade"):
            return unit
    return "years"


def _found(
    text: str, value: Decimal, unit: str, span: Span, context_of: Span | None = None
) -> Found:
    around = context_of or span
    context = nearest(text, around, _CONTEXTS, 60, 40) or nearest(text, around, _ORDER, 30, 30)
    return Found(NumericalValue("duration", float(value), unit, context), span)
