"""One case with its precedents: which facts carry it, and what every precedent says.

Precedents that hold the case's values of all carrying facts are its own group; for each carrying
fact a counter-group holds what the edits of that fact lead to, dealt evenly to the edits, and the
case's values of the others. All groups are alike in everything else. An idle fact stands in every
precedent of the case in the same words, or in none: were it in some, a ranking would rightly
follow it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.errors import InputError
from countercase.evaluation.planted.casefiles import Story, choose
from countercase.evaluation.planted.judgments import Plan, leaks, shared_by, write_judgment
from countercase.evaluation.planted.model import Aim, Area, PlantedFact, Presence, Spec
from countercase.evaluation.planted.values import (
    changed_words,
    plausible_edits,
    stated,
    stated_after,
)
from countercase.facts.edits import Edit
from countercase.facts.model import FactTypeName

DRAWS: Final = 40
"""So many times the facts and wordings of a case are drawn, until no word leaks."""


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
    """The facts of a case and its precedents; the facts do not yet name any of them."""

    facts: tuple[PlantedFact, ...]
    precedents: tuple[Precedent, ...]

    def named(self, ids: Mapping[Precedent, str]) -> tuple[PlantedFact, ...]:
        """The facts with the ids of the precedents that their edits must lose and gain."""

        def group(counter: str, aim: int | None = None) -> tuple[str, ...]:
            listed = [p for p in self.precedents if p.counter == counter]
            return tuple(sorted(ids[p] for p in listed if aim in (None, p.aim)))

        return tuple(
            fact
            if fact.role == "idle"
            else replace(
                fact,
                falls=group(""),
                aims=tuple(
                    replace(aim, rises=group(fact.fact_id, at)) for at, aim in enumerate(fact.aims)
                ),
            )
            for fact in self.facts
        )


def plant(
    spec: Spec, area: Area, story: Story, kinds: Sequence[FactTypeName], rng: random.Random
) -> Planted:
    """Choose a carrying fact of each of `kinds` and write the precedents.

    What is drawn is drawn anew while a word that an edit of an idle fact changes stands in some
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


def _draw(
    spec: Spec,
    area: Area,
    story: Story,
    kinds: Sequence[FactTypeName],
    edits: Mapping[str, tuple[Edit, ...]],
    rng: random.Random,
) -> Planted:
    carrying = [_chosen(story, kind, edits, rng) for kind in kinds]
    on_sheet = [fact.fact_id for fact in story.sheet.facts]
    idle = [fact_id for fact_id in on_sheet if fact_id not in carrying]
    added = sorted(set(edits) - set(on_sheet))
    everywhere = set(rng.sample(idle, round(spec.everywhere * len(idle))))
    changed = {key: changed_words(story.sheet, edits.get(key, ())) for key in [*idle, *added]}
    avoid = frozenset[str]().union(*changed.values())
    spoken = tuple(
        choose(rng, stated(story.slots[key]).choices, avoid, 1)[0]
        for key in idle
        if key in everywhere
    )
    precedents = tuple(
        _precedent(area, story, carrying, edits, counter, member, spoken, avoid, spec.group, rng)
        for counter in ("", *carrying)
        for member in range(spec.group)
    )
    texts = [precedent.text for precedent in precedents]
    facts = []
    for fact_id in [*on_sheet, *added]:
        kind = "Evidence" if fact_id in added else story.sheet.fact(fact_id).fact_type
        if fact_id in carrying:
            aims = tuple(Aim(edit.edit_id, ()) for edit in edits[fact_id])
            facts.append(PlantedFact(fact_id, kind, "carrying", "groups", aims=aims))
        else:
            where: Presence = "everywhere" if fact_id in everywhere else "nowhere"
            leaked = leaks(changed[fact_id], texts)
            facts.append(PlantedFact(fact_id, kind, "idle", where, fact_id in added, leaks=leaked))
    return Planted(tuple(facts), precedents)


def _chosen(
    story: Story, kind: FactTypeName, edits: Mapping[str, tuple[Edit, ...]], rng: random.Random
) -> str:
    able = [fact.fact_id for fact in story.sheet.of_type(kind) if edits.get(fact.fact_id)]
    if not able:
        raise InputError(f"{story.sheet.case_id}: no fact of type {kind} has a plausible edit")
    return rng.choice(able)


def _precedent(
    area: Area,
    story: Story,
    carrying: Sequence[str],
    edits: Mapping[str, tuple[Edit, ...]],
    counter: str,
    member: int,
    spoken: tuple[str, ...],
    avoid: frozenset[str],
    size: int,
    rng: random.Random,
) -> Precedent:
    aim = member % len(edits[counter]) if counter else 0
    carried = tuple(
        stated_after(story.slots[key], edits[key][aim])
        if key == counter
        else stated(story.slots[key])
        for key in carrying
    )
    plan = Plan(carried, spoken, story.circumstances, shared_by(member, size))
    title, text = write_judgment(area, plan, avoid, rng)
    return Precedent(area.name, story.sheet.case_id, counter, aim, title, text)
