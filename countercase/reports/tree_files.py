"""The perturbation tree as data: tree.json, GraphML (Gephi, yEd, igraph), DOT (Graphviz), TREC, an outline.

tree.json is networkx node-link data; its format is fixed by `docs/schemas/tree.schema.json`, and
`networkx.node_link_graph(data, edges="links")` reads it back. In GraphML lists and tables become
JSON texts in one attribute each; what was not measured has no attribute. In a TREC run, `query Q0
document rank score name`, the query is a state; blanks and percent signs of ids are `%20` and `%25`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from countercase.corpus.index.snapshot import Manifest
from countercase.counterfactual.tree import PerturbationTree
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.reports.text import DECIMALS, legible, rounded
from countercase.reports.wording import places, render
from countercase.retrieval.base import Ranking
from countercase.session import Result

_OF_EDITS: Final = ("rule", "reason", "supposition", "supposed")
_TOLD: Final = ("rejected", "by_hand")
"""Statuses of the states whose reason tree.json tells."""


def tree_document(result: Result) -> dict[str, Any]:
    """Return the tree as plain JSON values."""
    tree = result.analysis.tree
    return {
        "directed": True,
        "multigraph": False,
        "graph": {
            "top_k": tree.settings.top_k,
            "min_displacement": tree.settings.min_displacement,
            "corpus": corpus_document(result.manifest),
            "models": dict(result.models),
            "settings": rounded(result.settings.fingerprint()),
            "titles": dict(result.titles),
        },
        "nodes": [
            {
                "edits": [edit.edit_id for edit in node.state.edits],
                "status": node.status,
                "ranking": [] if node.ranking is None else ranking_document(node.ranking),
                **({"reason": node.reason} if node.reason and node.status in _TOLD else {}),
                "id": node.node_id,
            }
            for node in tree.nodes()
        ],
        "links": [
            {
                "edit": edit_document(edge.edit, tree.sheet),
                "mean_displacement": rounded(moved.mean) if moved else None,
                "displacements": dict(moved.by_case) if moved else {},
                "dropped": list(moved.dropped) if moved else [],
                "new": list(moved.new) if moved else [],
                "source": edge.source,
                "target": edge.target,
            }
            for edge, moved in ((edge, edge.displacement) for edge in tree.edges())
        ],
    }


def corpus_document(manifest: Manifest | None) -> dict[str, Any] | None:
    """Name the corpus that was searched: name, size, checksum, and the models it was indexed with.

    None for a foreign retriever, whose corpus is not known.
    """
    if manifest is None:
        return None
    own = {it: getattr(manifest, it) for it in ("cases", "chunks", "chunk_pieces", "checksum")}
    return {"name": manifest.corpus, **own, "models": dict(manifest.models)}


def ranking_document(ranking: Ranking) -> list[dict[str, Any]]:
    """Return a ranking in rank order, each precedent with its trace through the stages."""
    return [
        {"case_id": it.case_id, "rank": it.rank, "score": rounded(it.score),
         "stages": {name: {"rank": of.rank, "score": rounded(of.score)}
                    for name, of in it.stages.items()}}
        for it in ranking.results
    ]  # fmt: skip


def edit_document(edit: Edit, sheet: FactSheet) -> dict[str, Any]:
    """Return an edit as links and restatements carry it."""
    before, after = statements_of(sheet, edit)
    fields = (
        "fact_id", "fact_type", "operation", "original_value", "perturbed_value", "provision",
    )  # fmt: skip
    return {
        "id": edit.edit_id,
        **{name: getattr(edit, name) for name in (*fields, *_OF_EDITS)},
        "statement_before": before,
        "statement_after": after,
        "consequences": [{name: getattr(it, name) for name in fields} for it in edit.consequences],
    }


def outline(tree: PerturbationTree) -> list[dict[str, Any]]:
    """Return every state of `tree` but the root, depth first, the largest move first, as shown.

    `depth` is 1 for the children of the root, `moved` is None where the edit was refused, and
    `note` says what became of the branch; it is empty where that goes on. `out` and `came` are the
    ids of the decisions that left the list and that came in.
    """
    lines, order = [], dict[str, list[str]]()
    for source, own in tree.children.items():
        moves = {it: edge.displacement for it, edge in own.items()}
        far = {it: move.mean if move else -1.0 for it, move in moves.items()}
        order[source] = sorted(own, key=far.__getitem__, reverse=True)
    for depth, source, target in walk(order):
        edge, node = tree.children[source][target], tree.node(target)
        edit, change = edge.edit, edge.displacement
        moved = None if change is None else round(change.mean, DECIMALS)
        note = "moved too little to go on" if node.status == "pruned" else ""
        if change is None:
            note = f"refused: {node.reason}"
        elif node.status == "by_hand":
            note = "; ".join(filter(None, ("yours", node.reason)))
        lines.append({
            "state": target, "depth": depth, "status": node.status, "fact_id": edit.fact_id,
            "moved": moved, "figure": places(moved), "label": edit.supposition, "note": note,
            "provision": edit.provision, "reason": edit.reason,
            "out": [*change.dropped] if change else [], "came": [*change.new] if change else [],
        })  # fmt: skip
    return lines


def walk(targets: Mapping[str, Iterable[str]]) -> Iterator[tuple[int, str, str]]:
    """Yield depth, source and target of every state but the root, once, depth first.

    The same edits in another order lead to the same state: a state that several edges lead to
    stands below the first of them. `targets` of a state are in order of discovery.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(targets)
    graph.add_edges_from((state, target) for state, own in targets.items() for target in own)
    depths = {"root": 0}
    for source, target in nx.dfs_edges(graph, "root"):
        depths[target] = depths[source] + 1
        yield depths[target], source, target


