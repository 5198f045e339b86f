"""Which sentences of judgments and of notes say that there is evidence, of what type, or deny it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from labelled_rows import labelled, read_rows

from countercase.fact_types.base import share_of_words, telling_words
from countercase.fact_types.evidence.naming import name_item
from countercase.fact_types.evidence.nouns import document_spans
from countercase.fact_types.evidence.polarity import is_absent
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE, evidence_items
from countercase.fact_types.evidence.triggers import BEHIND, Trigger
from countercase.facts.model import EvidenceValue
from countercase.facts.vocabulary import EVIDENCE_TYPES
from countercase.io import read_table
from countercase.text.spans import Span

TRIGGERS = read_table("fact_types/evidence_triggers", Trigger)


def read(text: str) -> list[tuple[str, str]]:
    return [(item.value.evidence_type, item.value.strength) for item in evidence_items(text)]


def test_every_type_of_the_vocabulary_has_words_and_an_example() -> None:
    named = set(EVIDENCE_TYPES) - {CIRCUMSTANCE}
    assert {trigger.evidence_type for trigger in TRIGGERS} == named
    told = {kind for row in read_rows("evidence_of_notes") for kind, _ in row["items"]}
    assert told == named


@labelled("evidence_read")
def test_what_is_read_of_a_sentence_is_this_and_nothing_else(
    text: str, items: list[tuple[str, str]]
) -> None:
    assert read(text) == items


@labelled("evidence_of_notes")
def test_what_is_read_of_a_note_or_a_judgment(text: str, items: list[tuple[str, str]]) -> None:
    """A kind of evidence that is stated is not denied too; no kind, no evidence at all."""
    kinds = {kind for kind, _ in items}
    assert {item for item in read(text) if item[0] in kinds or not kinds} == set(items)


@labelled("mentions_of_items")
def test_mentions_of_one_thing_are_one_item(text: str, mentions: list[int]) -> None:
    assert [len(item.spans) for item in evidence_items(text)] == mentions


@labelled("denied_nouns")
def test_words_of_the_clause_deny_what_it_names(text: str, noun: str, absent: bool) -> None:
    start = text.index(noun)
    assert is_absent(text, Span(0, len(text)), Span(start, start + len(noun))) is absent


@labelled("documents_by_noun")
def test_documents_are_known_by_their_noun(text: str, documents: list[tuple[str, bool]]) -> None:
    found = document_spans(text, Span(0, len(text)))
    assert [(text[span.start : span.end], gone) for span, gone in found] == documents


def test_each_document_of_a_list_is_an_item_of_its_own_named_by_itself() -> None:
    text = "The sale deed, two rent receipts and the ration card were produced by the tenant."
    values = [item.value for item in evidence_items(text)]
    assert [name_item(value) for value in values] == ["sale deed", "rent receipts", "ration card"]
    assert [value.description for value in values][1:] == [
        "two rent receipts",
        "the ration card were produced by the tenant.",
    ]
    # The name of a document keeps the capitals of an acronym.
    for words, name in (("MoU of 3 May", "MoU"), ("Sale deed", "sale deed")):
        assert name_item(EvidenceValue("documentary", words)) == name


def test_descriptions_are_short_lines_that_end_with_a_word() -> None:
    text = (
        "On the evening of the fair, while the shops were closing and the lamps had been lit along "
        "the whole length of the bazaar, the chowkidar, who had\nworked there since his youth, "
        "saw the accused running away with a stick in his hand."
    )
    item = next(i for i in evidence_items(text) if i.value.evidence_type == "eyewitness")
    assert len(item.value.description) <= 160
    assert "saw the accused running away" in item.value.description
    assert item.value.description in " ".join(text.split())


def test_common_words_and_endings_tell_nothing_of_a_thing() -> None:
    words = telling_words("The scooters were recovered from the court")
    assert words == {"scoote", "recove"}
    assert share_of_words("recovery of a knife", words) == 0.5
    assert share_of_words("the and", words) == 0.0


def looks_behind(items: Any) -> Iterator[int]:
    """How far each part of a parsed pattern looks behind, in characters."""
    for code, value in items:
        assert "BEGINNING" not in str(value), "a pattern that knows where the text begins"
        if str(code).startswith("ASSERT"):
            direction, inner = value
            yield from [inner.getwidth()[1]] if direction < 0 else []
            yield from looks_behind(inner)
        elif str(code) == "BRANCH":
            for branch in value[1]:
                yield from looks_behind(branch)
        elif str(code) == "SUBPATTERN":
            yield from looks_behind(value[3])
        elif str(code).endswith("REPEAT"):
            yield from looks_behind(value[2])


def test_no_trigger_looks_further_back_than_what_it_is_given() -> None:
    """A sentence is read by itself, with a few characters before it."""
    parse = import_module("re._parser").parse
    patterns = [each for row in TRIGGERS for each in row.alternatives]
    widths = [width for each in patterns for width in looks_behind(parse(each.words))]
    assert 0 < max(widths) < BEHIND
