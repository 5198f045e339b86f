"""Figures as Indian legal English writes them, and how to write them back.

`5,00,000`, `3, 44, 697.18`, `2 1/2`, `five lakh`, `two and a half`, `twenty-five thousand`: the
grammar here reads the figure alone. What it is a figure of is for the recognisers of amounts,
ages, durations and quantities to say.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

_ONES: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS: Final = {word: Decimal(n) for n, word in enumerate(_ONES)} | {
    word: Decimal(10 * n) for n, word in enumerate(_TENS, start=2)
}
_SCALES: Final = {
    "thousand": Decimal(1_000),
    "lakh": Decimal(100_000),
    "lac": Decimal(100_000),
    "million": Decimal(1_000_000),
    "crore": Decimal(10_000_000),
    "cr": Decimal(10_000_000),
    "billion": Decimal(1_000_000_000),
}
_VULGAR: Final = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}

SCALE: Final = r"(?:hundred|thousand|lakhs?|lacs?|crores?|million|billion)"
"""Pattern of the words that multiply, Indian and Western."""

_WORD: Final = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_DIGITS: Final = (
    r"(?:\d{1,2}(?:,\s?\d{2})*,\s\d{3}(?!\d)(?:\.\d+)?|\d{3},\s000(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?[½¼¾]|\s+\d/\d\b)?|[½¼¾]"
)
_TERM: Final = rf"(?:{_DIGITS}|{_WORD}(?:[\s-]+{_WORD})?\b)"
_SCALED: Final = rf"{_TERM}(?:[\s-]*{SCALE}\b)*"
_HALF: Final = r"(?:\s+and\s+(?:a\s+)?half\b)"
NUMBER: Final = (
    rf"(?:{_TERM}{_HALF}(?:\s+{SCALE}\b)?"
    rf"|{_SCALED}(?:(?:\s+and\s+|[\s,-]+)(?:{_TERM})(?:\s*{SCALE}\b)+)*"
    rf"(?:(?<=hundred)\s+and\s+{_WORD}(?:[\s-]{_WORD})?\b|(?<=hundred)\s+{_WORD}\b"
    rf"|(?<=thousand)\s+(?:and\s+)?{_WORD}(?:[\s-]{_WORD})?\b)?)"
)
"""Pattern of a figure in digits or words (use with `re.IGNORECASE`)."""

_TOKEN: Final = re.compile(r"\d+/\d+|\d+(?:,\s?\d{2,3})*(?:\.\d+)?|[½¼¾]|[a-z]+", re.IGNORECASE)


def read_number(text: str) -> Decimal | None:
    """The figure that `text` states, or None where it states none.

    >>> read_number("five lakh fifty thousand")
    Decimal('550000')
    """
    total = current = Decimal(0)
    seen = False
    for token in _TOKEN.findall(text.lower()):
        if token in {"and", "a", "an"}:
            continue
        value = _term(token)
        if value is not None:
            current += value
        elif token == "hundred":
            current = (current or Decimal(1)) * 100
        elif (scale := _SCALES.get(token) or _SCALES.get(token.rstrip("s"))) is not None:
            total += (current or Decimal(1)) * scale
            current = Decimal(0)
        else:
            return None
        seen = True
    return total + current if seen else None


def _term(token: str) -> Decimal | None:
    if token in _WORDS:
        return _WORDS[token]
    if token in _VULGAR:
        return _VULGAR[token]
    if token == "half":
        return Decimal("0.5")
    if "/" in token:
        top, bottom = token.split("/")
        return Decimal(top) / Decimal(bottom) if int(bottom) else None
    if token[0].isdigit():
        return Decimal(re.sub(r"[,\s]", "", token))
    return None


def format_number(value: float) -> str:
    """`value` with Indian grouping and no needless decimals: `5,00,000`, `1.25`, `0.5`.

    >>> format_number(1234567.5)
    '12,34,567.5'
    """
    whole, _, fraction = f"{abs(Decimal(repr(value))):f}".partition(".")
    head, tail = whole[:-3], whole[-3:]
    groups = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
    grouped = ",".join([*groups, tail])
    fraction = fraction.rstrip("0")
    return ("-" if value < 0 else "") + grouped + (f".{fraction}" if fraction else "")


def format_amount(value: float) -> str:
    """Rupees as a pleading writes them: `Rs. 5,00,000`, `Rs. 1,250.50`."""
    text = format_number(value)
    return f"Rs. {text}0" if re.search(r"\.\d$", text) else f"Rs. {text}"


def format_lakh(value: float) -> str:
    """Rupees in lakh or crore where they make at least one: `Rs. 5.5 lakh`, `Rs. 2 crore`.

    Smaller amounts come as `format_amount` writes them.
    """
    for name, size in (("crore", Decimal(10_000_000)), ("lakh", Decimal(100_000))):
        if abs(value) >= size:
            return f"Rs. {(Decimal(repr(value)) / size).normalize():f} {name}"
    return format_amount(value)