def graphml(document: dict[str, Any]) -> str:
    """Return a tree document (`tree_document`) as GraphML."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.graph |= {name: _cell(value) for name, value in document["graph"].items()}
    for node in document["nodes"]:
        values = {key: _cell(value) for key, value in node.items() if key not in ("id", "ranking")}
        ranking = _cell([row["case_id"] for row in node["ranking"]])
        scores = _cell([row["score"] for row in node["ranking"]])
        graph.add_node(legible(node["id"]), **values, ranking=ranking, scores=scores)
    for link in document["links"]:
        values = {f"edit_{key}": _cell(value) for key, value in link["edit"].items()}
        moved = ("mean_displacement", "displacements", "dropped", "new")
        values |= {key: _cell(link[key]) for key in moved if link[key] is not None}
        graph.add_edge(link["source"], link["target"], **values)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', *nx.generate_graphml(graph)]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str | int | float:
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    return legible(json.dumps(value, ensure_ascii=False))


def dot(tree: PerturbationTree) -> str:
    """Return the tree as a Graphviz digraph; pruned states are grey, rejected ones dashed."""
    return render("tree.dot.j2", tree=tree)


def trec_run(tree: PerturbationTree) -> str:
    """Return the run of every ranked state, in order of discovery; each ranking best first."""
    ranked = ((node.node_id, node.ranking.results) for node in tree.nodes() if node.ranking)
    rows = ((state, it) for state, results in ranked for it in results)
    return "".join(_trec_line(at, it.case_id, it.rank, it.score, "countercase") for at, it in rows)


def trec_id(case_id: str) -> str:
    """Return `case_id` without blanks; most ids have none and stay as they are."""
    return "".join(quote(char) if char.isspace() or char == "%" else char for char in case_id)


def run_text(run: Mapping[str, Mapping[str, float]], name: str) -> str:
    """Return the run of scores by query and document, best first.

    Equal scores stand in the order that trec_eval gives them: by document id, the greater first.
    """
    lines = []
    for query, scores in run.items():
        order = sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)
        lines += [_trec_line(query, it, rank, own, name) for rank, (it, own) in enumerate(order, 1)]
    return "".join(lines)


def _trec_line(query: str, document: str, rank: int, score: float, name: str) -> str:
    number = repr(rounded(float(score)))
    return f"{trec_id(query)} Q0 {trec_id(document)} {rank} {number} {trec_id(name)}\n"


GRAPH: Final = {
    "tree.graphml": lambda view: graphml(view.tree),
    "tree.dot": lambda view: dot(view.result.tree),
}
TREC: Final = {"run.trec": lambda view: trec_run(view.result.tree)}
