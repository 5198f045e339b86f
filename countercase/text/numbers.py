"""Read numbers as Indian legal English writes them, and write others in the same style.

`5,00,000`, `3, 44, 697.18`, `2 1/2`, `five lakh`, `two and a half`, `twenty-five thousand`: this is
the number alone; the recognisers of amounts, ages, durations and quantities say what it measures.
`Rs. 5.5 lakh` times ten is `Rs. 55 lakh`, `Rs 5,00,000/-` is `Rs 50,00,000/-`, `seventeen years`
becomes `nineteen years`.

num2words (`en_IN`) writes `two lakh, forty thousand` with a comma, reads nothing back and knows no
halves, so the number words are our own.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

_ONES: Final = (  # noqa: SIM905
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_WORDS: Final = {word: Decimal(n) for n, word in enumerate(_ONES)} | {
    word: Decimal(10 * n) for n, word in enumerate(_TENS, start=2)
}
_HINDI_ORDINALS: Final = {
    "teesr": 3,
    "tisr": 3,
    "chauth": 4,
    "panchv": 5,
    "paanchv": 5,
    "chhath": 6,
    "satv": 7,
    "saatv": 7,
    "aathv": 8,
}
_VALUES: Final = _WORDS | {
    word: Decimal(str(value))
    for word, value in (
        *(("half", "0.5"), ("½", "0.5"), ("¼", "0.25"), ("¾", "0.75")),
        *(("sava", "1.25"), ("dedh", "1.5"), ("dhai", "2.5"), ("adhai", "2.5")),
        *(("third", 3), ("fourth", 4), ("fifth", 5), ("sixth", 6), ("seventh", 7), ("eighth", 8)),
        *(("ninth", 9), ("tenth", 10)),
        *((stem + end, n) for stem, n in _HINDI_ORDINALS.items() for end in "ae"),
    )
}
_SIZES: Final = {"crore": 10_000_000, "lakh": 100_000, "thousand": 1_000}
"""The words that Indian English counts in, the largest first."""
_SHORT_SIZES: Final = {"k": 1_000, "l": 100_000, "lk": 100_000, "cr": 10_000_000}
"""Abbreviations that follow digits: `40k`, `3.6L`, `3 cr`."""
_OTHER_SIZES: Final = {
    "lac": 100_000,
    "million": 1_000_000,
    "billion": 10**9,
    "hazar": 1_000,
    "hazaar": 1_000,
    "हजार": 1_000,
    "लाख": 100_000,
    "करोड़": 10_000_000,
}
_SCALES: Final = _SIZES | _SHORT_SIZES | _OTHER_SIZES
SCALE: Final = (
    r"(?:hundred\b|thousand\b|haza+r\b|lakhs?\b|lacs?\b|crores?\b|million\b|billion\b"
    r"|लाख|हजार|करोड़|(?<=\d)l\b|(?<=\d\s)(?-i:L)\b(?!\s+of\b)|(?:(?<=\d)|(?<=\d\s))(?:k|lks?)\b"
    r"|(?:(?<=\d)|(?<=\d\s))crs?\b(?!\.?\s?(?:[palrm]\b|no\b|case\b|\d)))"
)
"""Pattern of the words that multiply, Indian and Western."""

_WORD: Final = (
    rf"(?:{'|'.join(sorted([*_WORDS, 'sava', 'dedh', 'a?dhai'], key=len, reverse=True))})"
)
_DIGITS: Final = (
    r"(?:\d{1,2}(?:,\s?\d{2}){0,6},\s\d{3}(?!\d)(?:\.\d+)?|\d{3},\s000(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?:,\d{2,3}){1,8}(?:\.\d{1,20})?|\d{1,20}(?:\.\d{1,20})?)(?:\s?[½¼¾]|\s+\d/\d\b)?|[½¼¾]"
)
_TERM: Final = rf"(?:{_DIGITS}|{_WORD}(?:[\s-]+{_WORD})?\b)"
_SCALED: Final = rf"{_TERM}(?:[\s-]*{SCALE}){{0,4}}"
_HALF: Final = r"(?:\s+and\s+(?:a\s+)?half\b)"
NUMBER: Final = (
    rf"(?:{_TERM}{_HALF}(?:\s+{SCALE})?"
    rf"|{_SCALED}(?:(?:\s+and\s+|[\s,-]+)(?:{_TERM})(?:\s*{SCALE}){{1,4}}){{0,6}}"
    rf"(?:(?<=hundred)\s+and\s+{_WORD}(?:[\s-]{_WORD})?\b|(?<=hundred)\s+{_WORD}\b"
    rf"|(?<=thousand)\s+(?:and\s+)?{_WORD}(?:[\s-]{_WORD})?\b)?)"
)
"""Pattern of a number in digits or words (use with `re.IGNORECASE`)."""

_TOKEN: Final = re.compile(
    r"\d+/\d+|\d+(?:,\s?\d{2,3})*(?:\.\d+)?|[½¼¾]|[a-z]+|लाख|हजार|करोड़", re.IGNORECASE
)
_FIGURE: Final = re.compile(rf"(?<![\w.])(?<!\d,){NUMBER}|(?<=\.)(?<!\d\.){NUMBER}", re.IGNORECASE)
_SCALED_DIGITS: Final = re.compile(
    r"(\d[\d,]*)(\.\d+)?(?:(\s*)(lakhs?|lacs?|crores?|thousand|k|lk?s?|crs?))?", re.IGNORECASE
)
RANGE: Final = r"\s*(?:to|or|-|–|/)\s*"
"""Pattern of what stands between the two ends of a range."""
_RANGE: Final = re.compile(
    rf"(?<![\w.])({NUMBER})([^\d]{{0,4}}{RANGE}\D{{0,5}}?)({NUMBER})", re.IGNORECASE
)
_TRAILING_SCALE: Final = re.compile(rf"\s*{SCALE}\Z", re.IGNORECASE)


def read_number(text: str) -> Decimal | None:
    """The number that `text` states, or None where it states none.

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
    if "/" in token:
        top, bottom = token.split("/")
        return Decimal(top) / Decimal(bottom) if int(bottom) else None
    if token[0].isdigit():
        return Decimal(re.sub(r"[,\s]", "", token))
    return _VALUES.get(token)


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
    for name in ("crore", "lakh"):
        if abs(value) >= _SIZES[name]:
            return f"Rs. {(Decimal(repr(value)) / _SIZES[name]).normalize():f} {name}"
    return format_amount(value)


