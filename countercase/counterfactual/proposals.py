"""Counterfactual edits of a fact sheet, one file of rules per fact type.

A family proposes its edits in a fixed order, the most telling first. `propose` lets the families
take turns, and within a family its facts, so that a small limit still reaches every type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from countercase.fact_types.evidence import edits as evidence
from countercase.fact_types.null_edits import propose_nulls
from countercase.fact_types.numerical import edits as numerical
from countercase.fact_types.party import edits as party
from countercase.fact_types.section import edits as section
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet, FactType
from countercase.facts.vocabulary import FACT_TYPES

__all__ = ["FAMILIES", "propose", "propose_nulls", "reason"]

Family = Callable[[FactSheet], list[Edit]]

FAMILIES: Final[tuple[tuple[FactType, Family], ...]] = (
    ("Section", section.propose),
    ("PartyType", party.propose),
    ("Evidence", evidence.propose),
    ("Numerical", numerical.propose),
)
"""What proposes the edits of each fact type, in the order of the fact types."""

_REASONS: Final = {
    "Section": section.reason,
    "PartyType": party.reason,
    "Evidence": evidence.reason,
    "Numerical": numerical.reason,
}
_Item = TypeVar("_Item")


def propose(
    sheet: FactSheet, types: Sequence[FactType] = FACT_TYPES, limit: int | None = None
) -> list[Edit]:
    """The edits of `sheet`, the fact types and the facts within a type in turn.

    Args:
        types: the fact types to explore.
        limit: the most edits; None for all.

    The same sheet gives the same list. No two edits have the same id.
    """
    queues = [_by_fact(family(sheet)) for kind, family in FAMILIES if kind in types]
    edits = {edit.edit_id: edit for edit in _in_turn(queues)}
    return list(edits.values())[:limit]


def reason(edit: Edit) -> str:
    """The law behind an edit in one sentence; "" for a null edit, which changes no law."""
    return "" if edit.null else _REASONS[edit.fact_type](edit)


def _by_fact(edits: Sequence[Edit]) -> list[Edit]:
    facts: dict[str, list[Edit]] = {}
    for edit in edits:
        facts.setdefault(edit.fact_id, []).append(edit)
    return list(_in_turn(list(facts.values())))


def _in_turn(queues: Sequence[Sequence[_Item]]) -> Iterator[_Item]:
    longest = max((len(queue) for queue in queues), default=0)
    for place in range(longest):
        yield from (queue[place] for queue in queues if place < len(queue))
