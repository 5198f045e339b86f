"""Whether what is said of a fact depends on K, the length of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from countercase.counterfactual.panel import Distances, panel
from countercase.counterfactual.sensitivity import NullMove, noise_floor
from countercase.counterfactual.tree import PerturbationTree


@dataclass(frozen=True)
class FactPanel:
    """One fact at several depths.

    Attributes:
        distances: mean over its changes of the case as it is, one for each K.
        beyond_words: per K, whether its mean rank displacement is above that of null edits, as
            `noise_floor` takes it; None without null edits.
    """

    fact_id: str
    distances: tuple[Distances, ...]
    beyond_words: tuple[bool | None, ...]

    @property
    def depends_on_k(self) -> bool:
        """Whether it moves the list beyond words at one K and not at another."""
        return len(set(self.beyond_words)) > 1


def fact_panels(
    tree: PerturbationTree, nulls: Sequence[NullMove], depths: Sequence[int]
) -> tuple[FactPanel, ...]:
    """The panel of each fact that was changed on the case as it is, in order of the tree.

    Depths beyond what the root's ranking holds are left out.
    """
    root = tree.root.ranking
    if root is None:
        return ()
    depths = [k for k in depths if k <= len(root.order)]
    moves: dict[str, list[tuple[Distances, ...]]] = {}
    for edge, _ in tree.measured():
        node = tree.node(edge.target)
        if edge.source == "root" and node.status != "by_hand" and node.ranking is not None:
            row = panel(root, node.ranking, depths)
            moves.setdefault(edge.edit.fact_id, []).append(row)
    kinds = {edge.edit.fact_id: edge.edit.fact_type for edge in tree.edges()}
    panels = []
    for fact, rows in moves.items():
        means = tuple(_mean([row[at] for row in rows]) for at in range(len(depths)))
        beyond = tuple(_beyond(fact, kinds[fact], mean, nulls) for mean in means)
        panels.append(FactPanel(fact, means, beyond))
    return tuple(panels)


def _beyond(fact: str, kind: str, mean: Distances, nulls: Sequence[NullMove]) -> bool | None:
    at_k = [
        NullMove(null.edit, distances.displacement)
        for null in nulls
        for distances in null.panel
        if distances.k == mean.k
    ]
    floor = noise_floor(fact, kind, at_k)
    return None if floor is None else mean.displacement > floor


def _mean(rows: Sequence[Distances]) -> Distances:
    def of(name: str) -> float | None:
        values = [value for row in rows if (value := getattr(row, name)) is not None]
        return sum(values) / len(values) if values else None

    means = {field.name: of(field.name) for field in fields(Distances)}
    return Distances(**(means | {"k": rows[0].k}))  # type: ignore[arg-type]
