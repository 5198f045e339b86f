"""The texts of a world: the case, each fact in a sentence of its own, and synthetic judgments.

Each fact stands in a sentence of its own, so that an edit of one never touches the words of
another. A judgment says what an edit of the case leads to, or what the case itself says.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

import pydantic

from countercase.fact_types.evidence.naming import words_of
from countercase.fact_types.numerical.saying import STYLES, say_figure
from countercase.fact_types.party.recognise import words_for
from countercase.facts import model
from countercase.facts.case_file import sheet_from_case, write_case
from countercase.facts.case_schema import CaseFile
from countercase.facts.edits import Edit
from countercase.law.provision_ids import citation
from countercase.text.words import words

SENTENCES: Final = 3
"""Sentences in which a precedent states a value that carries its case."""

Statement: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Sentences to choose from, and sentences that a judgment always has; see `stated`."""

_ROLES: Final = {"petitioner": "appellant", "respondent": "respondent"}
_TYPES: dict[type[model.FactValue], model.FactTypeName] = {
    model.PartyValue: "PartyType",
    model.EvidenceValue: "Evidence",
    model.NumericalValue: "Numerical",
    model.SectionValue: "Section",
}


@dataclass(frozen=True)
class Slot:
    """A fact that an area's cases state, and its wordings in cases and judgments.

    `{what}` is the citation or the number with its unit, `{name}` the party's name; provisions and
    parties have general wordings in judgments.
    """

    value: model.SectionValue | model.PartyValue | model.EvidenceValue | model.NumericalValue
    case: tuple[str, ...]
    precedent: tuple[str, ...] = ()


@pydantic.dataclasses.dataclass(frozen=True)
class Area:
    """An area of law: two facts of each type, and the words for what happened.

    `event` is what the circumstances are circumstances of (`the search`), `opening` the first
    sentence of the case, `subject` what judgments of the area say they are about.
    """

    name: str
    event: str
    opening: str
    subject: tuple[str, ...]
    slots: tuple[Slot, ...]


