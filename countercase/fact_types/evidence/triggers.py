"""The words that name evidence, and the narratives and sentences in which they do.

The tables are `data/evidence_triggers.jsonl` and `evidence_exceptions.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, Literal

from countercase.io import read_table
from countercase.text.patterns import Pattern, find_alternatives, has_company, of_words
from countercase.text.spans import Span
from countercase.text.words import words_of_role

BEHIND: Final = 40
"""Characters before a sentence that the patterns may look at."""

kinds_that_are: Final = partial(words_of_role, "fact_types/evidence_kinds")
"""The types of evidence that play a part, each told in the table: `single`, `distinct`."""


@dataclass(frozen=True)
class Trigger:
    """Words that say that there is evidence of a type, by themselves or in the right company.

    Where two types could claim the same words the earlier row takes them (`extra-judicial
    confession` before `confession`). Words with a `strength` say by themselves whether the evidence
    is there (`no premeditation` is a sudden quarrel, `FIR prompt` no delay). `She told her mother`
    is evidence in a case of rape: `sentence_has` and `sentence_lacks` are patterns for the sentence
    of the words, `text_has` and `text_lacks` for the whole narrative; "" for no condition.
    """

    evidence_type: str
    patterns: tuple[str, ...]
    strength: Literal["", "full", "absent"] = ""
    sentence_has: str = ""
    sentence_lacks: str = ""
    text_has: str = ""
    text_lacks: str = ""

    @cached_property
    def alternatives(self) -> tuple[Pattern, ...]:
        """Its patterns, in their order of precedence."""
        return tuple(map(of_words, self.patterns))


@dataclass(frozen=True)
class Exempt:
    """A trigger that is not evidence where the sentence before it matches `before`.

    Except where the sentence matches `unless`; `text_has` is one for the whole narrative.
    """

    evidence_type: str
    trigger: str
    before: str
    unless: str
    text_has: str = ""


def triggers_for(text: str) -> tuple[Trigger, ...]:
    """Return the triggers that count in a narrative, in the order in which they take their words."""
    rows = read_table("fact_types/evidence_triggers", Trigger)
    near = (row for row in rows if any(each.may_match(text) for each in row.alternatives))
    return tuple(row for row in near if has_company(text, row.text_has, row.text_lacks))


def triggered(chosen: Sequence[Trigger], text: str, start: int) -> Iterator[tuple[Trigger, Span]]:
    """Return what triggers match in a sentence, in their order, and where in `text`.

    `text` is the sentence, which starts at `start`, with the `BEHIND` characters before it.
    """
    for row in chosen:
        if has_company(text[start:], row.sentence_has, row.sentence_lacks):
            for match in find_alternatives(row.alternatives, text, start):
                yield row, Span(*match.span())
