"""The words that name evidence, and the narratives and sentences in which they do.

The tables are `data/evidence_triggers.jsonl`, `evidence_hints.jsonl` and `evidence_exceptions.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias

from countercase.fact_types.base import expanded
from countercase.io import read_table
from countercase.text.spans import Span

State: TypeAlias = Literal["", "full", "absent"]
BEHIND: Final = 40
"""Characters before a sentence that the patterns may look at."""


@dataclass(frozen=True)
class Trigger:
    """Words that say by themselves that there is evidence of a type.

    Where two types could claim the same words the earlier row takes them (`extra-judicial
    confession` before `confession`). Words with a `strength` say by themselves whether the evidence
    is there (`no premeditation` is a sudden quarrel, `FIR prompt` no delay).
    """

    evidence_type: str
    patterns: tuple[str, ...]
    strength: State = ""


@dataclass(frozen=True)
class Hint:
    """Words that mean evidence only in the right company: `she told her mother` in a case of rape.

    `sentence_has` and `sentence_lacks` are patterns for their sentence, `text_has` and `text_lacks`
    for the whole narrative; "" for no condition. Hints are tried after the trigger of their type.
    """

    evidence_type: str
    trigger: str
    sentence_has: str = ""
    sentence_lacks: str = ""
    text_has: str = ""
    text_lacks: str = ""
    strength: State = ""


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


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the tables, with those that it names put in; it ignores case."""
    return re.compile(expanded(pattern), re.IGNORECASE)


@cache
def triggers() -> tuple[Trigger | Hint, ...]:
    """Triggers and hints in the order in which they take their words."""
    hints, tried = read_table("fact_types/evidence_hints", Hint), set[str]()
    rows: list[Trigger | Hint] = []
    for row in read_table("fact_types/evidence_triggers", Trigger):
        kind = row.evidence_type
        rows += [row, *(h for h in hints if h.evidence_type == kind and kind not in tried)]
        tried.add(kind)
    return tuple(rows)


def triggers_for(text: str) -> tuple[int, ...]:
    """Which of `triggers` count in this narrative."""
    return tuple(
        at
        for at, row in enumerate(triggers())
        if isinstance(row, Trigger) or _holds(text, row.text_has, row.text_lacks)
    )


@lru_cache(maxsize=1024)
def triggered(chosen: tuple[int, ...], text: str, start: int) -> tuple[tuple[int, Span], ...]:
    """What these triggers match in a sentence, in their order: which one, and where in `text`.

    Most sentences of a changed narrative are those of the narrative, and are read once.

    Args:
        text: the sentence with the `BEHIND` characters before it.
        start: where it starts.
    """
    return tuple(
        (at, Span(*match.span()))
        for at in chosen
        if _in_company(triggers()[at], text[start:])
        for match in _pattern(at).finditer(text, start)
    )


@cache
def _pattern(at: int) -> re.Pattern[str]:
    row = triggers()[at]
    return compiled("|".join(row.patterns) if isinstance(row, Trigger) else row.trigger)


def _in_company(row: Trigger | Hint, sentence: str) -> bool:
    return isinstance(row, Trigger) or _holds(sentence, row.sentence_has, row.sentence_lacks)


def _holds(text: str, has: str, lacks: str) -> bool:
    return (not has or compiled(has).search(text) is not None) and (
        not lacks or compiled(lacks).search(text) is None
    )
