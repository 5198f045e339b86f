"""The share of each fact in the whole movement of a case, and what it takes to change its list.

Also why a decision is not in the list: where it fell behind, and what would bring it in.

Sources: Shapley, "A value for n-person games", 1953; Grabisch and Roubens, "An axiomatic approach
to the concept of interaction among players in cooperative games", International Journal of Game
Theory 28, 1999 (the Shapley interaction index).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import PerturbationTree, moves_from_root
from countercase.errors import InputError
from countercase.facts.edits import Edit, compatible
from countercase.retrieval.base import Filters, StageScore
from countercase.retrieval.fusion import scores_of
from countercase.retrieval.hybrid import HybridRetriever

MOST: Final = 12
"""Facts of which every set is ranked, 4,096 of them: those that move the list most."""


def exact_index(values: Sequence[float], n: int, size: int) -> dict[tuple[int, ...], float]:
    """Return the Shapley interaction index of each set of `size` players; `values` by bit mask.

    For one player it is the Shapley value, exactly 0 where the player changes no value; for a pair
    it is above 0 where two bring more together than apart. I_T = Σ over sets S without T of
    s! (n − s − t)! / (n − t + 1)! · Σ over L in T of (−1)^(t − l) v(S ∪ L), which is the sum of
    m(S) / (s − t + 1) over S with T, m(S) being what S brings beyond all of its parts.
    """
    brought = np.asarray(values, dtype=np.float64).reshape((2,) * n)
    for axis in range(n):
        brought = np.diff(brought, axis=axis, prepend=0.0)
    shares = brought / np.maximum(np.indices((2,) * n).sum(axis=0) - size + 1, 1)
    return {
        team: float(shares.T[tuple(1 if it in team else slice(None) for it in range(n))].sum())
        for team in combinations(range(n), size)
    }


@dataclass
class Game:
    """The changes of a case as a cooperative game: its facts are the players, one edit of each.

    The value of a set of facts, a bit mask over `players`, is the mean rank displacement between
    the case as it is and the case in which they are changed together. A state of known segments
    costs next to nothing, so all 2ⁿ sets of facts are ranked.
    """

    players: tuple[Edit, ...]
    search: StateSearch
    _lists: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False)

    def rank(self, masks: Iterable[int]) -> None:
        """Rank the sets that are not ranked yet."""
        waiting = [mask for mask in dict.fromkeys(masks) if mask not in self._lists]
        states = [State.of(self.members(mask)) for mask in waiting]
        rankings = self.search.rank_many(states, "sets of facts changed together")
        for mask, ranking in zip(waiting, rankings, strict=True):
            self._lists[mask] = ranking.case_ids

    def members(self, mask: int) -> tuple[Edit, ...]:
        """The edits of a set."""
        return tuple(edit for at, edit in enumerate(self.players) if mask >> at & 1)

    def precedents(self, mask: int) -> tuple[str, ...]:
        """The top K when these facts are changed."""
        self.rank([mask])
        return self._lists[mask]

    def value(self, mask: int) -> float:
        """Mean rank displacement from the case as it is, 0 to K + 1."""
        self.rank([0, mask])
        return displacement(self._lists[0], self._lists[mask], self.search.top_k).mean

    def smallest_set(self, reached: Callable[[tuple[str, ...]], bool]) -> SmallestSet | None:
        """The fewest facts whose change leads to a list that is `reached`; None where none does.

        Sets that were ranked are looked at; of the smallest it is the one that moves most.
        """
        found = [mask for mask, after in sorted(self._lists.items()) if mask and reached(after)]
        if not found:
            return None
        best = min(found, key=lambda it: (it.bit_count(), -self.value(it)))
        return SmallestSet(tuple(edit.fact_id for edit in self.members(best)), self.value(best))


def players(tree: PerturbationTree) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """Return one measured edit of each fact, such that all hold at once; and the facts left out.

    Of each fact, those that move the list most first, the strongest what-if of the case as it is that
    contradicts none of those chosen before it, up to `MOST`. Edits by hand and facts that the case
    does not have take no part.
    """
    moves = moves_from_root(tree)
    own = [fact.fact_id for fact in tree.sheet.facts if fact.fact_id in moves]
    chosen: dict[str, Edit] = {}
    for name in sorted(own, key=lambda it: -moves[it][0][0]):
        for _, edit in moves[name] if len(chosen) < MOST else ():
            if name not in chosen and compatible([*chosen.values(), edit]):
                chosen[name] = edit
    taking_part = tuple(chosen[name] for name in own if name in chosen)
    return taking_part, tuple(name for name in own if name not in chosen)


@dataclass(frozen=True)
class Share:
    """One fact's part in the whole: the change of it that takes part, and its Shapley value.

    All values add up to the whole; each is −(K + 1) to K + 1; `alone` is the mean rank displacement
    by this fact alone.
    """

    edit: Edit
    value: float
    alone: float


@dataclass(frozen=True)
class Interaction:
    """Two facts: above 0 where they move the list more together than apart, below 0 where less."""

    facts: tuple[str, str]
    value: float


@dataclass(frozen=True)
class SmallestSet:
    """The fewest facts whose change does something; of several such sets the one that moves most."""

    facts: tuple[str, ...]
    move: float


@dataclass(frozen=True)
class Attribution:
    """How the movement of a case divides among its facts.

    Attributes:
        whole: mean rank displacement when all these facts are changed together.
        shares: the largest value first.
        interactions: the strongest first.
        leader: the fewest facts whose change puts another decision first; None where no set does.
        half: the fewest facts whose change replaces half of the list; None where no set does.
        left_out: facts that move the list less, or whose every change contradicts one that takes part.
    """

    whole: float
    shares: tuple[Share, ...]
    interactions: tuple[Interaction, ...]
    leader: SmallestSet | None
    half: SmallestSet | None
    left_out: tuple[str, ...]


def attribution_of(game: Game, left_out: tuple[str, ...] = ()) -> Attribution:
    """Divide the movement of a game among its players; smallest sets are the smallest of all."""
    n = len(game.players)
    every = range(1 << n)
    game.rank(every)
    table = [game.value(mask) for mask in every]
    values, pairs = exact_index(table, n, 1), exact_index(table, n, 2)
    shares = [Share(edit, values[at,], game.value(1 << at)) for at, edit in enumerate(game.players)]
    names = [edit.fact_id for edit in game.players]
    interactions = [Interaction((names[i], names[j]), value) for (i, j), value in pairs.items()]
    before, k = game.precedents(0), game.search.top_k
    return Attribution(
        whole=game.value(every[-1]),
        shares=tuple(sorted(shares, key=lambda share: -share.value)),
        interactions=tuple(sorted(interactions, key=lambda it: -abs(it.value))),
        leader=game.smallest_set(lambda after: after[:1] != before[:1]),
        half=game.smallest_set(
            lambda after: 2 * len(set(before) - set(after)) >= min(k, len(before))
        ),
        left_out=left_out,
    )


@dataclass(frozen=True)
class WhyNot:
    """Why a decision is not in the list.

    Attributes:
        last: the last precedent of the list, which it would have to pass.
        stages: rank and score of the decision at each stage; a stage that it did not reach is absent.
        last_stages: the same of the last precedent.
        brought_in: the fewest facts whose change brings it into the list; None where no set that
            was looked at does.
    """

    case_id: str
    last: str
    stages: dict[str, StageScore]
    last_stages: dict[str, StageScore]
    brought_in: SmallestSet | None


def why_not(case_id: str, game: Game, retriever: HybridRetriever) -> WhyNot:
    """Return why a decision is not in the list, and which set that `game` ranked brings it in.

    InputError where the corpus or the filters leave it out, it is the case itself, or is in the
    list.
    """
    names, search = retriever.snapshot.case_ids, game.search
    if case_id not in names:
        raise InputError(f"{case_id}: the corpus holds no such decision")
    if case_id in search.exclude:
        raise InputError(f"{case_id}: it is the case itself or its near-duplicate, left out")
    if not (search.filters or Filters()).allow(retriever.snapshot.metadata[names.index(case_id)]):
        raise InputError(f"{case_id}: the filters of this analysis leave it out")
    listed = game.precedents(0)
    if case_id in listed:
        raise InputError(f"{case_id}: it is in the list, at rank {listed.index(case_id) + 1}")
    query = search.renderer.query(State())
    [fused] = retriever.fuse(
        [query], top_k=search.top_k, exclude=search.exclude, filters=search.filters
    )
    brought_in = game.smallest_set(lambda after: case_id in after)
    own, last = (scores_of(fused.stages, names.index(name)) for name in (case_id, listed[-1]))
    return WhyNot(case_id, listed[-1], own, last, brought_in)
