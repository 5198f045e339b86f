"""What the evidence is: take an item away, weaken it, or add one that courts look for.

The rules of proof are in `data/evidence_rules.jsonl`; which kinds of evidence courts look for in
which matter is in `data/evidence_groups.jsonl`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from countercase.counterfactual.edits import Edit, Replacement
from countercase.counterfactual.perturbations.matter import cites
from countercase.counterfactual.perturbations.removal import take_away
from countercase.counterfactual.perturbations.rewriting import add_sentence, sentences_around
from countercase.counterfactual.perturbations.tables import read_table
from countercase.facts.model import EvidenceValue, Fact, FactSheet

ADDED_ITEMS: Final = 2
"""How many kinds of evidence that are not on the sheet are proposed as additions."""


@dataclass(frozen=True)
class EvidenceRule:
    """How one kind of evidence counts, and what most often weakens it."""

    evidence_type: str
    provision: str
    reason: str
    weakness: str
    weak_provision: str
    weak_reason: str


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
    order = [rule.evidence_type for rule in read_table("evidence_rules", EvidenceRule)]
    items = sorted(
        ((fact, fact.value) for fact in sheet.facts if isinstance(fact.value, EvidenceValue)),
        key=lambda item: order.index(item[1].evidence_type),
    )
    removed = (_removed(sheet, fact, value) for fact, value in items)
    weakened = (_weakened(sheet, fact, value) for fact, value in items)
    return [edit for edit in (*removed, *weakened) if edit is not None] + _added(sheet)


def reason(edit: Edit) -> str:
    """The rule of proof behind the edit; "" for an unknown kind of evidence."""
    kind = edit.fact_id.split(":")[1] if ":" in edit.fact_id else ""
    for rule in read_table("evidence_rules", EvidenceRule):
        if rule.evidence_type == kind:
            return rule.weak_reason if edit.rule == "evidence.weaken" else rule.reason
    return ""


def _rule(value: EvidenceValue) -> EvidenceRule:
    rules = read_table("evidence_rules", EvidenceRule)
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
    rule = _rule(value)
    stated = value.description.rstrip(". ")
    weaker = replace(
        value,
        strength="weakened",
        description=f"{stated}. {rule.weakness}" if stated else rule.weakness,
    )
    around = sentences_around(sheet.narrative, fact.spans)
    said = (add_sentence(sheet.narrative, around[-1].end, rule.weakness),) if around else ()
    return Edit(
        fact_id=fact.fact_id,
        fact_type="Evidence",
        original_value=str(value),
        perturbed_value=str(weaker),
        rule="evidence.weaken",
        provision=rule.weak_provision,
        new_value=weaker,
        replacements=said,
    )


def _added(sheet: FactSheet) -> list[Edit]:
    present = {
        fact.value.evidence_type for fact in sheet.facts if isinstance(fact.value, EvidenceValue)
    }
    groups = read_table("evidence_groups", EvidenceGroup)
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
