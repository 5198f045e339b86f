"""The Act that a shortened name stands for: `Regn Act`, `El. Act`, `Prev. of Corr. Act`, `SR Act`.

Every word of the short name must begin the matching word of the full one, leave letters out of it,
or miss it by one letter; or the name is the initials of the full one. `Indian`, small words and
what stands in brackets may be left out. A short name that fits several Acts stands for none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from countercase.text.words import is_one_slip

_SMALL: Final = frozenset({"of", "and", "the", "for", "to", "in", "on", "from", "with", "by"})
_LEFT_OUT: Final = _SMALL | {"indian", "amd", "amdt", "amended"}
_BRACKETS: Final = re.compile(r"\([^)]*\)")
_LETTERS_ONLY: Final = re.compile(r"[A-Z]{4,} Act")
_WORD: Final = re.compile(r"[a-z]+")
_LETTERS: Final = 3
"""Letters that a word without a point needs to stand for a whole name (`Reg Act`)."""
_SLIP: Final = 6
"""Letters that a word must have for one wrong letter to be forgiven."""


@cache
def _by_initials(
    names: tuple[str, ...], brackets: bool
) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """For the initials of the words of each name: those words, and the name."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name in (name for name in names if not _LETTERS_ONLY.fullmatch(name)):
        plain = (name if brackets else _BRACKETS.sub(" ", name)).lower().replace("'", "")
        words = tuple(word for word in _WORD.findall(plain) if word not in _LEFT_OUT)
        table.setdefault("".join(word[0] for word in words), []).append((words, name))
    return table


def full_names(words: Sequence[str], names: Iterable[str], pointed: bool) -> list[str]:
    """The names that a short one may stand for.

    Args:
        words: the short name in lower case, with `act` or `code` at its end.
        names: full names, as the table of Acts writes them.
        pointed: whether the short name ends with a point (`El. Act`), which lets it be of two
            letters.
    """
    short = [word for word in words if word not in _LEFT_OUT]
    if len(short) < 2 or len(words[0]) < 2 or words[0] in _SMALL:
        return []
    tables = (_by_initials(tuple(names), brackets) for brackets in (True, False))
    return next(filter(None, (_fitting(short, table, pointed) for table in tables)), [])


def _fitting(
    short: Sequence[str], table: Mapping[str, Sequence[tuple[tuple[str, ...], str]]], pointed: bool
) -> list[str]:
    if len(short) == 2:
        if initials := table.get(short[0] + short[1][0], ()) if len(short[0]) > 1 else ():
            spelled = [row for row in initials if min(map(len, row[0])) >= _LETTERS]
            return [name for full, name in spelled if full[-1] == short[1]]
        if len(short[0]) < _LETTERS and not pointed:
            return []
    rows = table.get("".join(word[0] for word in short), ())
    return [name for full, name in rows if all(map(_stands_for, short, full))]


def _stands_for(short: str, full: str) -> bool:
    if full.startswith(short):
        return len(short) > 1 or short == full
    rest = iter(full)
    if len(short) >= _LETTERS and all(letter in rest for letter in short):
        return True
    return len(short) >= _SLIP and is_one_slip(short, full)


def any_of(names: Iterable[str]) -> str:
    """A pattern for short names, the longest first, with or without points and spaces in them."""
    return "|".join(_spaced(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _spaced(name: str) -> str:
    if not name.isascii():
        return r"[.०॰]?\s?".join(map(re.escape, name.split())) + r"(?:(?<=[ंािी])[.०॰])?"
    if name.isupper():
        return r"\.?\s?".join(map(re.escape, name)) + r"(?:\.(?!\s[A-Z]))?"
    return re.escape(name).replace(r"\ ", r"\s").replace(r"\&", "(?:&|and)")


def letters_of(name: str) -> str:
    """The letters of a short name, the same for each of its writings (`SC/ST`, `SC ST`)."""
    return re.sub(r"[\W०॰]|and", "", name)
