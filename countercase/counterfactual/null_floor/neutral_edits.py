"""Null edits in every sentence that states a fact: other words, the same law.

The fact types word their own null edits; they are few. Here are more, so that there are enough of
like type, length and place to compare an edit with: a neutral word for another, a remark at the end
of a sentence, and sentences that say nothing of the case. The words are in `data/neutral_words.jsonl`,
shortest first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from countercase.counterfactual.proposals import propose_nulls
from countercase.fact_types.rewriting import add_sentence, touches_any
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import FactSheet
from countercase.io import read_table
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

TAGS_A_SENTENCE: Final = 6
"""Remarks that are tried at the end of one sentence, short ones and long ones; which depends on
its place."""

REWORDINGS_A_SENTENCE: Final = 2


@dataclass(frozen=True)
class NeutralWords:
    """A remark that ends a sentence (`tag`), a sentence (`aside`), or other words for `words`."""

    kind: Literal["tag", "aside", "rewording"]
    text: str
    words: str = ""


@dataclass(frozen=True)
class NullEdit:
    """A null edit and what it is matched by.

    Attributes:
        sentences: positions of the sentences that it changes; of an aside, none.
        length: words that it changes; see `changed_words`.
    """

    edit: Edit
    sentences: frozenset[int]
    length: int


def null_edits(sheet: FactSheet) -> tuple[NullEdit, ...]:
    """The null edits of a case: those of the fact types, then neutral words, sentence by sentence."""
    edits = propose_nulls(sheet)
    for at, sentence in enumerate(sentences(sheet)):
        stated = [span for fact in sheet.facts for span in fact.spans if span.overlaps(sentence)]
        if stated:
            edits += _tags(sheet, at, sentence)
            edits += _rewordings(sheet, sentence, stated)
    edits += _asides(sheet)
    return tuple(
        NullEdit(edit, sentences_of(sheet, edit), changed_words(sheet.narrative, edit))
        for edit in edits
    )


def sentences(sheet: FactSheet) -> tuple[Span, ...]:
    """The sentences of the narrative, in order."""
    return tuple(Span(start, end) for start, end in sentence_spans(sheet.narrative))


def sentences_of(sheet: FactSheet, edit: Edit) -> frozenset[int]:
    """Positions of the sentences of which an edit changes words.

    What is put between two sentences changes neither.
    """
    return frozenset(
        at
        for at, sentence in enumerate(sentences(sheet))
        for change in edit.changes
        if (change.start < sentence.end and change.end > sentence.start)
        or (change.start == change.end and sentence.start < change.start < sentence.end)
    )


def changed_words(narrative: str, edit: Edit) -> int:
    """How many words an edit takes away and puts in; one that changes in place counts twice."""
    total = 0
    for change in edit.changes:
        old = Counter(narrative[change.start : change.end].lower().split())
        new = Counter(change.text.lower().split())
        total += sum(((old - new) + (new - old)).values())
    return total


@cache
def _words(kind: str) -> tuple[NeutralWords, ...]:
    rows = read_table("counterfactual/neutral_words", NeutralWords)
    return tuple(row for row in rows if row.kind == kind)


def _null(rule: str, name: str, old: str, new: str, change: Replacement) -> Edit:
    return Edit(name, "words", old, new, rule, "", None, (change,), null=True)


def _tags(sheet: FactSheet, at: int, sentence: Span) -> Iterator[Edit]:
    end = sentence.end - 1
    if sheet.narrative[end] != ".":
        return
    tags = _words("tag")
    for turn in range(TAGS_A_SENTENCE):
        tag = tags[(at + turn * len(tags) // TAGS_A_SENTENCE) % len(tags)].text
        change = Replacement(end, end, f", {tag}")
        yield _null("null.remark", f"words:{end}:{turn}", "", tag, change)


def _rewordings(sheet: FactSheet, sentence: Span, stated: list[Span]) -> Iterator[Edit]:
    text, found = sheet.narrative[sentence.start : sentence.end], 0
    for row in _words("rewording"):
        match = re.search(rf"(?<![\w-]){re.escape(row.words)}(?![\w-])", text)
        if match is None or found == REWORDINGS_A_SENTENCE:
            continue
        place = Span(sentence.start + match.start(), sentence.start + match.end())
        if not touches_any(place, stated):
            found += 1
            change = Replacement(place.start, place.end, row.text)
            yield _null("null.rewording", f"words:{place.start}", row.words, row.text, change)


def _asides(sheet: FactSheet) -> Iterator[Edit]:
    places = sentences(sheet)
    for at, row in enumerate(_words("aside")):
        if places:
            end = places[at % len(places)].end
            change = add_sentence(sheet.narrative, end, row.text)
            yield _null("null.aside", f"words:aside:{at}", "", row.text, change)
