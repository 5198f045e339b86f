"""A sentence is read by itself, with a few characters before it: that must not change what is read."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from countercase.corpus.casebook import load_casebook
from countercase.fact_types.evidence.triggers import (
    BEHIND,
    Trigger,
    compiled,
    triggered,
    triggers,
    triggers_for,
)
from countercase.text.sentences import sentence_spans


def sources() -> list[str]:
    return ["|".join(r.patterns) if isinstance(r, Trigger) else r.trigger for r in triggers()]


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
    widths = [width for row in sources() for width in looks_behind(parse(compiled(row).pattern))]
    assert 0 < max(widths) < BEHIND


def test_a_sentence_is_read_as_in_its_text() -> None:
    text = "\n\n".join(decision.text for decision in load_casebook()[::45])
    chosen = triggers_for(text)
    found = 0
    for start, end in sentence_spans(text):
        first = max(0, start - BEHIND)
        alone = [
            (n, place.start + first, place.end + first)
            for n, place in triggered(chosen, text[first:end], start - first)
        ]
        rows = [n for n in chosen if isinstance(triggers()[n], Trigger)]
        within = [
            (n, *match.span())
            for n in rows
            for match in compiled(sources()[n]).finditer(text, start, end)
        ]
        assert [place for place in alone if place[0] in rows] == within
        found += len(within)
    assert found > 20
