"""Words and word pairs for the lexical channel.

Words are lower-cased runs of letters and digits, without English function words; each CJK
character is a word of its own, since Chinese is written without spaces.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[\u3400-\u9fff]|[a-z0-9]+(?:'[a-z]+)?")

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
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]
