"""What each part of a casebook record adds to finding it: facts, holding, catchwords.

    python benchmarks/passages.py [--sets DIR] [--json FILE]

The casebook is indexed in memory from its facts alone, its holdings alone, both, and both with the
catchwords, and every graded query of `retrieval.jsonl` is ranked over each (scored, fitted to
nothing). Printed: graded nDCG@10 and MAP, nDCG@10 with decisions that nobody graded taken out of the
lists (Sakai, "Alternatives to bpref", SIGIR 2007: what a new ranking brings up was graded less), and
p of a paired randomisation test of that against the whole records.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from countercase.config import load_settings
from countercase.corpus.casebook.records import CASEBOOK, PARTS, load_casebook
from countercase.evaluation.metrics import measures_per_query
from countercase.evaluation.sets import RetrievalQuery, read_set
from countercase.evaluation.statistics import randomisation_test
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import Session, open_session

SETS = Path(__file__).resolve().parents[1] / "eval_sets"
VARIANTS = (PARTS, ("facts", "holding"), ("facts",), ("holding",))
GRADED = "ndcg_graded@10"

Lists = dict[str, tuple[str, ...]]


def ranked(session: Session, queries: Sequence[RetrievalQuery], parts: tuple[str, ...]) -> Lists:
    """The pool of every query, over a casebook of these parts of its records."""
    documents = load_casebook(CASEBOOK, parts)
    retriever = HybridRetriever.from_documents(
        documents, encoders=session.encoders, settings=session.settings.retrieval()
    )
    asked = [session.query(query.text) for query in queries]
    rankings = retriever.retrieve(asked, top_k=session.settings.RERANK_POOL)
    return {q.query_id: r.case_ids for q, r in zip(queries, rankings, strict=True)}


def measured(queries: Sequence[RetrievalQuery], lists: Lists) -> dict[str, dict[str, float]]:
    """Measures of each query, by name of the measure."""
    run = {
        name: {case: float(-at) for at, case in enumerate(listed)} for name, listed in lists.items()
    }
    found = measures_per_query({query.query_id: query.relevant for query in queries}, run)
    return {name: dict(values) for name, values in found.items()}


def graded_only(queries: Sequence[RetrievalQuery], lists: Lists) -> Lists:
    """The lists without decisions that nobody graded."""
    return {
        query.query_id: tuple(c for c in lists[query.query_id] if c in query.relevant)
        for query in queries
    }


def report_of(session: Session, queries: Sequence[RetrievalQuery]) -> list[dict[str, Any]]:
    """One row for each variant; the first is the casebook as it ships."""
    rows: list[dict[str, Any]] = []
    whole: dict[str, float] = {}
    for parts in VARIANTS:
        lists = ranked(session, queries, parts)
        plain, graded = measured(queries, lists), measured(queries, graded_only(queries, lists))
        own = graded[GRADED]
        whole = whole or own
        test = randomisation_test([own[name] for name in whole], [*whole.values()])
        rows.append({
            "parts": list(parts),
            "ndcg": round(fmean(plain[GRADED].values()), 4),
            "map": round(fmean(plain["map"].values()), 4),
            "ndcg_of_graded": round(fmean(own.values()), 4),
            "p": None if own is whole else round(test, 4),
        })  # fmt: skip
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sets", type=Path, default=SETS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    queries = read_set(given.sets / "retrieval.jsonl", RetrievalQuery)
    rows = report_of(open_session(load_settings()), queries)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"{'parts':32}{'nDCG@10':>9}{'MAP':>9}{'graded':>9}{'p':>9}")
    for row in rows:
        figures = "".join(f"{row[name]:9.4f}" for name in ("ndcg", "map", "ndcg_of_graded"))
        p = "" if row["p"] is None else f"{row['p']:9.4f}"
        print(f"{', '.join(row['parts']):32}{figures}{p}")


if __name__ == "__main__":
    main()
