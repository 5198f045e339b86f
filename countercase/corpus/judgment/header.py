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


_DOCKET_LIMIT: Final = 600
"""Most characters of a docket that is kept: some judgments decide hundreds of appeals."""
_PARTIES: Final = re.compile(
    r".{1,150}?\s(?:v|vs|versus)\.?\s.{1,150}|(?:in )?re\b.{2,150}", re.IGNORECASE
)
_CAUSE: Final = re.compile(
    r"(?:\d{4}|[\])])\s+(?!of\b)(?P<first>[a-z][^()\[\]]{2,120}?)[\s.\\,-]*"
    r"(?:appellant|petitioner)s?(?:\(s\))?[\s.,\\-]*(?:versus|vs?\.?)\s+(?P<second>[a-z].{2,120}?)[\s.\\,-]*respondent",
    re.IGNORECASE,
)
_COURT: Final = re.compile(
    r"^\W*(?:judge?ment\W+)?(?:in the\s+)?(?:hon'?ble\s+)?"
    r"(?P<court>supreme court of india|high court of [a-z ,&]{3,60}?|[a-z &]{3,40} high court)"
    r"(?=\W*$|\s+(?:civil|criminal|original|appellate|extraordinary|ordinary)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_SUPREME_COURT_REPORTS: Final = re.compile(r"\bINSC\b|\bAIR \d{4} SC\b|\bSC[CR]\b|\bSCALE\b")
_KIND: Final = (
    r"(?:appeals?|petitions?|references?|cases?|suits?|applications?|revisions?"
    r"|[cw]\.\s?[ap]s?\b\.?|cr\.?\s?as?\b\.?|s\.?\s?l\.?\s?ps?\b\.?)"
)
_NUMBERED: Final = re.compile(
    r"(?:(?:civil|criminal|writ|special leave|transfer(?:red)?|review|contempt)\s+){0,2}"
    rf"{_KIND}[^\n]{{0,40}}?\d[^\n]{{0,40}}?\bof\s+\d{{4}}"
    r"(?:\s*[\[(]arising[^\n]{0,80}?\d{4}[\])])?",
    re.IGNORECASE,
)
_JURISDICTION: Final = re.compile(
    r"^(?:(?:civil|criminal|original|appellate|advisory|extraordinary|ordinary)[\s/]+)*"
    r"jurisdiction\s*[:.-]*\s*",
    re.IGNORECASE,
)
_ORIGIN: Final = re.compile(
    r"[\s.,;(]+(?:(?:arising as an )?appeals? (?:by|from|under)|from the|petitions? under|on appeal"
    r"|under art(?:icle)?s?|u/art|non-reportable)\b.*$"
    r"|\.\s+[A-Z].{0,300}?\bfor (?:the )?(?:appellant|petitioner|respondent)s?\b.*$"
    r"|[,;\s]+d(?:t|ated)\b\.?\s+[^,;()]{5,25}$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER: Final = re.compile(r"\bno(?:s|\(s\))?\b|\d\s*(?:of|/)\s*\d{2,4}\b", re.IGNORECASE)
_RUNNING: Final = re.compile(rf"jurisdiction\s+({_NUMBERED.pattern})", re.IGNORECASE)
_BODY_LINE: Final = re.compile(
    r"\W*(?:\(non-reportable\)\W*)?(?:the )?(?:judge?ment|order)s?\b|\W*\d{1,2}\\?[.)]\s"
    r"|\W*leave granted|(?:this|these|the|in|by|heard|we|an?)\s",
    re.IGNORECASE,
)
_SMALL: Final = ("of", "at", "and", "for")


def title_of(text: str) -> str:
    """The name of the case: a first line with `v` or `In re`, else from a running header."""
    first = text.lstrip().split("\n", 1)[0].strip()
    if len(first) <= 300 and _PARTIES.fullmatch(first) and not _CAUSE.search(first):
        return first
    cause = _CAUSE.search(" ".join(text[:HEAD].split()))
    if cause is None:
        return ""
    return f"{cause['first'].strip(' .')} v. {cause['second'].strip(' .')}"


def court_of(text: str) -> str:
    """The court named in the header, or told by the series of law reports that is cited there."""
    head = text[:HEAD]
    match = _COURT.search(head)
    if match is not None:
        words = match["court"].split()
        return " ".join(w.lower() if w.lower() in _SMALL else w.capitalize() for w in words)
    first = head.split("\n", 1)[0]
    if "CITATION:" in head and _SUPREME_COURT_REPORTS.search(first):
        return "Supreme Court of India"
    return ""


def docket_of(text: str) -> str:
    """The docket number or numbers, without the jurisdiction and the order appealed from.

    After a line with the date it is the line or lines that follow; elsewhere only what is plainly
    a number (`Civil Appeal No. 12 of 1990`), at the start of a line or after `jurisdiction`.
    """
    lines = text[:HEAD].split("\n")
    dated = False
    for start, line in enumerate(lines[:12]):
        if _PARTIES.fullmatch(line.strip()):
            continue
        if _BODY_LINE.match(line):
            break
        plain = _JURISDICTION.sub("", line.strip())
        if dated and _NUMBER.search(plain):
            return _whole_docket(plain, lines[start + 1 :])
        if numbered := _NUMBERED.match(plain):
            return numbered[0]
        dated = bool(iso_date(line)) and len(line) < 40
    running = _RUNNING.search(" ".join(text[:HEAD].split()))
    return running[1] if running else ""


def _whole_docket(docket: str, following: list[str]) -> str:
    """The docket with the lines it runs on to, up to where the judgment begins."""
    for line in following:
        if not line.strip() or _BODY_LINE.match(line) or len(docket) > _DOCKET_LIMIT:
            break
        docket = f"{docket} {line.strip()}"
    docket = _ORIGIN.sub("", " ".join(docket.split()))
    if len(docket) > _DOCKET_LIMIT:
        docket = docket[:_DOCKET_LIMIT].rsplit(" ", 1)[0]
    return docket.strip(" .,;:")


_J: Final = r"(?:C\.?\s?J\.?(?:\s?I\.?)?|J\.?\s?J\.?|J\.?)"
_DELIVERED: Final = re.compile(
    r"\b(?:judge?ments?|orders?)\s+(?:of the court\s+)?(?:was|were|wag)\s+(?:made|delivered)"
    r"\s+by\s*[:-]*\s*(?P<names>[^\n]{2,160})",
    re.IGNORECASE,
)
_AUTHOR_LINE: Final = re.compile(
    rf"^(?:[^\n]*\bJUDGE?MENT\W+)?(?P<names>[A-Z][A-Za-z. ]{{2,40}}?)\s*,\s*{_J}\s*[:.-]*\s*$",
    re.MULTILINE,
)
_REPORTED: Final = re.compile(r"\A[^\n]*\n(?P<names>(?:[^\n]*\n){1,8}?)CITATION:")
_SIGNATURE: Final = re.compile(
    r"\.{4,}[\s|.]*(?:C\.?)?J?[\s|.]*[\[(]\s*(?P<name>[A-Z][A-Za-z. ]{3,40}?)\s*[\])]"
)
_BETWEEN: Final = re.compile(
    rf"\s*,\s*{_J}(?=[\s,:;&.-]|$)[\s,:;&.-]*(?:and\b)?|\s+{_J}\s*$|\s+(?:and|&)\s+|;"
)
_OFFICE: Final = re.compile(
    r"^(?:(?:the|hon'?ble|mr|mrs|ms|dr|shri|smt|justice|chief|per|and)\b\.?\s*)+", re.IGNORECASE
)
_JUDGE_NAME: Final = re.compile(r"[A-Z][A-Za-z'-]*\.?(?: [A-Za-z'-]+\.?){0,5}")
_LEADING_DATE: Final = re.compile(r"^\d{2}/\d{2}/\d{4}\s+")
_INITIALS_END: Final = re.compile(r"(?<=[A-Z]\.) (?=[A-Z]{2,},)")
_SURNAME_FIRST: Final = re.compile(r"([A-Z]{3,})\s+((?:[A-Z]\.\s?)+)")


def bench_of(text: str) -> tuple[str, ...]:
    """Names of the judges, without titles of office, in the order of the text.

    A report's own list of the bench is taken first, then the signatures, then the author of the
    judgment; () where none of them is there.
    """
    head = text[:HEAD]
    if reported := _REPORTED.search(head):
        return reported_names(reported["names"])
    signed = [match["name"] for match in _SIGNATURE.finditer(text[-TAIL:])]
    if signed:
        return judge_names("; ".join(signed))
    for pattern in (_DELIVERED, _AUTHOR_LINE):
        author = pattern.search(head)
        if author and (names := judge_names(author["names"])):
            return names
    return ()


def judge_names(text: str) -> tuple[str, ...]:
    """Names in a line such as `A. Alagiriswami, J. and K. K. Mathew, J.`."""
    return _names(_BETWEEN.split(text))


def reported_names(lines: str) -> tuple[str, ...]:
    """Names in a law report's list, surname first: `MITTER, G.K. SIKRI, S.M. (CJ)`."""
    parts: list[str] = []
    for part in re.split(r"\n|\((?:CJ|J)\)", _LEADING_DATE.sub("", lines)):
        for item in _INITIALS_END.split(part.strip()):
            many = item.count(",") > 1
            parts += re.split(r"(?<=\S) (?=[A-Z]{2,},)", item) if many else [item]
    turned = []
    for part in parts:
        surname, comma, given = part.partition(",")
        if not comma and (plain := _SURNAME_FIRST.fullmatch(part.strip())):
            surname, given = plain.groups()
        turned.append(f"{given.strip()} {surname.strip()}")
    return _names(turned)


def _names(parts: list[str]) -> tuple[str, ...]:
    names = []
    for part in parts:
        spaced = re.sub(r"\.(?=[A-Za-z])", ". ", part.strip(" ,.:;-|\t"))
        name = _OFFICE.sub("", " ".join(spaced.split()))
        if len(name) > 2 and _JUDGE_NAME.fullmatch(name):
            names.append(re.sub(r"\b[A-Z]{3,}\b", lambda word: word[0].capitalize(), name))
    return tuple(dict.fromkeys(names))
