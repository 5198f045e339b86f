"""Whether what is said of a fact depends on K, the length of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countercase.counterfactual.panel import Distances, panel
from countercase.counterfactual.sensitivity import NullMove, moves_from_root
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import PerturbationTree


@dataclass(frozen=True)
class FactPanel:
    """One fact at several depths.

    Attributes:
        distances: of its strongest what-if, one for each K.
        beyond_words: per K, whether it moved the list further than each restatement of the fact.
    """

    fact_id: str
    distances: tuple[Distances, ...]
    beyond_words: tuple[bool, ...]

    @property
    def depends_on_k(self) -> bool:
        """Whether it moves the list beyond words at one K and not at another."""
        return len(set(self.beyond_words)) > 1


def fact_panels(
    tree: PerturbationTree, nulls: Sequence[NullMove], depths: Sequence[int]
) -> tuple[FactPanel, ...]:
    """Return the panel of each fact whose restatements were measured, in order of the tree.

    Depths beyond what the root's ranking holds are left out.
    """
    root = tree.root.ranking
    if root is None:
        return ()
    depths = [k for k in depths if k <= len(root.order)]
    restated: dict[str, list[NullMove]] = {}
    for null in nulls:
        restated.setdefault(null.edit.fact_id, []).append(null)
    panels = []
    for fact, moves in moves_from_root(tree).items():
        ranking = tree.node(State.of([moves[0][1]]).state_id).ranking
        if fact in restated and ranking is not None:
            row = panel(root, ranking, depths)
            beyond = tuple(_beats(distances, restated[fact]) for distances in row)
            panels.append(FactPanel(fact, row, beyond))
    return tuple(panels)


def _beats(distances: Distances, nulls: Sequence[NullMove]) -> bool:
    words = [d.displacement for null in nulls for d in null.panel if d.k == distances.k]
    return distances.displacement > max(words, default=0.0)
