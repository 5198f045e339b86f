"""The case of a world: its narrative and its case file, each fact in a sentence of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from countercase.errors import InputError
from countercase.evaluation.planted.model import Area, Slot
from countercase.evaluation.planted.values import figure_or_citation
from countercase.evaluation.planted.wording import CIRCUMSTANCES, FIRST_NAMES, LAST_NAMES, STATES
from countercase.facts.case_file import sheet_from_case, write_case
from countercase.facts.case_schema import CaseFile
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.text.words import words


@dataclass(frozen=True)
class Story:
    """A case before its corpus is written.

    Attributes:
        circumstances: which alternative of each kind of circumstance the case has.
        slots: per fact id, the slot that it comes from.
        written: the content of its case file.
    """

    sheet: FactSheet
    circumstances: tuple[int, ...]
    slots: dict[str, Slot]
    written: dict[str, Any]


def tell(area: Area, case_id: str, rng: random.Random) -> Story:
    """A case of an area, with its circumstances and wordings drawn from `rng`.

    The sheet is the one that reading the case file gives.

    Raises:
        InputError: a fact is not found in the narrative, or another is; a fault of the area.
    """
    slots = [_named(slot, rng) for slot in area.slots]
    chosen = tuple(rng.randrange(len(items)) for _, items in CIRCUMSTANCES)
    parties = {s.value.side: s.value.name for s in slots if isinstance(s.value, PartyValue)}
    client = parties["petitioner"]
    stated = {slot: _say(slot, rng) for slot in slots}
    parts = [
        area.opening.format(name=client),
        *_of(PartyValue, stated),
        *(circumstance(area, kind, item, rng) for kind, item in enumerate(chosen)),
        *_of(EvidenceValue, stated),
        *_of(NumericalValue, stated),
        *_of(SectionValue, stated),
    ]
    title = f"{client} v. {parties['respondent'] or person(rng)}"
    facts = tuple(Fact(f"slot:{at}", _type(slot), slot.value) for at, slot in enumerate(slots))
    draft = write_case(FactSheet(case_id, " ".join(parts), facts, title))
    draft["parties"] = {
        side: {key: said for key, said in party.items() if said}
        for side, party in draft["parties"].items()
    }
    sheet = sheet_from_case(CaseFile.model_validate(draft), case_id)
    return Story(sheet, chosen, _matched(sheet, slots), draft)


def circumstance(area: Area, kind: int, item: int, rng: random.Random) -> str:
    """A sentence that states one circumstance."""
    wordings, items = CIRCUMSTANCES[kind]
    said, event = items[item], area.event
    filled = {"it": said, "It": _capital(said), "event": event, "Event": _capital(event)}
    return rng.choice(wordings).format(**filled)


def person(rng: random.Random) -> str:
    """An invented name."""
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"


def choose(
    rng: random.Random, wordings: tuple[str, ...], avoid: frozenset[str], count: int
) -> list[str]:
    """`count` of the wordings in random order, those without a word of `avoid` first."""
    mixed = rng.sample(wordings, len(wordings))
    return sorted(mixed, key=lambda said: not avoid.isdisjoint(words(said)))[:count]


def _named(slot: Slot, rng: random.Random) -> Slot:
    value = slot.value
    if not isinstance(value, PartyValue) or not any("{name}" in said for said in slot.case):
        return slot
    name = rng.choice(STATES) if value.party_type == "State" else person(rng)
    return replace(slot, value=replace(value, name=name))


def _say(slot: Slot, rng: random.Random) -> str:
    name = slot.value.name if isinstance(slot.value, PartyValue) else ""
    return rng.choice(slot.case).format(what=figure_or_citation(slot.value), name=name)


def _of(kind: type[FactValue], stated: dict[Slot, str]) -> list[str]:
    return [said for slot, said in stated.items() if isinstance(slot.value, kind)]


def _type(slot: Slot) -> Any:
    return type(slot.value).__name__.removesuffix("Value").replace("Party", "PartyType")


def _matched(sheet: FactSheet, slots: list[Slot]) -> dict[str, Slot]:
    by_value = {slot.value: slot for slot in slots}
    silent = [fact.fact_id for fact in sheet.facts if not fact.spans]
    if (
        silent
        or len(sheet.facts) != len(slots)
        or any(f.value not in by_value for f in sheet.facts)
    ):
        raise InputError(
            f"{sheet.case_id}: the case does not state its facts as planned (without a place in "
            f"the narrative: {', '.join(silent) or 'none'}); mend the wordings of its area"
        )
    return {fact.fact_id: by_value[fact.value] for fact in sheet.facts}


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]
