"""Content words: the words of a sentence that its source passage must hold too.

A content word is any word but an English function word, reduced to its stem, so that `convicted`
meets `conviction` and `appeals` meets `appeal`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from countercase.text.words import words

_DOUBLED: Final = frozenset("bdgmnprt")
_ENDINGS: Final = (("ment", 5), ("ing", 3), ("ion", 4), ("ed", 3), ("ly", 4), ("al", 5))
"""Endings with the least number of letters that must be left before them."""


def content_words(text: str) -> list[str]:
    """The stems of the content words of `text`, in order, repetitions included.

    >>> content_words("The appeals were dismissed without costs.")
    ['appeal', 'dismiss', 'cost']
    """
    return [stem(word) for word in words(text)]


def overlap(sentence: str, passage: str) -> float:
    """The share of the distinct content words of `sentence` that stand in `passage`, 0 to 1.

    1 for a sentence without content words: nothing of it can be missing.
    """
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
    if word.endswith("i") and len(word) > 3:
        word = word[:-1] + "y"
    return word.removesuffix("e") if len(word) > 3 else word
