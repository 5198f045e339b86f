"""How a court disposed of the matter before it, from the closing words of its judgment."""

from __future__ import annotations

import re
from typing import Final

_TAIL: Final = 1500
"""Characters at the end in which a judgment says what it orders."""

_END: Final = 700
"""Characters at the end in which a matter is sent back to be decided again."""
_NUMBER: Final = re.compile(r"\b(nos?|crl|cr|st)\.", re.IGNORECASE)
"""Abbreviations whose stop would part a case number from what becomes of the case."""

_APPEAL: Final = r"appeals?"
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


def _patterns(matter: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Outcome and pattern of the sentences on `matter`; the first that matches decides."""
    words = (
        *((outcome, rf"\b{matter}\b{_GAP}{done}") for outcome, done in _DONE.items()),
        ("allowed", rf"{_COURT}(?:allow|accept)\b{_GAP}{matter}\b"),
        ("dismissed", rf"{_COURT}dismiss\b{_GAP}{matter}\b"),
        ("disposed of", rf"{_COURT}dispose of\b{_GAP}{matter}\b"),
    )
    return tuple((outcome, re.compile(form, re.IGNORECASE)) for outcome, form in words)


_OF_APPEALS: Final = _patterns(_APPEAL)
_OF_ANYTHING: Final = (
    *_patterns(_MATTER),
    *(
        (outcome, re.compile(words, re.IGNORECASE))
        for outcome, words in (
            ("allowed", r"\ballowing the (?:writ )?(?:appeal|petition)s?\b"),
            ("dismissed", rf"{_IT}dismissed\b"),
            ("allowed", rf"{_IT}allowed\b"),
            ("disposed of", r"\bdisposed of\b"),
        )
    ),
)
_SENTENCE_END: Final = re.compile(r"(?<=[a-z)\d][.;])\s+(?=[A-Z\d(])|\n+")
_EDITOR: Final = 60
"""Most characters of a closing line that an editor added."""
_ACCORDINGLY: Final = re.compile(r"\border(?:ed)? ac\w+ly\b", re.IGNORECASE)
"""An editor's line that says only that an order was made."""
_PARTLY: Final = re.compile(
    r"\b(?:partly|partially) (?:allowed|succeeds?)|\bsucceeds? (?:in part|partly)"
    r"|\ballow(?:ed)?,? (?:only )?(?:in part|partly|partially)\b"
    r"|\b(?:partly|partially) allow\b"
    r"|\ballow (?:the|this|these) (?:appeal|petition)s?,? (?:only )?(?:in part|partly)\b"
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
    """One of `countercase.facts.vocabulary.OUTCOMES`, or "" where the closing words name none.

    An editor's closing line (`Appeal allowed.`) decides, else the last sentence that names the
    matter and what becomes of it. What is allowed only in part, or with a lesser conviction
    or sentence, is `partly allowed`; what is allowed and sent back to be decided again is
    `remanded`.
    """
    tail = _NUMBER.sub(r"\1", text[-_TAIL:])
    outcome = _last_outcome(tail)
    if outcome in ("allowed", "disposed of") and _PARTLY.search(tail):
        return "partly allowed"
    if outcome == "allowed":
        if _SENT_BACK.search(tail[-_END:]) and not _NOT_REMAND.search(tail):
            return "remanded"
        if _LESSENED.search(tail):
            return "partly allowed"
    return outcome or ("disposed of" if _ACCORDINGLY.search(tail) else "")


def _last_outcome(tail: str) -> str:
    """The outcome in the editor's line, else in the last sentence on an appeal, else on any matter.

    An appeal that is allowed may well dismiss the suit or application that began the case.
    """
    sentences = [part for part in _SENTENCE_END.split(tail) if part.strip()]
    editors_line = sentences[-1:] if sentences and len(sentences[-1]) <= _EDITOR else []
    last_first = sentences[::-1]
    outcomes = (
        _outcome_of(sentence, patterns)
        for listed, patterns in (
            (editors_line, _OF_ANYTHING), (last_first, _OF_APPEALS), (last_first, _OF_ANYTHING),
        )
        for sentence in listed
    )  # fmt: skip
    return next(filter(None, outcomes), "")


def _outcome_of(sentence: str, patterns: tuple[tuple[str, re.Pattern[str]], ...]) -> str:
    if _PARTLY.search(sentence):
        return "partly allowed"
    return next((outcome for outcome, pattern in patterns if pattern.search(sentence)), "")
