"""The texts of a world: the case, each fact in a sentence of its own, and synthetic judgments.

A judgment says what an edit of the case leads to, or what the case itself says.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from countercase.counterfactual.proposals import propose
from countercase.counterfactual.validators import RuleValidator
from countercase.errors import InputError
from countercase.evaluation.planted.model import Area, Slot, wording
from countercase.fact_types.numerical import figure_phrase
from countercase.fact_types.party import PartyChange
from countercase.fact_types.party_wording import words_for
from countercase.fact_types.rewriting import with_article
from countercase.facts.case_file import sheet_from_case, write_case
from countercase.facts.case_schema import CaseFile
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactTypeName,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.provision_ids import citation
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
_TYPES: dict[type[FactValue], FactTypeName] = {
    PartyValue: "PartyType",
    EvidenceValue: "Evidence",
    NumericalValue: "Numerical",
    SectionValue: "Section",
}


@dataclass(frozen=True)
class Story:
    """A case before its corpus is written.

    Attributes:
        circumstances: which alternative of each kind of circumstance the case has.
        slots: per fact id, the slot that it comes from.
        case_file: the content of its case file.
    """

    sheet: FactSheet
    circumstances: tuple[int, ...]
    slots: dict[str, Slot]
    case_file: dict[str, Any]


def tell(area: Area, case_id: str, rng: random.Random) -> Story:
    """A case of an area, with its circumstances and wordings drawn from `rng`.

    The sheet is the one that reading the case file gives.

    Raises:
        InputError: the narrative does not state exactly the facts of the area; a fault of the area.
    """
    slots = [_named(slot, rng) for slot in area.slots]
    chosen = tuple(rng.randrange(len(kind.items)) for kind in wording().circumstances)
    parties = {s.value.side: s.value.name for s in slots if isinstance(s.value, PartyValue)}
    client = parties["petitioner"]
    sentences = [(slot.value, _sentence(slot, rng)) for slot in slots]

    def stating(*kinds: type[FactValue]) -> list[str]:
        return [text for kind in kinds for value, text in sentences if isinstance(value, kind)]

    narrative = [
        area.opening.format(name=client),
        *stating(PartyValue),
        *(circumstance(area, kind, item, rng) for kind, item in enumerate(chosen)),
        *stating(EvidenceValue, NumericalValue, SectionValue),
    ]
    title = f"{client} v. {parties['respondent'] or person(rng)}"
    facts = tuple(
        Fact(f"slot:{at}", _TYPES[type(slot.value)], slot.value) for at, slot in enumerate(slots)
    )
    case_file = write_case(FactSheet(case_id, " ".join(narrative), facts, title))
    case_file["parties"] = {
        side: {key: value for key, value in party.items() if value}
        for side, party in case_file["parties"].items()
    }
    sheet = sheet_from_case(CaseFile.model_validate(case_file), case_id)
    return Story(sheet, chosen, _matched(sheet, slots), case_file)


def circumstance(area: Area, kind: int, item: int, rng: random.Random) -> str:
    """A sentence that states one circumstance."""
    event, words_of = area.event, wording().circumstances[kind]
    capital = event[:1].upper() + event[1:]
    return rng.choice(words_of.wordings).format(it=words_of.items[item], event=event, Event=capital)


def person(rng: random.Random) -> str:
    """An invented name."""
    return f"{rng.choice(wording().first_names)} {rng.choice(wording().last_names)}"


def choose(
    rng: random.Random, wordings: tuple[str, ...], avoid: frozenset[str], count: int
) -> list[str]:
    """`count` of the wordings in random order, those without a word of `avoid` first."""
    mixed = rng.sample(wordings, len(wordings))
    return sorted(mixed, key=lambda text: not avoid.isdisjoint(words(text)))[:count]


def figure_or_citation(value: FactValue) -> str:
    """What stands for `{what}` in a wording; "" for parties and evidence."""
    if isinstance(value, SectionValue):
        return citation(value.provision, "long")
    return figure_phrase(value) if isinstance(value, NumericalValue) else ""


def _named(slot: Slot, rng: random.Random) -> Slot:
    value = slot.value
    if not isinstance(value, PartyValue) or not any("{name}" in text for text in slot.case):
        return slot
    name = rng.choice(wording().states) if value.party_type == "State" else person(rng)
    return replace(slot, value=replace(value, name=name))


def _sentence(slot: Slot, rng: random.Random) -> str:
    name = slot.value.name if isinstance(slot.value, PartyValue) else ""
    return rng.choice(slot.case).format(what=figure_or_citation(slot.value), name=name)


def _matched(sheet: FactSheet, slots: list[Slot]) -> dict[str, Slot]:
    by_value: dict[object, Slot] = {slot.value: slot for slot in slots}
    silent = [fact.fact_id for fact in sheet.facts if not fact.spans]
    unplanned = any(fact.value not in by_value for fact in sheet.facts)
    if silent or unplanned or len(sheet.facts) != len(slots):
        raise InputError(
            f"{sheet.case_id}: the case does not state its facts as planned (without a place in "
            f"the narrative: {', '.join(silent) or 'none'}); mend the wordings of its area"
        )
    return {fact.fact_id: by_value[fact.value] for fact in sheet.facts}


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
    holding = Counter(word for text in texts for word in set(words(text)))
    return tuple(word for word in sorted(changed) if 0 < holding[word] < len(texts))


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
