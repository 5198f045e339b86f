"""tree.json: the perturbation tree as networkx node-link data (`edges="links"`).

The format is fixed by `docs/schemas/tree.schema.json`. `networkx.node_link_graph(data,
edges="links")` reads it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from countercase.corpus.index.snapshot import Manifest
from countercase.counterfactual.tree import Edge, Node
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.reports.text import rounded
from countercase.retrieval.base import Ranking

if TYPE_CHECKING:
    from countercase.session import Result


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
        "nodes": [{**_node(node), "id": node.node_id} for node in tree.nodes()],
        "links": [
            {**_link(edge, tree.sheet), "source": edge.source, "target": edge.target}
            for edge in tree.edges()
        ],
    }


def corpus_document(manifest: Manifest | None) -> dict[str, Any] | None:
    """Name the corpus that was searched: name, size, checksum, and the models it was indexed with.

    None for a foreign retriever, whose corpus is not known.
    """
    if manifest is None:
        return None
    return {
        "name": manifest.corpus,
        **{name: getattr(manifest, name) for name in ("cases", "chunks", "chunk_pieces")},
        "checksum": manifest.checksum,
        "models": dict(manifest.models),
    }


def ranking_document(ranking: Ranking) -> list[dict[str, Any]]:
    """Return a ranking in rank order, each precedent with its trace through the stages."""
    return [
        {
            "case_id": result.case_id,
            "rank": result.rank,
            "score": rounded(result.score),
            "stages": {
                name: {"rank": stage.rank, "score": rounded(stage.score)}
                for name, stage in result.stages.items()
            },
        }
        for result in ranking.results
    ]


def edit_document(edit: Edit, sheet: FactSheet) -> dict[str, Any]:
    """Return an edit as links and restatements carry it."""
    before, after = statements_of(sheet, edit)
    fields = (
        "fact_id", "fact_type", "operation", "original_value", "perturbed_value", "provision",
    )  # fmt: skip
    return {
        "id": edit.edit_id,
        **{field: getattr(edit, field) for field in fields},
        **{field: getattr(edit, field) for field in ("rule", "reason", "supposition")},
        "statement_before": before,
        "statement_after": after,
        "consequences": [
            {field: getattr(consequence, field) for field in fields}
            for consequence in edit.consequences
        ],
    }


def _node(node: Node) -> dict[str, Any]:
    values: dict[str, Any] = {
        "edits": [edit.edit_id for edit in node.state.edits],
        "status": node.status,
        "ranking": [] if node.ranking is None else ranking_document(node.ranking),
    }
    if node.reason and node.status in ("rejected", "by_hand"):
        values["reason"] = node.reason
    return values


def _link(edge: Edge, sheet: FactSheet) -> dict[str, Any]:
    moved = edge.displacement
    measures: dict[str, Any] = {
        "mean_displacement": rounded(moved.mean) if moved else None,
        "displacements": dict(moved.by_case) if moved else {},
        "dropped": list(moved.dropped) if moved else [],
        "new": list(moved.new) if moved else [],
    }
    return {"edit": edit_document(edge.edit, sheet), **measures}
