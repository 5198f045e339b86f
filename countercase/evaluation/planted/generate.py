"""Worlds from a recipe: the same seed, the same bytes.

Of each case some facts carry it. Precedents that hold the case's values of all carrying facts are
its own group; for each carrying fact a counter-group holds what the edits of that fact lead to,
dealt evenly to the edits, and the case's values of the others. All groups are alike in everything
else. An idle fact stands in every precedent of the case in the same words, or in none: were it in
some, a ranking would rightly follow it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from countercase.errors import InputError
from countercase.evaluation.planted.model import (
    CORPUS_FILE,
    TRUTH_FILE,
    Aim,
    Area,
    PlantedCase,
    PlantedFact,
    Presence,
    Spec,
    World,
    area_named,
    truth_of,
)
from countercase.evaluation.planted.texts import (
    Plan,
    Story,
    changed_words,
    choose,
    leaks,
    plausible_edits,
    shared_by,
    stated,
    stated_after,
    tell,
    write_judgment,
)
from countercase.facts.edits import Edit
from countercase.facts.model import FactTypeName
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import write_files

DRAWS: Final = 40
"""How often the facts and wordings of a case are drawn at most, until no word leaks."""


@dataclass(frozen=True)
class Precedent:
    """A precedent before it has its id.

    Attributes:
        counter: the fact whose counter-group it is in; "" for the case's own group.
        aim: which of that fact's edits leads to it.
    """

    area: str
    case_id: str
    counter: str
    aim: int
    title: str
    text: str


@dataclass(frozen=True)
class Planted:
    """A case with its facts and precedents; the facts do not yet name any of them."""

    area: Area
    story: Story
    facts: tuple[PlantedFact, ...]
    precedents: tuple[Precedent, ...]

    def case(self, ids: Mapping[Precedent, str]) -> PlantedCase:
        """The case with the ids of the precedents that its edits must lose and gain."""

        def group(counter: str, aim: int | None = None) -> tuple[str, ...]:
            members = [member for member in self.precedents if member.counter == counter]
            return tuple(sorted(ids[member] for member in members if aim in (None, member.aim)))

        def named(fact: PlantedFact) -> PlantedFact:
            if fact.role == "idle":
                return fact
            aims = (replace(aim, rises=group(fact.fact_id, at)) for at, aim in enumerate(fact.aims))
            return replace(fact, falls=group(""), aims=tuple(aims))

        return PlantedCase(self.story.sheet.case_id, self.area.name, tuple(map(named, self.facts)))


def generate(spec: Spec, directory: Path) -> tuple[World, ...]:
    """Write the worlds of a recipe into folders of `directory`, `world-<seed>` each.

    A folder holds `corpus.jsonl`, one JSON file per case, and `truth.json`.

    Raises:
        InputError: the recipe names an unknown area, too few of them, or a seed twice.
    """
    if len(set(spec.seeds)) != len(spec.seeds):
        raise InputError("the recipe names a seed twice; each seed is one world")
    areas = [area_named(name) for name in dict.fromkeys(spec.areas)]
    if len(areas) < spec.cases:
        raise InputError(
            f"the recipe asks for {spec.cases} cases a world, each of an area of its own, and "
            f"names {len(areas)} areas"
        )
    return tuple(_world(spec, areas, seed, directory / f"world-{seed}") for seed in spec.seeds)


def plant(
    spec: Spec, area: Area, story: Story, kinds: Sequence[FactTypeName], rng: random.Random
) -> Planted:
    """Choose a carrying fact of each of `kinds` and write the precedents.

    The draw is repeated while a word that an edit of an idle fact changes stands in some
    precedents and not in others; the last draw is kept, and its leaks with it.

    Raises:
        InputError: no fact of one of the kinds has an edit.
    """
    edits = plausible_edits(story.sheet)
    for _ in range(DRAWS):
        planted = _draw(spec, area, story, kinds, edits, rng)
        if not any(fact.leaks for fact in planted.facts):
            break
    return planted


def _world(spec: Spec, areas: Sequence[Area], seed: int, folder: Path) -> World:
    rng = random.Random(f"planted world {seed}")
    planted: list[Planted] = []
    deck: list[FactTypeName] = []
    for area in rng.sample(areas, spec.cases):
        # From one shuffled deck after the other, so that each type carries equally often.
        if len(deck) < spec.carrying:
            fresh: list[FactTypeName] = rng.sample(FACT_TYPES, len(FACT_TYPES))
            deck += [kind for kind in fresh if kind not in deck]
        kinds, deck = deck[: spec.carrying], deck[spec.carrying :]
        planted.append(plant(spec, area, tell(area, f"w{seed}-{area.name}", rng), kinds, rng))
    precedents = [precedent for case in planted for precedent in case.precedents]
    rng.shuffle(precedents)
    ids = {precedent: f"w{seed}-p{at:03d}" for at, precedent in enumerate(precedents, start=1)}
    world = World(folder.name, seed, folder, tuple(case.case(ids) for case in planted))
    rows = [_corpus_row(ids[precedent], precedent, rng) for precedent in precedents]
    documents = {f"{case.story.sheet.case_id}.json": case.story.case_file for case in planted}
    documents[TRUTH_FILE] = truth_of(world)
    texts = {CORPUS_FILE: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)}
    for name, document in documents.items():
        texts[name] = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    write_files(folder, texts)
    return world


def _draw(
    spec: Spec,
    area: Area,
    story: Story,
    kinds: Sequence[FactTypeName],
    edits: Mapping[str, tuple[Edit, ...]],
    rng: random.Random,
) -> Planted:
    sheet = story.sheet
    carrying = [_chosen(story, kind, edits, rng) for kind in kinds]
    on_sheet = [fact.fact_id for fact in sheet.facts]
    idle = [fact_id for fact_id in on_sheet if fact_id not in carrying]
    added = sorted(set(edits) - set(on_sheet))
    everywhere = set(rng.sample(idle, round(spec.everywhere * len(idle))))
    changed = {key: changed_words(sheet, edits.get(key, ())) for key in [*idle, *added]}
    avoid = frozenset[str]().union(*changed.values())
    told = [stated(story.slots[key]).choices for key in idle if key in everywhere]
    shared = tuple(choose(rng, choices, avoid, 1)[0] for choices in told)
    precedents = []
    for counter in ("", *carrying):
        for member in range(spec.group):
            aim = member % len(edits[counter]) if counter else 0
            values = {key: stated(story.slots[key]) for key in carrying}
            if counter:
                values[counter] = stated_after(story.slots[counter], edits[counter][aim])
            plan = Plan(
                tuple(values.values()), shared, story.circumstances, shared_by(member, spec.group)
            )
            title, text = write_judgment(area, plan, avoid, rng)
            precedents.append(Precedent(area.name, sheet.case_id, counter, aim, title, text))
    texts = [precedent.text for precedent in precedents]

    def fact(key: str) -> PlantedFact:
        kind = "Evidence" if key in added else sheet.fact(key).fact_type
        if key in carrying:
            aims = tuple(Aim(edit.edit_id, ()) for edit in edits[key])
            return PlantedFact(key, kind, "carrying", "groups", aims=aims)
        presence: Presence = "everywhere" if key in everywhere else "nowhere"
        leaked = leaks(changed[key], texts)
        return PlantedFact(key, kind, "idle", presence, key in added, leaks=leaked)

    return Planted(area, story, tuple(map(fact, [*on_sheet, *added])), tuple(precedents))


def _chosen(
    story: Story, kind: FactTypeName, edits: Mapping[str, tuple[Edit, ...]], rng: random.Random
) -> str:
    able = [fact.fact_id for fact in story.sheet.of_type(kind) if edits.get(fact.fact_id)]
    if not able:
        raise InputError(f"{story.sheet.case_id}: no fact of type {kind} has a plausible edit")
    return rng.choice(able)


def _corpus_row(name: str, precedent: Precedent, rng: random.Random) -> dict[str, Any]:
    year = rng.randint(1985, 2020)
    metadata = {"court": "Court of a planted world", "year": year, "area": precedent.area}
    return {"_id": name, "title": precedent.title, "text": precedent.text, "metadata": metadata}
