"""The words of a text that count in a search, and their stems.

Words are lower-cased runs of letters and digits, without English function words. In Chinese, Japanese
and Korean each character is a word, so that the word pairs of the index are character pairs. Full-width
letters and digits count as the plain ones in such a text.

A content word is a word reduced to its stem, so that `convicted` meets `conviction`; a sentence's source
passage must hold them too.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table

_CJK: Final = (
    "\u3005-\u3007"  # marks that stand for a character
    "\u3041-\u30ff"  # kana
    "\u3400-\u9fff"  # unified ideographs with extension A
    "\uac00-\ud7a3"  # Hangul syllables
    "\uf900-\ufaff"  # compatibility ideographs
    "\U00020000-\U000323af"  # ideographs of extensions B to H
)
_WORD: Final = re.compile(rf"[{_CJK}]|[a-z0-9]+(?:'[a-z]+)?")
_HAS_CJK: Final = re.compile(f"[{_CJK}]")
_FULL_WIDTH: Final = {ord("０") + at: ord("0") + at for at in range(ord("z") - ord("0") + 1)}

_DOUBLED: Final = frozenset("bdgmnprt")
_ENDINGS: Final = (("ment", 5), ("ing", 3), ("ion", 4), ("ed", 3), ("ly", 4), ("al", 5))
"""Endings with the least number of letters that must be left before them."""


@dataclass(frozen=True)
class Word:
    """A row of a table of words."""

    word: str


@dataclass(frozen=True)
class RoleWords:
    """A row of a table of words that play parts: the words of one role, and what they do."""

    role: str
    words: tuple[str, ...]
    note: str = ""


def read_words(table: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(row.word for row in read_table(table, Word))


@cache
def words_of_role(table: str, role: str) -> frozenset[str]:
    """Return the words of one role of a table."""
    rows = read_table(table, RoleWords)
    return frozenset(word for row in rows if row.role == role for word in row.words)


def is_one_slip(left: str, right: str) -> bool:
    """Return whether two words differ by one letter wrong, missing or added, or two swapped."""
    start = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if start is None:
        return abs(len(left) - len(right)) <= 1
    a, b = left[start:], right[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1::-1] == b[:2] and a[2:] == b[2:])


STOP_WORDS: Final = read_words("text/stop_words")
"""English function words."""


def words(text: str) -> list[str]:
    """The words of `text` that count, in order."""
    if not text.isascii() and _HAS_CJK.search(text):
        text = text.translate(_FULL_WIDTH)
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def content_words(text: str) -> list[str]:
    """The stems of the content words of `text`, in order, repetitions included.

    >>> content_words("The appeals were dismissed without costs.")
    ['appeal', 'dismiss', 'cost']
    """
    return [stem(word) for word in words(text)]


def overlap(sentence: str, passage: str) -> float:
    """Return the share of the content words of `sentence` in `passage`; 1 where it has none."""
    return share(set(content_words(sentence)), set(content_words(passage)))


def share(wanted: Collection[str], present: Collection[str]) -> float:
    """The share of the stems `wanted` that are `present`; 1 where none is wanted."""
    return sum(stem in present for stem in wanted) / len(wanted) if wanted else 1.0


def stem(word: str) -> str:
    """A word without its inflection; the stem need not be a word, only the same for all forms."""
    word = word.removesuffix("'s")
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            if ending == "ion" and word[-4] not in "st":
                continue
            word = word.removesuffix(ending)
            if ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    if word.endswith("ied"):
        word = word[:-3] + "y"
    elif word.endswith("i") and len(word) > 3:
        word = word[:-1] + "y"
    return word.removesuffix("e") if len(word) > 3 else word
