"""The perturbation tree as an outline, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from countercase.counterfactual.tree import Edge, Node, PerturbationTree
from countercase.explanation.labels import edit_label
from countercase.facts.edits import sentences_changed
from countercase.facts.model import FactSheet
from countercase.reports.wording import changed_words, places


@dataclass(frozen=True)
class Line:
    """One state of the tree in its place, with the edge that leads there.

    Args:
        depth: 1 for the children of the root.
        label: what was changed, the fact named by its own words.
        change: the sentence that the edit changes, with the words that went and came marked;
            empty where the narrative does not state the fact.
    """

    depth: int
    edge: Edge
    node: Node
    label: str
    change: str = ""

    @property
    def figure(self) -> str:
        """How far the edit moved the ranking; a dash where it was refused."""
        moved = self.edge.displacement
        return places(None if moved is None else moved.mean)

    @property
    def text(self) -> str:
        """What was changed."""
        return self.label

    @property
    def note(self) -> str:
        """What happened to the branch: refused, pruned, or empty where it goes on."""
        if self.edge.displacement is None:
            return f"refused: {self.node.reason}"
        if self.node.status == "by_hand":
            return f"yours; {self.node.reason}" if self.node.reason else "yours"
        return "pruned" if self.node.status == "pruned" else ""


def outline(tree: PerturbationTree, sheet: FactSheet) -> tuple[Line, ...]:
    """Every state of `tree` but the root, once, depth first, in order of discovery.

    The same edits in another order lead to the same state: a state that several edges lead to
    stands below the first of them.

    Args:
        sheet: of the case as it is; it names the facts and has the sentences that changed.
    """
    return tuple(_below(tree, sheet, "root", 1, {"root"}))


def _below(
    tree: PerturbationTree, sheet: FactSheet, source: str, depth: int, seen: set[str]
) -> Iterator[Line]:
    for target in tree.graph.successors(source):
        if target not in seen:
            seen.add(target)
            edge = tree.graph.edges[source, target]["edge"]
            before, after = sentences_changed(sheet.narrative, edge.edit)
            words, label = changed_words(before, after), edit_label(edge.edit, sheet)
            yield Line(depth, edge, tree.node(target), label, words)
            yield from _below(tree, sheet, target, depth + 1, seen)
