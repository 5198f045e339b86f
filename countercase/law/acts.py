"""The Acts that Indian judgments cite: their codes, names, years and the ways they are written.

A code (`IPC`, `NDPS`, `MVA39`) names one Act. The table lists the Acts that the judgments of the
Supreme Court name most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table

WRITTEN_CODES: Final = frozenset(
    {"IPC", "CrPC", "CPC", "IEA", "CONST", "BNS", "BNSS", "BSA"}
    | {"NIA", "NDPS", "POCSO", "MVA", "PCA", "DPA", "LAA", "IDA"}
)
"""Codes that lawyers write before a number (`IPC 302`); the rest are only read in normal form."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z']*|&")


@dataclass(frozen=True)
class Act:
    """One Act.

    Args:
        code: what a normal form begins with.
        name: the short title, without the year.
        year: the year in the short title.
        short: how lawyers write it after a section number (`IPC`, `NDPS Act`).
        aliases: other names in use, in words.
        abbreviations: letters that stand for the Act by themselves.
        unit: what its divisions are called: `section`, `article` or `rule`.
        bound: no section number of the Act is above this (an upper bound and not a count), or
            None where that is not known. It keeps `302` from being read as a section of the
            Arms Act.
    """

    code: str
    name: str
    year: int
    short: str
    aliases: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    unit: str = "section"
    bound: int | None = None

    @property
    def title(self) -> str:
        """The name as a sentence cites it: with the year, but for the Codes in force of late."""
        dated = self.name.endswith((" Act", " Rules")) or self.code[-1].isdigit()
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
    words: list[str] = []
    letters = ""
    for word in _WORD.findall(name.replace("'", "")):
        if len(word) == 1 and word.isupper():
            letters += word.lower()
            continue
        if letters:
            words.append(letters)
            letters = ""
        words.append("and" if word == "&" else word.lower())
    return " ".join([*words, letters] if letters else words)


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
    return {
        abbreviation.lower(): entry.code
        for entry in acts().values()
        for abbreviation in entry.abbreviations
    }


@cache
def abbreviation_pattern() -> str:
    """A regular expression (no groups) for every abbreviation, with or without points."""
    by_length = sorted(abbreviation_codes(), key=lambda a: (-len(a), a))
    plain = "|".join(_any_case(word) for word in by_length)
    dotted = (
        r"[Ii]\.\s?[Pp]\.\s?[Cc]\b\.?"
        r"|[Cc][Rr]\.\s?[Pp]\.?\s?[Cc]\b\.?|CrP\.C\b\.?|Cr PC"
        r"|[Cc]\.\s?[Pp]\.\s?[Cc]\b\.?"
        r"|B\.\s?N\.\s?S\.\s?S\b\.?|B\.\s?N\.\s?S\b\.?|B\.\s?S\.\s?A\b\.?"
    )
    return rf"(?:(?<![A-Za-z.])(?:{dotted}|(?:{plain})(?![A-Za-z])))"


def _any_case(word: str) -> str:
    return "".join(f"[{letter.upper()}{letter}]" for letter in word)
