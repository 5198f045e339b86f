"""Outcomes that an explanation tells and its passage does not.

What became of a matter is told in a small vocabulary, here in families of words that say the same.
An outcome stands in the passage where a word of its family does, or a negated word of the opposite
family (`the appeal was not dismissed`).
"""

from __future__ import annotations

import re
from typing import Final

from countercase.text.content_words import overlap

_FAMILIES: Final = {
    "upheld": r"upheld|uphold\w*|affirm\w*|confirm\w*|maintain\w*|sustain\w*|stood|stand|stands"
    r"|kept|keeps?|left (?:alone|undisturbed|standing|untouched)|restor\w*|reviv\w*|endors\w*"
    r"|retain\w*|remain\w*|valid|preserv\w*|bad|held good|not disturb\w*|replac\w*",
    "undone": r"set aside|sets aside|setting aside|quash\w*|revers\w*|str(?:uck|ikes?) down|overturn\w*"
    r"|annul\w*|fell|fall|falls|fail\w*|cancel\w*|void|vacat\w*|recall\w*|strik\w+ \w+ down|undone"
    r"|wiped|invalid\w*|nullity|bad|could not (?:stand|survive|be sustained)|replac\w*|restor\w*",
    "convicted": r"convict\w*|guilty|guilt|liable|sentenc\w*|punish\w*",
    "acquitted": r"acquit\w*|clear(?:ed|s)?|freed?|exonerat\w*|discharg\w*|not guilty|released?"
    r"|liberty|let off|innocen\w*|benefit of (?:the )?doubt",
}
_OPPOSITES: Final = {
    "upheld": "undone", "undone": "upheld", "convicted": "acquitted", "acquitted": "convicted",
}  # fmt: skip
_SURE: Final = {
    "upheld": r"(?:was|were|is|are|been|be) (?:upheld|affirmed|confirmed|maintained|restored)",
    "undone": r"(?:was|were|is|are|been|be) (?:set aside|quashed|reversed|struck down|overturned"
    r"|annulled)",
    "convicted": r"(?:was|were|is|are|been|be) (?:convicted|found guilty)",
    "acquitted": r"(?:was|were|is|are|been|be) (?:acquitted|cleared|exonerated|freed)",
}
_NOT: Final = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|fail\w*|refus\w*)\b[^.;,]{0,30}\Z", re.IGNORECASE
)
CLOSE: Final = 0.7
"""Overlap, the outcome left out, from which a sentence's words are its passage's."""


def missing_outcomes(sentence: str, passage: str) -> list[str]:
    """The outcomes told in `sentence` for which `passage` has no word of the same meaning.

    Nothing is concluded of a sentence in words of its own, as these tell outcomes in many ways.
    """
    return [
        match.group()
        for family, sure in _SURE.items()
        for match in re.finditer(sure, sentence, re.IGNORECASE)
        if overlap(sentence[: match.start()] + sentence[match.end() :], passage) >= CLOSE
        and not _told(family, passage, denied=False)
        and not _told(_OPPOSITES[family], passage, denied=True)
    ]


def _told(family: str, passage: str, denied: bool) -> bool:
    return any(
        bool(_NOT.search(passage[max(0, match.start() - 50) : match.start()])) == denied
        for match in re.finditer(rf"\b(?:{_FAMILIES[family]})\b", passage, re.IGNORECASE)
    )
