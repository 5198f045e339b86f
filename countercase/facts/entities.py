"""Named entities of a text: the pieces it is read in, what the rules find, and how they join what
the tagger finds.

The tagger (`countercase.facts.tagger`) knows fourteen types, of which the rules know three: provisions,
Acts and dates. It reads the head of a judgment whole, where a name's side depends on lines far from it,
and what follows by sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from countercase.law.acts import find_acts
from countercase.law.citations import find_lists
from countercase.text.dates import find_dates
from countercase.text.patterns import finders, pattern
from countercase.text.sentences import bounded_runs, sentence_spans
from countercase.text.spans import Places, Span
from countercase.text.words import read_words

_GAP: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_FUNCTION_WORDS: Final = read_words("text/function_words")
_SEARCHED: Final = 3000
_LONGEST: Final = 25_000
_PROSE: Final = 25
_SHORT: Final = 200
_SHARE: Final = 0.3


def head_end(text: str) -> int:
    """Where the head of a judgment ends; 0 where the text begins without one.

    A head shows at least two signs of six (`versus`, each side on a line, a court's name as a title, a
    bench, counsel) and ends before the first paragraph of prose.
    """
    text = bounded_runs(text)
    first = _first_prose(text)
    opening = text[: min(first, _SEARCHED)]
    signs = (pattern(sign.name).search(opening) for sign in finders("head of a judgment"))
    return first if "\n" in opening and sum(map(bool, signs)) >= 2 else 0


def _first_prose(text: str) -> int:
    begin = 0
    limit = min(len(text), _LONGEST)
    for gap in _GAP.finditer(text, 0, limit):
        if _is_prose(text[begin : gap.start()]):
            return begin
        begin = gap.end()
    return begin if begin and _is_prose(text[begin:limit]) else limit


def pieces(text: str) -> list[Span]:
    """The head of `text`, where it has one, and what follows by sentences, in order.

    Short sentences in a row are one piece of at most 200 characters: not every stop ends a sentence.
    """
    head = head_end(text)
    spans = [Span(0, head)] if text[:head].strip() else []
    begin = last = 0
    for start, end in sentence_spans(text[head:]):
        if last and end - begin > _SHORT:
            spans.append(Span(head + begin, head + last))
            last = 0
        begin, last = begin if last else start, end
    if last:
        spans.append(Span(head + begin, head + last))
    return spans


def _is_prose(paragraph: str) -> bool:
    words = paragraph.split()
    common = sum(word in _FUNCTION_WORDS for word in words)
    enough = len(words) >= _PROSE and common >= _SHARE * len(words)
    return enough and not pattern("NO_PROSE").search(paragraph)


ENTITY_TYPES: Final = (
    "CASE_NUMBER", "COURT", "DATE", "GPE", "JUDGE", "LAWYER", "ORG", "OTHER_PERSON", "PETITIONER",
    "PRECEDENT", "PROVISION", "RESPONDENT", "STATUTE", "WITNESS",
)  # fmt: skip
"""The entity types of InLegalNER (Kalamkar et al. 2022), in alphabetical order."""

_BARE_YEAR: Final = re.compile(r"(?i)(?:in|year|since)\s")


@dataclass(frozen=True, order=True)
class Entity:
    """A name in a text: its characters and its type, one of `ENTITY_TYPES`."""

    span: Span
    label: str


def rule_entities(text: str) -> list[Entity]:
    """The provisions, Acts and dates that the rules find in `text`, in order.

    A provision is a whole list under one mark (`Sections 302 and 34`), an Act is a name and no
    `the Act`, a date has a day or a month with its year.
    """
    text = bounded_runs(text)
    acts = find_acts(text)
    entities = [Entity(numbers.span, "PROVISION") for numbers in find_lists(text, acts)]
    entities += [Entity(act.span, "STATUTE") for act in acts if not act.bare]
    entities += [
        Entity(date, "DATE") for date in find_dates(text) if not _BARE_YEAR.match(text, date.start)
    ]
    return sorted(entities)


def join(tagged: Iterable[Entity], ruled: Iterable[Entity]) -> list[Entity]:
    """What was tagged, and the provisions of the rules that meet nothing tagged, in order.

    Acts and dates of the rules alone are not added: where the tagger leaves one out it is more often
    right (F1 on left-out texts: of Acts .915 without them and .904 with them, of dates .944 and .927).
    """
    entities = list(tagged)
    taken = Places(it.span for it in entities)
    added = (it for it in ruled if it.label == "PROVISION" and not taken.meet(it.span))
    return sorted([*entities, *added])
