"""Another figure, written as the first one was.

`Rs. 5.5 lakh` times ten is `Rs. 55 lakh`, `Rs 5,00,000/-` is `Rs 50,00,000/-`, `seventeen years`
becomes `nineteen years`. Reading is left to `countercase.facts.figures`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from countercase.facts.figures import NUMBER, format_number, read_number

_ONES: Final = (  # noqa: SIM905
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_SCALES: Final = (
    ("crore", 10_000_000),
    ("lakh", 100_000),
    ("thousand", 1_000),
    ("hundred", 100),
)

_FIGURE: Final = re.compile(rf"(?<![\w.])(?<!\d,){NUMBER}|(?<=\.)(?<!\d\.){NUMBER}", re.IGNORECASE)
_DIGITS: Final = re.compile(
    r"(\d[\d,]*)(\.\d+)?(?:(\s*)(lakhs?|lacs?|crores?|thousand))?", re.IGNORECASE
)


@dataclass(frozen=True)
class Figure:
    """A figure at `mention[start:end]`, with its words."""

    start: int
    end: int
    text: str


def find_figure(mention: str, value: float) -> Figure | None:
    """The first figure of `mention` that is worth `value`; None where there is none."""
    for match in _FIGURE.finditer(mention):
        worth = read_number(match.group())
        if worth is not None and math.isclose(float(worth), value, rel_tol=1e-9, abs_tol=1e-9):
            return Figure(match.start(), match.end(), match.group())
    return None


def write_like(figure: Figure, value: float) -> str:
    """`value` in the manner of `figure`: digits stay digits, words stay words where they can."""
    digits = _DIGITS.fullmatch(figure.text)
    if digits is None:
        words = None if figure.text[0].isdigit() else in_words(value)
        if words is None:
            return format_number(value)
        return words.capitalize() if figure.text[0].isupper() else words
    whole, decimals, gap, scale = digits.groups()
    if scale is not None:
        return _scaled(value, gap, scale)
    if "," not in whole and len(whole) > 3 and value >= 1000:
        text = f"{value:.15g}"
    else:
        text = format_number(value)
    return (
        f"{text}{decimals}" if decimals and not decimals.strip(".0") and "." not in text else text
    )


def in_words(value: float) -> str | None:
    """A whole number, or one and a half, in Indian English; None for any other.

    >>> in_words(240000)
    'two lakh forty thousand'
    """
    if not 0 <= value < 1e9 or value % 0.5:
        return None
    whole = int(value)
    if value == whole:
        return _whole(whole)
    return f"{_whole(whole)} and a half" if whole else "half"


def _whole(number: int) -> str:
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]
    name, size = next((name, size) for name, size in _SCALES if number >= size)
    count, rest = divmod(number, size)
    joint = " and " if size == 100 else " "
    return f"{_whole(count)} {name}" + (joint + _whole(rest) if rest else "")


def _scaled(value: float, gap: str, scale: str) -> str:
    """With `thousand`, `lakh` or `crore`; a neighbouring one where that reads better."""
    stem = scale.lower().rstrip("s").replace("lac", "lakh")
    named = dict(_SCALES)
    if not 1 <= value / named[stem] < 100:
        stem = next((name for name, size in _SCALES[:3] if 1 <= value / size < 100), "")
    if not stem:
        return format_number(value)
    number = round(value / named[stem], 9)
    word = "lac" if stem == "lakh" and scale.lower().startswith("lac") else stem
    plural = "s" if scale.endswith("s") and word != "thousand" and number != 1 else ""
    return f"{format_number(number)}{gap}{word}{plural}"
