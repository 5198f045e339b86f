"""Witnesses known by who they are and what they do: `staff nurse's 161 supports`, `her mama deposed`.

Neither a noun of a person nor a verb of giving evidence makes a witness; the two together do. Kin are
`related_witness`, others `eyewitness`, and one who cannot speak any more is an absent one. The words
are in `data/evidence_persons.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from countercase.fact_types.evidence.polarity import is_absent
from countercase.text.spans import Span
from countercase.text.words import words_of_role

_WORD: Final = re.compile(r"[^\W_][\w'’]*(?:-[^\W_][\w'’]*)*|[^\w\s]")
_REACH: Final = 4
"""Words that may lie between a person and what the person does."""


_words: Final = partial(words_of_role, "fact_types/evidence_persons")


@cache
def _noun(word: str) -> str:
    """A person's noun in the singular, without its possessive."""
    word = re.sub(r"['’]s?\Z", "", word.lower())
    known = _words("kin") | _words("other")
    return word if word in known else word.removesuffix("s")


def witness_spans(text: str, sentence: Span) -> Iterator[tuple[str, Span, bool]]:
    """Each person who gives evidence in a sentence: the type, the words, whether it is absent."""
    found = [
        (m[0].lower(), Span(*m.span())) for m in _WORD.finditer(text, sentence.start, sentence.end)
    ]
    for at, (word, span) in enumerate(found):
        noun = _noun(word)
        kin = noun in _words("kin")
        if not kin and noun not in _words("other"):
            continue
        end = _act([w for w, _ in found[at + 1 : at + 2 + _REACH]], kin)
        if end is None:
            continue
        whole = Span(span.start, found[at + 1 + end][1].end)
        absent = is_absent(text, sentence, whole)
        if not (kin and absent):
            yield ("related_witness" if kin else "eyewitness"), whole, absent


def _act(after: list[str], kin: bool) -> int | None:
    """Where among the words after a person stands what makes a witness; None for nowhere.

    The statement of a wife may be that of the victim.
    """
    for at, word in enumerate(after):
        if word in _words("never") or word in _words("apart") or _noun(word) in _words("kin"):
            return None
        if word in _words("speaks"):
            return None if _words("never") & {*after[at + 1 : at + 3]} else at
        if word in _words("paper") and not kin:
            return None if _words("never") & {*after[at + 1 :]} else at
    return None
