"""The what-ifs and the restatements of a sheet, as all fact types have them.

A fact type gives the what-ifs of a fact in a fixed order, the most telling first. `propose` takes one
of every fact before a second of any, and in each round the types in turn, so that a small limit still
reaches every fact. Provisions that only say how the matter is tried come after those it is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from countercase.facts.area_of_law import provisions_of
from countercase.facts.edits import RESTATE, Edit
from countercase.facts.model import Fact, FactSheet, FactTypeName
from countercase.registry import FACT_TYPES


def propose(
    sheet: FactSheet, types: Sequence[FactTypeName] | None = None, limit: int | None = None
) -> list[Edit]:
    """Return the what-ifs of `sheet`, the facts and their types in turn; every fact has one.

    None: all types, or no limit. The same sheet gives the same list; no two edits have the same id.
    """
    for name in types or ():
        FACT_TYPES.get(name)  # a ConfigError where there is none of this name
    chosen = [name for name in FACT_TYPES.names() if types is None or name in types]
    proposed = [
        edit
        for fact in sheet.facts
        if fact.fact_type in chosen
        for edit in FACT_TYPES.get(fact.fact_type).what_ifs(sheet, fact)
    ]
    proposed += [edit for name in chosen for edit in FACT_TYPES.get(name).additions(sheet)]
    last = provisions_of("procedure")
    proposed.sort(key=lambda edit: edit.original_value.partition("-")[0] in last)
    edits: dict[str, Edit] = {}
    for edit in in_turn(proposed, chosen):
        edits.setdefault(edit.edit_id, edit)
    return list(edits.values())[:limit]


def propose_nulls(sheet: FactSheet, facts: Sequence[Fact] | None = None) -> list[Edit]:
    """Return the restatements of some or all facts, in sheet order: the same facts in other words."""
    return [
        Edit(
            fact.fact_id, fact.fact_type, RESTATE, fact.value, fact.value, "", RESTATE,
            FACT_TYPES.get(fact.fact_type).state(sheet, fact, template), template=template,
        )
        for fact in (sheet.facts if facts is None else facts)
        for template in FACT_TYPES.get(fact.fact_type).restatements(sheet, fact)
    ]  # fmt: skip


def in_turn(edits: Sequence[Edit], types: Sequence[FactTypeName]) -> list[Edit]:
    """Return the first edit of every fact, then the second; each time the fact types in turn."""
    rounds, places = Counter[str](), Counter[tuple[int, str]]()
    placed = []
    for edit in (edit for edit in edits if edit.fact_type in types):
        at = rounds[edit.fact_id]
        placed.append((at, places[at, edit.fact_type], types.index(edit.fact_type), edit))
        rounds[edit.fact_id] += 1
        places[at, edit.fact_type] += 1
    return [edit for *_, edit in sorted(placed, key=lambda row: row[:3])]
