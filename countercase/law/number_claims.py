"""Which Act a section number belongs to where nobody says: by its fame and the matter's subject.

Lawyers write `498A`, `138 case` or `sec 52A` and leave the Act to be understood. A row of the
table gives one Act the numbers that its practitioners cite, and the words of a matter under it:
52 is a section of the NDPS Act beside `heroin`, of the Transfer of Property Act beside `lease`.
A row without words is of numbers that are famous in every matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Final

from countercase.io import read_table
from countercase.law.acts import ActMention
from countercase.law.provision_ids import read_number

_NEAR: Final = 80
_PART: Final = re.compile(r"p(?:ar)?t\b", re.IGNORECASE)
_OPENING: Final = 6_000
"""How much of a long text tells its subject."""
_PER_WORD: Final = 3_000
"""Characters of text for which a subject needs one more of its words, so that it is the subject."""


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
    form = read_number("IPC", raw)
    if form is None:
        return ()
    return tuple(name.removeprefix("IPC-") for name in (form.id, *form.wider()))


class Claims:
    """The claims of the Acts on the numbers of one text."""

    def __init__(self, text: str, mentions: Sequence[ActMention]) -> None:
        self._text = text
        self._opening = text[:_OPENING]
        self._active: dict[str, bool] = {}
        times = Counter(mention.code for mention in mentions)
        self._named = {code for code in times if times[code] > len(text) // _PER_WORD}

    def code(self, raws: Sequence[str], start: int, end: int, famous: bool = False) -> str | None:
        """The Act with the best claim on a list of numbers; None where none has one.

        Args:
            raws: the numbers as written.
            start, end: where the list lies.
            famous: whether plain numbers may go by their fame alone (`302`), as those without a
                mark do; lettered ones and sub-sections always may.
        """
        scores: dict[str, tuple[int, int, int]] = {}
        for raw in raws:
            for code, (near, exact) in self._strengths(raw, start, end, famous).items():
                before = scores.get(code, (0, 0, 0))
                scores[code] = (before[0] + 1, before[1] + near, before[2] + exact)
        if not famous:
            scores.pop("CONST", None)  # its divisions are Articles
        return max(scores, key=lambda code: scores[code], default=None)

    @staticmethod
    def sole(raws: Sequence[str]) -> str | None:
        """The one Act that by itself is famous for some of the numbers: the Penal Code for 302."""
        rows = [{r.code for r in _by_number().get(raw, ()) if not r.words} for raw in raws]
        codes = {code for row in rows if len(row) == 1 for code in row}
        return codes.pop() if len(codes) == 1 else None

    def _strengths(
        self, raw: str, start: int, end: int, famous: bool
    ) -> dict[str, tuple[int, int]]:
        """For each Act that claims `raw`: how near its words stand, and how exactly it matches."""
        strengths: dict[str, tuple[int, int]] = {}
        for exact, name in enumerate(reversed(_names(raw))):
            for row in _by_number().get(name, ()):
                near = self._nearness(row, start, end)
                if near or (near == 0 and (famous or not name.isdecimal() or _PART.search(raw))):
                    strengths[row.code] = max(strengths.get(row.code, (0, 0)), (near, exact))
        return strengths

    def _nearness(self, row: NumberClaim, start: int, end: int) -> int | None:
        """How near the matter is: 0 for fame alone, more for its words and its Act; None without."""
        named = row.code in self._named
        if not row.words:
            return int(named)
        words = _pattern(row.words)
        if words.search(self._text, max(0, start - _NEAR), end + _NEAR):
            return 2 + named
        return None if row.near else 1 + named if named or self._is_about(row) else None

    def _is_about(self, row: NumberClaim) -> bool:
        if row.words not in self._active:
            needed = 1 + len(self._opening) // _PER_WORD
            several = islice(_pattern(row.words).finditer(self._opening), needed)
            self._active[row.words] = sum(1 for _ in several) == needed
        return self._active[row.words]

    @staticmethod
    def knows(digits: str) -> bool:
        """Whether any Act claims a number that begins with these digits."""
        return digits in _bases()


@cache
def _bases() -> frozenset[str]:
    return frozenset(re.sub(r"\D.*", "", number) for number in _by_number())
