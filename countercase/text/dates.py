"""Dates, clock times and reference numbers: numbers that state no fact of a case.

`12.3.1998`, `8th December 1952`, `at 4.30 p.m.`, `21.40 hours`, `F.I.R. No. 276 of 2004`,
`HR-37-C-7937`. The recognisers of amounts, ages, durations and quantities leave these words alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Final

from countercase.io import read_table
from countercase.text.patterns import expanded, pattern
from countercase.text.sentences import bounded_runs
from countercase.text.spans import Span

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
SHORT_MONTHS: Final = tuple(name[:3].lower() for name in _MONTHS)


def find_dates(text: str) -> tuple[Span, ...]:
    """Where `text` gives a date, a month with its year, or a year after `in`, `year`, `since`."""
    return tuple(Span(*match.span()) for match in pattern("DATE").finditer(bounded_runs(text)))


def reserved_spans(text: str) -> tuple[Span, ...]:
    """Where the numbers of `text` are dates, clock times or reference numbers, in order.

    Reference numbers are those of cases, reports, vehicles, exhibits and witnesses.
    """
    text = bounded_runs(text)
    names = ("DATE", "CLOCK", "REFERENCE")
    return tuple(sorted(Span(*m.span()) for name in names for m in pattern(name).finditer(text)))


def time_between(begins: str, ends: str, unit: str) -> float:
    """Return the time between two ISO days in days, or in months or years and a fraction.

    >>> time_between("2016-02-12", "2023-02-12", "months")
    84.0
    """
    first, last = date.fromisoformat(begins), date.fromisoformat(ends)
    if unit == "days":
        return float((last - first).days)
    months = (last.year - first.year) * 12 + last.month - first.month
    days = last.day - first.day
    if days < 0:
        end_of_month = last.replace(day=1) - timedelta(days=1)
        months, days = months - 1, last.day + max(end_of_month.day - first.day, 0)
    exact = months + days / _MONTH
    return round(exact if unit == "months" else exact / 12, 4)


_MONTH: Final = 365.25 / 12
_REACH: Final = 70
_FIRST: Final = 4.0
"""What it weighs that a date is the first of the text that nothing else explains."""
_FAR: Final = 5.0
"""How far a date must be ahead of all others for the words beside them to decide alone."""
_PER_ODDS: Final = 4.0  # the weight of words that counts as much as one of the logarithm of odds


def is_iso_date(text: str) -> bool:
    """Whether `text` is a date, a month or a year as `2024-08-12`, `2024-08` or `2024`."""
    parts = pattern("ISO").fullmatch(text) if text.isascii() else None
    if parts is None:
        return False
    try:
        date(int(parts[1]), int(parts[2] or 1), int(parts[3] or 1))
    except ValueError:
        return False
    return True


def in_full(iso: str) -> str:
    """`2024-08-12` as `12 August 2024`, `2024-08` as `August 2024`; what is no such date as it is.

    >>> in_full("1989-03-08")
    '8 March 1989'
    """
    if not is_iso_date(iso) or len(iso) == 4:
        return iso
    parts = iso.split("-")
    month = _MONTHS[int(parts[1]) - 1]
    day = [str(int(parts[2]))] if len(parts) > 2 else []
    return " ".join([*day, month, parts[0]])


def read_date(words: str) -> str:
    """The date that `words` state, as precisely as they do (`2024-08-12`, `2024-08`, `2024`), or "".

    A year in two digits is of this century up to 30, else of the last.

    >>> read_date("12.3.1998"), read_date("March 2024")
    ('1998-03-12', '2024-03')
    """
    if match := re.search(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", words):
        text = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
    elif match := pattern("NUMERIC").search(words):
        day, month, year = match[1], match[2], match[3]
        text = f"{_full_year(year)}-{int(month):02}-{int(day):02}"
    elif match := pattern("NAMED").search(words):
        numbers = re.findall(r"\d+", match[3])
        if not numbers:
            return ""
        month = SHORT_MONTHS.index(match[2][:3].lower()) + 1
        if len(numbers) > 1 and len(numbers[0]) == 4:  # `August 2024 on 18th`
            numbers.reverse()
        day = match[1] or (numbers[0] if len(numbers) > 1 else None)
        text = f"{_full_year(numbers[-1])}-{month:02}" + (f"-{int(day):02}" if day else "")
    else:
        match = re.search(expanded("{YEAR}"), words)
        text = match.group() if match else ""
    return text if is_iso_date(text) else ""


def _full_year(digits: str) -> str:
    return digits if len(digits) == 4 else f"{'20' if int(digits) <= 30 else '19'}{digits}"


_REPORTED: Final = 4.0
"""How much speaks against a day after that of the report."""


def date_of_occurrence(
    text: str, weigh: Callable[[Sequence[Span]], Sequence[float]] | None = None
) -> str:
    """Return the date on which what the case is about happened, as `read_date` gives it, or "".

    The words around each date speak for it (`incident`, `recovery`) or against it (`FIR`, `born`), the
    nearer the more; one that nothing speaks against counts where it is the first. Where these put no
    date far ahead, `weigh` adds for each the logarithm of the odds that it is the one. Of equal dates
    the first is taken, and the date of the FIR is the last resort.
    """
    dates = [(span, read_date(text[span.start : span.end])) for span in find_dates(text)]
    dates = [(span, stated) for span, stated in dates if len(stated) > len("2024")]
    spans, days = [span for span, _ in dates], [stated for _, stated in dates]
    fir = pattern("FIR")
    reports = [day for at, day in dates if fir.search(text, max(0, at.start - _REACH), at.start)]
    scores, first = list[float](), True
    for n, span in enumerate(spans):
        left = spans[n - 1].end if n else 0
        right = spans[n + 1].start if n + 1 < len(spans) else len(text)
        speaking, against = _speaking_for(text, span, left, right)
        if not against and first:
            speaking, first = max(speaking, _FIRST), False
        report = min(reports, default=days[n])
        if against and days[n][: len(report)] > report[: len(days[n])]:  # what is reported has been
            against += _REPORTED
        scores.append(speaking - against)
    best = max(scores, default=0.0)
    rivals = [s for s, day in zip(scores, days, strict=True) if day != days[scores.index(best)]]
    if weigh and rivals and best - max(rivals) < _FAR:
        added = [s / _PER_ODDS + more for s, more in zip(scores, weigh(spans), strict=True)]
        scores = added if max(added) > 0 else scores
    if max(scores, default=0.0) > 0:
        return days[scores.index(max(scores))]
    return next(iter(reports), "")


def _speaking_for(text: str, span: Span, left: int, right: int) -> tuple[float, float]:
    """Return how much the words between two other dates speak for this one, and against it."""
    last = right - span.end > _REACH
    left, right = max(left, span.start - _REACH), min(right, span.end + _REACH)
    left = max((m.end() for m in pattern("STOP").finditer(text, left, span.start)), default=left)
    stop = (pattern("STOP") if last else pattern("COMMA")).search(text, span.end, right)
    right = stop.start() if stop else right
    speaking = against = 0.0
    for weight, words in _cues():
        for match in words.finditer(text, left, right):
            gap = max(span.start - match.end(), (match.start() - span.end) * 1.2, 0)
            if weight > 0:
                speaking = max(speaking, weight - gap / 12)
            else:
                against = max(against, -weight - gap / 4)
    return speaking, against


@cache
def _cues() -> tuple[tuple[float, re.Pattern[str]], ...]:
    """Return what stands beside a date and how much it speaks for the day; below 0, against it."""
    rows = read_table("text/date_cues", dict)
    return tuple((row["weight"], re.compile(rf"(?i)\b(?:{row['words']})")) for row in rows)