@dataclass(frozen=True)
class Figure:
    """A number at `mention[start:end]`, with its words."""

    start: int
    end: int
    text: str


def find_figure(mention: str, value: float) -> Figure | None:
    """The first number of `mention` that equals `value`; None where there is none."""
    for match in _FIGURE.finditer(mention):
        worth = read_number(match.group())
        if worth is not None and math.isclose(float(worth), value, rel_tol=1e-9, abs_tol=1e-9):
            return Figure(match.start(), match.end(), match.group())
    return None


def write_like(figure: Figure, value: float) -> str:
    """`value` in the style of `figure`: digits stay digits, words stay words where they can."""
    digits = _SCALED_DIGITS.fullmatch(figure.text)
    if digits is None:
        words = None if figure.text[0].isdigit() else in_words(value)
        if words is None:
            return format_number(value)
        return words.capitalize() if figure.text[0].isupper() else words
    whole, decimals, gap, scale = digits.groups()
    if scale is not None:
        return _scaled(value, gap, scale)
    plain = "," not in whole and len(whole) > 3 and value >= 1000
    text = f"{value:.15g}" if plain else format_number(value)
    zeros = decimals and not decimals.strip(".0") and "." not in text
    return f"{text}{decimals}" if zeros else text


def read_range(first: str, second: str) -> tuple[Decimal, Decimal] | None:
    """Both ends of a range; the first takes the scale of the second where it has none.

    >>> read_range("2", "3 lakh")
    (Decimal('200000'), Decimal('300000'))
    """
    low, high, scale = read_number(first), read_number(second), _TRAILING_SCALE.search(second)
    if low is None or high is None:
        return None
    if scale and low < high and not _TRAILING_SCALE.search(first):
        low = read_number(f"{first}{scale.group()}") or low
    return low, high


def rewrite_range(mention: str, old: tuple[float, float], new: tuple[float, float]) -> str | None:
    """`mention` with the range `new` in place of `old`, in its style; None where it has no `old`."""
    for match in _RANGE.finditer(mention):
        ends = read_range(match[1], match[3])
        if ends is None or not all(map(math.isclose, ends, old)):
            continue
        scale = _TRAILING_SCALE.search(match[3])
        shared = scale and read_number(f"1{scale.group()}")
        if scale and shared and not _TRAILING_SCALE.search(match[1]):
            low, high = (format_number(round(end / float(shared), 9)) for end in new)
            high += scale.group()
        else:
            low, high = (
                write_like(Figure(0, 0, match[at]), end)
                for at, end in zip((1, 3), new, strict=True)
            )
        return mention[: match.start()] + low + match[2] + high + mention[match.end() :]
    return None


def ordinal(number: int) -> str:
    """`number` as a place in a row: `5th`, `21st`, `112th`."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


_IRREGULAR: Final = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def ordinal_in_words(number: int) -> str:
    """`fifth`, `sixteenth`, `twenty-first`."""
    words = in_words(number) or ""
    front, mark, last = words.rpartition("-") if "-" in words else words.rpartition(" ")
    place = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return front + mark + _IRREGULAR.get(last, place)


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
        return f"{_TENS[tens - 2]}-{_ONES[ones]}" if ones else _TENS[tens - 2]
    sizes = _SIZES | {"hundred": 100}
    name, size = next((name, size) for name, size in sizes.items() if number >= size)
    count, rest = divmod(number, size)
    joint = " and " if size == 100 else " "
    return f"{_whole(count)} {name}" + (joint + _whole(rest) if rest else "")


def _scaled(value: float, gap: str, scale: str) -> str:
    """With `thousand`, `lakh`, `crore` or `k`; a neighbouring one where that reads better."""
    short = scale.lower().rstrip("s") in _SHORT_SIZES
    size = _SCALES[scale.lower().rstrip("s")]
    if 1 <= value / size < (1000 if scale.lower() == "k" else 100):
        number = round(value / size, 9)
        stem = scale if short else scale.lower().rstrip("s")
    else:
        stem = next((name for name, size in _SIZES.items() if 1 <= value / size < 100), "")
        if not stem:
            return format_number(value)
        number = round(value / _SIZES[stem], 9)
        stem = "lac" if stem == "lakh" and scale.lower().startswith("lac") else stem
        gap, short = gap or (" " if short else ""), short
    plural = "s" if scale.endswith("s") and not short and stem != "thousand" and number != 1 else ""
    return f"{format_number(number)}{gap}{stem}{plural}"
