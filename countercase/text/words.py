"""The words of a text that count in a search.

Words are lower-cased runs of letters and digits, without English function words. Chinese and
Japanese are written without spaces and Korean joins its particles, so there each character is a
word of its own, and the word pairs of the index are character pairs, which is what Chinese words
mostly are. Full-width letters and digits count as the plain ones in such a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Word:
    """A row of a table of words."""

    word: str


STOP_WORDS: Final = frozenset(row.word for row in read_table("text/stop_words", Word))
"""English function words."""


def words(text: str) -> list[str]:
    """The words of `text` that count, in order."""
    if not text.isascii() and _HAS_CJK.search(text):
        text = text.translate(_FULL_WIDTH)
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]
