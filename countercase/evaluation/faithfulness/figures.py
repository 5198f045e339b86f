"""Figures and dates that an explanation states and its passage does not.

A figure is its value, however written: `five lakh`, `5,00,000` and `500000` are one. Where both
texts give a unit, the units must agree too, years and months converted. A figure said to be rough
(`some forty-seven lakh`) may differ by a tenth. Counts from one to four in words and without a
unit are left alone: prose counts with them what a passage lists. A bare `302` stands where the
passage cites section 302.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from countercase.evaluation.faithfulness.mentions import provision_spans, provisions_cited
from countercase.text.dates import find_dates
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span

_MONTH_NAMES: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH: Final = re.compile(rf"\b({_MONTH_NAMES})[a-z]*\b", re.IGNORECASE)
_DAY_MONTH: Final = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:{_MONTH_NAMES})[a-z]*\b", re.IGNORECASE
)
_DAY: Final = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)")
_YEAR: Final = re.compile(r"\b(1[6-9]\d{2}|20\d{2})\b")
_FRACTION: Final = re.compile(
    r"\b(?:(?P<top>one|two|three|four|\d)[\s-](?P<bottom>half|halves|third|quarter|fourth|fifth"
    r"|sixth|eighth|tenth)s?|(?<!and )(?<!and a )half|twice|double|thrice|(?:a\s+)?dozen)\b",
    re.IGNORECASE,
)
_BOTTOMS: Final = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "eighth": 8, "tenth": 10,
}  # fmt: skip
_ALONE: Final = {"half": "0.5", "twice": "2", "double": "2", "thrice": "3"}
_FIGURE: Final = re.compile(rf"(?<![\w.])(?:{NUMBER})(?![\w])", re.IGNORECASE)
_ROUGH: Final = re.compile(
    r"\b(?:some|about|around|nearly|almost|roughly|over|above|more than|less than|under|below"
    r"|fewer than|at least|just|within|approximately|close to|upwards of)\s+(?:rs\.?\s*|₹\s*)?\Z",
    re.IGNORECASE,
)
_RUPEES_BEFORE: Final = re.compile(r"(?:\brs\.?|₹|\brupees)\s*\Z", re.IGNORECASE)
_UNIT: Final = re.compile(
    r"[\s-]*(?:(?:or|to)\s+\S+\s+)?(?:more\s+|actual\s+|full\s+|further\s+)?"
    r"(?P<unit>years?|months?|weeks?|days?|hours?|minutes?|rupees?|paise|per\s?cent|%|kg|kilos?|"
    r"kilograms?|grams?|gms?|acres?|tolas?|times)\b",
    re.IGNORECASE,
)
_MONTHS_IN: Final = {"year": Decimal(12), "month": Decimal(1)}
_SMALL_COUNT: Final = 4
_TOLERANCE: Final = Decimal("0.1")


@dataclass(frozen=True)
class Figure:
    """A figure: its value, in months where it is of years; its unit or ""; whether it is rough."""

    words: str
    span: Span
    value: Decimal
    unit: str = ""
    rough: bool = False

    def stands_in(self, others: tuple[Figure, ...]) -> bool:
        """Whether one of the others states the same."""
        return any(self._agrees(other) for other in others)

    def _agrees(self, other: Figure) -> bool:
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.rough or other.rough:
            return abs(self.value - other.value) <= _TOLERANCE * max(self.value, other.value)
        return self.value == other.value


@dataclass(frozen=True)
class Dated:
    """A date as far as it is told; 0 for a part that is not."""

    words: str
    span: Span
    day: int
    month: int
    year: int

    def stands_in(self, others: tuple[Dated, ...]) -> bool:
        """Whether one of the others agrees in every part that this one tells."""
        mine = (self.day, self.month, self.year)
        return any(
            all(ours in (0, theirs) for ours, theirs in zip(mine, date, strict=True))
            for date in ((other.day, other.month, other.year) for other in others)
        )


def missing_figures(text: str, passage: str) -> list[str]:
    """The figures and dates of `text` that do not stand in `passage`, as written."""
    dates, figures = dates_in(passage), figures_in(passage)
    sections = {str(mention.form.base) for mention in provisions_cited(passage)}
    missing = [date.words for date in dates_in(text) if not date.stands_in(dates)]
    return missing + [
        figure.words
        for figure in figures_in(text)
        if not figure.stands_in(figures) and (figure.unit or figure.words not in sections)
    ]


@lru_cache(maxsize=256)
def dates_in(text: str) -> tuple[Dated, ...]:
    """The dates, months and years that `text` gives, in order."""
    spans = list(find_dates(text))
    for match in [*_DAY_MONTH.finditer(text), *_YEAR.finditer(text)]:
        span = Span(*match.span())
        if not any(span.overlaps(other) for other in spans):
            spans.append(span)
    provisions = provision_spans(text)
    dates = []
    for span in sorted(spans):
        words = text[span.start : span.end]
        if any(span.overlaps(other) for other in provisions):
            continue
        day, month, year = _DAY.search(words), _MONTH.search(words), _YEAR.search(words)
        dates.append(
            Dated(
                words,
                span,
                int(day[1]) if day else 0,
                _MONTH_NAMES.split("|").index(month[1].lower()) + 1 if month else 0,
                int(year[1]) if year else 0,
            )
        )
    return tuple(dates)


@lru_cache(maxsize=256)
def figures_in(text: str) -> tuple[Figure, ...]:
    """The figures of `text` that are neither dates nor numbers of provisions, in order."""
    taken = [*provision_spans(text), *(date.span for date in dates_in(text))]
    figures: list[Figure] = []
    for match in _FRACTION.finditer(text):
        span = Span(*match.span())
        if not any(span.overlaps(other) for other in taken):
            taken.append(span)
            figures.append(_figure(text, span, _fraction(match)))
    for match in _FIGURE.finditer(text):
        span = Span(*match.span())
        value = read_number(match.group())
        if value is None or any(span.overlaps(other) for other in taken):
            continue
        figure = _figure(text, span, value)
        if match.group()[0].isdigit() or figure.unit or value > _SMALL_COUNT:
            figures.append(figure)
    return tuple(sorted(figures, key=lambda figure: figure.span))


def _fraction(match: re.Match[str]) -> Decimal:
    if match["bottom"]:
        top = read_number(match["top"]) or Decimal(1)
        return top / Decimal(_BOTTOMS[match["bottom"].lower()])
    words = match.group().lower()
    return Decimal(_ALONE.get(words, "12"))


def _figure(text: str, span: Span, value: Decimal) -> Figure:
    before = text[max(0, span.start - 24) : span.start]
    unit = ""
    if _RUPEES_BEFORE.search(before):
        unit = "rupee"
    elif after := _UNIT.match(text, span.end):
        unit = after["unit"].lower().rstrip("s").replace(" ", "")
    rough = _ROUGH.search(before) is not None
    if unit in _MONTHS_IN:
        return Figure(text[span.start : span.end], span, value * _MONTHS_IN[unit], "month", rough)
    return Figure(text[span.start : span.end], span, value, unit, rough)
