"""What the evidence is: take an item away, weaken it, or add one that courts look for.

The rules of proof are in `data/evidence_rules.jsonl`, what takes weight from evidence in
`data/evidence_weaknesses.jsonl`; which kinds courts look for in which matter is in
`data/evidence_groups.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.evidence.removal import take_away
from countercase.fact_types.evidence.weakening import qualified
from countercase.fact_types.rewriting import add_sentence
from countercase.facts.area_of_law import cites
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import EvidenceValue, Fact, FactSheet
from countercase.io import read_table

ADDED_ITEMS: Final = 2
"""How many kinds of evidence that are not on the sheet are proposed as additions."""


@dataclass(frozen=True)
class EvidenceRule:
    """Why one kind of evidence counts."""

    evidence_type: str
    provision: str
    reason: str


@dataclass(frozen=True)
class Weakness:
    """What takes weight from one kind of evidence.

    A narrative says it within its own sentence: `noun` follows a noun that names the item, `clause`
    ends a clause whose verb states it. `sentence` describes it on the sheet. It is not proposed
    where the pattern `unless` is found in the narrative, which then speaks of the matter already;
    the last weakness of each kind has none.
    """

    evidence_type: str
    noun: str
    clause: str
    sentence: str
    provision: str
    reason: str
    unless: str = ""


@dataclass(frozen=True)
class EvidenceGroup:
    """The evidence that courts look for where one of `cited` is cited (none: in any matter).

    Each addition is an evidence type, the sentence that states it, and a provision.
    """

    group: str
    cited: tuple[str, ...]
    additions: tuple[tuple[str, str, str], ...]


def propose(sheet: FactSheet) -> list[Edit]:
    """Take each item away, weaken each, add what is missing; the weightiest kind first."""
    order = [rule.evidence_type for rule in read_table("fact_types/evidence_rules", EvidenceRule)]
    items = sorted(
        ((fact, fact.value) for fact in sheet.facts if isinstance(fact.value, EvidenceValue)),
        key=lambda item: order.index(item[1].evidence_type),
    )
    removed = (_removed(sheet, fact, value) for fact, value in items)
    weakened = (_weakened(sheet, fact, value) for fact, value in items)
    return [edit for edit in (*removed, *weakened) if edit is not None] + _added(sheet)


def reason(edit: Edit) -> str:
    """The rule of proof behind the edit; "" for an unknown kind of evidence."""
    if edit.rule == "evidence.weaken" and isinstance(edit.new_value, EvidenceValue):
        said = edit.new_value.description
        weak = read_table("fact_types/evidence_weaknesses", Weakness)
        return next((w.reason for w in weak if said.endswith(w.sentence)), "")
    kind = (edit.original_value or edit.perturbed_value).replace(" ", "_")
    rules = read_table("fact_types/evidence_rules", EvidenceRule)
    return next((rule.reason for rule in rules if kind.startswith(rule.evidence_type)), "")


def _rule(value: EvidenceValue) -> EvidenceRule:
    rules = read_table("fact_types/evidence_rules", EvidenceRule)
    return next(rule for rule in rules if rule.evidence_type == value.evidence_type)


def _removed(sheet: FactSheet, fact: Fact, value: EvidenceValue) -> Edit | None:
    replacements = take_away(sheet, fact)
    if replacements is None:
        return None
    return Edit(
        fact_id=fact.fact_id,
        fact_type="Evidence",
        original_value=str(value),
        perturbed_value="",
        rule="evidence.remove",
        provision=_rule(value).provision,
        new_value=None,
        replacements=replacements,
    )


def _weakened(sheet: FactSheet, fact: Fact, value: EvidenceValue) -> Edit | None:
    if value.strength == "weakened":
        return None
    weakness = next(
        w
        for w in read_table("fact_types/evidence_weaknesses", Weakness)
        if w.evidence_type == value.evidence_type
        and not (w.unless and re.search(w.unless, sheet.narrative, re.IGNORECASE))
    )
    stated = value.description.rstrip(". ")
    weaker = replace(
        value,
        strength="weakened",
        description=f"{stated}. {weakness.sentence}" if stated else weakness.sentence,
    )
    return Edit(
        fact_id=fact.fact_id,
        fact_type="Evidence",
        original_value=str(value),
        perturbed_value=str(weaker),
        rule="evidence.weaken",
        provision=weakness.provision,
        new_value=weaker,
        replacements=qualified(sheet, fact, weakness.noun, weakness.clause),
    )


def _added(sheet: FactSheet) -> list[Edit]:
    present = {
        fact.value.evidence_type for fact in sheet.facts if isinstance(fact.value, EvidenceValue)
    }
    groups = read_table("fact_types/evidence_groups", EvidenceGroup)
    group = next(g for g in groups if not g.cited or cites(sheet, g.cited))
    missing = [addition for addition in group.additions if addition[0] not in present]
    return [_addition(sheet, *addition) for addition in missing[:ADDED_ITEMS]]


def _addition(sheet: FactSheet, evidence_type: str, sentence: str, provision: str) -> Edit:
    value = EvidenceValue(evidence_type, sentence)
    end = len(sheet.narrative.rstrip())
    said: tuple[Replacement, ...] = ()
    if end:
        said = (add_sentence(sheet.narrative, end, sentence),)
    return Edit(
        fact_id=f"evidence:{evidence_type}:added",
        fact_type="Evidence",
        original_value="",
        perturbed_value=str(value),
        rule="evidence.add",
        provision=provision,
        new_value=value,
        replacements=said,
    )
