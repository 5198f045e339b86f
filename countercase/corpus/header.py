"""The header of a judgment: parties, court, date, docket and bench, as reporters print them.

Two layouts are read: that of the law reports on the web (title line, court line, date line,
docket, `The Judgment was delivered by : ...`), and that of the citation line with its date in
parentheses, the bench in capitals and `CITATION:`. What a header does not say stays empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

HEAD: Final = 3000
"""Characters from the start in which a header is looked for."""
TAIL: Final = 600
"""Characters at the end in which signatures and the date are looked for."""

_MONTHS: Final = (
    "january february march april may june july august september october november december"
).split()  # fmt: skip
_MONTH: Final = "(?P<month>" + "|".join(_MONTHS) + r")\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>1[89]\d\d|20\d\d)"
_DATE_FORMS: Final = (
    rf"{_DAY}\s+(?:of\s+|day\s+of\s+)?{_MONTH}\s*,?\s+{_YEAR}",
    rf"{_MONTH}\s+{_DAY}\s*,?\s*{_YEAR}",
    rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)",
    rf"{_DAY}\s?[./-]\s?(?P<month>\d{{1,2}})\s?[./-]\s?{_YEAR}(?!\d)",
)
_DATES: Final = tuple(re.compile(form, re.IGNORECASE) for form in _DATE_FORMS)
_DATE_PLACES: Final = (
    r"^[ \t(\[]*(?:dated?|decided on|date of (?:judgment|decision))?\s*[:-]?\s*(?:the\s+)?{}[ \t.)\]]*$",
    r"(?:date of (?:judgment|decision)|decided on|pronounced on)\s*[:-]?\s*(?:the\s+)?{}",
    r"^[^\n]{{0,250}}\({}\)[ \t]*$",
)
_SIGNED_DATE: Final = r"(?:new delhi\W{{0,6}}{0}|{0}\W{{0,6}}new delhi)"

_DELIVERED: Final = re.compile(
    r"\b(?:judge?ments?|orders?)\s+(?:of the court\s+)?(?:was|were|wag)\s+(?:made|delivered)\s+by\s*[:-]*\s*"
    r"(?P<names>[^\n]{3,160})",
    re.IGNORECASE,
)
_BODY: Final = re.compile(
    r"^\W*(?:\(non-reportable\))?\W*(?:the )?(?:judge?ment|order)s?\b.{0,40}(?:delivered|was|is|follows)"
    r"|^\W*(?:j ?u ?d ?g ?e? ?m ?e ?n ?t|o ?r ?d ?e ?r)\W*$|^\s*\d{1,2}\W*\.\s|^\W*leave granted"
    r"|^(?:this|these|the|in|by|heard|we|a)\b",
    re.IGNORECASE | re.MULTILINE,
)
_JUDGE_LINE: Final = re.compile(
    r"^(?:[^\n]*\bjudge?ment\W+)?(?P<names>[A-Z][A-Za-z. ]{2,40}?),?\s+(?:C\.?\s*)?J\.?J?\.?\s*[:.-]*$",
    re.MULTILINE,
)
_REPORTED: Final = re.compile(r"^(?P<names>(?:[^\n]*\n){1,6}?)CITATION:", re.MULTILINE)
_SIGNATURE: Final = re.compile(r"\.{4,}[\s|]*(?:C\.?)?J?[.\s]*[\[(]\s*([A-Z][A-Za-z. ]{3,40}?)\s*[\])]")
_JUDGE_END: Final = re.compile(r"\s*,?\s*\b(?:C\.?\s*J\.?\s*I?\.?|J\.?\s*J?\.?)(?=[\s,:&.-]|$)[\s,:&.-]*(?:and\s+)?|\s+(?:and|&)\s+|;")
_OFFICE: Final = re.compile(r"^(?:(?:the|hon'?ble|mr|mrs|ms|dr|shri|smt|justice|per|chief)\.?\s+)+", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-Z][A-Za-z.'-]*(?: [A-Za-z.'-]+){0,5}")

_COURT: Final = re.compile(
    r"^\W*(?:in the\s+)?(?P<court>(?:hon'?ble\s+)?supreme court of india|high court of [a-z ,&]{3,60}?"
    r"|[a-z &]{3,40} high court)(?=\W*$|\s+(?:civil|criminal|original|appellate|extraordinary)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_REPORTER: Final = re.compile(r"\bINSC\b|\bAIR \d{4} SC\b|\bS\.?C\.?[CR]\b|\bSCALE\b")
_PARTIES: Final = re.compile(r"^(?P<title>[^\n]{2,150}?\s(?:v|vs|versus)\.?\s[^\n]{2,150})$", re.IGNORECASE | re.MULTILINE)
_CAUSE: Final = re.compile(
    r"(?:\d{4}|[\])])\s+(?P<first>[A-Z][^\n]{2,120}?)[\s.\\,-]*(?:appellant|petitioner)s?(?:\(s\))?[\s.]*"
    r"(?:versus|vs?\.?)\s+(?P<second>[A-Z][^\n]{2,120}?)[\s.\\,-]*respondent",
    re.IGNORECASE,
)
_DOCKET: Final = re.compile(
    r"(?:appeals?|petitions?|references?|cases?|suits?|applications?|[CW]\.? ?[AP]s?\.?|CAs?|Cr\.? ?A|S\.? ?L\.? ?P)"
    r"[^\n]{0,40}?\d",
    re.IGNORECASE,
)
_JURISDICTION: Final = re.compile(r"^(?:(?:civil|criminal|original|appellate|advisory|extraordinary)\s+)*jurisdiction\s*[:.-]*\s*", re.IGNORECASE)
_DOCKET_ENDS: Final = re.compile(
    r"[\s.,;(]+(?:\(?appeals? (?:by|from|under)|\(?from the|petitions? under|under art|u/art|on appeal)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Header:
    """What the header says; empty where it says nothing. `date` is ISO 8601."""

    title: str = ""
    court: str = ""
    date: str = ""
    docket: str = ""
    bench: tuple[str, ...] = ()


def read_header(text: str) -> Header:
    """The header of a judgment, and what its closing signatures add."""
    head = text[:HEAD]
    return Header(_title(head), _court(head), _date(text), _docket(head), _bench(text))


def iso_date(text: str) -> str:
    """The first date in `text` as ISO 8601, or "": `8th May 1952`, `May 8, 1952`, `8.5.1952`."""
    found = [match for form in _DATES if (match := form.search(text))]
    for match in sorted(found, key=lambda match: match.start()):
        month = match["month"].lower()
        number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
        try:
            return date(int(match["year"]), number, int(match["day"])).isoformat()
        except ValueError:
            continue
    return ""


def judge_names(text: str) -> tuple[str, ...]:
    """Names in `A. Alagiriswami, J. and K. K. Mathew, J.`, without titles of office."""
    names = []
    for part in _JUDGE_END.split(text):
        name = " ".join(re.sub(r"\.(?=[A-Za-z])", ". ", _OFFICE.sub("", part.strip(" ,.:;-|"))).split())
        if len(name) > 2 and _NAME.fullmatch(name):
            names.append(_plain_case(name))
    return tuple(dict.fromkeys(names))


def _plain_case(name: str) -> str:
    """`P. N. BHAGWATI` as `P. N. Bhagwati`; other spellings stay as they are."""
    return re.sub(r"\b[A-Z]{3,}\b", lambda match: match[0].capitalize(), name)


def _title(head: str) -> str:
    first = head.lstrip().split("\n", 1)[0].strip()
    if _PARTIES.fullmatch(first):
        return first
    cause = _CAUSE.search(" ".join(head.split())[:HEAD])
    if cause is None:
        return ""
    return f"{cause['first'].strip(' .')} v. {cause['second'].strip(' .')}"


def _court(head: str) -> str:
    match = _COURT.search(head)
    if match is not None:
        words = re.sub(r"(?i)^hon'?ble\s+", "", " ".join(match["court"].split()))
        small = ("of", "at", "and", "for")
        return " ".join(w if w.lower() in small else w.capitalize() for w in words.split())
    first = head.split("\n", 1)[0]
    return "Supreme Court of India" if _REPORTER.search(first) and "CITATION:" in head else ""


def _date(text: str) -> str:
    head = text[:HEAD]
    for place in _DATE_PLACES:
        found = []
        for form in _DATE_FORMS:
            match = re.search(place.format(form), head, re.IGNORECASE | re.MULTILINE)
            if match and (day := iso_date(match[0])):
                found.append((match.start(), day))
        if found:
            return min(found)[1]
    for form in _DATE_FORMS[:2]:
        match = re.search(_SIGNED_DATE.split("|")[0][3:].format(form), text[-TAIL:], re.IGNORECASE)
        if match and (day := iso_date(match[0])):
            return day
    return ""


def _docket(head: str) -> str:
    return ""


def _bench(text: str) -> tuple[str, ...]:
    return ()
