"""Synthetic judgments: the values that edits lead to, and what a precedent says of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from countercase.counterfactual.proposals import propose
from countercase.counterfactual.validators import RuleValidator
from countercase.evaluation.planted.areas import Area, Slot, wording
from countercase.evaluation.planted.casefiles import (
    choose,
    circumstance,
    figure_or_citation,
    person,
)
from countercase.fact_types.party import PartyChange
from countercase.fact_types.party_wording import words_for
from countercase.fact_types.rewriting import with_article
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import EvidenceValue, FactSheet, FactValue, PartyValue, SectionValue
from countercase.io import read_table
from countercase.text.words import words

SENTENCES: Final = 3
"""Sentences in which a precedent states a value that carries its case."""
MOST_SHARED: Final = 2
"""Circumstances, of five, that the precedent nearest to a case in its story shares with it."""

_PARTY_NOUNS: Final = {
    "Individual": "an individual",
    "State": "the State",
    "Corporation": "a private company",
    "Employee": "an employee",
    "Contractor": "a contractor",
    "Tenant": "a tenant",
}
"""How judgments call the party types of the areas' cases."""
_UNIQUE: Final = ("State Government", "Union of India")
_ROLES: Final = {"petitioner": "appellant", "respondent": "respondent"}


@dataclass(frozen=True)
class Statement:
    """How a judgment states a value: sentences to choose from, and sentences it always has.

    Both empty where the value is that nothing is stated.
    """

    choices: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What one precedent must say.

    Attributes:
        carried: the values of the carrying facts.
        everywhere: sentences that all precedents of the case hold, word for word.
        circumstances: the case's alternatives.
        shared: how many of them the precedent has too.
    """

    carried: tuple[Statement, ...]
    everywhere: tuple[str, ...]
    circumstances: tuple[int, ...]
    shared: int


def plausible_edits(sheet: FactSheet) -> dict[str, tuple[Edit, ...]]:
    """The edits that an analysis of the case measures, by fact, in the order of proposal."""
    validator = RuleValidator()
    edits: dict[str, tuple[Edit, ...]] = {}
    for edit in propose(sheet):
        if validator.judge(sheet, [edit]).plausible:
            edits[edit.fact_id] = (*edits.get(edit.fact_id, ()), edit)
    return edits


def changed_words(sheet: FactSheet, edits: Sequence[Edit]) -> frozenset[str]:
    """The words (of the lexical channel) whose number in the narrative an edit changes."""
    before = Counter(words(sheet.narrative))
    changed: set[str] = set()
    for edit in edits:
        after = Counter(words(apply_edits(sheet, [edit]).narrative))
        changed |= set((before - after) + (after - before))
    return frozenset(changed)


def leaks(changed: frozenset[str], texts: Sequence[str]) -> tuple[str, ...]:
    """The words of `changed` that some of the texts hold and others do not, sorted."""
    held = [set(words(text)) for text in texts]
    return tuple(
        word for word in sorted(changed) if 0 < sum(word in text for text in held) < len(held)
    )


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
        weak = tuple(text.format(Sentence=added, sentence=low) for text in wording().weakness)
        return Statement(slot.precedent, weak)
    if isinstance(value, PartyValue):
        return _party(value, _noun(edit, value))
    return _statement(slot, value)


def shared_by(member: int, size: int) -> int:
    """How many circumstances the member of a group shares: from two down to none, evenly.

    Groups are alike in this, so that the story never tells one group from another.
    """
    return round(MOST_SHARED * (1 - member / (size - 1)))


def write_judgment(
    area: Area, plan: Plan, avoid: frozenset[str], rng: random.Random
) -> tuple[str, str]:
    """Title and text of a precedent.

    Args:
        avoid: words that edits of idle facts change; wordings without them are preferred.
    """
    body: list[str] = []
    for statement in plan.carried:
        body += choose(rng, statement.always, avoid, SENTENCES - 1)
        body += choose(rng, statement.choices, avoid, 1 if statement.always else SENTENCES)
    missing = SENTENCES * len(plan.carried) - len(body)
    place = choose(rng, wording().places, avoid, 1)[0]
    asides = tuple(text.format(place=place) for text in wording().distractors)
    body += plan.everywhere
    body += choose(rng, wording().procedure, avoid, rng.randint(3, 5) + missing)
    body += choose(rng, asides, avoid, rng.randint(1, 2))
    story = _story(area, plan, avoid, rng)
    rng.shuffle(body)
    opening = choose(rng, area.subject, avoid, 1)
    closing = choose(rng, wording().closings, avoid, 1)
    return f"{person(rng)} v. {person(rng)}", " ".join([*opening, *story, *body, *closing])


def _story(area: Area, plan: Plan, avoid: frozenset[str], rng: random.Random) -> list[str]:
    kinds = range(len(wording().circumstances))
    shared = set(rng.sample(kinds, plan.shared))
    sentences = []
    for kind in rng.sample(kinds, len(kinds)):
        items = wording().circumstances[kind].items
        others = [at for at in range(len(items)) if at != plan.circumstances[kind]]
        clean = [at for at in others if avoid.isdisjoint(words(items[at]))]
        item = plan.circumstances[kind] if kind in shared else rng.choice(clean or others)
        sentences.append(circumstance(area, kind, item, rng))
    return sentences


def _statement(slot: Slot, value: FactValue) -> Statement:
    if isinstance(value, PartyValue):
        return _party(value, _PARTY_NOUNS[value.party_type])
    texts = wording().section if isinstance(value, SectionValue) else slot.precedent
    return Statement(tuple(text.format(what=figure_or_citation(value)) for text in texts))


def _party(value: PartyValue, noun: str) -> Statement:
    role = _ROLES[value.side]
    return Statement(tuple(text.format(role=role, what=noun) for text in wording().party))


def _noun(edit: Edit, value: PartyValue) -> str:
    """The noun that the edit itself uses for the new type, with its article."""
    noun = words_for(value.party_type).noun
    for change in read_table("fact_types/party_changes", PartyChange):
        same = (change.original, change.changed, change.provision)
        if same == (edit.original_value, edit.perturbed_value, edit.provision):
            noun = change.noun or noun
    return f"the {noun}" if noun in _UNIQUE else with_article(noun)
