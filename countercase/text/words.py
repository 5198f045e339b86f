"""The words of a text that count in a search.

Words are lower-cased runs of letters and digits, without English function words. Chinese and
Japanese are written without spaces and Korean joins its particles, so there each character is a
word of its own, and the word pairs of the index are character pairs, which is what Chinese words
mostly are. Full-width letters and digits count as the plain ones in such a text.
"""

from __future__ import annotations

import re
from typing import Final

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


STOP_WORDS: Final = frozenset(
    """
    a an the of to in on at by for from with without and or nor but if then than that this these
    those is are was were be been being am do does did done has have had having he she it its his
    her him they them their we us our i me my you your who whom whose which what when where why how
    as so such not no only own same too very can will would shall should may might must could there
    here also any all each both some other more most into upon under over above below between
    during before after while against about again further once because until out up down off s t
    said aforesaid therein thereof thereto thereby hereby herein whereas etc viz
    """.split()  # noqa: SIM905
)


def words(text: str) -> list[str]:
    """The words of `text` that count, in order."""
    if not text.isascii() and _HAS_CJK.search(text):
        text = text.translate(_FULL_WIDTH)
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]
