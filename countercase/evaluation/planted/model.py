"""What a planted world is made of, and its recipe."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countercase.errors import InputError
from countercase.facts.model import FactTypeName, FactValue

Role: TypeAlias = Literal["carrying", "idle"]
Presence: TypeAlias = Literal["groups", "everywhere", "nowhere"]
"""Where the value of a fact stands: in the case's own group alone (a carrying fact), in every
precedent of the case alike, or in none."""

CORPUS_FILE: Final = "corpus.jsonl"
TRUTH_FILE: Final = "truth.json"


@dataclass(frozen=True)
class Slot:
    """A fact that an area's cases state, and how it is put into words.

    Attributes:
        case: wordings of the case, one of which states the fact; `{what}` is the citation or the
            figure with its unit, `{name}` the party's name.
        precedent: wordings of judgments; empty for provisions and parties, which have general ones.
    """

    value: FactValue
    case: tuple[str, ...]
    precedent: tuple[str, ...] = ()


@dataclass(frozen=True)
class Area:
    """A field of law: two facts of each type, and the words for what happened.

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
class Aim:
    """What one edit of a carrying fact asks for: precedents that hold the value it leads to."""

    edit: str
    rises: tuple[str, ...]


@dataclass(frozen=True)
class PlantedFact:
    """What is known of one fact of a case.

    Attributes:
        added: whether it is evidence that the case lacks and an edit adds.
        falls: precedents that hold the case's value and that every edit of a carrying fact must
            lose; empty for an idle one.
        aims: where each of its edits must lead; empty for an idle fact.
        leaks: words that edits of an idle fact change and that some precedents of the case hold
            and others do not: what noise is left by construction.
    """

    fact_id: str
    fact_type: FactTypeName
    role: Role
    presence: Presence
    added: bool = False
    falls: tuple[str, ...] = ()
    aims: tuple[Aim, ...] = ()
    leaks: tuple[str, ...] = ()


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
    areas: list[str] = Field(min_length=1, description="fields of law the cases come from")
    cases: int = Field(4, ge=1, description="cases of a world, each of an area of its own")
    carrying: int = Field(2, ge=1, le=4, description="carrying facts of a case, of distinct types")
    group: int = Field(10, ge=2, description="precedents of the case's group, and of each counter")
    everywhere: float = Field(0.5, ge=0, le=1, description="share of idle facts in all precedents")


def read_spec(path: Path) -> Spec:
    """The recipe of a `spec.json`.

    Raises:
        InputError: the file cannot be read, or a field is unknown, missing or out of bounds.
    """
    try:
        return Spec.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{path}: not a readable JSON file: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InputError(f"{path}: {where}: {first['msg']}") from error


def truth_of(world: World) -> dict[str, Any]:
    """The truth of a world as JSON."""
    return {
        "world": world.name,
        "seed": world.seed,
        "cases": [
            {"case_id": case.case_id, "area": case.area, "facts": [_fact(f) for f in case.facts]}
            for case in world.cases
        ],
    }


def read_world(folder: Path) -> World:
    """A world that was written to `folder`.

    Raises:
        InputError: its `truth.json` is missing or is not what `generate` writes.
    """
    path = folder / TRUTH_FILE
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        cases = tuple(
            PlantedCase(case["case_id"], case["area"], tuple(map(_read_fact, case["facts"])))
            for case in truth["cases"]
        )
        return World(truth["world"], truth["seed"], folder, cases)
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not the truth of a planted world ({error!r})") from error


def _fact(fact: PlantedFact) -> dict[str, Any]:
    written: dict[str, Any] = {
        "fact_id": fact.fact_id,
        "fact_type": fact.fact_type,
        "role": fact.role,
        "presence": fact.presence,
        "added": fact.added,
    }
    if fact.role == "idle":
        return written | {"leaks": list(fact.leaks)}
    aims = [{"edit": aim.edit, "rises": list(aim.rises)} for aim in fact.aims]
    return written | {"falls": list(fact.falls), "aims": aims}


def _read_fact(given: dict[str, Any]) -> PlantedFact:
    return PlantedFact(
        given["fact_id"],
        given["fact_type"],
        given["role"],
        given["presence"],
        given["added"],
        tuple(given.get("falls", ())),
        tuple(Aim(aim["edit"], tuple(aim["rises"])) for aim in given.get("aims", ())),
        tuple(given.get("leaks", ())),
    )