@cache
def wording() -> Any:
    """Return the wordings that all areas share, by what they word.

    `circumstances` have `wordings` with the same words in another order, function words apart, and
    `items` to choose from: a precedent is nearer to a case by what happened, and not by how it is
    worded. `distractors` are sentences about a `{place}` that say nothing of the case.
    """
    return json.loads((files(__package__) / "data/wording.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Story:
    """A case before its corpus is written, with its circumstances, and its slots by fact id."""

    area: Area
    sheet: model.FactSheet
    circumstances: tuple[int, ...]
    slots: dict[str, Slot]
    case_file: dict[str, Any]


def tell(area: Area, case_id: str, rng: random.Random) -> Story:
    """Tell a case of an area, with circumstances and wordings drawn from `rng`."""
    slots = []
    for slot in area.slots:
        value = slot.value
        if isinstance(value, model.PartyValue) and any("{name}" in text for text in slot.case):
            is_state = value.party_type == "State"
            name = rng.choice(wording()["states"]) if is_state else person(rng)
            value = replace(value, name=name)
        slots.append(replace(slot, value=value))
    chosen = tuple(rng.randrange(len(kind["items"])) for kind in wording()["circumstances"])
    parties = {s.value.side: s.value.name for s in slots if isinstance(s.value, model.PartyValue)}
    client = parties["petitioner"]
    said: dict[str, list[str]] = {kind: [] for kind in _TYPES.values()}
    facts = []
    for at, slot in enumerate(slots):
        kind, what = _TYPES[type(slot.value)], figure_or_citation(slot.value)
        name = getattr(slot.value, "name", "")
        said[kind].append(rng.choice(slot.case).format(what=what, name=name))
        facts.append(model.Fact(f"slot:{at}", kind, slot.value))
    narrative = [
        area.opening.format(name=client),
        *said["PartyType"],
        *(circumstance(area, kind, item, rng) for kind, item in enumerate(chosen)),
        *said["Evidence"], *said["Numerical"], *said["Section"],
    ]  # fmt: skip
    title = f"{client} v. {parties['respondent'] or person(rng)}"
    case_file = write_case(model.FactSheet(case_id, " ".join(narrative), tuple(facts), title))
    case_file["parties"] = {
        side: {key: value for key, value in party.items() if value}
        for side, party in case_file["parties"].items()
    }
    sheet = sheet_from_case(CaseFile.model_validate(case_file), case_id)
    by_value: dict[object, Slot] = {slot.value: slot for slot in slots}
    own = {fact.fact_id: by_value[fact.value] for fact in sheet.facts}
    return Story(area, sheet, chosen, own, case_file)


def circumstance(area: Area, kind: int, item: int, rng: random.Random) -> str:
    """Write a sentence that states one circumstance."""
    event, said = area.event, wording()["circumstances"][kind]
    chosen, capital = rng.choice(said["wordings"]), event[:1].upper() + event[1:]
    return str(chosen.format(it=said["items"][item], event=event, Event=capital))


def person(rng: random.Random) -> str:
    """Draw an invented name."""
    return f"{rng.choice(wording()['first_names'])} {rng.choice(wording()['last_names'])}"


def choose(
    rng: random.Random, wordings: Sequence[str], avoid: frozenset[str], count: int
) -> list[str]:
    """Draw `count` of the wordings in random order, those without a word of `avoid` first."""
    mixed = rng.sample(wordings, len(wordings))
    return sorted(mixed, key=lambda text: not avoid.isdisjoint(words(text)))[:count]


def figure_or_citation(value: model.FactValue, style: int = 0) -> str:
    """Return what stands for `{what}` in a wording, a number in this style; "" for other facts."""
    if isinstance(value, model.SectionValue):
        return citation(value.provision, "long")
    return say_figure(value, style) if isinstance(value, model.NumericalValue) else ""


def stated(slot: Slot, edit: Edit | None = None) -> Statement:
    """Say how judgments state the value that the case has, or the one that an edit leads to.

    A judgment writes a number in each of the ways in which a statement may write it, so that no way
    of writing tells two judgments apart. Nothing is said where the value is that nothing is stated.
    """
    value = edit.after if edit else slot.value
    if value is None:
        return (), ()
    if isinstance(value, model.PartyValue):
        role, phrase = _ROLES[value.side], words_for(value.party_type).phrase
        return tuple(text.format(role=role, what=phrase) for text in wording()["party"]), ()
    if isinstance(value, model.EvidenceValue):
        kind = words_of(value.evidence_type)
        if value.strength == "absent":
            denied = kind.absent or tuple(f"There {verb} no {kind.noun}" for verb in ("was", "is"))
            return tuple(f"{text}." for text in denied), ()
        said = f"{value.doubt}." if edit else ""
        return slot.precedent, tuple(
            text.format(noun=kind.noun, doubt=said)
            for text in (wording()["weakness"] if edit else wording()["strength"])
        )
    texts = wording()["section"] if isinstance(value, model.SectionValue) else slot.precedent
    return tuple(
        text.format(what=figure_or_citation(value, at % STYLES)) for at, text in enumerate(texts)
    ), ()


def write_judgment(
    story: Story,
    carried: Sequence[Statement],
    everywhere: Sequence[str],
    shared: int,
    avoid: frozenset[str],
    rng: random.Random,
) -> tuple[str, str]:
    """Write title and text of a precedent.

    Args:
        carried: the values of the carrying facts, as `stated` gives them.
        everywhere: sentences that all precedents of the case hold, word for word.
        shared: how many of the case's circumstances the precedent has too.
        avoid: words that edits of idle facts change; wordings without them are preferred.
    """
    body: list[str] = []
    for choices, always in carried:
        body += choose(rng, always, avoid, SENTENCES - 1)
        body += choose(rng, choices, avoid, 1 if always else SENTENCES)
    missing = SENTENCES * len(carried) - len(body)
    [place] = choose(rng, wording()["places"], avoid, 1)
    asides = tuple(text.format(place=place) for text in wording()["distractors"])
    body += everywhere
    body += choose(rng, wording()["procedure"], avoid, rng.randint(3, 5) + missing)
    body += choose(rng, asides, avoid, rng.randint(1, 2))
    kinds, happened = range(len(story.circumstances)), []
    same = set(rng.sample(kinds, shared))
    for kind in rng.sample(kinds, len(kinds)):
        items, item = wording()["circumstances"][kind]["items"], story.circumstances[kind]
        if kind not in same:
            others = [at for at in range(len(items)) if at != item]
            clean = [at for at in others if avoid.isdisjoint(words(items[at]))]
            item = rng.choice(clean or others)
        happened.append(circumstance(story.area, kind, item, rng))
    rng.shuffle(body)
    opening = choose(rng, story.area.subject, avoid, 1)
    closing = choose(rng, wording()["closings"], avoid, 1)
    return f"{person(rng)} v. {person(rng)}", " ".join([*opening, *happened, *body, *closing])
