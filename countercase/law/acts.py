"""The Acts that Indian judgments cite, and where a text names one.

A code (`IPC`, `NDPS`, `MVA39`) names one Act. The table lists those that the Supreme Court names most.

The same words may name Acts of two years (`Motor Vehicles Act` of 1939 and of 1988); the year behind
the name, else the Act of that name last cited, else the year of the decision tells them apart. An Act
that is not in the table is recognised, but has no code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from countercase.io import read_table
from countercase.text.patterns import expanded, pattern
from countercase.text.sentences import bounded_runs
from countercase.text.spans import Span

WRITTEN_CODES: Final = frozenset(
    {"IPC", "CrPC", "CPC", "IEA", "CONST", "BNS", "BNSS", "BSA"}
    | {"NIA", "NDPS", "POCSO", "MVA", "PCA", "DPA", "LAA", "IDA"}
)
"""Codes that lawyers write before a number (`IPC 302`); the rest are only read in normal form."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z']*|&")
_WINDOW: Final = 130

_JOINS: Final = frozenset({"of", "and", "the", "for", "to", "in", "on", "from", "with", "&"})


@dataclass(frozen=True)
class Act:
    """One Act."""

    code: str  # what a normal form begins with
    name: str  # the short title, without the year
    year: int  # the year in the short title
    short: str  # how lawyers write it after a section number (`IPC`, `NDPS Act`)
    aliases: tuple[str, ...] = ()  # other names, in words or cut short (`Regn Act`)
    abbreviations: tuple[str, ...] = ()  # letters that stand for the Act by themselves
    unit: str = "section"  # what its divisions are called: `section`, `article` or `rule`
    # no section number of the Act is above this (an upper bound and not a count), or None where
    # that is not known. It keeps `302` from being read as a section of the Arms Act.
    bound: int | None = None
    beside: tuple[str, ...] = ()  # names only where a number stands beside (`138 NI`)
    hindi: tuple[str, ...] = ()  # names in Devanagari, syllables of an abbreviation apart by spaces
    # the Articles of the Act's Schedule go up to this; those above `bound` are cited in normal form
    # too (`LIM-54`)
    schedule: int | None = None

    @property
    def title(self) -> str:
        """The name as a sentence cites it: with the year, but for the Codes in force of late."""
        dated = self.name.endswith((" Act", " Rules")) or self.code[-1].isdecimal()
        return f"{self.name}, {self.year}" if dated else self.name


@cache
def acts() -> dict[str, Act]:
    """All Acts of the table by code, in table order."""
    return {entry.code: entry for entry in read_table("law/acts", Act)}


def act(code: str) -> Act | None:
    """The Act with this code, or None."""
    return acts().get(code)


def name_words(name: str) -> str:
    """A name reduced to what two writings of it share: lower case, one space, no points.

    Single letters are joined, so that `N.D.P.S. Act` and `NDPS Act` are the same.
    """
    parts, words = _WORD.findall(name.replace("'", "")), list[str]()
    for are_letters, run in groupby(parts, lambda part: len(part) == 1 and part.isupper()):
        plain = ["and" if part == "&" else part.lower() for part in run]
        words += ["".join(plain)] if are_letters else plain
    return " ".join(words)


@cache
def act_names() -> dict[str, tuple[str, ...]]:
    """Every name in words (`name_words`) with the codes that it may stand for, in table order."""
    names: dict[str, dict[str, None]] = {}
    for entry in acts().values():
        for name in (entry.name, *entry.aliases):
            names.setdefault(name_words(name), {})[entry.code] = None
    return {name: tuple(codes) for name, codes in names.items()}


@cache
def namesakes(code: str) -> tuple[str, ...]:
    """The other Acts that go by a name of this one (the two Motor Vehicles Acts)."""
    sharing = [codes for codes in act_names().values() if code in codes]
    return tuple(dict.fromkeys(other for codes in sharing for other in codes if other != code))


@cache
def abbreviation_codes() -> dict[str, str]:
    """Every abbreviation, in lower-case letters, with the code that it stands for."""
    return {short.lower(): entry.code for entry in acts().values() for short in entry.abbreviations}


