"""Lengths of time: terms of imprisonment, periods, delays.

`within seven years of marriage`, `imprisonment for ten years`, `delay of 45 days`, `half an
hour`, `two and a half years`, `10-15 days`. Ages, dates and clock times are not lengths of time.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from countercase.fact_types.numerical.ages import find_ages
from countercase.facts.model import Mention, NumericalValue, free_of
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import nearest, words_for
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span
from countercase.text.units import time_unit

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

_STEPS: Final = {("years", "months"): 12, ("weeks", "days"): 7, ("hours", "minutes"): 60}


def find_durations(text: str) -> list[Mention]:
    """Every length of time that `text` states, in order, in the unit it is stated in.

    A range gives both its ends; `1 year and 6 months` is 18 months; decades are ten years each.
    The context is what lasted (`imprisonment`, `since marriage`, `delay`), or "".
    """
    taken = (*reserved_spans(text), *(item.span for item in find_ages(text)))
    mentions: list[Mention] = []
    for pattern in (_FIGURES, _HALF, _SINGLE):
        for match in pattern.finditer(text):
            if not _is_some_day(text, match):
                mentions += free_of(_read(text, match), (*taken, *(item.span for item in mentions)))
    return sorted(mentions, key=lambda item: item.span)


def _is_some_day(text: str, match: re.Match[str]) -> bool:
    """Whether `one day` means a certain day (`one day he came`) and no length of time."""
    return bool(
        _ONE_DAY.match(match.group())
        and not _ONE_DAY_BEFORE.search(text, max(0, match.start() - 12), match.start())
        and not _ONE_DAY_AFTER.match(text, match.end())
    )


def _read(text: str, match: re.Match[str]) -> list[Mention]:
    groups = match.groupdict()
    unit = time_unit(match["unit"])
    span = Span(match.start("span"), match.end("span")) if "span" in groups else Span(*match.span())
    if "first" not in groups:
        value = Decimal("0.5") if "span" not in groups else Decimal(1)
        value += Decimal("0.5") if groups.get("half") else 0
        return [_mention(text, value, unit, span)]
    first = read_number(match["first"])
    if first is None or (unit == "years" and first > _LONGEST):
        return []
    second = read_number(match["second"]) if match["second"] else None
    factor = 10 if match["unit"].lower().startswith("decade") else 1
    if second is not None:
        left = Span(match.start(), match.end("first"))
        right = Span(match.start("second"), match.end())
        return [
            _mention(text, first * factor, unit, left, context_of=span),
            _mention(text, second * factor, unit, right, context_of=span),
        ]
    first = first * factor + (Decimal("0.5") if match["half"] else 0)
    if match["rest"]:
        return _compound(text, match, first, unit)
    return [_mention(text, first, unit, span)]


def _compound(text: str, match: re.Match[str], first: Decimal, unit: str) -> list[Mention]:
    rest, lesser = read_number(match["rest"]), time_unit(match["lesser"])
    step = _STEPS.get((unit, lesser))
    if rest is not None and step is not None:
        return [_mention(text, first * step + rest, lesser, Span(*match.span()))]
    both = [_mention(text, first, unit, Span(match.start(), match.end("unit")))]
    if rest is not None and lesser != unit:
        both.append(_mention(text, rest, lesser, Span(match.start("rest"), match.end("lesser"))))
    return both


def _mention(
    text: str, value: Decimal, unit: str, span: Span, context_of: Span | None = None
) -> Mention:
    around = context_of or span
    context = nearest(text, around, words_for("duration"), 60, 40)
    context = context or nearest(text, around, words_for("duration order"), 30, 30)
    return Mention(NumericalValue("duration", float(value), unit, context), span)
