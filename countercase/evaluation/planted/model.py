"""What a planted world is made of, its recipe, and its files."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from countercase.errors import InputError
from countercase.evaluation.benchmarks.json_files import read_json
from countercase.facts.model import FactTypeName

Role: TypeAlias = Literal["carrying", "idle"]
Presence: TypeAlias = Literal["groups", "everywhere", "nowhere"]
"""Where the value of a fact stands: in the case's own group alone (a carrying fact), in every
precedent of the case alike, or in none."""

CORPUS_FILE: Final = "corpus.jsonl"
TRUTH_FILE: Final = "truth.json"


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
