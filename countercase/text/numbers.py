"""Read numbers as Indian legal English writes them, and write them.

`5,00,000`, `3, 44, 697.18`, `2 1/2`, `five lakh`, `two and a half`, `twenty-five thousand`: this is
the number alone; the recognisers of amounts, ages, durations and quantities say what it measures.

num2words (`en_IN`) writes `two lakh, forty thousand` with a comma, reads nothing back and knows no
halves, so the number words are our own.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from countercase.io import read_table
from countercase.text.patterns import pattern
from countercase.text.spans import Span

_ONES: Final = (  # noqa: SIM905
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_WORDS: Final = {word: Decimal(n) for n, word in enumerate(_ONES)} | {
    word: Decimal(10 * n) for n, word in enumerate(_TENS, start=2)
}
_SIZES: Final = {"crore": 10_000_000, "lakh": 100_000, "thousand": 1_000}
"""The words that Indian English counts in, the largest first."""


def number_words(role: str) -> dict[str, Decimal]:
    """Return the words for numbers: `value`, `ordinal`, `scale` (it multiplies) or `count`."""
    rows = read_table("text/number_words", dict)
    return {row["word"]: Decimal(str(row["value"])) for row in rows if row["role"] == role}


_VALUES: Final = _WORDS | number_words("value") | number_words("ordinal")
_SCALES: Final = number_words("scale")
_TOKEN: Final = re.compile(
    r"\d+/\d+|\d+(?:,\s?\d{2,3})*(?:\.\d+)?|[½¼¾]|[a-z]+|लाख|हजार|करोड़", re.IGNORECASE
)


def read_number(text: str) -> Decimal | None:
    """The number that `text` states, or None where it states none.

    >>> read_number("five lakh fifty thousand")
    Decimal('550000')
    """
    parts, current, last = list[Decimal](), Decimal(0), Decimal("inf")
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
            if not current and last < scale:  # `1.76 lakh crore`
                current = parts.pop()
            parts.append((current or Decimal(1)) * scale)
            current, last = Decimal(0), scale
        else:
            return None
        seen = True
    return sum(parts, current) if seen else None


def numbers_of(text: str) -> list[Span]:
    """Return where each number of a run of terms stands: `5 lakh and 3 lakh` is two."""
    cuts, begin, end, last = [0], list[int](), 0, Decimal("inf")
    for token in _TOKEN.finditer(text.lower()):
        scale = _SCALES.get(token[0]) or _SCALES.get(token[0].rstrip("s"))
        if scale is None and token[0] != "and":
            begin = begin or [end, token.start()]
        elif scale is not None:
            cuts += begin if scale >= last else []
            begin, last = [], scale
        end = end if token[0] == "and" else token.end()
    return list(map(Span, cuts[::2], [*cuts[1::2], len(text)]))


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
    """Return rupees in lakh or crore from one on (`Rs. 5.5 lakh`), else as `format_amount`."""
    for name in ("crore", "lakh"):
        if abs(value) >= _SIZES[name]:
            return f"Rs. {(Decimal(repr(value)) / _SIZES[name]).normalize():f} {name}"
    return format_amount(value)


def read_range(first: str, second: str) -> tuple[Decimal, Decimal] | None:
    """Both ends of a range; the first takes the scale of the second where it has none.

    >>> read_range("2", "3 lakh")
    (Decimal('200000'), Decimal('300000'))
    """
    low, high = read_number(first), read_number(second)
    scale = pattern("TRAILING_SCALE").search(second)
    if low is None or high is None:
        return None
    if scale and low < high and not pattern("TRAILING_SCALE").search(first):
        low = read_number(f"{first}{scale.group()}") or low
    return low, high


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
