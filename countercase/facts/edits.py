"""Edits: typed operations on facts, with what the law draws from them.

An edit changes no word of the narrative: it says what one fact becomes, and others with it. A state of
the case is a set of edits, which means the same in whatever order they are applied.

Source: a hypothetical as a change of a typed fact along a dimension is Ashley's, "Modeling legal
argument: reasoning with cases and hypotheticals", 1990 (HYPO).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

from countercase.facts.model import Fact, FactSheet, FactTypeName, FactValue

Operation: TypeAlias = Literal[
    "replace", "remove", "deny", "supply", "discredit", "cross", "add", "restate"
]
"""What is done to a fact: another value; not known; said not to be; there after all; there with
less weight; a figure on the other side of a line; a fact that the case does not have; the same fact
in other words (a null edit)."""

RESTATE: Final = "restate"
BY_HAND: Final = "by_hand"
"""The rule of an edit that a user worded."""

STATED: Final = "Statement"
"""The fact type of a sentence that is kept as it is, because no fact was read in it."""


@dataclass(frozen=True)
class Change:
    """What becomes of one fact."""

    fact_id: str  # of the sheet; for a fact that is added, the id that it gets
    fact_type: FactTypeName
    operation: Operation
    # before, after: its value; None where the fact is added, or is not known any more
    before: FactValue | None
    after: FactValue | None
    # the law that draws the change, in normal form or as a citation; "" for none
    provision: str = ""

    @property
    def original_value(self) -> str:
        """The value before, as text; "" where there was none."""
        return "" if self.before is None else str(self.before)

    @property
    def perturbed_value(self) -> str:
        """The value after, as text; "" where there is none."""
        return "" if self.after is None else str(self.after)


@dataclass(frozen=True)
class Edit(Change):
    """One what-if: the change of one fact, with its consequences in law.

    Args:
        rule: the name of the row of the catalogue, of the line, or `by_hand`.
        supposition: the edit as people read it: one sentence that begins with "Suppose".
        reason: why the law tells the two apart, in a sentence, or "".
        consequences: changes of other facts, in sheet order.
        template: of a null edit, which of the templates of its type says the fact.
        note: what a reader should know of an edit by hand, such as that no fact was read in it.
        follows: the consequences as the supposition tells them behind its colon, or "".
        occurred_on: the day of the occurrence then, by which the law is read; "" where it stays.
    """

    rule: str = ""
    supposition: str = ""
    reason: str = ""
    consequences: tuple[Change, ...] = ()
    template: int = 0
    note: str = ""
    follows: str = ""
    occurred_on: str = ""

    @property
    def supposed(self) -> str:
        """The supposition without what follows from it, and without its full stop."""
        return self.supposition.removesuffix(f": {self.follows}.").removesuffix(".")

    @property
    def null(self) -> bool:
        """Whether the edit states the same fact in other words."""
        return self.operation == RESTATE

    @property
    def by_hand(self) -> bool:
        """Whether a user worded the edit."""
        return self.rule == BY_HAND

    @property
    def changes(self) -> tuple[Change, ...]:
        """The edit itself, then its consequences."""
        return (self, *self.consequences)

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """The facts that change: the one edited, then those of the consequences."""
        return tuple(change.fact_id for change in self.changes)

    @cached_property
    def edit_id(self) -> str:
        """A short name of what changes; one that a user worded has another than one proposed."""
        parts = [f"{c.fact_id}\x1e{c.operation}\x1e{c.after!r}" for c in self.changes]
        parts += [str(self.template), BY_HAND * self.by_hand, *filter(None, [self.occurred_on])]
        joined = "\x1f".join(parts)
        return "e" + hashlib.sha256(joined.encode()).hexdigest()[:10]


def compatible(edits: Iterable[Edit]) -> bool:
    """Return whether the edits can hold at once: no two change the same fact, or move the day."""
    edits = [*edits]
    days = {edit.occurred_on for edit in edits} - {""}
    changed = [fact_id for edit in edits for fact_id in edit.fact_ids]
    return len(set(changed)) == len(changed) and len(days) < 2


def apply_edits(sheet: FactSheet, edits: Sequence[Edit]) -> FactSheet:
    """Return the sheet with the facts that `edits` make; its narrative stays as it is.

    A changed fact keeps its id and mentions; an added one has none. Two of one fact: a `ValueError`.
    """
    if not compatible(edits):
        raise ValueError("two edits change the same fact, so they cannot hold at once")
    changes = {c.fact_id: c for edit in edits for c in edit.changes}
    known = {fact.fact_id: fact for fact in sheet.facts}
    for _, change in sorted(changes.items()):
        fact = known.get(change.fact_id) or Fact(change.fact_id, change.fact_type, None)
        known[change.fact_id] = replace(fact, value=change.after)
    day = next((edit.occurred_on for edit in edits if edit.occurred_on), sheet.occurred_on)
    facts = tuple(fact for fact in known.values() if fact.value is not None)
    return replace(sheet, facts=facts, occurred_on=day)
