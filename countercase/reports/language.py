"""What is read of a narrative that is written in Hindi, as its reader is told."""

from __future__ import annotations

import re
from typing import Final

_DEVANAGARI: Final = re.compile("[\u0904-\u0939\u0958-\u0961]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ROMAN: Final = re.compile(
    r"(?i)\b(?:hai|hain|tha|thi|aur|nahi|nahin|mera|mere|meri|usne|unhone|maine|humne|kiya|kya|mein"
    r"|karna|karke|liye|wala|wale|raha|rahi|gaya|gayi|diya|diye|hua|hui|unka|uska|uske|uski|apne"
    r"|bhai|bola|abhi|lekin|kyunki|bhi|koi|kuch|jab|toh|woh|yeh|ke|ki|ka|ko|se|ne)\b"
)
_SHARE: Final = 0.2
"""Of the letters (Devanagari) or the words (Latin letters), from which a text counts as Hindi."""
SUPPORT: Final = (
    "section numbers, amounts, durations and dates are read, and the commonest words for weapons, "
    "custody and evidence; other facts are not, and the search reads English alone: translate it for "
    "precedents that can be relied on."
)


def language_note(text: str) -> str:
    """What is read of a narrative in Hindi, in either script, and what is not; else ""."""
    letters = len(_LETTER.findall(text))
    words = len(text.split())
    if letters and len(_DEVANAGARI.findall(text)) / letters > _SHARE:
        return f"Written in Hindi: {SUPPORT}"
    if words and len(_ROMAN.findall(text)) / words > _SHARE:
        return f"Written in Hindi in Latin letters: {SUPPORT}"
    return ""
