"""The cross-encoder reading texts apart, reading them jointly, and left out.

    python benchmarks/reranking.py [--queries N] [--sets DIR] [--json FILE]

Over the casebook's graded queries (`retrieval.jsonl`), which are scored and fitted to nothing. Every
query is ranked three times. Printed: how far the scores of the pairs differ, how many of the top ten
lists change, nDCG@10 of each, and seconds of the processor a pair, from nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from countercase.config import load_settings
from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.evaluation.metrics import measures_per_query
from countercase.evaluation.sets import RetrievalQuery, read_set
from countercase.retrieval.base import Ranking
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import open_session

TOP = 10
SETS = Path(__file__).resolve().parents[1] / "eval_sets"


def pairs_of(ranking: Ranking) -> list[tuple[str, int]]:
    """The (segment, chunk) pairs that were read for a ranking of the whole pool."""
    segments = ranking.query.segments
    return [(segments[m.segment], m.chunk) for case in ranking.results for m in case.matches]


def ndcg(lists: Sequence[Sequence[str]], queries: Sequence[RetrievalQuery]) -> float:
    """Compute nDCG@10 of the lists, as trec_eval has it."""
    run = {
        query.query_id: {case: float(-at) for at, case in enumerate(listed)}
        for query, listed in zip(queries, lists, strict=True)
    }
    judged = {query.query_id: query.relevant for query in queries}
    return round(fmean(measures_per_query(judged, run, TOP)[f"ndcg_graded@{TOP}"].values()), 4)


def changed(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Share of the top ten lists with other cases, and with other cases or another order."""
    pairs = [(a[:TOP], b[:TOP]) for a, b in zip(left, right, strict=True)]
    sets = sum(set(a) != set(b) for a, b in pairs)
    return round(sets / len(pairs), 3), round(sum(a != b for a, b in pairs) / len(pairs), 3)


def measured(limit: int, sets: Path) -> dict[str, Any]:
    """All figures; see the module."""
    settings = load_settings()
    session = open_session(settings)
    queries = read_set(sets / "retrieval.jsonl", RetrievalQuery)[:limit]
    retrieval = settings.retrieval()
    retrievers = {
        mode: HybridRetriever(
            session.snapshot, session.encoders, retrieval.model_copy(update={"reranker": mode})
        )
        for mode in ("apart", "joint")
    }
    lists: dict[str, list[Sequence[str]]] = {"apart": [], "joint": [], "neither": []}
    apart, joint = [], []
    reader = session.encoders.apart
    assert reader is not None
    for number, query in enumerate(queries, start=1):
        asked = [session.query(query.text)]
        rankings = {
            mode: retriever.retrieve(asked, top_k=settings.RERANK_POOL)[0]
            for mode, retriever in retrievers.items()
        }
        plain = retrievers["apart"].settings.model_copy(update={"use_reranker": False})
        rankings["neither"] = retrievers["apart"].retrieve(asked, settings=plain)[0]
        for mode, ranking in rankings.items():
            lists[mode].append(ranking.case_ids)
        pairs = pairs_of(rankings["apart"])
        texts = [(segment, session.snapshot.text(chunk)) for segment, chunk in pairs]
        joint += session.encoders.score(texts).tolist()
        readings = reader.read([text for pair in texts for text in pair])
        scores = reader.compare(
            [([first], second) for first, second in zip(readings[::2], readings[1::2], strict=True)]
        )
        apart += [float(score[0]) for score in scores]
        for retriever in retrievers.values():
            retriever.forget()
        print(f"\r{number}/{len(queries)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    difference = np.asarray(apart) - np.asarray(joint)
    sample = texts[: min(60, len(texts))]
    return {
        "queries": len(queries),
        "pairs": len(apart),
        "largest_difference": round(float(np.abs(difference).max()), 4),
        "mean_difference": round(float(difference.mean()), 4),
        "spread_of_difference": round(float(difference.std()), 4),
        "spread_of_scores": round(float(np.std(joint)), 4),
        "lists_changed": changed(lists["apart"], lists["joint"]),
        "lists_changed_by_the_vote": changed(lists["joint"], lists["neither"]),
        "ndcg": {mode: ndcg(own, queries) for mode, own in lists.items()},
        "processor_ms_a_pair": costs(sample),
    }


def costs(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Processor milliseconds: a pair read jointly, a text read alone, a pair compared."""
    encoders = EmbeddedEncoders(EncoderOptions())
    apart = encoders.apart
    assert apart is not None
    encoders.score(pairs[:2])
    apart.read(["warm"])
    marks = [time.process_time()]
    encoders.score(pairs)
    marks.append(time.process_time())
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    readings = dict(zip(texts, apart.read(texts), strict=True))
    marks.append(time.process_time())
    apart.compare([([readings[first]], readings[second]) for first, second in pairs])
    marks.append(time.process_time())
    counts = (len(pairs), len(texts), len(pairs))
    names = ("joint", "reading one text", "comparing")
    spans = zip(names, counts, marks, marks[1:], strict=False)
    return {name: round(1000 * (end - start) / n, 2) for name, n, start, end in spans}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--sets", type=Path, default=SETS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    report = measured(given.queries, given.sets)
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for name, value in report.items():
        print(f"{name.replace('_', ' '):28} {value}")


if __name__ == "__main__":
    main()
