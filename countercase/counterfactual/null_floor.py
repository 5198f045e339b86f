"""The null floor: how far words alone move the list, and what that makes of each fact.

For each fact that moved the list, null moves are drawn: the case is told in other words
(a realisation: some of its facts restated), and then the fact is restated in it, with as many further
facts as its what-if has consequences, as often as it has what-ifs; the largest of these moves is one
null value. Both sides of every comparison are statements, so the floor measures wording and not the
act of supposing; what-ifs that leave a fact out are no such comparison (`comparable_moves`). A further
question is whether the move depends on how the rest of the case is worded: each what-if is measured
again in other realisations, and the interval of the move resamples them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.proposals import propose_nulls
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import PerturbationTree, moves_from_root
from countercase.facts.edits import Edit

LEVEL: Final = 0.05
"""The chance, at most, that words alone make any fact of a case dispositive."""

REALISATIONS: Final = 6
"""Other wordings of the case in which each what-if is measured again."""

HELD_OUT: Final = 18
"""Null values of each fact that are tested themselves."""

RESTATED: Final = 1 / 3
"""The share of the facts that a realisation restates."""

MOST_STATES: Final = 6_000
"""States of one case that are ranked for its floor, at most, about."""

RESAMPLES: Final = 2_000

CalibratedWord: TypeAlias = Literal["dispositive", "not dispositive", "inconclusive"]


@dataclass(frozen=True)
class Calibrated:
    """A fact against the null floor.

    Attributes:
        move: the largest mean rank displacement over its what-ifs that `comparable_moves` gives.
        p: how often as many restatements move the list as far (Phipson and Smyth 2010).
        adjusted: p by Holm's method over the measured facts of the case.
        delta: Cliff's delta of its moves, in all wordings, against the null values, -1 to 1.
        low, high: 95% interval of the move over wordings of the case.
        floor: the move that 95% of the null values stay below.
        nulls: null values behind p.
        above, tied: how many of them moved the list further than the fact did, and as far.
    """

    move: float
    p: float
    adjusted: float
    delta: float | None
    low: float
    high: float
    floor: float
    nulls: int
    above: int = 0
    tied: int = 0

    @property
    def verdict(self) -> CalibratedWord:
        """Dispositive where words alone hardly move the list as far, in any wording of the case.

        Not dispositive where p does not decide and the whole interval lies within the floor; and
        inconclusive else: the null values are too few, or it depends on the wording.
        """
        if self.adjusted <= LEVEL and self.delta is not None and self.delta > 0:
            return "dispositive"
        return "not dispositive" if self.p > LEVEL and self.high <= self.floor else "inconclusive"


def comparable_moves(tree: PerturbationTree) -> dict[str, list[tuple[float, Edit]]]:
    """Return the moves of `moves_from_root` by what-ifs that state a fact of the case otherwise.

    They put one statement in the place of another, as restatements do. One that takes a statement out
    or puts one in also changes how much the query says. How far that moves the list depends on
    how the precedents word the fact, decisive or not, and no restatement shows it.
    """
    moves = {
        fact: [it for it in own if it[1].before is not None and it[1].after is not None]
        for fact, own in moves_from_root(tree).items()
    }
    return {fact: own for fact, own in moves.items() if own}


def calibrate(
    tree: PerturbationTree, search: StateSearch, tests: Mapping[str, Sequence[Edit]], family: int
) -> tuple[dict[str, Calibrated], tuple[float, ...]]:
    """Return facts against the floor, by id, and the p of null values that were held out.

    `tests` are by fact the what-ifs to be judged, the strongest first; `family` says how many facts
    could be judged, for Holm's method. A null value held out is taken as if it were a fact, ties
    broken at random: uniform where p is what it says.
    """
    case_id, restated = tree.sheet.case_id, dict[str, list[Edit]]()
    for edit in propose_nulls(tree.sheet):
        restated.setdefault(edit.fact_id, []).append(edit)
    tests = {fact: own for fact, own in tests.items() if fact in restated}
    a_draw = sum(min(len(own), len(restated[fact])) for fact, own in tests.items())
    wanted = min(nulls_needed(family, LEVEL) + HELD_OUT, MOST_STATES // max(1, a_draw))
    wanted = max(2 * HELD_OUT, wanted)
    drawn = {fact: _null_draws(case_id, own, restated, wanted) for fact, own in tests.items()}
    worded = {fact: _realised(case_id, own, restated) for fact, own in tests.items()}
    rows = [row for draws in (*drawn.values(), *worded.values()) for row in draws]
    states = {state.state_id: state for row in rows for pair in row for state in pair}
    rankings = search.rank_many(list(states.values()), "the null floor")
    lists = {name: it.case_ids for name, it in zip(states, rankings, strict=True)}

    def largest(row: _Pairs) -> float:
        ends = ((lists[before.state_id], lists[after.state_id]) for before, after in row)
        return max(displacement(*pair, search.top_k).mean for pair in ends)

    floors = {fact: list(map(largest, draws)) for fact, draws in drawn.items()}
    moves = {fact: list(map(largest, draws)) for fact, draws in worded.items()}
    null_p = [p for fact in floors for p in _hold_out(floors[fact], f"{case_id}:{fact}")]
    p = {fact: permutation_p(moves[fact][0], floors[fact]) for fact in tests}
    adjusted = holm({**p, **{f"unmoved {n}": 1.0 for n in range(family - len(p))}})
    result = {}
    for fact, nulls in floors.items():
        own, floor = moves[fact], float(np.quantile(nulls, 1 - LEVEL))
        again = np.random.default_rng(0).choice(np.asarray(own), (RESAMPLES, len(own)))
        low, high = map(float, np.percentile(again.mean(axis=1), (2.5, 97.5)))
        result[fact] = Calibrated(
            own[0], p[fact], adjusted[fact], cliffs_delta(own, nulls), low, high, floor,
            len(nulls), sum(null > own[0] for null in nulls), nulls.count(own[0]),
        )  # fmt: skip
    return result, tuple(null_p)


_Pairs: TypeAlias = list[tuple[State, State]]


def _realisation(
    restated: Mapping[str, Sequence[Edit]], without: Collection[str], rng: random.Random
) -> State:
    """The case in other words, the statements of some facts left as they are."""
    chosen = [fact for fact in restated if fact not in without and rng.random() < RESTATED]
    return State.of(rng.choice(restated[fact]) for fact in chosen)


def _null_draws(
    case_id: str, edits: Sequence[Edit], restated: Mapping[str, Sequence[Edit]], wanted: int
) -> list[_Pairs]:
    """Draws of as many restatements as a fact has what-ifs, each in a realisation of its own."""
    fact, *following = (name for name in edits[0].fact_ids if name in restated)
    rng = random.Random(f"{case_id}:{fact}")
    count, draws = min(len(edits), len(restated[fact])), list[_Pairs]()
    for _ in range(wanted):
        state = _realisation(restated, {fact, *following}, rng)
        own = rng.sample(list(restated[fact]), count)
        others = [rng.choice(restated[other]) for other in following]
        draws.append([(state, State.of([*state.edits, edit, *others])) for edit in own])
    return draws


def _realised(
    case_id: str, edits: Sequence[Edit], restated: Mapping[str, Sequence[Edit]]
) -> list[_Pairs]:
    """The what-ifs of a fact in the case as it is, then in other wordings of it."""
    rng = random.Random(f"{case_id}:{edits[0].fact_id}:again")
    changed = {fact for edit in edits for fact in edit.fact_ids}
    worded = [State(), *(_realisation(restated, changed, rng) for _ in range(REALISATIONS))]
    return [[(state, State.of([*state.edits, edit])) for edit in edits] for state in worded]


def _hold_out(moves: list[float], seed: str) -> list[float]:
    """Take some null values at random out of `moves`; each one's p among those that stay."""
    drawn = random.Random(f"held out:{seed}")
    count = min(HELD_OUT, len(moves) // 2)
    taken = [moves.pop(drawn.randrange(len(moves))) for _ in range(count)]
    return [
        (sum(null > move for null in moves) + drawn.random() * (moves.count(move) + 1))
        / (len(moves) + 1)
        for move in taken
    ]


def permutation_p(value: float, nulls: Sequence[float]) -> float:
    """(b + 1) / (m + 1), where b of m null values are at least as large; never 0.

    Source: Phipson and Smyth, "Permutation p-values should never be zero", Statistical Applications
    in Genetics and Molecular Biology 9(1), 2010.
    """
    return (sum(null >= value for null in nulls) + 1) / (len(nulls) + 1)


def nulls_needed(tests: int, level: float = 0.05) -> int:
    """Return the null values by which Holm's method can decide m facts: 1 / (N + 1) < level / m."""
    return math.ceil(round(tests / level, 9))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values of one family adjusted by Holm's step-down method, in the order given.

    The smallest of m is multiplied by m, the next by m − 1, and so on; none is smaller than the
    one before it or greater than 1. Rejecting where the adjusted p is at most α keeps the chance
    of any false rejection in the family at α, whatever the dependence. By hand: scipy adjusts by
    Benjamini and Hochberg alone.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6(2), 1979.
    """
    names = sorted(p_values, key=lambda name: p_values[name])
    steps = [p_values[name] * (len(names) - place) for place, name in enumerate(names)]
    adjusted = dict(zip(names, np.maximum.accumulate(steps).clip(max=1.0).tolist(), strict=True))
    return {name: adjusted[name] for name in p_values}


def cliffs_delta(values: Sequence[float], nulls: Sequence[float]) -> float | None:
    """How much more often a value is above a null value than below one, -1 to 1.

    Source: Cliff, "Dominance statistics", Psychological Bulletin 114, 1993.
    """
    if not values or not nulls:
        return None
    return float(np.sign(np.subtract.outer(values, nulls)).mean())
