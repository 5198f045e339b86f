"""Worlds from a recipe: the same seed, the same bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from countercase.errors import InputError
from countercase.evaluation.planted.areas import area_named
from countercase.evaluation.planted.casefiles import Story, tell
from countercase.evaluation.planted.model import (
    TRUTH_FILE,
    Area,
    PlantedCase,
    Spec,
    World,
    truth_of,
)
from countercase.evaluation.planted.planting import Planted, Precedent, plant
from countercase.facts.model import FactTypeName
from countercase.facts.vocabulary import FACT_TYPES


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


def _world(spec: Spec, areas: Sequence[Area], seed: int, folder: Path) -> World:
    rng = random.Random(f"planted world {seed}")
    told: list[tuple[Area, Story, Planted]] = []
    deck: list[FactTypeName] = []
    for area in rng.sample(areas, spec.cases):
        kinds, deck = _dealt(deck, spec.carrying, rng)
        story = tell(area, f"w{seed}-{area.name}", rng)
        told.append((area, story, plant(spec, area, story, kinds, rng)))
    listed = [precedent for _, _, planted in told for precedent in planted.precedents]
    rng.shuffle(listed)
    ids = {precedent: f"w{seed}-p{at:03d}" for at, precedent in enumerate(listed, start=1)}
    cases = tuple(
        PlantedCase(story.sheet.case_id, area.name, planted.named(ids))
        for area, story, planted in told
    )
    world = World(folder.name, seed, folder, cases)
    folder.mkdir(parents=True, exist_ok=True)
    rows = "".join(_row(ids[precedent], precedent, rng) for precedent in listed)
    world.corpus.write_text(rows, encoding="utf-8", newline="\n")
    for case, (_, story, _) in zip(cases, told, strict=True):
        _write(world.case_file(case), story.written)
    _write(folder / TRUTH_FILE, truth_of(world))
    return world


def _dealt(
    deck: list[FactTypeName], count: int, rng: random.Random
) -> tuple[list[FactTypeName], list[FactTypeName]]:
    """The next `count` distinct fact types and the rest of the deck, which is filled when short.

    So a world's cases take each fact type equally often, as far as numbers allow.
    """
    if len(deck) < count:
        fresh: list[FactTypeName] = rng.sample(FACT_TYPES, len(FACT_TYPES))
        deck = [*deck, *(kind for kind in fresh if kind not in deck)]
    return deck[:count], deck[count:]


def _row(name: str, precedent: Precedent, rng: random.Random) -> str:
    written = {
        "_id": name,
        "title": precedent.title,
        "text": precedent.text,
        "metadata": {
            "court": "Court of a planted world",
            "year": rng.randint(1985, 2020),
            "area": precedent.area,
        },
    }
    return json.dumps(written, ensure_ascii=False) + "\n"


def _write(path: Path, content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=2)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
