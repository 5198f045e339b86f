"""Put edits into words: around a sentence, in a number, in words that mean the same.

All replacements are in the coordinates of the root narrative, and none touches the words of another
fact: an edit that changed two facts would measure neither.

Null edits give other words or other digits and the same law. What they move is the noise of the
retriever: a fact is dispositive only where its own edits move the precedents further than these do.
Each fact type proposes its own with what stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import Fact, FactSheet, FactTypeName, FactValue, NumericalValue
from countercase.io import read_table
from countercase.text.numbers import (
    find_figure,
    format_amount,
    format_number,
    in_words,
    ordinal,
    rewrite_range,
    write_like,
)
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from countercase.text.units import UNITS

_ARTICLE: Final = re.compile(r"(?i)\b(an?)(\s+)$")
_YOD: Final = re.compile(r"(?i)uni|use|one\b|once|eu|ubiq")
_SILENT_H: Final = re.compile(r"(?i)hour|heir|honest|honour")
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


_UNIT_WORD: Final = re.compile(
    r"(?i)([\s-]*)(year|month|week|day|hour|minute|kilogram|gram|acre|hectare|bigha|litre|metre)(s?)\b"
    r"(?!-old)"
)
_ORDINAL: Final = re.compile(r"(?i)(?:st|nd|rd|th)\b")
_LONGEST_SYMBOL: Final = 2
"""Longer names of units (`sq_m`, `acre`) are written out, shorter ones (`kg`) stay as they are."""


def restate(
    sheet: FactSheet, fact: Fact, before: NumericalValue, after: NumericalValue
) -> list[Replacement]:
    """Every mention of the fact with the new number, in the style of the old one."""
    return [
        put(sheet, fact, span, _mention(sheet.narrative[span.start : span.end], before, after))
        for span in mentions(fact)
    ]


def _mention(words: str, before: NumericalValue, after: NumericalValue) -> str:
    if before.upper is not None and after.upper is not None:
        ends = (before.value, before.upper), (after.value, after.upper)
        return rewrite_range(words, *ends) or plain(words, after)
    figure = find_figure(words, before.value) if before.upper is None else None
    if figure is None:
        return plain(words, after)
    rest = words[figure.end :]
    if _ORDINAL.match(rest):
        return words[: figure.start] + ordinal(int(after.value)) + rest[2:]
    unit = _UNIT_WORD.match(rest)
    if unit and "-" not in unit.group(1):
        name = unit.group(2)
        if after.value == 0.5 and not figure.text[0].isdigit():
            name = with_article(name)
        elif after.value != 1:
            name += "s"
        rest = unit.group(1) + name + rest[unit.end() :]
    return words[: figure.start] + write_like(figure, after.value) + rest


def plain(words: str, value: NumericalValue) -> str:
    """The value in a plain style, for a mention whose own style cannot carry it."""
    number = format_number(value.value)
    if value.upper is not None:
        number += f" to {format_number(value.upper)}"
    if value.kind == "amount":
        return format_amount(value.value) + number[len(format_number(value.value)) :]
    if value.kind == "age" and words.lower().endswith("old"):
        return f"{number}-year-old" if value.upper is None else f"{number} years old"
    if value.kind == "age":
        aged = re.match(r"aged?\b(?:\s+of)?", words, re.IGNORECASE)
        return f"{aged.group()} {number} years" if aged else f"{number} years of age"
    if value.kind == "quantity":
        short = len(value.unit) <= _LONGEST_SYMBOL
        return f"{number} {value.unit if short else UNITS[value.unit].words}"
    unit = value.unit if value.value != 1 else value.unit.rstrip("s")
    spelled = in_words(value.value) if value.value < 21 and value.upper is None else None
    return f"{spelled or number} {unit}"


_NAMES: Final = (
    (r"\bState of(?=\s+[A-Z])", "Government of"),
    (r"\bM/[sS]\b\.?", "Messrs"),
    (r"\bPvt\.?\s+Ltd\.?", "Private Limited"),
    (r"\bLtd\b\.?", "Limited"),
    (r"\bPrivate Limited\Z", "Pvt. Ltd."),
)
"""Other ways of writing the names of parties; the first that fits counts."""

Group = Literal["evidence", "party"]


@dataclass(frozen=True)
class Synonym:
    """Words for an item of evidence or a party (`group`), and others that mean the same."""

    group: Group
    words: str
    other: str


def null_edit(
    sheet: FactSheet,
    fact: Fact,
    rule: str,
    replacements: Iterable[Replacement],
    new_value: FactValue | None = None,
    provision: str = "",
) -> list[Edit]:
    """The null edit that makes these replacements; empty where they change no words.

    Args:
        new_value: what the fact becomes; by default it stays as it is.
        provision: the provision that the fact cites, if any.
    """
    ordered = in_order(replacements)
    if not ordered:
        return []
    first = ordered[0]
    words = (sheet.narrative[first.start : first.end] or str(fact.value), first.text.strip())
    value = fact.value if new_value is None else new_value
    return [Edit(fact.fact_id, fact.fact_type, *words, rule, provision, value, ordered, True)]


def synonym_edits(sheet: FactSheet, fact_type: FactTypeName, group: Group) -> list[Edit]:
    """The null edits that put synonyms into the mentions of the facts of one type."""
    edits = []
    for fact in sheet.of_type(fact_type):
        others, replacements = foreign_spans(sheet, fact.fact_id), []
        for span in mentions(fact):
            synonym = _synonym(sheet.narrative[span.start : span.end], group)
            if synonym is not None:
                match, text = synonym
                place = Span(span.start + match.start(), span.start + match.end())
                if not touches_any(place, others):
                    replacements.append(put(sheet, fact, place, text))
        edits += null_edit(sheet, fact, "null.synonym", replacements)
    return edits


def _synonym(words: str, group: Group) -> tuple[re.Match[str], str] | None:
    """Which of the words to replace, and by what."""
    for written, other in _NAMES if group == "party" else ():
        if match := re.search(written, words):
            return match, other
    for row in read_table("fact_types/synonyms", Synonym):
        if row.group == group:
            # A capital inside the name of a party (`Assurance Company Ltd.`) is part of the name.
            whole = len(row.words) == len(words)
            flags = re.IGNORECASE if group == "evidence" or whole else re.NOFLAG
            if match := re.search(rf"(?<![\w-]){re.escape(row.words)}(?![\w-])", words, flags):
                return match, row.other
    return None
