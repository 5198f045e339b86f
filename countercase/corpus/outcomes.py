"""How a court disposed of the matter before it, from the closing words of its judgment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TAIL: Final = 1500
"""Characters at the end in which a judgment says what it orders."""

_END: Final = 700
"""Characters at the end in which a matter is sent back to be decided again."""
_NUMBER: Final = re.compile(r"\b(nos?|crl|cr|st)\.", re.IGNORECASE)
"""Abbreviations whose stop would part a case number from what becomes of the case."""

_MATTER: Final = (
    r"(?:appeals?|petitions?|applications?|references?|suits?|revisions?|rule|matters?|cases?"
    r"|slps?)"
)
_DONE: Final = {
    "allowed": r"(?:allowed|succeeds?|made absolute|granted|accepted)",
    "dismissed": r"(?:dismissed|rejected|fails?|discharged|dismissd)",
    "disposed of": r"(?:disposed(?: of|\s*$|\s*\.))",
}
_GAP: Final = r"[^.;\n]{0,160}?\b"
_COURT: Final = r"\b(?:we|i)\b[^.;\n]{0,200}?\b"
_IT: Final = r"\b(?:it|which|they|same)(?: is| are|,)[^.;\n]{0,30}\b"
_SAID: Final = tuple(
    (outcome, re.compile(words, re.IGNORECASE))
    for outcome, words in (
        *((outcome, rf"\b{_MATTER}\b{_GAP}{done}") for outcome, done in _DONE.items()),
        ("allowed", rf"{_COURT}(?:allow|accept)\b{_GAP}{_MATTER}\b"),
        ("dismissed", rf"{_COURT}dismiss\b{_GAP}{_MATTER}\b"),
        ("disposed of", rf"{_COURT}dispose of\b{_GAP}{_MATTER}\b"),
        ("allowed", r"\ballowing the (?:writ )?(?:appeal|petition)s?\b"),
        ("dismissed", rf"{_IT}dismissed\b"),
        ("allowed", rf"{_IT}allowed\b"),
        ("disposed of", r"^\W*order(?:ed)? ac\w+ly|\bdisposed of\b"),
    )
)
"""What a sentence says of the outcome; the first pattern that fits a sentence decides."""

_PARTLY: Final = re.compile(
    r"\b(?:partly|partially) (?:allowed|succeeds?)|\bsucceeds? (?:in part|partly)"
    r"|\ballow(?:ed)?,? (?:only )?(?:in part|partly|partially)\b"
    r"|\b(?:partly|partially) allow\b"
    r"|\ballowed,? (?:only )?to (?:the|this|that)(?: \w+){0,2} extent"
    r"|\bto (?:the|this|that)(?: \w+){0,2} extent[^.;\n]{0,40}\ballowed"
    r"|\bappeals?\b[^.;\n]{0,80}\ballowed\b[^.;\n]{0,80}\bappeals?\b[^.;\n]{0,80}\bdismissed\b"
    r"|\bappeals?\b[^.;\n]{0,80}\bdismissed\b[^.;\n]{0,80}\bappeals?\b[^.;\n]{0,80}\ballowed\b",
    re.IGNORECASE,
)
_LESSENED: Final = re.compile(
    r"\bconvictions?\b[^.;\n]{0,80}\b(?:altered|modified|converted)\b"
    r"|\b(?:alter|modify|convert)(?:ing)?\b[^.;\n]{0,40}\bconvictions?\b"
    r"|\bsentences?\b[^.;\n]{0,60}\b(?:reduced|modified)\b"
    r"|\b(?:reduce|modify)(?:ing)?\b[^.;\n]{0,30}\bsentences?\b",
    re.IGNORECASE,
)
_SENT_BACK: Final = re.compile(
    r"\b(?:remanded|remitted|sent back)\b[^.;\n]{0,80}"
    r"|\b(?:we|i)\b[^.;\n]{0,60}\b(?:remand|remit|send)\b[^.;\n]{0,60}\b(?:back|to the)\b",
    re.IGNORECASE,
)
_NOT_REMAND: Final = re.compile(r"\bremission|\bremanded to (?:judicial )?custody", re.IGNORECASE)


def outcome_in(text: str) -> str:
    """One of `countercase.facts.vocabulary.OUTCOMES`, or "" where the closing words say none.

    The last sentence that names the matter and what becomes of it decides, an editor's closing
    line (`Appeal allowed.`) included. What is allowed only in part, or with a lesser conviction
    or sentence, is `partly allowed`; what is allowed and sent back to be decided again is
    `remanded`.
    """
    tail = _NUMBER.sub(r"\1", text[-_TAIL:])
    outcome = next((said for sentence in _backwards(tail) if (said := _said(sentence))), "")
    if outcome in ("allowed", "disposed of") and _PARTLY.search(tail):
        return "partly allowed"
    if outcome == "allowed":
        if _SENT_BACK.search(tail[-_END:]) and not _NOT_REMAND.search(tail):
            return "remanded"
        if _LESSENED.search(tail):
            return "partly allowed"
    if not outcome and _PARTLY.search(tail):
        return "partly allowed"
    return outcome


def _backwards(text: str) -> Iterator[str]:
    """The sentences of a closing passage, the last one first."""
    for sentence in reversed(re.split(r"(?<=[a-z)\d][.;])\s+(?=[A-Z\d(])|\n+", text)):
        if sentence.strip():
            yield sentence


def _said(sentence: str) -> str:
    if _PARTLY.search(sentence):
        return "partly allowed"
    return next((outcome for outcome, pattern in _SAID if pattern.search(sentence)), "")
