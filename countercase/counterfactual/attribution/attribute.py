"""The share of each fact in the whole movement of a case, and what it takes to change its list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from countercase.counterfactual.attribution.curves import Curve, curves
from countercase.counterfactual.attribution.game import EXACT, Game, players
from countercase.counterfactual.attribution.shapley import (
    exact_interactions,
    exact_values,
    sampled,
)
from countercase.counterfactual.states import StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.facts.edits import Edit

SAMPLED_STATES: Final = 4_096
"""Sets of facts that are ranked where there are too many facts for all of them."""


@dataclass(frozen=True)
class Share:
    """One fact's part in the whole.

    Attributes:
        edit: the change of it that takes part.
        value: its Shapley value, −(K + 1) to K + 1; all of them add up to the whole.
        half_width: of the 95% interval of a sampled value; 0 where it is exact.
        alone: mean rank displacement when it alone is changed.
    """

    edit: Edit
    value: float
    half_width: float
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
        exact: whether every set of facts was ranked, so that nothing was sampled.
        left_out: facts whose every change contradicts one that takes part.
    """

    whole: float
    shares: tuple[Share, ...]
    interactions: tuple[Interaction, ...]
    leader: SmallestSet | None
    half: SmallestSet | None
    curves: tuple[Curve, ...]
    exact: bool
    left_out: tuple[str, ...]


def attribute(tree: PerturbationTree, search: StateSearch, seed: int = 0) -> Attribution:
    """Divide the movement of a case among its facts; see `attribution_of`."""
    chosen, left_out = players(tree)
    return attribution_of(Game(chosen, search), left_out, seed)


def attribution_of(game: Game, left_out: tuple[str, ...] = (), seed: int = 0) -> Attribution:
    """Divide the movement of a game among its players.

    Exact to `EXACT` facts; beyond, values are sampled, and smallest sets are the smallest of those
    that were looked at.
    """
    n = len(game.players)
    exact = n <= EXACT
    if exact:
        table = game.values()
        values, widths = exact_values(table, n), [0.0] * n
        pairs = exact_interactions(table, n)
    else:
        values, widths, pairs = sampled(game.value, game.rank, n, SAMPLED_STATES, seed)
    drawn = curves(game, values, seed) if n else ()
    shares = [
        Share(edit, values[at], widths[at], game.value(1 << at))
        for at, edit in enumerate(game.players)
    ]
    names = [edit.fact_id for edit in game.players]
    interactions = [Interaction((names[i], names[j]), value) for (i, j), value in pairs.items()]
    before, k = game.precedents(0), game.search.top_k
    return Attribution(
        whole=game.value(game.everyone),
        shares=tuple(sorted(shares, key=lambda share: -share.value)),
        interactions=tuple(sorted(interactions, key=lambda it: -abs(it.value))),
        leader=smallest_set(game, lambda after: after[:1] != before[:1]),
        half=smallest_set(
            game, lambda after: 2 * len(set(before) - set(after)) >= min(k, len(before))
        ),
        curves=drawn,
        exact=exact,
        left_out=left_out,
    )


def smallest_set(game: Game, reached: Callable[[tuple[str, ...]], bool]) -> SmallestSet | None:
    """The fewest facts whose change leads to a list that is `reached`; None where none does."""
    best: SmallestSet | None = None
    for mask in game.ranked:
        if best is not None and mask.bit_count() > len(best.facts):
            break
        if mask and reached(game.precedents(mask)):
            move = game.value(mask)
            if best is None or move > best.move:
                best = SmallestSet(game.facts(mask), move)
    return best
