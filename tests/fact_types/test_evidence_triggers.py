"""A sentence is read by itself, with a few characters before it: that must not change what is read."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from countercase.corpus.casebook.records import load_casebook
from countercase.fact_types.evidence.triggers import BEHIND, Trigger, triggered, triggers_for
from countercase.io import read_table
from countercase.text.sentences import sentence_spans

ROWS = read_table("fact_types/evidence_triggers", Trigger)


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
    parse = import_module("re._parser").parse
    patterns = [each for row in ROWS for each in row.alternatives]
    widths = [width for each in patterns for width in looks_behind(parse(each.words))]
    assert 0 < max(widths) < BEHIND


def test_a_sentence_is_read_as_in_its_text() -> None:
    text = "\n\n".join(decision.text for decision in load_casebook()[::90])
    alone_by_itself = [
        row for row in triggers_for(text) if not row.sentence_has + row.sentence_lacks
    ]
    found = 0
    for start, end in sentence_spans(text):
        first = max(0, start - BEHIND)
        alone = [
            (row, place.start + first, place.end + first)
            for row, place in triggered(alone_by_itself, text[first:end], start - first)
        ]
        within = [
            (row, *match.span())
            for row in alone_by_itself
            for match in re.compile("|".join(it.words for it in row.alternatives), re.I).finditer(
                text, start, end
            )
        ]
        assert alone == within
        found += len(within)
    assert found > 10
