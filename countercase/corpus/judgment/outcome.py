"""How a court disposed of the matter before it, from the closing words of its judgment."""

from __future__ import annotations

from functools import cache
from typing import Final

from countercase.corpus.judgment.patterns import patterns_of, rows_of
from countercase.text.patterns import Pattern

_TAIL: Final = 1500
"""Characters at the end in which a judgment says what it orders."""

_END: Final = 700
"""Characters at the end in which a matter is sent back to be decided again."""

_pattern = patterns_of("outcome")
_EDITOR: Final = 60
"""Most characters of a closing line that an editor added."""


@cache
def _endings(of: str) -> tuple[tuple[str, Pattern], ...]:
    """Return what becomes of the appeal, or of any matter: outcomes and patterns of their sentences,
    of which the first that matches decides; the rows of that name, in their order."""
    names = [name for name in rows_of("outcome") if name.startswith(f"{of}_")]
    outcome = {name: name.removeprefix(f"{of}_").split("_BY_")[0] for name in names}
    return tuple((outcome[name].lower().replace("_", " "), _pattern(name)) for name in names)


def outcome_in(text: str) -> str:
    """Return one of `countercase.facts.vocabulary.OUTCOMES`, or "" where the closing words name none.

    An editor's closing line (`Appeal allowed.`) decides, else the last sentence that names the
    matter and what becomes of it. What is allowed only in part, or with a lesser conviction
    or sentence, is `partly allowed`; what is allowed and sent back to be decided again is
    `remanded`.
    """
    tail = _pattern("NUMBER").sub(r"\1", text[-_TAIL:])
    outcome = _last_outcome(tail)
    if outcome in ("allowed", "disposed of") and _pattern("PARTLY").search(tail):
        return "partly allowed"
    if outcome == "allowed":
        if _pattern("SENT_BACK").search(tail[-_END:]) and not _pattern("NOT_REMAND").search(tail):
            return "remanded"
        if _pattern("LESSENED").search(tail):
            return "partly allowed"
    return outcome or ("disposed of" if _pattern("ACCORDINGLY").search(tail) else "")


def _last_outcome(tail: str) -> str:
    """Return the outcome in the editor's line, else in the last sentence on an appeal, else on any matter.

    An appeal that is allowed may well dismiss the suit or application that began the case.
    """
    sentences = [part for part in _pattern("SENTENCE_END").compiled.split(tail) if part.strip()]
    editors_line = sentences[-1:] if sentences and len(sentences[-1]) <= _EDITOR else []
    last_first = sentences[::-1]
    tried = ((editors_line, "MATTER"), (last_first, "APPEAL"), (last_first, "MATTER"))
    outcomes = (_outcome_of(sentence, _endings(of)) for listed, of in tried for sentence in listed)
    return next(filter(None, outcomes), "")


def _outcome_of(sentence: str, patterns: tuple[tuple[str, Pattern], ...]) -> str:
    if _pattern("PARTLY").search(sentence):
        return "partly allowed"
    return next((outcome for outcome, pattern in patterns if pattern.search(sentence)), "")
