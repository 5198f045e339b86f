"""Shapley values and pair interactions of a game, exact or sampled.

Sources: Shapley, "A value for n-person games", 1953; Grabisch and Roubens, "An axiomatic approach
to the concept of interaction among players in cooperative games", International Journal of Game
Theory 28, 1999 (the Shapley interaction index); Castro, Gómez and Tejada, "Polynomial calculation of
the Shapley value based on sampling", Computers and Operations Research 36, 2009.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import factorial, sqrt
from typing import Final, TypeAlias

import numpy as np

Team: TypeAlias = tuple[int, ...]
"""The players of a set, in order."""

CONFIDENCE: Final = 1.96
"""Standard errors in a 95% interval."""


def exact_index(values: Sequence[float], n: int, size: int) -> dict[Team, float]:
    """Return the Shapley interaction index of each set of `size` players; `values` by bit mask.

    For one player it is the Shapley value, exactly 0 where the player changes no value; for a pair
    it is above 0 where two bring more together than apart. I_T = Σ over sets S without T of s! (n −
    s − t)! / (n − t + 1)! · Σ over L in T of (−1)^(t − l) v(S ∪ L).
    """
    table, masks = np.asarray(values, dtype=np.float64), np.arange(1 << n)
    sizes = np.array([mask.bit_count() for mask in range(1 << n)])
    room = n - size + 1
    weights = np.array([factorial(s) * factorial(room - s - 1) for s in range(room)])
    result = {}
    for team in combinations(range(n), size):
        base = masks[(masks & sum(1 << player for player in team)) == 0]
        gains = np.zeros(len(base))
        for count in range(size, -1, -1):
            for part in combinations(team, count):
                gains += (-1) ** (size - count) * table[base | sum(1 << player for player in part)]
        result[team] = float((weights[sizes[base]] / factorial(room) * gains).sum())
    return result


def sampled(
    value: Callable[[int], float],
    rank: Callable[[Iterable[int]], None],
    n: int,
    states: int,
) -> tuple[list[float], list[float], dict[Team, float]]:
    """Return Shapley values, half widths of their 95% intervals, and interactions, by sampling.

    Players join in a random order; what each adds is one sample of its value, so the values of one
    order add up to the whole. Neighbours in the order are one sample of their interaction: the set
    before them is as likely as the index weighs it. `rank` is called with the masks of the sets of
    an order before their values are asked for; an order takes 2n of about as many `states`.
    """
    drawn, orders = random.Random(0), max(2, states // (2 * n))
    gains: list[list[float]] = [[] for _ in range(n)]
    together: dict[Team, list[float]] = {pair: [] for pair in combinations(range(n), 2)}
    for _ in range(orders):
        order = drawn.sample(range(n), n)
        before = [sum(1 << player for player in order[:at]) for at in range(n + 1)]
        skipped = [before[at] | 1 << order[at + 1] for at in range(n - 1)]
        rank([*before, *skipped])
        for at, player in enumerate(order):
            gains[player].append(value(before[at + 1]) - value(before[at]))
        for at in range(n - 1):
            pair = (min(order[at : at + 2]), max(order[at : at + 2]))
            apart = value(before[at + 1]) + value(skipped[at]) - value(before[at])
            together[pair].append(value(before[at + 2]) - apart)
    widths = [CONFIDENCE * float(np.std(row, ddof=1)) / sqrt(len(row)) for row in gains]
    pairs = {pair: sum(row) / len(row) for pair, row in together.items() if row}
    return [sum(row) / len(row) for row in gains], widths, pairs
