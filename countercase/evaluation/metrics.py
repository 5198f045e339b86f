"""Ranking measures per query: MRR@K, NDCG@K binary and graded, Recall@K and MAP.

Computed by trec_eval through ir_measures, and so with its rules: of equal scores the greater id is
first; what was not retrieved counts as found nowhere, what was not judged as not relevant; a query
without a ranking, or of which nothing is relevant, scores 0; NDCG takes the grade itself as gain.

Sources: Voorhees and Harman (eds.), "TREC", MIT Press 2005; Järvelin and Kekäläinen, ACM TOIS
20(4), 2002; MacAvaney, Macdonald and Ounis, "Streamlining evaluation with ir-measures", ECIR 2022.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from countercase.errors import InputError

Judged = Mapping[str, Mapping[str, int]]
"""Query id -> document id -> grade; below 1 is not relevant."""

Scored = Mapping[str, Mapping[str, float]]
"""Query id -> document id -> score."""

PerQuery = dict[str, dict[str, float]]
"""Measure -> query id -> value, 0 to 1."""


def measure_titles(k: int) -> dict[str, str]:
    """Return the measures by their keys, with names for people, in the order of the tables."""
    return {
        f"mrr@{k}": f"MRR@{k}",
        f"ndcg@{k}": f"NDCG@{k} (binary)",
        f"ndcg_graded@{k}": f"NDCG@{k} (graded)",
        f"recall@{k}": f"Recall@{k}",
        "map": "MAP",
    }


def measures_per_query(
    judged: Judged, run: Scored, k: int = 10, relevant_from: int = 1
) -> PerQuery:
    """Compute every measure of a run, for each query that was judged, in the order of `judged`.

    Args:
        k: how far down MRR, NDCG and Recall look; MAP takes the run as deep as it is.
        relevant_from: the grade from which a document is relevant; graded NDCG does not ask for it.
    """
    if k < 1 or relevant_from < 1:
        raise ValueError(f"k and relevant_from must be at least 1, not {k} and {relevant_from}")
    from ir_measures import AP, RR, R, nDCG, pytrec_eval

    for query_id, listed in run.items():
        for doc_id, score in listed.items():
            if not math.isfinite(score):
                raise InputError(f"query {query_id}, document {doc_id}: score {score} is no number")
    grades = {it: {doc: max(grade, 0) for doc, grade in row.items()} for it, row in judged.items()}
    gains = {grade: int(grade >= relevant_from) for it in grades.values() for grade in it.values()}
    keys = {
        RR(rel=relevant_from): f"mrr@{k}",
        nDCG(gains=gains) @ k: f"ndcg@{k}",
        nDCG @ k: f"ndcg_graded@{k}",
        R(rel=relevant_from) @ k: f"recall@{k}",
        AP(rel=relevant_from): "map",
    }
    found = {key: dict.fromkeys(judged, 0.0) for key in keys.values()}
    ranked = {query: dict(run[query]) for query in judged if run.get(query)}
    for result in pytrec_eval.iter_calc(keys, grades, ranked) if ranked else ():
        found[keys[result.measure]][result.query_id] = float(result.value)
    # trec_eval has no MRR@K: a first relevant document below rank K counts as found nowhere.
    for query, value in found[f"mrr@{k}"].items():
        found[f"mrr@{k}"][query] = value if value > 0 and round(1 / value) <= k else 0.0
    return found
