"""How soon the list moves when facts are changed in one order or another.

A good order of importance moves the list early when its first facts are changed (deletion), and
keeps it where it is when its first facts alone are kept (preservation). Source: Petsiuk, Das and
Saenko, "RISE: randomized input sampling for explanation of black-box models", BMVC 2018.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from countercase.counterfactual.attribution.game import Game

RANDOM_ORDERS: Final = 20


@dataclass(frozen=True)
class Curve:
    """One order of the facts, or the mean of many.

    Attributes:
        order: `shapley`, `greedy`, `length` or `random`.
        deletion: value when the first 0, 1, 2, ... facts are changed.
        preservation: value when all but the first 0, 1, 2, ... facts are changed.
    """

    order: str
    deletion: tuple[float, ...]
    preservation: tuple[float, ...]

    @property
    def deletion_area(self) -> float:
        """Mean of the deletion curve; the larger, the sooner the order moves the list."""
        return sum(self.deletion) / len(self.deletion)

    @property
    def preservation_area(self) -> float:
        """Mean of the preservation curve; the smaller, the sooner the order keeps the list."""
        return sum(self.preservation) / len(self.preservation)


def curves(game: Game, values: Sequence[float], seed: int = 0) -> tuple[Curve, ...]:
    """The curves of the order by Shapley value, by greedy choice, by length and by chance."""
    n, renderer = len(game.players), game.search.renderer
    said = {fact.fact_id: fact for fact in renderer.sheet.facts}
    lengths = [
        len(renderer.statement(said[edit.fact_id]).split()) if edit.fact_id in said else 0
        for edit in game.players
    ]
    drawn = random.Random(seed)
    chance = [_curve(game, "random", drawn.sample(range(n), n)) for _ in range(RANDOM_ORDERS)]
    return (
        _curve(game, "shapley", _falling(values)),
        _curve(game, "greedy", _greedy(game)),
        _curve(game, "length", _falling(lengths)),
        Curve(
            "random", _mean([c.deletion for c in chance]), _mean([c.preservation for c in chance])
        ),
    )


def _curve(game: Game, name: str, order: Sequence[int]) -> Curve:
    first = [sum(1 << player for player in order[:at]) for at in range(len(order) + 1)]
    rest = [game.everyone & ~mask for mask in first]
    game.rank([*first, *rest])
    return Curve(name, tuple(map(game.value, first)), tuple(map(game.value, rest)))


def _falling(values: Sequence[float]) -> list[int]:
    return sorted(range(len(values)), key=lambda at: (-values[at], at))


def _greedy(game: Game) -> list[int]:
    """Each time the fact whose change, with those before it, moves the list furthest."""
    order: list[int] = []
    mask, left = 0, list(range(len(game.players)))
    while left:
        game.rank([mask | 1 << player for player in left])
        best = max(left, key=lambda player: (game.value(mask | 1 << player), -player))
        order.append(best)
        left.remove(best)
        mask |= 1 << best
    return order


def _mean(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(sum(column) / len(column) for column in zip(*rows, strict=True))
