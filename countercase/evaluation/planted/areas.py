"""The areas of law that planted cases come from, and the words for all of them, from `data/`.

All wordings are our own. Each fact stands in a sentence of its own, so that an edit of one never
touches the words of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from countercase.errors import InputError
from countercase.facts.model import EvidenceValue, NumericalValue, PartyValue, SectionValue


@dataclass(frozen=True)
class Slot:
    """A fact that an area's cases state, and its wordings.

    Attributes:
        case: wordings of the case, one of which states the fact; `{what}` is the citation or the
            number with its unit, `{name}` the party's name.
        precedent: wordings of judgments; empty for provisions and parties, which have general ones.
    """

    value: SectionValue | PartyValue | EvidenceValue | NumericalValue
    case: tuple[str, ...]
    precedent: tuple[str, ...] = ()


@dataclass(frozen=True)
class Area:
    """An area of law: two facts of each type, and the words for what happened.

    Attributes:
        event: what the circumstances are circumstances of (`the search`).
        opening: first sentence of the case, with `{name}`.
        subject: what judgments of the area say they are about.
    """

    name: str
    event: str
    opening: str
    subject: tuple[str, ...]
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Circumstance:
    """A kind of circumstance: its wordings, and the alternatives to choose from.

    The wordings have the same words in another order, function words apart: a precedent is nearer
    to a case by what happened, and not by how it is worded.
    """

    wordings: tuple[str, ...]
    items: tuple[str, ...]


@dataclass(frozen=True)
class Wording:
    """Wordings that all areas share.

    Attributes:
        procedure: sentences of judgments that say nothing of the facts.
        distractors: sentences about a `{place}` that say nothing of the case.
        section, party, weakness: how judgments state a provision, what a party is, and that
            evidence is weak.
    """

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    states: tuple[str, ...]
    places: tuple[str, ...]
    circumstances: tuple[Circumstance, ...]
    procedure: tuple[str, ...]
    distractors: tuple[str, ...]
    closings: tuple[str, ...]
    section: tuple[str, ...]
    party: tuple[str, ...]
    weakness: tuple[str, ...]


@cache
def areas() -> dict[str, Area]:
    """The areas by name, in the order of the table."""
    lines = _data("areas.jsonl").splitlines()
    listed = [TypeAdapter(Area).validate_json(line) for line in lines]
    return {area.name: area for area in listed}


@cache
def wording() -> Wording:
    """The wordings that all areas share."""
    return TypeAdapter(Wording).validate_json(_data("wording.json"))


def area_named(name: str) -> Area:
    """The area of this name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    if name not in areas():
        known = ", ".join(areas())
        raise InputError(f"no planted area is called {name!r}; known: {known}")
    return areas()[name]


def _data(name: str) -> str:
    return (files(__package__) / "data" / name).read_text(encoding="utf-8")
