"""What the layout of a text says of its words: which role words stand before and behind them.

A convolution sees a few words on either side; in the head of a judgment the word that makes a name
a petitioner's stands lines away. So every token carries, as attributes that the network embeds,
the nearest role word before it and behind it, which side of `versus` it is on, and its place in
its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

_MARK: Final = re.compile(
    r"""
      (?P<f>\b(?:for|by)\s+(?:the\s+)?(?:\w+\s+)?
          (?:petitioner|appellant|plaintiff|applicant|complainant|claimant|respondent|defendant
          |accused|opposite\s+part|opponent|revisionist|state\b|assessee|revenue)\w*)
    | (?P<p>\b(?:petitioner|appellant|plaintiff|applicant|complainant|claimant|revisionist)\w*)
    | (?P<r>\b(?:respondent|defendant|opposite\s+part|opponent|caveator)\w*
          |\bo\.p\.(?=\s*no)|\bnon-?\s?applicant\w*)
    | (?P<a>\baccused\b|\bA-?\d{1,2}\b)
    | (?P<v>(?<![\w.])(?:versus|v/s|vs?)\b\.?)
    | (?P<l>\b(?:advocates?|adv|advs|counsel|solicitor|pleader|prosecutor|amicus|standing|attorney)\b)
    | (?P<j>\b(?:justice|coram|judges?|magistrate|presiding|bench|hon'?ble|honourable|jj?)\b(?!')
          |\b(?:before|present)\s*:)
    | (?P<c>\b(?:court|tribunal|commission|forum)\b)
    | (?P<w>\b[pdc]\.?\s?w\.?s?\.?\s?-?\s?\d+|\b(?:witness(?:es)?|depos\w+|eye-?\s?witness(?:es)?)\b)
    | (?P<s>\b(?:act|code|rules|regulations?|section|sections|article|u/s)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SIDES: Final = "prv"
_NUMBERED: Final = re.compile(r"[\s(\[]*\d{1,3}\s*[.)\]]")
_DIGIT: Final = re.compile(r"\d")
_SPACE: Final = re.compile(r"[^\n]+")


class Layout(NamedTuple):
    """The layout words of a token: the mark before it, the mark behind it, side and line."""

    before: str
    behind: str
    place: str


def layout_of(text: str, starts: Sequence[int]) -> list[Layout]:
    """The layout words of the tokens of `text` that start at `starts`, in order."""
    marks = [(m.start(), m.end(), m.lastgroup or "") for m in _MARK.finditer(text)]
    heads = [mark[0] for mark in marks]
    sides = [mark for mark in marks if mark[2] in _SIDES]
    side_heads = [mark[0] for mark in sides]
    versus = [mark[0] for mark in marks if mark[2] == "v"]
    layouts = []
    for start in starts:
        at = bisect_right(heads, start)
        inside = at > 0 and marks[at - 1][1] > start
        last = at - 2 if inside else at - 1
        before, behind = "-", "-"
        if last >= 0:
            before = marks[last][2] + _distance(start - marks[last][1])
        if at < len(marks):
            behind = marks[at][2] + _distance(marks[at][0] - start)
        next_side = bisect_right(side_heads, start)
        side = sides[next_side][2] if next_side < len(sides) else "-"
        passed = sides[next_side - 1][2] if next_side > 0 else "-"
        half = "-" if not versus else "l" if start < versus[0] else "r"
        kind = marks[at - 1][2] if inside else "-"
        layouts.append(Layout(before, behind, f"{kind}{passed}{side}{half}{_in_line(text, start)}"))
    return layouts


def norm_of(word: str) -> str:
    """The word in lower case, its digits alike; white space as its line breaks, at most two."""
    if word.isspace():
        return _SPACE.sub("", word)[:2] or " "
    return _DIGIT.sub("0", word.lower())


def _distance(characters: int) -> str:
    for name, limit in (("0", 3), ("1", 15), ("2", 60), ("3", 250)):
        if characters <= limit:
            return name
    return "4"


def _in_line(text: str, start: int) -> str:
    """Where in its line a token is: first, first after a number, later; `-` without lines."""
    line = text.rfind("\n", 0, start)
    if line < 0 and text.find("\n", start) < 0:
        return "-"
    before = text[line + 1 : start]
    if not before.strip():
        return "f"
    if len(before) < 30 and _NUMBERED.fullmatch(before.rstrip()):
        return "n"
    return "x"
