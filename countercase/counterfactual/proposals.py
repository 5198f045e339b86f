"""The what-ifs and the restatements of a sheet, as all fact types have them.

A fact type gives the what-ifs of a fact in a fixed order, the most telling first. `propose` takes one
of every fact before a second of any, and in each round the types in turn, so that a small limit still
reaches every fact. Provisions that only say how the matter is tried come after those it is about. Edits
that a user wants are made here too, with what the law draws from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from countercase.errors import InputError
from countercase.fact_types.suppositions import suppose
from countercase.facts.area_of_law import provisions_of
from countercase.facts.edits import BY_HAND, RESTATE, STATED, Change, Edit, Operation
from countercase.facts.model import Fact, FactSheet, FactTypeName, FactValue, NumericalValue
from countercase.registry import FACT_TYPES
from countercase.text.units import convert

MOST_YEARS: Final = 130
UNREAD: Final = "It is put to no fact; it is kept as a sentence of its own and measured as that."
SAYS_MORE: Final = "It says more than this fact; the whole is stated beside it in its own words."


class NoChangeError(InputError):
    """The case has the fact already as it is supposed."""

    def __init__(self) -> None:
        super().__init__("the case says so already")


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


def make_edit(
    sheet: FactSheet,
    fact: Fact,
    operation: Operation,
    after: FactValue | None,
    clause: str = "",
    beside: Sequence[Change] = (),
) -> Edit:
    """Return the edit of a fact that a user wants, with what the law draws from it.

    Args:
        fact: as the case has it; of one that is added, as it is then.
        after: its value then; None where it is left out. InputError where that changes nothing.
        clause: what is supposed, as worded; by default as the fact type says it.
        beside: what changes with it, and what the law draws from that.
    """
    before = None if operation == "add" else fact
    if after in [it.value for it in ([fact] if before else sheet.facts)]:
        raise NoChangeError
    age = after if isinstance(after, NumericalValue) and after.kind == "age" else None
    if age and (convert(age.value, age.unit, "years") or 0) > MOST_YEARS:
        raise InputError(f"nobody is {age.value:g} {age.unit} old; the most is {MOST_YEARS} years")
    if not clause:
        kind = FACT_TYPES.get(fact.fact_type)
        new = kind.becomes(sheet, before, replace(fact, value=after)) if after else ""
        clause = new.replace(" would be ", " were ") or f"{kind.noun(fact)} were left out"
    change = Change(fact.fact_id, fact.fact_type, operation, before and fact.value, after)
    return suppose(sheet, change, clause, BY_HAND, beside=beside)


def keep_sentence(clause: str) -> Edit:
    """Return a supposition in which no fact is read, as a statement of its own."""
    said = clause[:1].upper() + clause[1:] + "."
    fact_id = f"statement:{'-'.join(clause.lower().split()[:8])}"
    return Edit(fact_id, STATED, "add", None, said, "", BY_HAND, f"Suppose {clause}.", note=UNREAD)


def add_fact(sheet: FactSheet, fact: Fact, clause: str) -> Edit:
    """Return the edit that adds a fact which the case does not have."""
    name = str(fact.value) if fact.fact_type == "Section" else "1"
    added = replace(fact, fact_id=f"{fact.fact_id.rpartition(':')[0]}:{name}:{BY_HAND}")
    return make_edit(sheet, added, "add", fact.value, clause)
