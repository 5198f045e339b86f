"""What fusion could gain by learning: weights and learnt rankings beside the fusion as it is.

    python training/fusion.py

Learnt and measured on `training/matters.jsonl` in ten folds: 192 matters, two for each area of law
from each of four hands, with 3,145 graded decisions, written for this and apart from the evaluation sets.
Decisions that no ranking brought up were not graded and count as irrelevant, for every line alike.
Printed: graded NDCG@10 and MAP, and p of a paired randomisation test against the fusion.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.evaluation.metrics import measures_per_query
from countercase.evaluation.statistics import randomisation_test
from countercase.session import Session, open_session

MATTERS: Final = Path(__file__).with_name("matters.jsonl")
RANKERS: Final = ("dpr", "chroma", "lexical")
FOLDS: Final = 10
DEEP: Final = 60
"""Cases of a matter, the best of the fusion, that are learnt from and ranked anew."""
GRID: Final = tuple(product((0.2, 0.3, 0.5, 0.8), (0.0, 0.2, 0.5), (1.0,)))
"""Weights of DPR, Chroma and the lexical channel that are tried."""
VOTES: Final = (0.1, 0.3, 0.5, 0.8, 1.2)
"""Weights of the cross-encoder's vote that are tried; `RERANK_WEIGHT` is chosen by this."""

Run = dict[str, dict[str, float]]
Table = NDArray[np.float64]


def scores_of(session: Session, text: str) -> Table:
    """Of every case: RRF term and standard score of each channel, and the vote of the cross-encoder."""
    query, retriever = session.query(text), session.retriever
    cases, k = len(session.snapshot.case_ids), session.settings.RRF_K
    columns = []
    for name in RANKERS:
        alone = {"rankers": (name,), "use_mmr": False, "use_reranker": False}
        settings = retriever.settings.model_copy(update=alone)
        [fused] = retriever.fuse([query], top_k=cases, settings=settings)
        ranks, scores = fused.stages[name]
        columns += [np.where(ranks > 0, 1 / (k + np.maximum(ranks, 1)), 0.0)]
        columns += [(scores - scores.mean()) / (scores.std() + 1e-9)]
    [full] = retriever.retrieve([query], top_k=session.settings.RERANK_POOL)
    vote = np.zeros(cases)
    for found in full.results:
        vote[found.case] = 1 / (k + found.stages["rerank"].rank)
    return np.column_stack([*columns, vote])


def fused(table: Table, weights: tuple[float, ...]) -> Table:
    """Weighted reciprocal rank fusion of the channels."""
    total: Table = table[:, 0:6:2] @ np.asarray(weights)
    return total


def main() -> None:
    """Learn and print."""
    settings = load_settings()
    session = open_session(settings)
    rows: list[dict[str, Any]] = [
        json.loads(row) for row in MATTERS.read_text("utf-8").splitlines()
    ]
    judged = {row["query_id"]: row["relevant"] for row in rows}
    ids = session.snapshot.case_ids
    tables = {row["query_id"]: scores_of(session, row["text"]) for row in rows}
    own = (settings.DPR_WEIGHT, settings.CHROMA_WEIGHT, settings.LEXICAL_WEIGHT)
    fold = dict(zip(judged, np.random.default_rng(0).permutation(len(rows)) % FOLDS, strict=True))
    heads = {name: np.argsort(-fused(t, own), kind="stable")[:DEEP] for name, t in tables.items()}
    gains = {
        name: np.asarray([2.0 ** grades.get(ids[case], 0) - 1 for case in heads[name]])
        for name, grades in judged.items()
    }

    def run(score: Callable[[str], Table]) -> Run:
        found: Run = {}
        for name, head in heads.items():
            order = head[np.argsort(-score(name)[head], kind="stable")]
            found[name] = {ids[case]: float(DEEP - at) for at, case in enumerate(order)}
        return found

    def graded(found: Run, names: list[str] | None = None) -> Mapping[str, float]:
        chosen = judged if names is None else {name: judged[name] for name in names}
        return measures_per_query(chosen, found)["ndcg_graded@10"]

    def learnt(make: Callable[[], Any]) -> Run:
        scores: dict[str, Table] = {}
        for part in range(FOLDS):
            known = [name for name in judged if fold[name] != part]
            model = make().fit(
                np.vstack([tables[name][heads[name]] for name in known]),
                np.concatenate([gains[name] for name in known]),
            )
            scores |= {n: model.predict(tables[n]) for n in judged if fold[n] == part}
        return run(scores.__getitem__)

    def weighed() -> Run:
        tried = {weights: run(lambda n, w=weights: fused(tables[n], w)) for weights in GRID}  # type: ignore[misc]
        found: Run = {}
        for part in range(FOLDS):
            known = [name for name in judged if fold[name] != part]
            best = max(GRID, key=lambda weights: fmean(graded(tried[weights], known).values()))
            found |= {name: tried[best][name] for name in judged if fold[name] == part}
        return found

    def voted(vote: float) -> Run:
        return run(lambda n: fused(tables[n], own) + vote * tables[n][:, 6])

    lines = {
        "fusion as it is": run(lambda n: fused(tables[n], own)),
        **{f"cross-encoder's vote {vote}": voted(vote) for vote in VOTES},
        "weights by folds": weighed(),
        "ridge regression": learnt(lambda: make_pipeline(StandardScaler(), Ridge(10.0))),
        "boosted trees": learnt(
            lambda: HistGradientBoostingRegressor(
                max_depth=2, max_iter=150, learning_rate=0.05, min_samples_leaf=30, random_state=0
            )
        ),
    }
    base = graded(lines["fusion as it is"])
    print(f"{len(rows)} matters, {sum(map(len, judged.values()))} graded decisions")
    for name, found in lines.items():
        values = graded(found)
        test = randomisation_test([values[n] for n in judged], [base[n] for n in judged])
        average = fmean(measures_per_query(judged, found)["map"].values())
        print(f"{name:24} NDCG@10 {fmean(values.values()):.4f}  MAP {average:.4f}  p {test:.4f}")


if __name__ == "__main__":
    main()
