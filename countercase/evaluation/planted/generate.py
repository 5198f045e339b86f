"""Worlds from a recipe: the same seed, the same bytes.

Of each case some facts carry it. Precedents that hold the case's values of all carrying facts are
its own group; for each carrying fact a counter-group holds what its edits lead to, dealt evenly to
them. All groups are alike in everything else. An idle fact stands in every precedent of the case in
the same words, or in none: were it in some, a ranking would rightly follow it.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.states import Renderer, State
from countercase.errors import InputError
from countercase.evaluation.planted import texts
from countercase.evaluation.sets import json_lines
from countercase.evaluation.statistics import group_by
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet, FactTypeName
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import read_table, write_files
from countercase.text.words import words

Role: TypeAlias = Literal["carrying", "idle"]
Presence: TypeAlias = Literal["groups", "everywhere", "nowhere"]
"""Where the value of a fact stands: in the case's own group alone (a carrying fact), in every
precedent of the case alike, or in none."""

DRAWS: Final = 40
"""How often the facts and wordings of a case are drawn at most, until no word leaks."""
MOST_SHARED: Final = 2
"""Circumstances, of five, that the precedent nearest to a case in its story shares with it."""


@dataclass(frozen=True)
class PlantedFact:
    """The truth about one fact of a case.

    Attributes:
        added: whether it is evidence that the case lacks and an edit adds.
        falls: precedents that hold the case's value and that every edit of a carrying fact must
            lose.
        aims: by the id of each edit of a carrying fact the precedents that it must bring up: they
            hold its new value.
    """

    fact_id: str
    fact_type: FactTypeName
    role: Role
    presence: Presence
    added: bool = False
    falls: tuple[str, ...] = ()
    aims: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


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
        return self.folder / "corpus.jsonl"

    def case_file(self, case: PlantedCase) -> Path:
        """Return the file of a case."""
        return self.folder / f"{case.case_id}.json"


class Precedent(NamedTuple):
    """A precedent before it has its id: of the counter-group of a fact, or "", and of which edit."""

    area: str
    counter: str
    aim: int
    title: str
    text: str


class Spec(BaseModel):
    """The recipe: how many worlds, of what size, from which seeds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    seeds: list[int] = Field(min_length=1, description="one world from each")
    areas: list[str] = Field(min_length=1, description="areas of law the cases come from")
    cases: int = Field(4, ge=1, description="cases of a world, each of an area of its own")
    carrying: int = Field(2, ge=1, le=4, description="carrying facts of a case, of distinct types")
    group: int = Field(10, ge=2, description="precedents of the case's group, and of each counter")
    everywhere: float = Field(0.5, ge=0, le=1, description="share of idle facts in all precedents")


_Edits: TypeAlias = Mapping[str, tuple[Edit, ...]]
_Drawn: TypeAlias = tuple[tuple[int, int], tuple[PlantedFact, ...], list[Precedent]]


def generate(spec: Spec, directory: Path) -> tuple[World, ...]:
    """Write the worlds of a recipe into folders of `directory`, `world-<seed>` each.

    A folder holds `corpus.jsonl`, one JSON file per case, and `truth.json`.
    """
    if len(set(spec.seeds)) != len(spec.seeds):
        raise InputError("the recipe names a seed twice; each seed is one world")
    names = list(dict.fromkeys(spec.areas))
    known = {area.name: area for area in read_table("evaluation/planted/areas", texts.Area)}
    for name in names:
        if name not in known:
            raise InputError(f"no planted area is called {name!r}; known: {', '.join(known)}")
    if len(names) < spec.cases:
        asked = f"asks for {spec.cases} cases a world, each of an area of its own"
        raise InputError(f"the recipe {asked}, and names {len(names)} areas")
    areas = [known[name] for name in names]
    return tuple(_world(spec, areas, seed, directory / f"world-{seed}") for seed in spec.seeds)


