"""What a judgment says of itself: court, date, docket, bench, provisions and outcome.

What the corpus states of a judgment wins over what is read from its text. Two layouts of its header are
known: a title line, a court line, the date and the docket; and the running header of a certified copy
(`IN THE SUPREME COURT OF INDIA ... CIVIL APPEAL NO. ... Versus ...`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from countercase.corpus.documents import HEAD, JSON, TAIL, Document
from countercase.corpus.judgment.patterns import patterns_of, rows_of
from countercase.corpus.judgment.treatment import Treatment, treatments_in
from countercase.facts.vocabulary import OUTCOMES
from countercase.law.citations import provisions_in
from countercase.text.dates import SHORT_MONTHS
from countercase.text.patterns import Pattern

_header, _closing = patterns_of("header"), patterns_of("outcome")
_TAIL: Final = 1500
"""Characters at the end in which a judgment says what it orders."""
_END: Final = 700
"""Characters at the end in which a matter is sent back to be decided again."""
_EDITOR: Final = 60
"""Most characters of a closing line that an editor added."""


class Point(NamedTuple):
    """A fact on which a decision turned: as it stood there, and as it would stand on the other side."""

    held: str
    otherwise: str


@dataclass(frozen=True)
class Metadata:
    """What is known of one judgment; an empty value means not known.

    The date of the decision is in ISO 8601, its year may be known alone; the bench are the judges
    named, without titles of office; provisions are normal forms (`IPC-302`) in the order of first
    mention; the outcome is one of `facts.vocabulary.OUTCOMES`. Areas of law (each as `area_name`
    writes it), later treatment and the facts on which it turned are as the corpus states them.
    """

    title: str = ""
    court: str = ""
    date: str = ""
    year: int | None = None
    docket: str = ""
    bench: tuple[str, ...] = ()
    provisions: tuple[str, ...] = ()
    outcome: str = ""
    areas: tuple[str, ...] = ()
    treatment: tuple[Treatment, ...] = ()
    points: tuple[Point, ...] = ()


def area_name(words: str) -> str:
    """Return an area of law in one way of writing.

    >>> area_name("Sexual  offences")
    'sexual_offences'
    """
    return "_".join(words.lower().replace("_", " ").replace("-", " ").split())


def read_metadata(document: Document) -> Metadata:
    """Return the metadata of a document: each field as its source states it, else as its text shows it.

    Stated fields are read under their own names (`area` for the areas); lists may be given as one
    string parted by semicolons. A stated value that cannot be read as what it should be, such as a
    date in no known form, is passed over.
    """
    given, text = document.metadata, document.text
    day = iso_date(_text(given, "date")) or decision_date(text)
    year = _year(given.get("year")) or (int(day[:4]) if day else None)
    cited = _items(given, "provisions") if "provisions" in given else provisions_in(text, year)
    stated = _text(given, "outcome")
    outcome = stated.lower() if stated.lower() in OUTCOMES else outcome_in(stated)
    judges = [judge_names(item) or (item,) for item in _items(given, "bench")]
    return Metadata(
        title=_text(given, "title") or document.title or title_of(text),
        court=_text(given, "court") or court_of(text),
        date=day,
        year=year,
        docket=_text(given, "docket") or docket_of(text),
        bench=tuple(dict.fromkeys(name for names in judges for name in names)) or bench_of(text),
        provisions=cited,
        outcome=outcome or outcome_in(text),
        areas=tuple(dict.fromkeys(map(area_name, _items(given, "area")))),
        treatment=treatments_in(given.get("treatment")),
        points=points_in(given.get("points")),
    )


def unread_fields(given: Mapping[str, JSON]) -> list[str]:
    """Return the stated fields among date, year and treatment of which nothing can be read."""
    day, year = iso_date(_text(given, "date")), _year(given.get("year"))
    read = {"date": day, "year": year, "treatment": treatments_in(given.get("treatment"))}
    return [name for name, value in read.items() if given.get(name) and not value]


def points_in(stated: object) -> tuple[Point, ...]:
    """Return the points that a source states, each as two texts; what is none is passed over."""
    return tuple(
        Point(*map(str.strip, pair))
        for pair in (stated if isinstance(stated, (list, tuple)) else ())
        if isinstance(pair, (list, tuple)) and len(pair) == 2
        if all(isinstance(text, str) and text.strip() for text in pair)
    )


def _text(given: Mapping[str, JSON], key: str) -> str:
    value = given.get(key)
    return value.strip() if isinstance(value, str) else ""


def _items(given: Mapping[str, JSON], key: str) -> tuple[str, ...]:
    value = given.get(key)
    parts = value.split(";") if isinstance(value, str) else value
    if not isinstance(parts, list):
        return ()
    named = [part.strip() for part in parts if isinstance(part, str)]
    return tuple(dict.fromkeys(part for part in named if part))


def _year(value: JSON) -> int | None:
    year = int(value) if isinstance(value, str) and value.strip().isdecimal() else value
    return year if type(year) is int and 1000 <= year <= 9999 else None


@cache
def _endings(of: str) -> tuple[tuple[str, Pattern], ...]:
    """Return what becomes of the appeal, or of any matter: outcomes and patterns of their sentences,
    of which the first that matches decides; the rows of that name, in their order."""
    names = [name for name in rows_of("outcome") if name.startswith(f"{of}_")]
    outcomes = [name.removeprefix(f"{of}_").split("_BY_")[0] for name in names]
    words = [outcome.lower().replace("_", " ") for outcome in outcomes]
    return tuple(zip(words, map(_closing, names), strict=True))


def outcome_in(text: str) -> str:
    """Return one of `countercase.facts.vocabulary.OUTCOMES`, or "" where the closing words name none.

    An editor's closing line (`Appeal allowed.`) decides, else the last sentence that names the
    matter and what becomes of it. What is allowed only in part, or with a lesser conviction
    or sentence, is `partly allowed`; what is allowed and sent back to be decided again is
    `remanded`.
    """
    tail = _closing("NUMBER").sub(r"\1", text[-_TAIL:])
    outcome = _last_outcome(tail)
    if outcome in ("allowed", "disposed of") and _closing("PARTLY").search(tail):
        return "partly allowed"
    if outcome == "allowed":
        if _closing("SENT_BACK").search(tail[-_END:]) and not _closing("NOT_REMAND").search(tail):
            return "remanded"
        if _closing("LESSENED").search(tail):
            return "partly allowed"
    return outcome or ("disposed of" if _closing("ACCORDINGLY").search(tail) else "")


def _last_outcome(tail: str) -> str:
    """Return the outcome in the editor's line, else in the last sentence on an appeal, else on any matter."""
    sentences = [part for part in _closing("SENTENCE_END").compiled.split(tail) if part.strip()]
    last_first = sentences[::-1]
    editors_line = [line for line in last_first[:1] if len(line) <= _EDITOR]
    for listed, of in ((editors_line, "MATTER"), (last_first, "APPEAL"), (last_first, "MATTER")):
        for sentence in listed:
            if _closing("PARTLY").search(sentence):
                return "partly allowed"
            for outcome, pattern in _endings(of):
                if pattern.search(sentence):
                    return outcome
    return ""


