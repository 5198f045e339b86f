"""Runs in the format of TREC: what trec_eval and everything built on it reads."""

from __future__ import annotations

from collections.abc import Mapping

from countercase.reports.plain import rounded
from countercase.reports.trec import RUN_NAME, trec_id


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
