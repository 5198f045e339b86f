"""What a planted world is made of: areas of law and their words, the recipe, the truth, its files.

The words stand in `data/`. All wordings are our own. Each fact stands in a sentence of its own, so
that an edit of one never touches the words of another.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from countercase.errors import InputError
from countercase.evaluation.benchmarks.json_files import read_json
from countercase.facts.model import (
    EvidenceValue,
    FactTypeName,
    NumericalValue,
    PartyValue,
    SectionValue,
)

Role: TypeAlias = Literal["carrying", "idle"]
Presence: TypeAlias = Literal["groups", "everywhere", "nowhere"]
"""Where the value of a fact stands: in the case's own group alone (a carrying fact), in every
precedent of the case alike, or in none."""

CORPUS_FILE: Final = "corpus.jsonl"
TRUTH_FILE: Final = "truth.json"


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
    rows = (TypeAdapter(Area).validate_json(line) for line in _data("areas.jsonl").splitlines())
    return {area.name: area for area in rows}


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
        raise InputError(f"no planted area is called {name!r}; known: {', '.join(areas())}")
    return areas()[name]


def _data(name: str) -> str:
    return (files(__package__) / "data" / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Aim:
    """The precedents that one edit of a carrying fact must bring up: they hold its new value."""

    edit: str
    rises: tuple[str, ...]


@dataclass(frozen=True)
class PlantedFact:
    """The truth about one fact of a case.

    Attributes:
        added: whether it is evidence that the case lacks and an edit adds.
        falls: precedents that hold the case's value and that every edit of a carrying fact must
            lose; empty for an idle one.
        aims: where each of its edits must lead; empty for an idle fact.
        leaks: words that edits of an idle fact change and that some precedents of the case hold
            and others do not: the noise that is left by construction.
    """

    fact_id: str
    fact_type: FactTypeName
    role: Role
    presence: Presence
    added: bool = False
    falls: tuple[str, ...] = ()
    aims: tuple[Aim, ...] = ()
    leaks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with the fields of its role alone."""
        hidden = ("falls", "aims") if self.role == "idle" else ("leaks",)
        return {key: value for key, value in asdict(self).items() if key not in hidden}


@dataclass(frozen=True)
class PlantedCase:
    """A case file of a world and the truth about it."""

    case_id: str
    area: str
    facts: tuple[PlantedFact, ...]


@dataclass(frozen=True)
class World:
    """A corpus and its cases, in a folder."""

    name: str
    seed: int
    folder: Path
    cases: tuple[PlantedCase, ...]

    @property
    def corpus(self) -> Path:
        """The precedents, in BEIR form."""
        return self.folder / CORPUS_FILE

    def case_file(self, case: PlantedCase) -> Path:
        """The case file of a case."""
        return self.folder / f"{case.case_id}.json"


class Spec(BaseModel):
    """The recipe: how many worlds, of what size, from which seeds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    seeds: list[int] = Field(min_length=1, description="one world from each")
    areas: list[str] = Field(min_length=1, description="areas of law the cases come from")
    cases: int = Field(4, ge=1, description="cases of a world, each of an area of its own")
    carrying: int = Field(2, ge=1, le=4, description="carrying facts of a case, of distinct types")
    group: int = Field(10, ge=2, description="precedents of the case's group, and of each counter")
    everywhere: float = Field(0.5, ge=0, le=1, description="share of idle facts in all precedents")


def read_spec(path: Path) -> Spec:
    """The recipe of a `spec.json`.

    Raises:
        InputError: the file cannot be read, or a field is unknown, missing or out of bounds.
    """
    return read_json(path, Spec)


def truth_of(world: World) -> dict[str, Any]:
    """The truth of a world as JSON."""
    cases = [
        {"case_id": case.case_id, "area": case.area, "facts": [f.to_dict() for f in case.facts]}
        for case in world.cases
    ]
    return {"world": world.name, "seed": world.seed, "cases": cases}


def read_world(folder: Path) -> World:
    """A world that was written to `folder`.

    Raises:
        InputError: its `truth.json` is missing or is not what `generate` writes.
    """
    path = folder / TRUTH_FILE
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        cases = TypeAdapter(tuple[PlantedCase, ...]).validate_python(truth["cases"])
        return World(truth["world"], truth["seed"], folder, cases)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not the truth of a planted world ({error!r})") from error