def _world(spec: Spec, areas: Sequence[texts.Area], seed: int, folder: Path) -> World:
    rng = random.Random(f"planted world {seed}")
    planted: list[tuple[texts.Story, tuple[PlantedFact, ...], list[Precedent]]] = []
    deck: list[FactTypeName] = []
    for area in rng.sample(areas, spec.cases):
        # From one shuffled deck after the other, so that each type carries equally often.
        if len(deck) < spec.carrying:
            fresh: list[FactTypeName] = rng.sample(FACT_TYPES, len(FACT_TYPES))
            deck += [kind for kind in fresh if kind not in deck]
        kinds, deck = deck[: spec.carrying], deck[spec.carrying :]
        story = texts.tell(area, f"w{seed}-{area.name}", rng)
        planted.append((story, *plant(spec, story, kinds, random.Random(story.sheet.case_id))))
    precedents = [precedent for _, _, members in planted for precedent in members]
    rng.shuffle(precedents)
    ids = {precedent: f"w{seed}-p{at:03d}" for at, precedent in enumerate(precedents, start=1)}
    cases = tuple(
        PlantedCase(story.sheet.case_id, story.area.name, _name_precedents(facts, members, ids))
        for story, facts, members in planted
    )
    rows = [
        {"_id": ids[member], "title": member.title, "text": member.text,
         "metadata": {"court": "Court of a planted world", "year": rng.randint(1985, 2020),
                      "area": member.area}}
        for member in precedents
    ]  # fmt: skip
    documents = {story.sheet.case_id: story.case_file for story, _, _ in planted}
    truth = list(map(asdict, cases))
    for fact in (fact for case in truth for fact in case["facts"]):
        if fact["role"] == "idle":
            del fact["falls"], fact["aims"]
        else:
            fact["aims"] = [{"edit": it, "rises": ids} for it, ids in fact["aims"].items()]
    documents["truth"] = {"world": folder.name, "seed": seed, "cases": truth}
    files = {"corpus.jsonl": json_lines(rows)} | {
        f"{name}.json": json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        for name, document in documents.items()
    }
    write_files(folder, files)
    return World(folder.name, seed, folder, cases)


def _name_precedents(
    facts: Sequence[PlantedFact], members: Sequence[Precedent], ids: Mapping[Precedent, str]
) -> tuple[PlantedFact, ...]:
    """Return the facts with the ids of the precedents that their edits must lose and gain."""
    groups = {
        name: tuple(sorted(ids[member] for member in own))
        for name, own in group_by(members, lambda it: (it.counter, it.aim)).items()
    }
    named = []
    for fact in facts:
        aims = {it: groups.get((fact.fact_id, at), ()) for at, it in enumerate(fact.aims)}
        falls = groups["", 0] if fact.role == "carrying" else ()
        named.append(replace(fact, falls=falls, aims=aims))
    return tuple(named)


def plant(
    spec: Spec, story: texts.Story, kinds: Sequence[FactTypeName], rng: random.Random
) -> tuple[tuple[PlantedFact, ...], list[Precedent]]:
    """Choose a carrying fact of each of `kinds` and write the precedents, which have no ids yet.

    A word that an edit of an idle fact changes must stand in all precedents or in none. The draw is
    repeated while that is not so; of the best draw the facts that still break the rule are left out
    of the truth, as are those that an edit of a carrying fact touches by its consequences.
    """
    edits = plausible_edits(story.sheet)
    draws: list[_Drawn] = []
    while len(draws) < DRAWS and not (draws and draws[-1][0] == (0, 0)):
        draws.append(_draw(spec, story, kinds, edits, rng))
    _, facts, precedents = min(draws, key=lambda draw: draw[0])
    return facts, precedents