def _any_of(names: Iterable[str]) -> str:
    """A pattern for short names, the longest first, with or without points and spaces in them."""
    return "|".join(_spaced(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _spaced(name: str) -> str:
    if not name.isascii():
        return r"[.०॰]?\s?".join(map(re.escape, name.split())) + r"(?:(?<=[ंािी])[.०॰])?"
    if name.isupper():
        return r"\.?\s?".join(map(re.escape, name)) + r"(?:\.(?!\s[A-Z]))?"
    return re.escape(name).replace(r"\ ", r"\s").replace(r"\&", "(?:&|and)")


def _letters_of(name: str) -> str:
    """The letters of a short name, the same for each of its writings (`SC/ST`, `SC ST`)."""
    return re.sub(r"[\W०॰]|and", "", name)


@cache
def _mention_pattern() -> re.Pattern[str]:
    """Every abbreviation, with or without points, and the words that end a name."""
    by_length = sorted(abbreviation_codes(), key=lambda short: (-len(short), short))
    names = {
        "short": "|".join("".join(f"[{a.upper()}{a}]" for a in short) for short in by_length),
        "beside": _any_of(name for entry in acts().values() for name in entry.beside),
        "hindi": _any_of(name for entry in acts().values() for name in entry.hindi),
    }
    return re.compile(re.sub(r"(?<!P)<(\w+)>", lambda it: names[it[1]], expanded("{ACT_MENTION}")))


@cache
def _short_names() -> dict[str, str]:
    table = acts().values()
    return {_letters_of(name): it.code for it in table for name in (*it.beside, *it.hindi)}


@dataclass(frozen=True)
class ActMention:
    """Words of a text that name an Act."""

    span: Span  # the name with its year
    code: str | None  # the Act's code; None for an Act that is not in the table
    # the name in lower case, words apart by one space; `act` or `code` alone is a reference back to
    # an Act named before
    words: str

    @property
    def bare(self) -> bool:
        """Whether the words only point back (`the said Act`, `the Code`)."""
        return self.words in ("act", "code", "ordinance", "rules", "regulation", "regulations")


def find_acts(text: str, year: int | None = None) -> list[ActMention]:
    """Return every mention of an Act in `text`, in order.

    Of two Acts of one name the `year` of the decision, where it is known, excludes one made later.
    """
    reader = _Reader(bounded_runs(text), year)
    for match in _mention_pattern().finditer(reader.text):
        names = (" Act", " (P) Act", " Rules")
        in_full = match["short"] and reader.text.startswith(names, match.end())
        if match.start() >= reader.end and not in_full:
            reader.mentions.append(reader.read(match))
    return reader.mentions


class _Reader:
    """The Acts that a text names, read from its beginning to its end."""

    def __init__(self, text: str, decided: int | None) -> None:
        self.text, self._decided = text, decided
        self.mentions: list[ActMention] = []
        self._latest: dict[str, str] = {}

    @property
    def end(self) -> int:
        return self.mentions[-1].span.end if self.mentions else 0

    def read(self, match: re.Match[str]) -> ActMention:
        """Return the mention whose last words are `match`."""
        if name := match["after"] or match["ahead"] or match["hindi"]:
            span = Span(match.end() - len(name), match.end())
            letters = _letters_of(name)
            return ActMention(span, _short_names()[letters], letters.lower())
        written = pattern("ACTS_YEAR").match(self.text, match.end())
        end = written.end() if written else match.end()
        year = int(written[1] or written[2]) if written else None
        if match["short"]:
            letters = re.sub(r"[^a-z]", "", match["short"].lower())
            code = abbreviation_codes()[letters]
            named = year and _choose(act_names()[name_words(acts()[code].name)], year, None, None)
            return ActMention(
                Span(match.start(), end if named else match.end()), named or code, letters
            )
        return self._of_year(match) or self._named(match, end, year)

    def _of_year(self, match: re.Match[str]) -> ActMention | None:
        """`the 1894 Act`: the Act of that year that was named before; of no known Act otherwise."""
        written = pattern("YEAR_FIRST").search(self.text, max(0, match.start() - 7), match.start())
        word = match.group().lower()
        if written is None or word not in ("act", "code"):
            return None
        named = [code for m in self.mentions if m.code for code in (*namesakes(m.code), m.code)]
        codes = [code for code in named if acts()[code].year == int(written[1])]
        span = Span(written.start(1), match.end())
        return ActMention(span, codes[-1] if codes else None, f"{written[1]} {word}")

    def _named(self, match: re.Match[str], end: int, year: int | None) -> ActMention:
        """The mention that ends with `match`: the longest known name, or the capitalised run."""
        text, last = self.text, match.start()
        before = list(_WORD.finditer(text, max(self.end, last - _WINDOW), last))
        for start in (*(word.start() for word in before), last):
            words = name_words(text[start : match.end()])
            other = start < last and pattern("OTHERS").search(self.text, max(0, start - 20), start)
            if words in act_names() and not other:
                return self._resolved(words, Span(start, end), year)
        start = _name_start(text, before, last)
        return ActMention(Span(start, end), None, name_words(text[start : match.end()]))

    def _resolved(self, words: str, span: Span, year: int | None) -> ActMention:
        codes = act_names()[words]
        code = _choose(codes, year, self._latest.get(codes[0]), self._decided)
        if code is not None:
            self._latest |= dict.fromkeys(codes, code)
        return ActMention(span, code, words)


def _choose(
    codes: tuple[str, ...], named: int | None, last: str | None, decided: int | None
) -> str | None:
    """Return which Act of a name is meant; None for a year that none of them has.

    A written year decides (a year more or less is let pass: Acts are cited by the year of the
    title and of the assent); then the Act of that name last cited; then the newest Act there
    was when the case was decided; then the first in the table.
    """
    table = acts()
    if named is not None:
        close = [code for code in codes if abs(table[code].year - named) <= 1]
        return next(iter([code for code in close if table[code].year == named] or close), None)
    if last in codes:
        return last
    if decided is not None:
        there = [code for code in codes if table[code].year <= decided]
        return max(there, key=lambda code: table[code].year, default=codes[0])
    return codes[0]


def _name_start(text: str, before: list[re.Match[str]], end: int) -> int:
    """Where the run of capitalised words that ends at `end` begins."""
    start = at = end
    for word in reversed(before):
        if re.fullmatch(r"[\s,().&'-]*", text[word.end() : at]) is None:
            break
        if pattern("IN_NUMBER").search(text, max(0, word.start() - 2), word.start()):
            break
        if word.group()[0].isupper():
            start = word.start()
        elif start == end or word.group() not in _JOINS:
            break
        at = word.start()
    return start
