"""Facts and edits in a lawyer's words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from countercase.facts.extraction import recognise
from countercase.facts.model import Fact, FactTypeName
from countercase.registry import FACT_TYPES


def fact_label(fact: Fact) -> str:
    """Return a fact in a few words: `section 302 IPC (punishment for murder)`, `16 years (victim)`."""
    label: str = FACT_TYPES.get(fact.fact_type).label(fact)
    return label


@lru_cache(maxsize=1024)
def facts_in(text: str, fact_type: FactTypeName | None = None) -> tuple[Fact, ...]:
    """Return the facts of one type, or of all, that a passage states; it is asked for many segments."""
    if fact_type is None:
        return recognise(text)
    facts = recognise(text, types=(fact_type,))
    return tuple(fact for fact in facts if fact.fact_type == fact_type)


def shared_facts(facts: Sequence[Fact], passage: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return those of `facts` that the facts of a passage are like: the same provision, evidence, kind."""
    return tuple(
        fact
        for fact in facts
        if any(
            other.fact_type == fact.fact_type and FACT_TYPES.get(fact.fact_type).like(fact, other)
            for other in passage
        )
    )
