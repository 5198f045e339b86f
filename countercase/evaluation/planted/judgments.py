"""Synthetic judgments: what a precedent says, sentence by sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from countercase.evaluation.planted.casefiles import choose, circumstance, person
from countercase.evaluation.planted.model import Area
from countercase.evaluation.planted.values import Statement
from countercase.evaluation.planted.wording import (
    CIRCUMSTANCES,
    CLOSINGS,
    DISTRACTORS,
    PLACES,
    PROCEDURE,
)
from countercase.text.words import words

SAID: Final = 3
"""Sentences in which a precedent states a value that carries its case."""
MOST_SHARED: Final = 2
"""Circumstances, of five, that the precedent nearest to a case in its story shares with it."""


@dataclass(frozen=True)
class Plan:
    """What one precedent must say.

    Attributes:
        carried: the values of the carrying facts.
        everywhere: sentences that all precedents of the case hold, word for word.
        circumstances: the case's alternatives.
        shared: how many of them the precedent has too.
    """

    carried: tuple[Statement, ...]
    everywhere: tuple[str, ...]
    circumstances: tuple[int, ...]
    shared: int


def shared_by(member: int, size: int) -> int:
    """How many circumstances the member of a group shares: from two down to none, evenly.

    Groups are alike in this, so that the story never tells one group from another.
    """
    return round(MOST_SHARED * (1 - member / (size - 1)))


def write_judgment(
    area: Area, plan: Plan, avoid: frozenset[str], rng: random.Random
) -> tuple[str, str]:
    """Title and text of a precedent.

    Args:
        avoid: words that edits of idle facts change; wordings without them are preferred.
    """
    held: list[str] = []
    for statement in plan.carried:
        if statement.always:
            held += choose(rng, statement.always, avoid, SAID - 1)
            held += choose(rng, statement.choices, avoid, 1)
        else:
            held += choose(rng, statement.choices, avoid, SAID)
    missing = SAID * len(plan.carried) - len(held)
    place = choose(rng, PLACES, avoid, 1)[0]
    asides = tuple(said.format(place=place) for said in DISTRACTORS)
    fillers = choose(rng, PROCEDURE, avoid, rng.randint(3, 5) + missing)
    body = [*held, *plan.everywhere, *fillers, *choose(rng, asides, avoid, rng.randint(1, 2))]
    story = _story(area, plan, avoid, rng)
    rng.shuffle(body)
    opening, closing = choose(rng, area.subject, avoid, 1), choose(rng, CLOSINGS, avoid, 1)
    return f"{person(rng)} v. {person(rng)}", " ".join([*opening, *story, *body, *closing])


def _story(area: Area, plan: Plan, avoid: frozenset[str], rng: random.Random) -> list[str]:
    kinds = range(len(CIRCUMSTANCES))
    shared = set(rng.sample(kinds, plan.shared))
    told = []
    for kind in rng.sample(kinds, len(kinds)):
        items = CIRCUMSTANCES[kind][1]
        others = [at for at in range(len(items)) if at != plan.circumstances[kind]]
        clean = [at for at in others if avoid.isdisjoint(words(items[at]))]
        item = plan.circumstances[kind] if kind in shared else rng.choice(clean or others)
        told.append(circumstance(area, kind, item, rng))
    return told


def leaks(changed: frozenset[str], texts: Sequence[str]) -> tuple[str, ...]:
    """The words of `changed` that some of the texts hold and others do not, sorted."""
    held = [set(words(text)) for text in texts]
    return tuple(
        word for word in sorted(changed) if 0 < sum(word in each for each in held) < len(held)
    )