_PLACES: Final = ("DATE_LINE", "DATE_AFTER_CITATIONS", "DATE_AFTER_LABEL")
_SIGNED: Final = ("DATE_AFTER_PLACE", "DATE_BEFORE_PLACE", "DATE_AT_END")


def iso_date(text: str) -> str:
    """Return the first date in `text` as ISO 8601, or "": `8th May 1952`, `May 8, 1952`, `8.5.1952`."""
    for match in _header("DATE").finditer(text):
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
            match = _header(place).search(part)
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
    names_parties = len(first) <= 300 and _header("PARTIES").fullmatch(first)
    if names_parties and not _header("CAUSE").search(first):
        return first
    cause = _header("CAUSE").search(" ".join(text[:HEAD].split()))
    if cause is None:
        return ""
    return f"{cause['first'].strip(' .')} v. {cause['second'].strip(' .')}"


def court_of(text: str) -> str:
    """Return the court named in the header, else the one whose law reports are cited there."""
    head = text[:HEAD]
    match = _header("COURT").search(head)
    if match is not None:
        words = match["court"].split()
        return " ".join(w.lower() if w.lower() in _SMALL else w.capitalize() for w in words)
    first = head.split("\n", 1)[0]
    if "CITATION:" in head and _header("SUPREME_COURT_REPORTS").search(first):
        return "Supreme Court of India"
    return ""


