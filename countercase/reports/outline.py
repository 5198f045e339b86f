"""The perturbation tree as an outline, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from countercase.counterfactual.tree import Edge, Node, PerturbationTree
from countercase.reports.text import DECIMALS
from countercase.reports.wording import places


@dataclass(frozen=True)
class Line:
    """One state of the tree in its place, with the edge that leads there.

    Args:
        depth: 1 for the children of the root.
    """

    depth: int
    edge: Edge
    node: Node

    @property
    def moved(self) -> float | None:
        """How far the edit moved the ranking; None where it was refused."""
        change = self.edge.displacement
        return None if change is None else round(change.mean, DECIMALS)

    @property
    def figure(self) -> str:
        """The same as tables show it."""
        return places(self.moved)

    @property
    def text(self) -> str:
        """The supposition of the edge."""
        return self.edge.edit.supposition

    @property
    def note(self) -> str:
        """What happened to the branch: refused, pruned, or empty where it goes on."""
        if self.edge.displacement is None:
            return f"refused: {self.node.reason}"
        if self.node.status == "by_hand":
            return f"yours; {self.node.reason}" if self.node.reason else "yours"
        return "pruned" if self.node.status == "pruned" else ""


def outline(tree: PerturbationTree) -> tuple[Line, ...]:
    """Return every state of `tree` but the root, in the order of `walk`."""
    return tuple(
        Line(depth, tree.graph.edges[source, target]["edge"], tree.node(target))
        for depth, source, target in walk(tree.graph.adj)
    )


def walk(targets: Mapping[str, Iterable[str]]) -> Iterator[tuple[int, str, str]]:
    """Yield depth, source and target of every state but the root, once, depth first.

    The same edits in another order lead to the same state: a state that several edges lead to
    stands below the first of them.

    Args:
        targets: the states that edges of a state lead to, in order of discovery.
    """
    seen = {"root"}

    def below(source: str, depth: int) -> Iterator[tuple[int, str, str]]:
        for target in targets[source]:
            if target not in seen:
                seen.add(target)
                yield depth, source, target
                yield from below(target, depth + 1)

    yield from below("root", 1)
