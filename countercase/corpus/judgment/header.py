"""The header of a judgment: the name of the case, court, docket number, date and judges.

Two layouts are known: a title line, a court line, the date and the docket; and the running
header of a certified copy (`IN THE SUPREME COURT OF INDIA ... CIVIL APPEAL NO. ... Versus ...`).
What a header does not say stays empty.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from countercase.corpus.documents import HEAD, TAIL
from countercase.corpus.judgment.patterns import patterns_of
from countercase.text.dates import SHORT_MONTHS

_PLACES: Final = ("DATE_LINE", "DATE_AFTER_CITATIONS", "DATE_AFTER_LABEL")
_SIGNED: Final = ("DATE_AFTER_PLACE", "DATE_BEFORE_PLACE", "DATE_AT_END")

_pattern = patterns_of("header")


def iso_date(text: str) -> str:
    """Return the first date in `text` as ISO 8601, or "": `8th May 1952`, `May 8, 1952`, `8.5.1952`."""
    for match in _pattern("DATE").finditer(text):
        if day := _iso(match):
            return day
    return ""


def decision_date(text: str) -> str:
    """Return the date that the header of a judgment gives, else that beside the signatures, else "".

    A date counts only where such a date stands: on a line of its own, in parentheses after the
    citations, after words like `decided on`, or at the end with the place.
    """
    for places, part in ((_PLACES, text[:HEAD]), (_SIGNED, text[-TAIL:])):
        for place in places:
            match = _pattern(place).search(part)
            if match is not None and (day := _iso(match)):
                return day
    return ""


def _iso(match: re.Match[str]) -> str:
    parts = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    month = parts["m"].lower()
    number = int(month) if month.isdigit() else 1 + SHORT_MONTHS.index(month[:3])
    try:
        return date(int(parts["y"]), number, int(re.sub(r"\D", "", parts["d"]))).isoformat()
    except ValueError:
        return ""


_DOCKET_LIMIT: Final = 600
"""Most characters of a docket that is kept: some judgments decide hundreds of appeals."""
_SMALL: Final = ("of", "at", "and", "for")


def title_of(text: str) -> str:
    """Return the name of the case: a first line with `v` or `In re`, else from a running header."""
    first = text.lstrip().split("\n", 1)[0].strip()
    if (
        len(first) <= 300
        and _pattern("PARTIES").fullmatch(first)
        and not _pattern("CAUSE").search(first)
    ):
        return first
    cause = _pattern("CAUSE").search(" ".join(text[:HEAD].split()))
    if cause is None:
        return ""
    return f"{cause['first'].strip(' .')} v. {cause['second'].strip(' .')}"


def court_of(text: str) -> str:
    """Return the court named in the header, else the one whose law reports are cited there."""
    head = text[:HEAD]
    match = _pattern("COURT").search(head)
    if match is not None:
        words = match["court"].split()
        return " ".join(w.lower() if w.lower() in _SMALL else w.capitalize() for w in words)
    first = head.split("\n", 1)[0]
    if "CITATION:" in head and _pattern("SUPREME_COURT_REPORTS").search(first):
        return "Supreme Court of India"
    return ""


def docket_of(text: str) -> str:
    """Return the docket number or numbers, without the jurisdiction and the order appealed from.

    After a line with the date it is the line or lines that follow; elsewhere only what is plainly
    a number (`Civil Appeal No. 12 of 1990`), at the start of a line or after `jurisdiction`.
    """
    lines = text[:HEAD].split("\n")
    dated = False
    for start, line in enumerate(lines[:12]):
        if _pattern("PARTIES").fullmatch(line.strip()):
            continue
        if _pattern("BODY_LINE").match(line):
            break
        plain = _pattern("JURISDICTION").sub("", line.strip())
        if dated and _pattern("NUMBER").search(plain):
            return _whole_docket(plain, lines[start + 1 :])
        if numbered := _pattern("NUMBERED").match(plain):
            return numbered[0]
        dated = bool(iso_date(line)) and len(line) < 40
    running = _pattern("RUNNING").search(" ".join(text[:HEAD].split()))
    return running[1] if running else ""


def _whole_docket(docket: str, following: list[str]) -> str:
    """Return the docket with the lines it runs on to, up to where the judgment begins."""
    for line in following:
        if not line.strip() or _pattern("BODY_LINE").match(line) or len(docket) > _DOCKET_LIMIT:
            break
        docket = f"{docket} {line.strip()}"
    docket = _pattern("ORIGIN").sub("", " ".join(docket.split()))
    if len(docket) > _DOCKET_LIMIT:
        docket = docket[:_DOCKET_LIMIT].rsplit(" ", 1)[0]
    return docket.strip(" .,;:")


def bench_of(text: str) -> tuple[str, ...]:
    """Return the names of the judges, without titles of office, in the order of the text.

    A report's own list of the bench is taken first, then the signatures, then the author of the
    judgment; () where none of them is there.
    """
    head = text[:HEAD]
    if reported := _pattern("REPORTED").search(head):
        return reported_names(reported["names"])
    signed = [match["name"] for match in _pattern("SIGNATURE").finditer(text[-TAIL:])]
    if signed:
        return judge_names("; ".join(signed))
    for place in ("DELIVERED", "AUTHOR_LINE"):
        author = _pattern(place).search(head)
        if author and (names := judge_names(author["names"])):
            return names
    return ()


def judge_names(text: str) -> tuple[str, ...]:
    """Names in a line such as `A. Alagiriswami, J. and K. K. Mathew, J.`."""
    return _names(_pattern("BETWEEN").compiled.split(text))


def reported_names(lines: str) -> tuple[str, ...]:
    """Names in a law report's list, surname first: `MITTER, G.K. SIKRI, S.M. (CJ)`."""
    parts: list[str] = []
    for part in re.split(r"\n|\((?:CJ|J)\)", _pattern("LEADING_DATE").sub("", lines)):
        for item in _pattern("INITIALS_END").compiled.split(part.strip()):
            many = item.count(",") > 1
            parts += re.split(r"(?<=\S) (?=[A-Z]{2,},)", item) if many else [item]
    turned = []
    for part in parts:
        surname, comma, given = part.partition(",")
        if not comma and (plain := _pattern("SURNAME_FIRST").fullmatch(part.strip())):
            surname, given = plain.groups()
        turned.append(f"{given.strip()} {surname.strip()}")
    return _names(turned)


def _names(parts: list[str]) -> tuple[str, ...]:
    names = []
    for part in parts:
        spaced = re.sub(r"\.(?=[A-Za-z])", ". ", part.strip(" ,.:;-|\t"))
        name = _pattern("OFFICE").sub("", " ".join(spaced.split()))
        if len(name) > 2 and _pattern("JUDGE_NAME").fullmatch(name):
            names.append(re.sub(r"\b[A-Z]{3,}\b", lambda word: word[0].capitalize(), name))
    return tuple(dict.fromkeys(names))