def docket_of(text: str) -> str:
    """Return the docket number or numbers, without the jurisdiction and the order appealed from.

    After a line with the date it is the line or lines that follow; elsewhere only what is plainly
    a number (`Civil Appeal No. 12 of 1990`), at the start of a line or after `jurisdiction`.
    """
    lines, dated = text[:HEAD].split("\n"), False
    for start, line in enumerate(lines[:12]):
        if _header("PARTIES").fullmatch(line.strip()):
            continue
        if _header("BODY_LINE").match(line):
            break
        plain = _header("JURISDICTION").sub("", line.strip())
        if dated and _header("NUMBER").search(plain):
            return _whole_docket(plain, lines[start + 1 :])
        if numbered := _header("NUMBERED").match(plain):
            return numbered[0]
        dated = bool(iso_date(line)) and len(line) < 40
    running = _header("RUNNING").search(" ".join(text[:HEAD].split()))
    return running[1] if running else ""


def _whole_docket(docket: str, following: list[str]) -> str:
    """Return the docket with the lines it runs on to, up to where the judgment begins."""
    for line in following:
        if not line.strip() or _header("BODY_LINE").match(line) or len(docket) > _DOCKET_LIMIT:
            break
        docket = f"{docket} {line.strip()}"
    docket = _header("ORIGIN").sub("", " ".join(docket.split()))
    if len(docket) > _DOCKET_LIMIT:
        docket = docket[:_DOCKET_LIMIT].rsplit(" ", 1)[0]
    return docket.strip(" .,;:")


def bench_of(text: str) -> tuple[str, ...]:
    """Return the names of the judges, without titles of office, in the order of the text.

    A report's own list of the bench is taken first, then the signatures, then the author of the
    judgment; () where none of them is there.
    """
    head = text[:HEAD]
    if reported := _header("REPORTED").search(head):
        return reported_names(reported["names"])
    signed = [match["name"] for match in _header("SIGNATURE").finditer(text[-TAIL:])]
    if signed:
        return judge_names("; ".join(signed))
    for place in ("DELIVERED", "AUTHOR_LINE"):
        author = _header(place).search(head)
        if author and (names := judge_names(author["names"])):
            return names
    return ()


def judge_names(text: str) -> tuple[str, ...]:
    """Names in a line such as `A. Alagiriswami, J. and K. K. Mathew, J.`."""
    return _names(_header("BETWEEN").compiled.split(text))


def reported_names(lines: str) -> tuple[str, ...]:
    """Names in a law report's list, surname first: `MITTER, G.K. SIKRI, S.M. (CJ)`."""
    parts: list[str] = []
    for part in re.split(r"\n|\((?:CJ|J)\)", _header("LEADING_DATE").sub("", lines)):
        for item in _header("INITIALS_END").compiled.split(part.strip()):
            many = item.count(",") > 1
            parts += re.split(r"(?<=\S) (?=[A-Z]{2,},)", item) if many else [item]
    turned = []
    for part in parts:
        surname, comma, given = part.partition(",")
        if not comma and (plain := _header("SURNAME_FIRST").fullmatch(part.strip())):
            surname, given = plain.groups()
        turned.append(f"{given.strip()} {surname.strip()}")
    return _names(turned)


def _names(parts: list[str]) -> tuple[str, ...]:
    names = []
    for part in parts:
        spaced = re.sub(r"\.(?=[A-Za-z])", ". ", part.strip(" ,.:;-|\t"))
        name = _header("OFFICE").sub("", " ".join(spaced.split()))
        if len(name) > 2 and _header("JUDGE_NAME").fullmatch(name):
            names.append(re.sub(r"\b[A-Z]{3,}\b", lambda word: word[0].capitalize(), name))
    return tuple(dict.fromkeys(names))
