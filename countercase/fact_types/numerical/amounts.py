"""Amounts of money, in rupees.

`Rs. 5.5 lakh`, `Rs 5,00,000/-`, `INR 2 crore`, `rupees fifty thousand`, `₹ 25,000`, `five lakh
rupees`, `Rs. 100/- to 150/-`, and sums that need no currency word (`ten lakhs`).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from countercase.facts.model import Mention, NumericalValue, free_of
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import nearest, words_for
from countercase.text.numbers import NUMBER, SCALE, read_number
from countercase.text.spans import Span

_CURRENCY: Final = r"(?:₹|(?<!\w)(?:Rs\s?\.?|Re\s?\.|INR|rupees?))"
_TAIL: Final = r"(?:\s?/\s?[-–=](?!\d))?(?:\s?p(?:aise)?\b(?!\.?\s?m\b))?"
_PAISE: Final = r"(?:-(?P<paise>\d{2})(?![\d,/-])(?:\s?p(?:aise)?\b(?!\.?\s?m\b))?)"
_FIGURE: Final = rf"(?P<left>(?P<first>{NUMBER}){_TAIL}{_PAISE}?)"
_SECOND: Final = (
    rf"(?:(?:-\d+(?=-))*\s*(?:to|-|–|or)\s*(?P<right>{_CURRENCY}?\s*(?P<second>(?:{NUMBER})){_TAIL})"
    r"(?!\s*(?:%|per\s?cent)))?"
)
_LOOSE_END: Final = (
    r"(?=\s*(?:[,.;:)?!]|$|(?:of\s+rupees|only|in|from|to|and|or|as|by|for|which|was|is|were|on|at"
    r"|towards?|but|per|had|has|if|when|before|after|with|out|then|each)\b))"
)

_MARKED: Final = re.compile(rf"{_CURRENCY}\s*{_FIGURE}{_SECOND}", re.IGNORECASE)
_TRAILED: Final = re.compile(
    rf"(?<![\w.,/-])(?P<first>{NUMBER})\s+(?:rupees\b|Rs\b\.?(?!\s?\d))", re.IGNORECASE
)
_BARE: Final = re.compile(
    rf"(?<![\w.,/-])(?P<first>{NUMBER}(?:(?<=lakhs)|(?<=crores)|(?<=lacs))){_LOOSE_END}",
    re.IGNORECASE,
)
_SINGLE: Final = re.compile(
    r"(?<![\w.,/-])(?P<first>(?:half\s+an?|an?|one)\s+(?:crore|lakh|lac))\s+(?:of\s+)?rupees\b"
    rf"|\b(?P<half>half\s+a\s+(?:crore|lakh|lac)){_LOOSE_END}",
    re.IGNORECASE,
)
_ANNAS: Final = re.compile(
    rf"{_CURRENCY}\s*(?P<first>\d[\d,]*)-(?P<annas>\d|1[0-5])-(?P<pies>\d|1[01])(?![\d/-])",
    re.IGNORECASE,
)
"""Rupees, annas (sixteen to the rupee) and pies (twelve to the anna), as until 1957."""
_TRAILING_SCALE: Final = re.compile(rf"{SCALE}\Z", re.IGNORECASE)


def find_amounts(text: str) -> list[Mention]:
    """Every amount of money that `text` states, in order, in rupees.

    A range gives both its ends. The context is what the money is said to be (`compensation`,
    `bribe`, `cheque`), or "" where no such word stands near. Foreign currency is not read.
    """
    mentions: list[Mention] = []
    for pattern in (_ANNAS, _MARKED, _SINGLE, _TRAILED, _BARE):
        for match in pattern.finditer(text):
            fresh = free_of(_read(text, match), tuple(item.span for item in mentions))
            mentions += fresh
    return sorted(free_of(mentions, _dates_alone(text, mentions)), key=lambda item: item.span)


def _dates_alone(text: str, mentions: list[Mention]) -> tuple[Span, ...]:
    """Reserved words that do not merely follow a currency sign (`Rs. 2.50.` is no clock time)."""
    starts = tuple(item.span for item in mentions if text[item.span.start].lower() in "r₹i")
    return tuple(
        span for span in reserved_spans(text) if not any(span.overlaps(other) for other in starts)
    )


def _read(text: str, match: re.Match[str]) -> list[Mention]:
    first = read_number(match["first"] or match.group())
    if first is None:
        return []
    groups = match.groupdict()
    if groups.get("annas") is not None:
        first += Decimal(groups["annas"]) / 16 + Decimal(groups["pies"]) / 192
        return [_mention(text, first, Span(*match.span()))]
    if groups.get("paise") is not None:
        return _with_paise(text, match, first, groups["paise"])
    second_text = groups.get("second")
    second = read_number(second_text) if second_text else None
    if second is None or second_text is None:
        return [_mention(text, first, Span(*match.span()))]
    scale = _TRAILING_SCALE.search(second_text)
    if scale and not _TRAILING_SCALE.search(match["first"]):
        multiplied = read_number(f"{match['first']} {scale.group()}")
        if multiplied is not None and first < second:
            first = multiplied
    left = Span(match.start(), match.end("left"))
    right = Span(match.start("right"), match.end())
    return [_mention(text, first, left), _mention(text, second, right)]


def _with_paise(text: str, match: re.Match[str], rupees: Decimal, paise: str) -> list[Mention]:
    """`Rs. 202-50` is Rs. 202.50 as the courts once wrote it, but `Rs. 10-15` is a range."""
    named = match.group().rstrip(" .").endswith(("p", "paise", "P"))
    if named or Decimal(paise) < rupees:
        return [
            _mention(text, rupees + Decimal(paise) / 100, Span(match.start(), match.end("left")))
        ]
    left = Span(match.start(), match.end("first"))
    right = Span(*match.span("paise"))
    return [_mention(text, rupees, left), _mention(text, Decimal(paise), right)]


def _mention(text: str, value: Decimal, span: Span) -> Mention:
    context = nearest(text, span, words_for("amount"), before=90, after=70, lean=10)
    return Mention(NumericalValue("amount", float(value), "INR", context), span)
