"""The perturbation tree as an outline: what a reader follows line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from countercase.counterfactual.tree import Edge, Node, PerturbationTree
from countercase.explanation.labels import edit_label
from countercase.reports.wording import places


@dataclass(frozen=True)
class Line:
    """One edge of the tree in its place.

    Args:
        depth: 1 for the children of the root.
        repeated: whether the state stands further up already, reached by another path; it is not
            followed a second time.
    """

    depth: int
    edge: Edge
    node: Node
    repeated: bool

    @property
    def text(self) -> str:
        """The edit, how far it moved the ranking, and what became of the branch."""
        moved = self.edge.displacement
        parts = [edit_label(self.edge.edit)]
        if moved is None:
            parts.append(f"refused: {self.node.reason}")
            return "  ".join(parts)
        parts.append(places(moved.mean))
        if self.repeated:
            parts.append("(the same state as above)")
        elif self.node.status == "pruned":
            parts.append("(pruned)")
        return "  ".join(parts)


def outline(tree: PerturbationTree) -> tuple[Line, ...]:
    """All edges of `tree`, depth first from the root, in order of discovery."""
    return tuple(_below(tree, "root", 1, {"root"}))


def _below(tree: PerturbationTree, source: str, depth: int, seen: set[str]) -> Iterator[Line]:
    for target in tree.graph.successors(source):
        repeated = target in seen
        seen.add(target)
        yield Line(depth, tree.graph.edges[source, target]["edge"], tree.node(target), repeated)
        if not repeated:
            yield from _below(tree, target, depth + 1, seen)
