"""Runs in the format of TREC.

run.trec: the rankings of all states in the format of trec_eval, one line per precedent.

`state_id Q0 case_id rank score countercase`. An id with a blank or a percent sign is written with
`%20` and `%25` in their place, since the format separates by blanks.

Runs in the format of TREC: what trec_eval and everything built on it reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from countercase.counterfactual.tree import PerturbationTree
from countercase.reports.text import rounded

RUN_NAME: Final = "countercase"


def trec_run(tree: PerturbationTree) -> str:
    """The run of every ranked state, in order of discovery; each ranking best first."""
    lines = [
        f"{node.node_id} Q0 {trec_id(result.case_id)} {result.rank} "
        f"{rounded(float(result.score))!r} {RUN_NAME}\n"
        for node in tree.nodes()
        if node.ranking is not None
        for result in node.ranking.results
    ]
    return "".join(lines)


def trec_id(case_id: str) -> str:
    """`case_id` without blanks; most ids have none and stay as they are."""
    if not any(char.isspace() or char == "%" for char in case_id):
        return case_id
    return "".join(quote(char) if char.isspace() or char == "%" else char for char in case_id)


def run_text(run: Mapping[str, Mapping[str, float]], name: str = RUN_NAME) -> str:
    """`query Q0 document rank score name`, one line a document, best first.

    Equal scores stand in the order that trec_eval gives them: by document id, the greater first.
    An id with a blank or a percent sign is written as `trec_id` writes it.
    """
    lines = []
    for query, listed in run.items():
        order = sorted(listed.items(), key=lambda item: item[0], reverse=True)
        order.sort(key=lambda item: item[1], reverse=True)
        lines += [
            f"{trec_id(query)} Q0 {trec_id(doc)} {rank} {rounded(float(score))!r} {trec_id(name)}\n"
            for rank, (doc, score) in enumerate(order, start=1)
        ]
    return "".join(lines)
