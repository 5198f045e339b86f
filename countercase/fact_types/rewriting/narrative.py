"""Put the words of an edit into the narrative.

All replacements are in the coordinates of the root narrative, and none touches the words of another
fact: an edit that changed two facts would measure neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_ARTICLE: Final = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_YOD: Final = re.compile(r"uni|use|one\b|once|eu|ubiq", re.IGNORECASE)
_SILENT_H: Final = re.compile(r"hour|heir|honest|honour", re.IGNORECASE)
_VOWEL_NUMBER: Final = re.compile(r"(?:8|1[18](?!\d))")


def foreign_spans(sheet: FactSheet, fact_id: str) -> tuple[Span, ...]:
    """The mentions of every fact but this one, in order."""
    return tuple(sorted(s for fact in sheet.facts if fact.fact_id != fact_id for s in fact.spans))


def touches_any(span: Span, others: Iterable[Span]) -> bool:
    """Whether `span` shares a character with one of `others`."""
    return any(span.overlaps(other) for other in others)


def mentions(fact: Fact) -> tuple[Span, ...]:
    """The fact's mentions, those inside another of its mentions left out, in order."""
    outer: list[Span] = []
    for span in sorted(set(fact.spans), key=lambda s: (s.start, -s.end)):
        if not outer or span.start >= outer[-1].end:
            outer.append(span)
    return tuple(outer)


def put(sheet: FactSheet, fact: Fact, span: Span, text: str) -> Replacement:
    """`text` in place of `span`, with the `a` or `an` before it and the capital it needs."""
    narrative = sheet.narrative
    if narrative[span.start : span.start + 1].isupper() and starts_sentence(narrative, span.start):
        text = text[:1].upper() + text[1:]
    article = _ARTICLE.search(narrative, max(0, span.start - 8), span.start)
    if article is None:
        return Replacement(span.start, span.end, text)
    wanted = "an" if sounds_like_vowel(text) else "a"
    words = Span(article.start(), span.start)
    if article.group(1).lower() == wanted or touches_any(words, foreign_spans(sheet, fact.fact_id)):
        return Replacement(span.start, span.end, text)
    wanted = wanted.capitalize() if article.group(1)[0].isupper() else wanted
    return Replacement(words.start, span.end, wanted + article.group(2) + text)


def sounds_like_vowel(text: str) -> bool:
    """Whether `an` stands before `text`: `an 18-year-old`, `an officer`, `a unit`, `an hour`."""
    if _VOWEL_NUMBER.match(text) or _SILENT_H.match(text):
        return True
    return text[:1].lower() in tuple("aeiou") and not _YOD.match(text)


def with_article(noun: str) -> str:
    """The noun with `a` or `an` before it."""
    return f"{'an' if sounds_like_vowel(noun) else 'a'} {noun}"


def starts_sentence(narrative: str, position: int) -> bool:
    """Whether a sentence of the narrative begins at `position`."""
    return any(start == position for start, _ in sentence_spans(narrative))


def sentences_around(narrative: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The sentences that share a character with one of `spans`, in order."""
    ranges = (Span(start, end) for start, end in sentence_spans(narrative))
    return tuple(r for r in ranges if touches_any(r, spans))


def cut_sentence(narrative: str, sentence: Span) -> Replacement:
    """Delete a sentence with the blanks before it, or after it where it opens a paragraph."""
    start, end = sentence.start, sentence.end
    while start > 0 and narrative[start - 1] in " \t":
        start -= 1
    if start == 0 or narrative[start - 1] == "\n":
        start = sentence.start
        while end < len(narrative) and narrative[end] in " \t":
            end += 1
    return Replacement(start, end, "")


def add_sentence(narrative: str, position: int, sentence: str) -> Replacement:
    """Insert `sentence` at `position`, the end of another one, which is closed if it is open."""
    before = narrative[:position].rstrip("\"'”’) ")
    lead = " " if before.endswith((".", "!", "?", ";", ":")) or not before else ". "
    return Replacement(position, position, f"{lead}{sentence}" if before else sentence)


def in_order(replacements: Iterable[Replacement]) -> tuple[Replacement, ...] | None:
    """The replacements sorted and without repetition; None where two of them collide."""
    ordered = sorted(set(replacements))
    for left, right in pairwise(ordered):
        if left.end > right.start or (left.start, left.end) == (right.start, right.end):
            return None
    return tuple(ordered)
