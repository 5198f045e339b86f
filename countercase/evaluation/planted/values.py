"""Which values the edits of a case lead to, and how a judgment states a value."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from countercase.counterfactual.proposals import propose
from countercase.counterfactual.validators import RuleValidator
from countercase.evaluation.planted.model import Slot
from countercase.evaluation.planted.wording import PARTY_SAID, SECTION_SAID, WEAKNESS_SAID
from countercase.fact_types.numerical import figure_phrase
from countercase.fact_types.party.edits import PartyChange
from countercase.fact_types.rewriting.narrative import with_article
from countercase.fact_types.rewriting.parties import words_for
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import (
    EvidenceValue,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.provision_ids import citation
from countercase.text.words import words

_AS_STATED: Final = {
    "Individual": "an individual",
    "State": "the State",
    "Corporation": "a private company",
    "Employee": "an employee",
    "Contractor": "a contractor",
    "Tenant": "a tenant",
}
"""How the areas' cases call the party types that they have."""
_ONE_OF_ITS_KIND: Final = ("State Government", "Union of India")
_ROLES: Final = {"petitioner": "appellant", "respondent": "respondent"}


@dataclass(frozen=True)
class Statement:
    """How a judgment states a value: sentences to choose from, and sentences it always has.

    Both empty where the value is that nothing is stated.
    """

    choices: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


def plausible_edits(sheet: FactSheet) -> dict[str, tuple[Edit, ...]]:
    """The edits that an analysis of the case measures, by fact, in the order of proposal."""
    validator = RuleValidator()
    found: dict[str, list[Edit]] = {}
    for edit in propose(sheet):
        if validator.judge(sheet, [edit]).plausible:
            found.setdefault(edit.fact_id, []).append(edit)
    return {fact_id: tuple(edits) for fact_id, edits in found.items()}


def changed_words(sheet: FactSheet, edits: tuple[Edit, ...]) -> frozenset[str]:
    """The words (of the lexical channel) whose number in the narrative an edit changes."""
    before = Counter(words(sheet.narrative))
    changed: set[str] = set()
    for edit in edits:
        after = Counter(words(apply_edits(sheet, [edit]).narrative))
        changed |= set((before - after) + (after - before))
    return frozenset(changed)


def stated(slot: Slot) -> Statement:
    """How judgments state the value that the case has."""
    return _statement(slot, slot.value)


def stated_after(slot: Slot, edit: Edit) -> Statement:
    """How judgments state the value that an edit leads to."""
    value = edit.new_value
    if value is None:
        return Statement()
    if isinstance(value, EvidenceValue) and isinstance(slot.value, EvidenceValue):
        added = value.description.removeprefix(slot.value.description.rstrip(". ")).lstrip(". ")
        low = added[:1].lower() + added[1:]
        weak = tuple(said.format(Sentence=added, sentence=low) for said in WEAKNESS_SAID)
        return Statement(slot.precedent, weak)
    if isinstance(value, PartyValue):
        return Statement(_party(value, _noun(edit, value)))
    return _statement(slot, value)


def figure_or_citation(value: FactValue) -> str:
    """What stands for `{what}` in a wording; "" for parties and evidence."""
    if isinstance(value, SectionValue):
        return citation(value.provision, "long")
    return figure_phrase(value) if isinstance(value, NumericalValue) else ""


def _statement(slot: Slot, value: FactValue) -> Statement:
    if isinstance(value, PartyValue):
        return Statement(_party(value, _AS_STATED[value.party_type]))
    wordings = SECTION_SAID if isinstance(value, SectionValue) else slot.precedent
    return Statement(tuple(said.format(what=figure_or_citation(value)) for said in wordings))


def _party(value: PartyValue, noun: str) -> tuple[str, ...]:
    return tuple(said.format(role=_ROLES[value.side], what=noun) for said in PARTY_SAID)


def _noun(edit: Edit, value: PartyValue) -> str:
    """The noun that the edit itself uses for the new type, with its article."""
    noun = words_for(value.party_type).noun
    for change in read_table("fact_types/party_changes", PartyChange):
        same = (change.original, change.changed, change.provision)
        if same == (edit.original_value, edit.perturbed_value, edit.provision):
            noun = change.noun or noun
    return f"the {noun}" if noun in _ONE_OF_ITS_KIND else with_article(noun)
