"""The date of a decision, where the judgment itself prints it."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from countercase.corpus.documents import HEAD, TAIL

_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH: Final = "|".join(name if name == "may" else f"{name}|{name[:3]}" for name in _MONTHS)
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:1[89]|20)\d\d"
_FORMS: Final = (
    rf"(?P<d1>{_DAY})\s+(?:day\s+)?(?:of\s+)?(?P<m1>{_MONTH})\.?\s*,?\s*(?P<y1>{_YEAR})",
    rf"(?P<m2>{_MONTH})\.?\s+(?P<d2>{_DAY})\s*,?\s*(?P<y2>{_YEAR})",
    r"(?P<y3>\d{4})-(?P<m3>\d\d)-(?P<d3>\d\d)",
    rf"(?P<d4>\d{{1,2}})\s?[./-]\s?(?P<m4>\d{{1,2}})\s?[./-]\s?(?P<y4>{_YEAR})",
)
_ANY: Final = rf"(?<![\w./-])(?:{'|'.join(_FORMS)})(?![\w/-])"
_LABEL: Final = r"(?:date of (?:the )?(?:judge?ment|decision)|(?:decided|pronounced|delivered) on)"
_DATE: Final = re.compile(_ANY, re.IGNORECASE)
_PLACES: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"^[ \t(\[]*(?:(?:{_LABEL}|dated?)\W{{0,4}})?(?:the\s+)?{_ANY}[ \t.)\]]*$",
        rf"\A[^\n]{{0,250}}\({_ANY}\)[ \t]*$",
        rf"\b{_LABEL}\W{{1,4}}(?:the\s+)?{_ANY}",
    )
)
"""On a line of its own; at the end of the first line, after the citations; after a label."""
_SIGNED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bnew delhi\W{{0,8}}{_ANY}",
        rf"{_ANY}\W{{0,8}}new delhi\b",
        rf"(?:\.{{4,}}|\bJ\.|[\])])[^\n]{{0,60}}\s{_ANY}\W*\Z",
    )
)


def iso_date(text: str) -> str:
    """The first date in `text` as ISO 8601, or "": `8th May 1952`, `May 8, 1952`, `8.5.1952`."""
    for match in _DATE.finditer(text):
        if day := _iso(match):
            return day
    return ""


def decision_date(text: str) -> str:
    """The date that the header of a judgment gives, else that beside the signatures, else "".

    A date counts only where such a date stands: on a line of its own, in parentheses after the
    citations, after words like `decided on`, or at the end with the place.
    """
    for patterns, part in ((_PLACES, text[:HEAD]), (_SIGNED, text[-TAIL:])):
        for pattern in patterns:
            match = pattern.search(part)
            if match is not None and (day := _iso(match)):
                return day
    return ""


def _iso(match: re.Match[str]) -> str:
    found = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    month = found["m"].lower()
    number = int(month) if month.isdigit() else 1 + [name[:3] for name in _MONTHS].index(month[:3])
    try:
        return date(int(found["y"]), number, int(re.sub(r"\D", "", found["d"]))).isoformat()
    except ValueError:
        return ""
