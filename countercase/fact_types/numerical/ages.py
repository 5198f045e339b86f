"""Ages of people, in years.

`aged about 16 years`, `17-year-old`, `age of 18 years`, `minor aged 12`, `14 years of age`, `aged
nine months`, `a girl of fourteen or fifteen years`. A bare figure (`was 70`) is no age, and
neither is the age of a thing (`a ten-year-old dispute`).
"""

from __future__ import annotations

import re
from typing import Final

from countercase.facts.model import Mention, NumericalValue, free_of
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import nearest, words_for
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span

_ABOUT: Final = (
    r"(?:(?:only|just|about|around|approximately|approx\.?|nearly|almost|hardly|barely|between"
    r"|under|above|over|below|less\s+than|more\s+than|not\s+more\s+than|at\s+least|some|say)\s+)*"
)
_YEARS: Final = r"(?:years?|yrs?\b\.?)(?!\w)"
_MONTHS: Final = r"months?\b"
_FIGURES: Final = (
    rf"(?<![\w.,/])(?P<figures>{_ABOUT}(?P<first>{NUMBER})"
    rf"(?:\s*(?:to|or|-|–|/|and(?=\s+{NUMBER}\s*{_YEARS}))\s*(?P<second>{NUMBER}))?)"
)
_PERSON: Final = (
    r"(?:girls?|boys?|child|children|man|men|woman|women|lady|youth|person|prosecutrix|victim"
    r"|deceased|accused|appellant|petitioner|respondent|claimant|son|daughter|infant|student"
    r"|baby|minor|wife|husband)"
)
_MORE: Final = r"(?:\s*,?\s*(?:and\s+)?\d{1,2}\s+(?:months?|days?)\b)*"

_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\baged?(?:\s*[-:]\s*|\s+){_FIGURES}(?:[\s-]*(?:{_YEARS}|(?P<months>{_MONTHS})))?{_MORE}"
        rf"(?:\s+of\s+age|\s+old)?(?![\w/%]|[.,]\d)",
        rf"\bage(?:\s+group)?\s+(?:of|as|is|was|being|between|at|to\s+be)\s+(?:of\s+|as\s+)?"
        rf"{_FIGURES}(?:[\s-]*{_YEARS})?(?![\w/%]|[.,]\d)",
        rf"\bage\b(?!\s+of\s+the\b(?!\s+{_PERSON}\b))[^.;0-9]{{0,60}}?"
        rf"\b(?:was|is|as|be|being|between)\s+{_FIGURES}\s*{_YEARS}"
        rf"(?!\s+(?:of\s+service|earlier|later|ago))",
        rf"{_FIGURES}[\s-]*(?:{_YEARS}|(?P<months>{_MONTHS}))(?:[\s,-]*old\b|\s*,?\s+of\s+age\b)"
        r"(?!\s+(?:dispute|enmity|feud|rivalry|grudge|litigation|case|building|house|vehicle|car"
        r"|custom|practice|agreement|quarrel|tree|injury|wound|debt|lease|tenancy|suit)s?\b)",
        rf"\b{_PERSON}\s+of\s+(?:only\s+)?{_FIGURES}\s*{_YEARS}"
        r"(?!\s+(?:of\s+(?:service|standing)))",
        rf"\b(?:attain|complet)(?:ed|ing)\s+(?:the\s+age\s+of\s+)?{_FIGURES}\s*{_YEARS}"
        r"(?!['’]|\s+(?:of\s+(?!age)|in\b|as\b|practice|service))",
        rf"\b(?:{_PERSON}|who|he|she)\s+(?:was|is)\s+{_FIGURES}\s*{_YEARS}"
        r"(?=\s*(?:[,.;)]|$|(?:at|on|when|and)\b))",
    )
)

_LIST: Final = re.compile(
    rf"\b(?:aged|ages)\s+{_ABOUT}(?P<all>{NUMBER}(?:\s*,\s*{NUMBER})+\s*,?\s*and\s+{NUMBER})"
    rf"\s*{_YEARS}",
    re.IGNORECASE,
)
_MEMBER: Final = re.compile(NUMBER, re.IGNORECASE)

_LIMIT: Final = 120
_LEAD: Final = len("age being ")


def find_ages(text: str) -> list[Mention]:
    """Every age of a person that `text` states, in order, in years.

    A range gives both its ends; months become a fraction of a year; `14 years, 10 months and 17
    days` is 14, the completed years. The context is the person (`prosecutrix`, `deceased`), or
    "" where none is named near.
    """
    mentions: list[Mention] = []
    taken = reserved_spans(text)
    for match in _LIST.finditer(text):
        mentions += free_of(_read_list(text, match), taken)
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            mentions += free_of(_read(text, match), (*taken, *(item.span for item in mentions)))
    return sorted(mentions, key=lambda item: item.span)


def _read_list(text: str, match: re.Match[str]) -> list[Mention]:
    context = nearest(text, Span(*match.span()), words_for("age"), before=70, after=45, lean=5)
    members = _MEMBER.finditer(text, *match.span("all"))
    return [
        Mention(NumericalValue("age", float(number), "years", context), Span(*member.span()))
        for member in members
        if (number := read_number(member.group())) is not None and 0 < number <= _LIMIT
    ]


def _read(text: str, match: re.Match[str]) -> list[Mention]:
    months = bool(match.groupdict().get("months"))
    figures = [
        (group, number)
        for group in ("first", "second")
        if match[group] and (number := read_number(match[group])) is not None
    ]
    values = [(group, float(number) / (12 if months else 1)) for group, number in figures]
    if not values or any(not 0 < value <= _LIMIT for _, value in values):
        return []
    context = nearest(text, Span(*match.span()), words_for("age"), before=70, after=45, lean=5)
    led = match.start("figures") - match.start() <= _LEAD and match.group()[:3].lower() == "age"
    start = match.start() if led else match.start("figures")
    spans = [Span(start, match.end())]
    if len(values) == 2:
        spans = [Span(start, match.end("first")), Span(match.start("second"), match.end())]
    return [
        Mention(NumericalValue("age", value, "years", context), span)
        for (_, value), span in zip(values, spans, strict=True)
    ]
