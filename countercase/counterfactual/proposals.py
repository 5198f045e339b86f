"""Counterfactual and null edits of a fact sheet, as all fact types propose them.

A fact type proposes its edits in a fixed order, the most telling first. `propose` takes one edit of
every fact before a second of any, and in each round the types in turn, so that a small limit still
reaches every type. Provisions that only say how the matter is tried come after those it is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from countercase.counterfactual.sentence_check import fault
from countercase.fact_types.consequences import in_the_code_of
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet, FactTypeName
from countercase.facts.vocabulary import fact_type_names
from countercase.registry import FACT_TYPES

_PROCEDURE: Final = ("CrPC", "BNSS", "CPC", "IEA", "BSA", "LIM")
NULLS_PER_FACT: Final = 2
"""At most this many null edits are proposed for one fact."""

_PROOF: Final = ("IEA-", "CrPC-")
"""Codes of proof and procedure: rules name them as before July 2024, edits as on the day."""

_Item = TypeVar("_Item")


def propose(
    sheet: FactSheet, types: Sequence[FactTypeName] | None = None, limit: int | None = None
) -> list[Edit]:
    """The edits of `sheet` that leave sound sentences, the fact types and their facts in turn.

    Args:
        types: the fact types to explore; None for all.
        limit: the most edits; None for all.

    The same sheet gives the same list. No two edits have the same id.
    """
    chosen = [name for name in fact_type_names() if types is None or name in types]
    proposed = [edit for edit in candidates(sheet, chosen) if not fault(sheet, edit)]
    proposed.sort(key=lambda edit: edit.original_value.partition("-")[0] in _PROCEDURE)
    edits = {edit.edit_id: edit for edit in in_turn(proposed, chosen)}
    return list(edits.values())[:limit]


def candidates(sheet: FactSheet, types: Sequence[FactTypeName]) -> list[Edit]:
    """All edits of these fact types, those that would leave a broken sentence among them."""
    edits = (edit for name in types for edit in FACT_TYPES.get(name).edits(sheet))
    return [
        replace(edit, provision=in_the_code_of(sheet, edit.provision))
        if edit.provision.startswith(_PROOF)
        else edit
        for edit in edits
    ]


def propose_nulls(sheet: FactSheet) -> list[Edit]:
    """At most two null edits of each fact that the narrative mentions, in sheet order."""
    order = {fact.fact_id: place for place, fact in enumerate(sheet.facts)}
    nulls = [edit for name in fact_type_names() for edit in FACT_TYPES.get(name).null_edits(sheet)]
    counts = Counter[str]()
    chosen = []
    nulls = [edit for edit in nulls if not fault(sheet, edit)]
    for edit in sorted(nulls, key=lambda edit: order.get(edit.fact_id, len(order))):
        counts[edit.fact_id] += 1
        if counts[edit.fact_id] <= NULLS_PER_FACT:
            chosen.append(edit)
    return chosen


def reason(edit: Edit) -> str:
    """The law behind an edit in one sentence; "" for a null edit, which changes no law."""
    if edit.null:
        return ""
    sentence: str = FACT_TYPES.get(edit.fact_type).reason(edit)
    return sentence


def in_turn(edits: Sequence[Edit], types: Sequence[FactTypeName]) -> list[Edit]:
    """The first edit of every fact, then the second; each time the fact types in turn."""
    rounds: dict[int, dict[str, list[Edit]]] = {}
    seen = Counter[str]()
    for edit in (edit for edit in edits if edit.fact_type in types):
        queues = rounds.setdefault(seen[edit.fact_id], {name: [] for name in types})
        queues[edit.fact_type].append(edit)
        seen[edit.fact_id] += 1
    return [edit for _, queues in sorted(rounds.items()) for edit in _in_turn([*queues.values()])]


def _in_turn(queues: Sequence[Sequence[_Item]]) -> Iterator[_Item]:
    longest = max((len(queue) for queue in queues), default=0)
    for place in range(longest):
        yield from (queue[place] for queue in queues if place < len(queue))