def _draw(
    spec: Spec, story: texts.Story, kinds: Sequence[FactTypeName], edits: _Edits, rng: random.Random
) -> _Drawn:
    """Return how many facts of the sheet and of all leak, those that do not, and the precedents."""
    sheet = story.sheet
    carrying: list[str] = []
    for kind in kinds:
        taken = [edit for fact in carrying for edit in edits[fact]]
        able = [
            key
            for key in (fact.fact_id for fact in sheet.of_type(kind))
            if key in edits and not _touching(edits[key], carrying) and not _touching(taken, [key])
        ]
        if not able:
            raise InputError(f"{sheet.case_id}: no fact of type {kind} has a plausible edit")
        # Where nothing is said in its place, own group and counter-group are left alike.
        told = [key for key in able if any(edit.after is not None for edit in edits[key])]
        carrying.append(rng.choice(told or able))
    on_sheet = [fact.fact_id for fact in sheet.facts]
    linked = {key for key, own in edits.items() if _touching(own, carrying)} - {*carrying}
    idle = [fact_id for fact_id in on_sheet if fact_id not in {*carrying, *linked}]
    added = sorted(set(edits) - set(on_sheet) - linked)
    everywhere = set(rng.sample(idle, round(spec.everywhere * len(idle))))
    changed = {key: changed_words(sheet, edits.get(key, ())) for key in [*idle, *added]}
    avoid = frozenset[str]().union(*changed.values())
    wordings = [texts.stated(story.slots[key])[0] for key in idle if key in everywhere]
    shared = [texts.choose(rng, choices, avoid, 1)[0] for choices in wordings]
    precedents = []
    for counter in ("", *carrying):
        for member in range(spec.group):
            aim = member % len(edits[counter]) if counter else 0
            values = {key: texts.stated(story.slots[key]) for key in carrying}
            if counter:
                values[counter] = texts.stated(story.slots[counter], edits[counter][aim])
            # From two down to none, evenly, in each group: the story tells no two groups apart.
            like = round(MOST_SHARED * (1 - member / (spec.group - 1)))
            written = texts.write_judgment(story, list(values.values()), shared, like, avoid, rng)
            precedents.append(Precedent(story.area.name, counter, aim, *written))
    holding = Counter(word for member in precedents for word in set(words(member.text)))
    parting = {word for word, count in holding.items() if count < len(precedents)}
    leaking = {key for key, own in changed.items() if not own.isdisjoint(parting)}
    facts = []
    for key in (it for it in (*on_sheet, *added) if it not in linked | leaking):
        kind = edits[key][0].fact_type if key in added else sheet.fact(key).fact_type
        presence: Presence = "everywhere" if key in everywhere else "nowhere"
        fact = PlantedFact(key, kind, "idle", presence, key in added)
        if key in carrying:
            aims: dict[str, tuple[str, ...]] = {edit.edit_id: () for edit in edits[key]}
            fact = PlantedFact(key, kind, "carrying", "groups", aims=aims)
        facts.append(fact)
    return (len(leaking & {*on_sheet}), len(leaking)), tuple(facts), precedents


def plausible_edits(sheet: FactSheet) -> dict[str, tuple[Edit, ...]]:
    """Return the edits that an analysis of the case measures, by fact, in the order of proposal.

    Questions about evidence are left out: which are asked is learnt from real matters, and no world
    may depend on how.
    """
    validator, learnt = LawfulValidator(), ("add", "replace")
    asked = (e for e in propose(sheet) if e.fact_type != "Evidence" or e.operation not in learnt)
    lawful = (edit for edit in asked if validator.judge(sheet, [edit]).plausible)
    return {key: tuple(own) for key, own in group_by(lawful, lambda it: it.fact_id).items()}


def _touching(edits: Sequence[Edit], facts: Sequence[str]) -> bool:
    """Return whether an edit changes one of `facts` by its consequences."""
    return any(change.fact_id in facts for edit in edits for change in edit.consequences)


def changed_words(sheet: FactSheet, edits: Sequence[Edit]) -> frozenset[str]:
    """Return the words (of the lexical channel) that an edit changes in the statements of the case."""
    renderer, states = Renderer(sheet), [State(), *(State.of([edit]) for edit in edits)]
    before, *after = (Counter(words(renderer.query(state).text)) for state in states)
    return frozenset(word for it in after for word in (before - it) + (it - before))
