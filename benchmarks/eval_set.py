"""Does `eval_sets/retrieval.jsonl` separate retrievers, and is any of its queries trivial?

    python benchmarks/eval_set.py [--set FILE] [--no-rerank] [--output DIR] [--json FILE]

Scores the queries over the casebook by plain BM25 (bm25s, its own tokeniser with English stop
words), by plain MiniLM (per segment the best chunk of a decision, cosines summed) and by the whole
pipeline, and counts the queries whose best decision the words of the titles alone bring first:
BM25 over the titles and nothing else. With --output, rankings are kept and taken up again;
with --no-rerank, the pipeline goes without the cross-encoder, which takes most of the time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from countercase.config import load_settings
from countercase.corpus.casebook import load_casebook
from countercase.evaluation.metrics import mean, measures_per_query
from countercase.evaluation.report import Run
from countercase.evaluation.result_store import ResultStore
from countercase.evaluation.retrieval.systems import (
    CODE,
    PipelineRanker,
    full_system,
    rank_queries,
)
from countercase.evaluation.run import RANKINGS_FILE
from countercase.evaluation.sets import RetrievalQuery, read_retrieval
from countercase.evaluation.statistics import randomisation_test
from countercase.integrity import code_fingerprint
from countercase.retrieval.base import best_first
from countercase.retrieval.dense import dense_rows
from countercase.session import Session, open_session


def bm25_run(texts: Sequence[str], ids: Sequence[str], queries: dict[str, str]) -> Run:
    """Plain BM25 with the library's defaults; documents without a word in common stay out."""
    import bm25s

    engine = bm25s.BM25()
    engine.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    run: Run = {}
    for query_id, text in queries.items():
        [words] = bm25s.tokenize([text], stopwords="en", show_progress=False, return_ids=False)
        known = [word for word in words if word in engine.vocab_dict]
        scores = engine.get_scores(known) if known else np.zeros(len(ids), dtype=np.float32)
        order = best_first(scores.astype(np.float64), scores > 0)
        run[query_id] = {ids[at]: float(len(ids) - place) for place, at in enumerate(order)}
    return run


def minilm_run(session: Session, queries: dict[str, str]) -> Run:
    """Per segment the best chunk of each decision; cosines summed, nothing else done to them."""
    snapshot, run = session.snapshot, Run()
    for query_id, text in queries.items():
        vectors = session.encoders.encode("sentence", session.query(text).segments)
        rows = dense_rows(vectors, snapshot.sentence, snapshot.starts)
        order = best_first(np.sum([row.cosine for row in rows], axis=0))
        size = len(order)
        run[query_id] = {
            snapshot.case_ids[at]: float(size - place) for place, at in enumerate(order)
        }
    return run


def found_by_title(
    asked: Sequence[RetrievalQuery], titles: Sequence[str], ids: Sequence[str], first: int
) -> list[str]:
    """Queries with a decision of their best grade among the `first` of BM25 over the titles."""
    run = bm25_run(titles, ids, {query.query_id: query.text for query in asked})
    found = []
    for query in asked:
        head = sorted(run[query.query_id].items(), key=lambda item: -item[1])[:first]
        best = max(query.relevant.values())
        if any(query.relevant.get(case) == best for case, _ in head):
            found.append(query.query_id)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--set", type=Path, default=Path("eval_sets/retrieval.jsonl"))
    parser.add_argument("--no-rerank", action="store_true")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    asked = read_retrieval(arguments.set)
    queries = {query.query_id: query.text for query in asked}
    qrels = {query.query_id: query.relevant for query in asked}
    settings = load_settings(USE_RERANKER=False if arguments.no_rerank else None)
    full = full_system(settings.retrieval())
    session = open_session(settings)
    documents = load_casebook()
    ids, titles = [one.doc_id for one in documents], [one.title for one in documents]
    ranker = PipelineRanker(session.retriever, session.encoders, session.query, (full,))
    recipe: dict[str, Any] = {
        "settings": settings.fingerprint(),
        "models": session.models,
        "corpus": session.snapshot.manifest.checksum,
        "code": code_fingerprint(CODE),
    }
    output: Path | None = arguments.output
    store = ResultStore(output / RANKINGS_FILE, recipe) if output else None
    runs = {
        "plain BM25": bm25_run([one.text for one in documents], ids, queries),
        "plain MiniLM per segment": minilm_run(session, queries),
        f"pipeline ({full})": rank_queries(queries, ranker, (full,), store)[full],
    }
    values = {name: measures_per_query(qrels, run) for name, run in runs.items()}
    rows = {name: {key: mean(per) for key, per in one.items()} for name, one in values.items()}
    columns = list(next(iter(rows.values())))
    print(f"{len(queries)} queries, {len(ids)} decisions")
    print("".ljust(26) + "".join(column.rjust(17) for column in columns))
    for name, row in rows.items():
        print(name.ljust(26) + "".join(f"{row[column]:17.4f}" for column in columns))
    graded = {name: list(one["ndcg_graded@10"].values()) for name, one in values.items()}
    tests = {
        f"{two} against {one}": randomisation_test(graded[two], graded[one])
        for at, one in enumerate(graded)
        for two in list(graded)[at + 1 :]
    }
    for pair, p in tests.items():
        print(f"NDCG@10 (graded), {pair}: p = {p:.4f}")
    title_hits = {first: found_by_title(asked, titles, ids, first) for first in (1, 10)}
    for first, found in title_hits.items():
        share = len(found) / len(asked)
        print(f"best decision among the first {first} by titles alone: {len(found)} ({share:.1%})")
    if arguments.json:
        report = {"measures": rows, "p": tests, "by_title": title_hits}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
