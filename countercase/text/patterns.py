"""Patterns of the tables, compiled when a text holds what one of them needs.

Hundreds of patterns are tried on every text and few match. `data/needed_words.jsonl` gives words
that each text holds that a pattern matches; another text is passed over without compiling it.
The table is written by `tools/needed_words.py`; a pattern that it does not know is always tried.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from countercase.io import read_table
from countercase.text.units import WRITTEN_QUANTITIES

EDGE: Final = "|"
"""Stands where a word begins or ends, in needed words and in a text that is looked through."""
Needed: TypeAlias = tuple[tuple["str | Needed", ...], ...]
"""Groups of words: a text must hold a member of each, of a member that is groups all of them."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A regular expression that is compiled for the first text that it may match."""

    words: str
    flags: int = 0

    @cached_property
    def key(self) -> str:
        """A short name that depends on the expression and its flags alone."""
        return hashlib.sha256(f"{self.flags:d}\x1f{self.words}".encode()).hexdigest()[:12]

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression as `re` compiles it."""
        return re.compile(self.words, self.flags)

    @cached_property
    def _needed(self) -> Sequence[Any]:
        line = _needed_words().get(self.key)
        return json.loads(line)["words"] if line else ()

    def may_match(self, text: str) -> bool:
        """Return False where the text lacks words that a match needs."""
        return not self._needed or _has_each(self._needed, _lowered(text))

    def search(self, text: str, at: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match between two places, as `re.Pattern.search` does."""
        return self.compiled.search(text, at, end) if self.may_match(text) else None

    def match(self, text: str, at: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match that begins at a place, as `re.Pattern.match` does."""
        return self.compiled.match(text, at, end) if self.may_match(text) else None

    def fullmatch(self, text: str, at: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match of all between two places, as `re.Pattern.fullmatch` does."""
        return self.compiled.fullmatch(text, at, end) if self.may_match(text) else None

    def finditer(self, text: str, at: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Return the matches between two places, as `re.Pattern.finditer` does."""
        return self.compiled.finditer(text, at, end) if self.may_match(text) else iter(())

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with every match replaced, as `re.Pattern.sub` does."""
        return self.compiled.sub(new, text) if self.may_match(text) else text


def find_alternatives(
    patterns: Sequence[Pattern], text: str, at: int = 0
) -> Iterator[re.Match[str]]:
    """Yield the matches of the patterns as one alternation of them would, from a place on.

    Only those that the text may match are compiled, which one pattern of them all cannot do.
    """
    possible = [each for each in patterns if each.may_match(text)]
    while found := [match for it in possible if (match := it.compiled.search(text, at))]:
        yield (first := min(found, key=re.Match.start))
        at = first.end() + (first.end() == first.start())


TABLES: Final = ("text/patterns", "law/patterns", "fact_types/patterns")
"""The tables of named patterns; no two have a name in common."""
_WORD_EDGE: Final = re.compile(r"\b")
_NAME: Final = re.compile(r"\{([A-Z][A-Z_]+)\}")


@dataclass(frozen=True)
class NamedPattern:
    """A pattern that code asks for by name, or that stands in others as `{NAME}`."""

    name: str
    pattern: str
    note: str = ""
    # what it finds, where it is one of several that are tried in the order of the table: `age`,
    # `amount`, `duration`, or a unit of what is counted
    finds: str = ""
    number_last: bool = False  # whether the number follows what it counts (`incised wounds 3`)


@cache
def _parts() -> dict[str, str]:
    units = "|".join(f"(?P<u{n}>{w.pattern})" for n, w in enumerate(WRITTEN_QUANTITIES))
    rows = (row for table in TABLES for row in read_table(table, NamedPattern))
    return {"QUANTITY_UNIT": units} | {row.name: row.pattern for row in rows}


@cache
def expanded(words: str) -> str:
    """Return a pattern of a table with the patterns that it names (`{VIOLENCE}`) put in."""
    while _NAME.search(words):
        words = _NAME.sub(lambda match: _parts()[match[1]], words)
    return words


@cache
def pattern(name: str) -> Pattern:
    """Return the pattern of this name."""
    return Pattern(expanded(f"{{{name}}}"))


@cache
def finders(*kinds: str) -> tuple[NamedPattern, ...]:
    """Return the patterns that find numbers of some kinds, in the order in which they are tried."""
    rows = (row for table in TABLES for row in read_table(table, NamedPattern))
    return tuple(row for row in rows if row.finds in kinds)


@cache
def of_words(words: str) -> Pattern:
    """Return a pattern of another table, with those that it names put in; it ignores case."""
    return Pattern(expanded(words), re.IGNORECASE)


def has_company(text: str, has: str, lacks: str) -> bool:
    """Return whether a text matches one pattern and not another, "" standing for no condition."""
    wanted = not has or of_words(has).search(text) is not None
    return wanted and not (lacks and of_words(lacks).search(text))


@cache
def _needed_words() -> dict[str, str]:
    """Return the lines of the table by their keys, which stand first; few of them are needed."""
    lines = (files(__package__) / "data" / "needed_words.jsonl").read_text("utf-8").splitlines()
    return {line.split('"', 4)[3]: line for line in lines}


def _has_each(groups: Sequence[Any], lowered: str) -> bool:
    for group in groups:  # loops are twice as fast as `all` and `any`
        for word in group:
            if word in lowered if isinstance(word, str) else _has_each(word, lowered):
                break
        else:
            return False
    return True


@lru_cache(maxsize=64)
def _lowered(text: str) -> str:
    """Return the text in lower case, with one space for any space and edges; see `EDGE`."""
    return _WORD_EDGE.sub(EDGE, f" {' '.join(text.lower().split())} ")
