"""The changes of a case as a cooperative game: its facts are the players.

The value of a set of facts is the mean rank displacement between the case as it is and the case in
which these facts are changed together. A state of known segments costs next to nothing, so all 2ⁿ
sets of up to `EXACT` facts are ranked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.sensitivity import moves_from_root
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.facts.edits import Edit, compatible

EXACT: Final = 12
"""Most facts of which every set is ranked."""

RANKING: Final = "sets of facts changed together"


@dataclass
class Game:
    """Rankings of sets of changed facts; a set is a bit mask over `players`.

    Args:
        players: one edit of each fact; all can hold at once.
    """

    players: tuple[Edit, ...]
    search: StateSearch
    _lists: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False)

    @property
    def everyone(self) -> int:
        """The set of all facts."""
        return (1 << len(self.players)) - 1

    @property
    def ranked(self) -> tuple[int, ...]:
        """The sets that were ranked so far, the smallest first."""
        return tuple(sorted(self._lists, key=lambda mask: (mask.bit_count(), mask)))

    def rank(self, masks: Iterable[int]) -> None:
        """Rank the sets that are not ranked yet."""
        waiting = [mask for mask in dict.fromkeys(masks) if mask not in self._lists]
        states = [State.of(self.members(mask)) for mask in waiting]
        for mask, ranking in zip(waiting, self.search.rank_many(states, RANKING), strict=True):
            self._lists[mask] = ranking.case_ids

    def members(self, mask: int) -> tuple[Edit, ...]:
        """The edits of a set."""
        return tuple(edit for at, edit in enumerate(self.players) if mask >> at & 1)

    def facts(self, mask: int) -> tuple[str, ...]:
        """The facts of a set."""
        return tuple(edit.fact_id for edit in self.members(mask))

    def precedents(self, mask: int) -> tuple[str, ...]:
        """The top K when these facts are changed."""
        self.rank([mask])
        return self._lists[mask]

    def value(self, mask: int) -> float:
        """Mean rank displacement from the case as it is, 0 to K + 1."""
        self.rank([0, mask])
        return displacement(self._lists[0], self._lists[mask], self.search.top_k).mean

    def values(self) -> list[float]:
        """The value of every set, by its mask."""
        self.rank(range(self.everyone + 1))
        return [self.value(mask) for mask in range(self.everyone + 1)]


def players(tree: PerturbationTree) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """Return one measured edit of each fact, such that all hold at once; and the facts left out.

    Of each fact, in sheet order, the strongest what-if of the case as it is that contradicts none of
    those chosen before it. Edits by hand and facts that the case does not have take no part.
    """
    moves = moves_from_root(tree)
    chosen: list[Edit] = []
    left_out = []
    for fact in tree.sheet.facts:
        own = [edit for _, edit in moves.get(fact.fact_id, ())]
        edit = next((edit for edit in own if compatible([*chosen, edit])), None)
        if edit is not None:
            chosen.append(edit)
        elif own:
            left_out.append(fact.fact_id)
    return tuple(chosen), tuple(left_out)
