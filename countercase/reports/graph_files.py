"""The tree for graph programs: GraphML (Gephi, yEd, igraph) and DOT (Graphviz), flattened.

Lists and tables of tree.json become JSON texts in one attribute each; what was not measured has no
attribute.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from countercase.counterfactual.tree import Edge, Node, PerturbationTree
from countercase.reports.text import legible, plain
from countercase.reports.wording import places

if TYPE_CHECKING:
    import networkx as nx

_FILLS: Final = (
    ("root", "#1f4e79"),
    ("expanded", "#9dc3e6"),
    ("leaf", "#deebf7"),
    ("pruned", "#f2f2f2"),
    ("rejected", "#ffffff"),
    ("by_hand", "#ffe699"),
)
_GREY: Final = "#7f7f7f"


def graphml(document: dict[str, Any]) -> str:
    """A tree document (`tree_document`) as GraphML."""
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
    """The tree as a Graphviz digraph: states with their first precedent, edges with their edits.

    Pruned states are grey, rejected ones dashed.
    """
    lines = [
        "digraph countercase {",
        f"  graph [label={_quoted(tree.sheet.title or tree.sheet.case_id)}, rankdir=LR];",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    lines += [f"  {_quoted(node.node_id)} [{_node_style(node)}];" for node in tree.nodes()]
    lines += [
        f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [{_edge_style(edge)}];"
        for edge in tree.edges()
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _node_style(node: Node) -> str:
    first = node.ranking.case_ids[0] if node.ranking and node.ranking.results else node.reason
    name = "the case as it is" if node.status == "root" else node.status
    style = [
        f"label={_quoted(name, first)}",
        f'fillcolor="{dict(_FILLS)[node.status]}"',
    ]
    if node.status == "root":
        style.append('fontcolor="white"')
    if node.status in ("pruned", "rejected"):
        style += [f'fontcolor="{_GREY}"', f'color="{_GREY}"']
    if node.status == "rejected":
        style.append('style="rounded,dashed"')
    return ", ".join(style)


def _edge_style(edge: Edge) -> str:
    moved = edge.displacement
    label = _quoted(edge.edit.supposition, "refused" if moved is None else places(moved.mean))
    if moved is None:
        return f'label={label}, style=dashed, color="{_GREY}", fontcolor="{_GREY}"'
    return f"label={label}, penwidth={1 + min(moved.mean, 10.0) / 2:.2f}"


def _quoted(*lines: str) -> str:
    """A DOT string of several lines; quotes and backslashes escaped, so that no text ends it."""
    escaped = (plain(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


GRAPH: Final = {
    "tree.graphml": lambda view: graphml(view.tree),
    "tree.dot": lambda view: dot(view.result.tree),
}
