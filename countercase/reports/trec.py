"""Rankings as TREC runs, which trec_eval and everything built on it reads.

A line is `query Q0 document rank score name`; in run.trec the query is a state of the tree. An id
with a blank or a percent sign is written with `%20` and `%25`, since blanks separate the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from countercase.counterfactual.tree import PerturbationTree
from countercase.reports.text import rounded

RUN_NAME: Final = "countercase"


def trec_run(tree: PerturbationTree) -> str:
    """Return the run of every ranked state, in order of discovery; each ranking best first."""
    return "".join(
        _line(node.node_id, result.case_id, result.rank, result.score, RUN_NAME)
        for node in tree.nodes()
        if node.ranking is not None
        for result in node.ranking.results
    )


def trec_id(case_id: str) -> str:
    """Return `case_id` without blanks; most ids have none and stay as they are."""
    return "".join(quote(char) if char.isspace() or char == "%" else char for char in case_id)


def run_text(run: Mapping[str, Mapping[str, float]], name: str = RUN_NAME) -> str:
    """Return the run of scores by query and document, best first.

    Equal scores stand in the order that trec_eval gives them: by document id, the greater first.
    """
    lines = []
    for query, scores in run.items():
        order = sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)
        for rank, (document, score) in enumerate(order, start=1):
            lines.append(_line(query, document, rank, score, name))
    return "".join(lines)


def _line(query: str, document: str, rank: int, score: float, name: str) -> str:
    number = repr(rounded(float(score)))
    return f"{trec_id(query)} Q0 {trec_id(document)} {rank} {number} {trec_id(name)}\n"


TREC: Final = {"run.trec": lambda view: trec_run(view.result.tree)}
