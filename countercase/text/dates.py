"""Dates, clock times and reference numbers: numbers that state no fact of a case.

`12.3.1998`, `8th December 1952`, `at 4.30 p.m.`, `21.40 hours`, `F.I.R. No. 276 of 2004`,
`HR-37-C-7937`. The recognisers of amounts, ages, durations and quantities leave these words alone.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.text.spans import Span

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_DAYS: Final = rf"{_DAY}(?:\s*(?:/|-|to|and|&)\s*{_DAY})?"
_YEAR: Final = r"(?:1[6-9]|20)\d{2}"

_DATE: Final = re.compile(
    rf"""(?<![\w.])(?:
      \d{{1,2}}(?:/\d{{1,2}})?\s?[./-]\s?\d{{1,2}}\s?[./-]\s?(?:{_YEAR}|\d{{2}})(?![\w/]|[.-]\d)
    | {_YEAR}-\d{{2}}-\d{{2}}(?!\w)
    | {_DAYS}\s*(?:day\s+of\s+|of\s+)?{_MONTH}(?:\s*,?\s*'?(?:{_YEAR}|\d{{2}}(?!\w)))?
    | {_MONTH}\s+{_DAYS}(?:\s*,\s*|\s+){_YEAR}
    | {_MONTH}\s*,?\s*(?:of\s+)?(?:the\s+year\s+)?{_YEAR}
    | (?:in\s+|year\s+|since\s+){_YEAR}(?:\s?[-/–]\s?(?:{_YEAR}|\d{{2}}))?(?![\w/]|,\d)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOCK: Final = re.compile(
    r"""(?<![\w.])(?:
      \d{1,2}(?:\s?[.:,/-]\s?\d{2})?(?:\s?/\s?\d{1,2}(?:[.:]\d{2})?)?\s*(?:[ap]\.?\s?m\b\.?|o['’]?\s?clock)
    | \d{1,2}[.:]\d{2}\s*(?:hours|hrs?)\b
    | \d{1,2}:\d{2}(?::\d{2})?
    | [0-2]\d{3}\s*(?:hours|hrs)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REFERENCE: Final = re.compile(
    r"""(?:
      \bnos?\.?\s*\d[\w/().-]*(?:(?:\s*,\s*|\s+and\s+|\s+to\s+)\d+\b)*(?:\s*(?:of|/)\s*(?:1[6-9]|20)\d{2})?
    | \b[A-Z]{2,3}\s?-?\s?\d{1,2}\s?-?\s?[A-Z]{1,3}\s?-?\s?\d{3,4}\b
    | \b(?:ext?|exh|exhibit)s?\.?\s*[A-Z]{1,2}\.?\s?-?\s?\d+
    | \b[PDC]\.?\s?W\.?s?\.?\s?-?\s?\d+
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def find_dates(text: str) -> tuple[Span, ...]:
    """Where `text` gives a date, a month with its year, or a year after `in`, `year`, `since`."""
    return tuple(Span(*match.span()) for match in _DATE.finditer(text))


def reserved_spans(text: str) -> tuple[Span, ...]:
    """Where the numbers of `text` are dates, clock times or reference numbers, in order.

    Reference numbers are those of cases, reports, vehicles, exhibits and witnesses.
    """
    spans = [*find_dates(text)]
    for pattern in (_CLOCK, _REFERENCE):
        spans += [Span(*match.span()) for match in pattern.finditer(text)]
    return tuple(sorted(spans))
