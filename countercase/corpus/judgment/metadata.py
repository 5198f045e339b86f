"""What a judgment says of itself: court, date, docket, bench, provisions and outcome.

What the corpus states of a judgment wins over what is read from its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from countercase.corpus.documents import JSON, Document
from countercase.corpus.judgment import header
from countercase.corpus.judgment.patterns import patterns_of, rows_of
from countercase.corpus.judgment.treatment import Treatment, treatments_in
from countercase.facts.vocabulary import OUTCOMES
from countercase.law.citations import provisions_in
from countercase.text.patterns import Pattern

_pattern = patterns_of("outcome")
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

    Args:
        date: of the decision, ISO 8601 (`1973-09-26`), or empty.
        year: of the decision, or None; may be known where the date is not.
        bench: the judges named, without titles of office, in the order of the text.
        provisions: normal forms (`IPC-302`), in the order of first mention.
        outcome: one of `countercase.facts.vocabulary.OUTCOMES`, or empty.
        areas: areas of law as the corpus states them, each as `area_name` writes it; never read
            from the text.
        treatment: what later decisions and statutes did to it, as the corpus states it.
        points: the facts on which it turned, as the corpus states them.
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

    Stated fields are read under their own names (`title`, `court`, `date`, `year`, `docket`,
    `bench`, `provisions`, `outcome`, `area`, `treatment`, `points`); lists may be given
    as one string parted by semicolons. A stated value that cannot be read as what it should be, such
    as a date in no known form, is passed over.
    """
    given, text = document.metadata, document.text
    date = header.iso_date(_text(given, "date")) or header.decision_date(text)
    year = _year(given.get("year")) or (int(date[:4]) if date else None)
    return Metadata(
        title=_text(given, "title") or document.title or header.title_of(text),
        court=_text(given, "court") or header.court_of(text),
        date=date,
        year=year,
        docket=_text(given, "docket") or header.docket_of(text),
        bench=_bench(given) or header.bench_of(text),
        provisions=_items(given, "provisions")
        if "provisions" in given
        else provisions_in(text, year),
        outcome=_outcome(_text(given, "outcome")) or outcome_in(text),
        areas=tuple(dict.fromkeys(map(area_name, _items(given, "area")))),
        treatment=treatments_in(given.get("treatment")),
        points=points_in(given.get("points")),
    )


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


def _bench(given: Mapping[str, JSON]) -> tuple[str, ...]:
    names: list[str] = []
    for item in _items(given, "bench"):
        names += header.judge_names(item) or (item,)
    return tuple(dict.fromkeys(names))


def _year(value: JSON) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 1000 <= value <= 9999:
        return value
    return None


def _outcome(words: str) -> str:
    lowered = words.lower()
    return lowered if lowered in OUTCOMES else outcome_in(words)


@cache
def _endings(of: str) -> tuple[tuple[str, Pattern], ...]:
    """Return what becomes of the appeal, or of any matter: outcomes and patterns of their sentences,
    of which the first that matches decides; the rows of that name, in their order."""
    names = [name for name in rows_of("outcome") if name.startswith(f"{of}_")]
    outcome = {name: name.removeprefix(f"{of}_").split("_BY_")[0] for name in names}
    return tuple((outcome[name].lower().replace("_", " "), _pattern(name)) for name in names)


def outcome_in(text: str) -> str:
    """Return one of `countercase.facts.vocabulary.OUTCOMES`, or "" where the closing words name none.

    An editor's closing line (`Appeal allowed.`) decides, else the last sentence that names the
    matter and what becomes of it. What is allowed only in part, or with a lesser conviction
    or sentence, is `partly allowed`; what is allowed and sent back to be decided again is
    `remanded`.
    """
    tail = _pattern("NUMBER").sub(r"\1", text[-_TAIL:])
    outcome = _last_outcome(tail)
    if outcome in ("allowed", "disposed of") and _pattern("PARTLY").search(tail):
        return "partly allowed"
    if outcome == "allowed":
        if _pattern("SENT_BACK").search(tail[-_END:]) and not _pattern("NOT_REMAND").search(tail):
            return "remanded"
        if _pattern("LESSENED").search(tail):
            return "partly allowed"
    return outcome or ("disposed of" if _pattern("ACCORDINGLY").search(tail) else "")


def _last_outcome(tail: str) -> str:
    """Return the outcome in the editor's line, else in the last sentence on an appeal, else on any matter.

    An appeal that is allowed may well dismiss the suit or application that began the case.
    """
    sentences = [part for part in _pattern("SENTENCE_END").compiled.split(tail) if part.strip()]
    editors_line = sentences[-1:] if sentences and len(sentences[-1]) <= _EDITOR else []
    last_first = sentences[::-1]
    tried = ((editors_line, "MATTER"), (last_first, "APPEAL"), (last_first, "MATTER"))
    outcomes = (_outcome_of(sentence, _endings(of)) for listed, of in tried for sentence in listed)
    return next(filter(None, outcomes), "")


def _outcome_of(sentence: str, patterns: tuple[tuple[str, Pattern], ...]) -> str:
    if _pattern("PARTLY").search(sentence):
        return "partly allowed"
    return next((outcome for outcome, pattern in patterns if pattern.search(sentence)), "")
