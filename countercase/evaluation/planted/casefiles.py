"""The case of a world: its narrative and its case file, each fact in a sentence of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from countercase.errors import InputError
from countercase.evaluation.planted.areas import Area, Slot, wording
from countercase.fact_types.numerical import figure_phrase
from countercase.facts.case_file import sheet_from_case, write_case
from countercase.facts.case_schema import CaseFile
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
from countercase.law.provision_ids import citation
from countercase.text.words import words

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
    sentences = {slot: _sentence(slot, rng) for slot in slots}

    def stating(*kinds: type[FactValue]) -> list[str]:
        return [
            text for kind in kinds for slot, text in sentences.items()
            if isinstance(slot.value, kind)
        ]  # fmt: skip

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
    event, it = area.event, wording().circumstances[kind].items[item]
    text = rng.choice(wording().circumstances[kind].wordings)
    return text.format(it=it, event=event, Event=event[:1].upper() + event[1:])


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
