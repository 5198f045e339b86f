"""Which Act a section number belongs to where nobody says: by its fame and the matter's subject.

Lawyers write `498A`, `138 case` or `sec 52A` and leave the Act to be understood. A row of the
table gives one Act the numbers that its practitioners cite, and the words of a matter under it:
52 is a section of the NDPS Act beside `heroin`, of the Transfer of Property Act beside `lease`.
A row without words is of numbers that are famous in every matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table
from countercase.law.provision_ids import read_number

_NEAR: Final = 80
_OPENING: Final = 20_000
"""How much of a long text tells its subject."""


@dataclass(frozen=True)
class NumberClaim:
    """The numbers that an Act claims in matters of its subject.

    Args:
        code: the Act.
        numbers: sections, or sub-sections where only they are meant (`3(5)`).
        words: a pattern for words of such a matter; empty for numbers that need none.
        near: whether those words must stand close to the number.
    """

    code: str
    numbers: tuple[str, ...]
    words: str = ""
    near: bool = False


@cache
def _by_number() -> dict[str, tuple[NumberClaim, ...]]:
    rows: dict[str, list[NumberClaim]] = {}
    for row in read_table("law/number_claims", NumberClaim):
        for number in row.numbers:
            rows.setdefault(number, []).append(row)
    return {number: tuple(claims) for number, claims in rows.items()}


@cache
def claimants() -> frozenset[str]:
    """The Acts that claim any number."""
    return frozenset(row.code for row in read_table("law/number_claims", NumberClaim))


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:{words})", re.IGNORECASE)


def _names(raw: str) -> tuple[str, ...]:
    """`34(2)(b)` under each of its names in the table, the most exact first."""
    form = read_number("", raw)
    if form is None:
        return ()
    return tuple(name.removeprefix("-") for name in (form.id, *form.wider()))


class Claims:
    """The claims of the Acts on the numbers of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._opening = text[:_OPENING]
        self._active: dict[str, bool] = {}

    def code(self, raws: Sequence[str], start: int, end: int, famous: bool = False) -> str | None:
        """The Act with the best claim on a list of numbers; None where none has one.

        Args:
            raws: the numbers as written.
            start, end: where the list lies.
            famous: whether plain numbers may go by their fame alone (`302`); lettered ones and
                sub-sections always may.
        """
        scores: dict[str, tuple[int, int, int]] = {}
        for raw in raws:
            for code, strength in self._strengths(raw, start, end, famous).items():
                members, near, exact = scores.get(code, (0, 0, 0))
                scores[code] = (members + 1, near + strength[0], exact + strength[1])
        return max(scores, key=lambda code: scores[code], default=None)

    def _strengths(
        self, raw: str, start: int, end: int, famous: bool
    ) -> dict[str, tuple[int, int]]:
        """For each Act that claims `raw`: how near its words stand, and how exactly it matches."""
        names = _names(raw)
        strengths: dict[str, tuple[int, int]] = {}
        for exact, name in enumerate(reversed(names)):
            for row in _by_number().get(name, ()):
                if not row.words and not famous and name.isdigit():
                    continue
                if (near := self._nearness(row, start, end)) is not None:
                    strengths[row.code] = max(strengths.get(row.code, (0, 0)), (near, exact))
        return strengths

    def _nearness(self, row: NumberClaim, start: int, end: int) -> int | None:
        """2 where words of the matter are near, 1 in the text, 0 for fame alone; None without."""
        if not row.words:
            return 0
        words = _pattern(row.words)
        if words.search(self._text, max(0, start - _NEAR), end + _NEAR):
            return 2
        if row.near:
            return None
        if row.words not in self._active:
            self._active[row.words] = words.search(self._opening) is not None
        return 1 if self._active[row.words] else None
