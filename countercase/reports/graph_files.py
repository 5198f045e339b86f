"""The tree for graph programs: GraphML (Gephi, yEd, igraph) and DOT (Graphviz), flattened.

Lists and tables of tree.json become JSON texts in one attribute each; what was not measured has no
attribute.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from countercase.counterfactual.tree import PerturbationTree
from countercase.reports.rendering import render
from countercase.reports.text import legible

if TYPE_CHECKING:
    import networkx as nx

_FILLS: Final = {
    "root": "#1f4e79", "expanded": "#9dc3e6", "leaf": "#deebf7", "pruned": "#f2f2f2",
    "rejected": "#ffffff", "by_hand": "#ffe699",
}  # fmt: skip


def graphml(document: dict[str, Any]) -> str:
    """Return a tree document (`tree_document`) as GraphML."""
    import networkx as nx

    lines = ['<?xml version="1.0" encoding="utf-8"?>', *nx.generate_graphml(_flat(document))]
    return "\n".join(lines) + "\n"


def _flat(document: dict[str, Any]) -> nx.DiGraph[str]:
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, value in document["graph"].items():
        graph.graph[name] = _cell(value)
    for node in document["nodes"]:
        values = {key: _cell(value) for key, value in node.items() if key not in ("id", "ranking")}
        ranking = _cell([row["case_id"] for row in node["ranking"]])
        scores = _cell([row["score"] for row in node["ranking"]])
        graph.add_node(legible(node["id"]), **values, ranking=ranking, scores=scores)
    for link in document["links"]:
        values = {f"edit_{key}": _cell(value) for key, value in link["edit"].items()}
        for key in ("mean_displacement", "displacements", "dropped", "new"):
            if link[key] is not None:
                values[key] = _cell(link[key])
        graph.add_edge(link["source"], link["target"], **values)
    return graph


def _cell(value: Any) -> str | int | float:
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    return legible(json.dumps(value, ensure_ascii=False))


def dot(tree: PerturbationTree) -> str:
    """Return the tree as a Graphviz digraph; pruned states are grey, rejected ones dashed."""
    return render("tree.dot.j2", tree=tree, fills=_FILLS)


GRAPH: Final = {
    "tree.graphml": lambda view: graphml(view.tree),
    "tree.dot": lambda view: dot(view.result.tree),
}
