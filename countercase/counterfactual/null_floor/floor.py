"""The null floor: how far words alone move the list, and what that makes of each fact.

For each fact, sets of null edits are drawn that are of its type or stand where its edits stand, and
that change at least as many words. Here every change is asked as it is worded: salience, which would
make more of both sides alike, has no part in p.
Each set is a state, and a state of known segments costs next to nothing, so there can be as many as
Holm's method needs to decide. A further question is whether the move depends on how the rest of the
case is worded: each edit is measured again in other wordings of the case (realisations), and the
interval of the move resamples them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.null_floor.neutral_edits import (
    NullEdit,
    changed_words,
    null_edits,
    sentences,
    sentences_of,
)
from countercase.counterfactual.null_floor.significance import (
    cliffs_delta,
    holm,
    nulls_needed,
    permutation_p,
)
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import FactSheet

LEVEL: Final = 0.05
"""The chance, at most, that words alone make any fact of a case dispositive."""

REALISATIONS: Final = 6
"""Other wordings of the case in which each edit is measured again."""

HELD_OUT: Final = 18
"""Sets of null edits of each fact that are tested themselves."""

RESAMPLES: Final = 2_000
_TRIES: Final = 20
"""Draws for each set of null edits that is wanted; a short case has few."""


CalibratedWord: TypeAlias = Literal["dispositive", "not dispositive", "inconclusive"]
Move: TypeAlias = Callable[[State, State], float]


@dataclass(frozen=True)
class Calibrated:
    """A fact against the null floor.

    Attributes:
        move: mean rank displacement over its edits of the case as it is, each as it is worded: its
            salience has no part in it.
        p: how often as many other words move the list as far (Phipson and Smyth 2010).
        adjusted: p by Holm's method over the measured facts of the case.
        delta: Cliff's delta of its moves, in all wordings, against the null edits, -1 to 1.
        low, high: 95% interval of the move over wordings of the case.
        floor: the move that 95% of the null edits stay below.
        nulls: different sets of null edits behind p.
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
        inconclusive else: the null edits are too few, or it depends on the wording.
        """
        if self.adjusted <= LEVEL and self.delta is not None and self.delta > 0:
            return "dispositive"
        return "not dispositive" if self.p > LEVEL and self.high <= self.floor else "inconclusive"


@dataclass(frozen=True)
class Floor:
    """The facts of a case against the null floor.

    Attributes:
        facts: by fact id.
        null_p: p of sets of null edits that were held out, as if each were a fact, ties broken at
            random. They are uniform where p is what it says.
    """

    facts: dict[str, Calibrated]
    null_p: tuple[float, ...] = ()


def calibrate(tree: PerturbationTree, search: StateSearch) -> Floor:
    """Every fact that has an edge from the root, against the floor; edits by hand do not count."""
    tests = _first_edits(tree)
    if not tests:
        return Floor({})
    sheet, nulls = tree.sheet, null_edits(tree.sheet)
    wanted = nulls_needed(len(tests), LEVEL) + HELD_OUT
    drawn = {fact: _matched(sheet, edits, nulls, wanted) for fact, edits in tests.items()}
    again = {
        fact: [
            (state, state.plus(edit)) for edit in edits for state in _wordings(sheet, edit, nulls)
        ]
        for fact, edits in tests.items()
    }
    root = State()
    move = _moves(
        [(root, state) for states in drawn.values() for state in states]
        + [(root, State.of([edit])) for edits in tests.values() for edit in edits]
        + [pair for pairs in again.values() for pair in pairs],
        search,
    )
    floors = {fact: [move(root, state) for state in states] for fact, states in drawn.items()}
    null_p = [p for fact in floors for p in _hold_out(floors[fact], f"{sheet.case_id}:{fact}")]
    moves = {f: [move(root, State.of([edit])) for edit in edits] for f, edits in tests.items()}
    means = {fact: sum(own) / len(own) for fact, own in moves.items()}
    p = {fact: permutation_p(means[fact], floors[fact]) for fact in tests}
    adjusted = holm(p)
    result = {}
    for fact in tests:
        worded = [*moves[fact], *(move(*pair) for pair in again[fact])]
        low, high = _interval(worded)
        floor = float(np.quantile(floors[fact], 1 - LEVEL)) if floors[fact] else 0.0
        delta = cliffs_delta(worded, floors[fact])
        result[fact] = Calibrated(
            means[fact], p[fact], adjusted[fact], delta, low, high, floor, len(floors[fact]),
            sum(null > means[fact] for null in floors[fact]), floors[fact].count(means[fact]),
        )  # fmt: skip
    return Floor(result, tuple(null_p))


def _hold_out(moves: list[float], seed: str) -> list[float]:
    """Take some null moves at random out of `moves`; each one's p among those that stay."""
    drawn = random.Random(f"held out:{seed}")
    count = min(HELD_OUT, len(moves) // 2)
    taken = [moves.pop(drawn.randrange(len(moves))) for _ in range(count)]
    return [
        (sum(null > move for null in moves) + drawn.random() * (moves.count(move) + 1))
        / (len(moves) + 1)
        for move in taken
    ]


def _first_edits(tree: PerturbationTree) -> dict[str, list[Edit]]:
    """The edits of each fact that were measured on the case as it is."""
    tests: dict[str, list[Edit]] = {}
    for edge, _ in tree.measured():
        by_hand = tree.node(edge.target).status == "by_hand"
        if edge.source == "root" and not by_hand:
            tests.setdefault(edge.edit.fact_id, []).append(edge.edit)
    return tests


def _matched(
    sheet: FactSheet, edits: Sequence[Edit], nulls: Sequence[NullEdit], wanted: int
) -> list[State]:
    """Different sets of null edits like these edits of one fact in type, length and place."""
    kind = edits[0].fact_type
    stating = [span for fact in sheet.of_type(kind) for span in fact.spans]
    places = {at for edit in edits for at in sentences_of(sheet, edit)} | {
        at for at, place in enumerate(sentences(sheet)) if any(place.overlaps(s) for s in stating)
    }
    alike = [null for null in nulls if null.edit.fact_type == kind or null.sentences & places]
    asides = [null for null in nulls if not null.sentences]
    rng = random.Random(f"{sheet.case_id}:{edits[0].fact_id}")
    states: dict[str, State] = {}
    for turn in range(_TRIES * wanted):
        if len(states) == wanted:
            break
        # As long as the edit; longer only where there are no more of its length.
        length = changed_words(sheet.narrative, rng.choice(edits)) + turn // wanted
        short = [null for null in alike if null.length <= length]
        first = rng.choice(short or alike or asides or [None])
        if first is None:
            break
        drawn = _filled(first, [*alike, *asides], length, rng)
        states.setdefault(drawn.state_id, drawn)
    return list(states.values())


def _filled(first: NullEdit, others: Sequence[NullEdit], length: int, rng: random.Random) -> State:
    """`first` and more null edits in other sentences, as long as they fit into `length` words."""
    chosen, total = [first], first.length
    for null in rng.sample(others, len(others)):
        if total + null.length <= length and _fits(null, chosen):
            chosen.append(null)
            total += null.length
    return State.of(null.edit for null in chosen)


def _fits(null: NullEdit, chosen: Sequence[NullEdit]) -> bool:
    """Whether it changes no sentence that is changed already; a known segment costs nothing."""
    apart = all(not null.sentences & other.sentences for other in chosen)
    return apart and compatible([null.edit, *(other.edit for other in chosen)])


def _wordings(sheet: FactSheet, edit: Edit, nulls: Sequence[NullEdit]) -> list[State]:
    """Other wordings of the case that leave the sentences of an edit as they are."""
    own = sentences_of(sheet, edit)
    free = [n for n in nulls if not n.sentences & own and compatible([n.edit, edit])]
    rng = random.Random(f"{sheet.case_id}:{edit.edit_id}")
    states: dict[str, State] = {}
    for _ in range(_TRIES * REALISATIONS if free else 0):
        if len(states) == REALISATIONS:
            break
        first = rng.choice(free)
        second = [null for null in (rng.choice(free),) if _fits(null, [first])]
        state = State.of(null.edit for null in [first, *second])
        if compatible([*state.edits, edit]):
            states.setdefault(state.state_id, state)
    return list(states.values())


def _moves(pairs: Sequence[tuple[State, State]], search: StateSearch) -> Move:
    """Rank every state once, as worded; the result gives the mean rank displacement of a pair."""
    states = {state.state_id: state for pair in pairs for state in pair}
    worded = [replace(state, as_worded=True) for state in states.values()]
    rankings = search.rank_many(worded, "the null floor")
    lists = {name: ranking.case_ids for name, ranking in zip(states, rankings, strict=True)}
    top_k = search.top_k

    def move(before: State, after: State) -> float:
        return displacement(lists[before.state_id], lists[after.state_id], top_k).mean

    return move


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """95% percentile bootstrap interval of the mean."""
    drawn = np.random.default_rng(0).choice(np.asarray(values), (RESAMPLES, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), (2.5, 97.5))
    return float(low), float(high)
