"""The perturbation tree as an outline, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from countercase.counterfactual.tree import Edge, Node, PerturbationTree
from countercase.reports.text import DECIMALS
from countercase.reports.wording import places


def outline(tree: PerturbationTree) -> list[dict[str, Any]]:
    """Return every state of `tree` but the root, in the order of `walk`, as pages show it.

    `depth` is 1 for the children of the root, `moved` is None where the edit was refused, and
    `note` says what became of the branch; it is empty where that goes on. `out` and `came` are the
    ids of the decisions that left the list and that came in.
    """
    return [
        _line(depth, tree.children[source][target], tree.node(target))
        for depth, source, target in walk(tree.children)
    ]


def _line(depth: int, edge: Edge, node: Node) -> dict[str, Any]:
    edit, change = edge.edit, edge.displacement
    moved = None if change is None else round(change.mean, DECIMALS)
    note = "pruned" if node.status == "pruned" else ""
    if change is None:
        note = f"refused: {node.reason}"
    elif node.status == "by_hand":
        note = "; ".join(filter(None, ("yours", node.reason)))
    return {
        "state": node.node_id, "depth": depth, "status": node.status, "fact_id": edit.fact_id,
        "moved": moved, "figure": places(moved), "label": edit.supposition, "note": note,
        "provision": edit.provision, "reason": edit.reason,
        "out": list(change.dropped) if change else [], "came": list(change.new) if change else [],
    }  # fmt: skip


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
