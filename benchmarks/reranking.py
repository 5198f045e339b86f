"""The cross-encoder reading texts apart, reading them jointly, and left out.

    python benchmarks/reranking.py [--queries N] [--sets DIR] [--json FILE]

Over the casebook's graded queries (`retrieval.jsonl`), which are scored and fitted to nothing. Every
query is ranked three times. Printed: how far the scores of the pairs differ, how many of the top ten
lists change, nDCG@10 of each, and seconds of the processor a pair, from nothing.

Also printed: of how many cases of the pool the vote could be left unread without any chance of another
top ten (`settled`). They are few. A case that cannot reach the list itself still stands somewhere in
the cross-encoder's order, and so moves the votes of those that can.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from countercase.config import load_settings
from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.evaluation.sets import RetrievalQuery, read_retrieval
from countercase.retrieval.base import RankedCase, Ranking, Stages
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import open_session

TOP = 10
SETS = Path(__file__).resolve().parents[1] / "eval_sets"
NEAR = 1e-11
"""Fused scores are compared to twelve decimals."""


def settled(
    fused: Sequence[float], totals: Sequence[float], read: Sequence[bool],
    k: int, weight: float, top: int,
) -> bool:  # fmt: skip
    """Whether the top of a pool is the same, and in the same order, whatever the unread cases total.

    A case ends at fused + weight / (k + its rank by total). With u cases unread, one that is read
    and r-th among those is at least r-th and at most r + u-th, and two of them keep their order, so
    that at least as many unread cases stand above the later as above the earlier one.

    Args:
        fused, totals: of each case of the pool; the totals of unread cases are not looked at.
        read: which cases the cross-encoder has read.
        k, weight: of the vote.
        top: how many cases are listed.
    """
    known = [at for at, is_read in enumerate(read) if is_read]
    unread = [at for at, is_read in enumerate(read) if not is_read]
    u = len(unread)
    if not u:
        return True
    if len(known) < top:
        return False
    order = sorted(known, key=lambda at: (-totals[at], at))
    rank = {at: number for number, at in enumerate(order, start=1)}
    least = sorted((fused[at] + weight / (k + rank[at] + u) for at in known), reverse=True)
    floor = least[top - 1] - NEAR
    if any(fused[at] + weight / (k + 1) >= floor for at in unread):
        return False
    able = [at for at in order if fused[at] + weight / (k + rank[at]) >= floor]
    for a, b in combinations(able, 2):  # a has the larger total
        gap = fused[a] - fused[b]
        low = gap + weight * (1 / (k + rank[a] + u) - 1 / (k + rank[b] + u))
        high = gap + weight * (1 / (k + rank[a]) - 1 / (k + rank[b] + u))
        if low <= NEAR and high >= -NEAR:
            return False
    return True


def spared(results: Sequence[RankedCase], k: int, weight: float) -> tuple[int, int]:
    """Cases that need no reading, best fused first, and those whose own vote cannot list them."""
    ordered = sorted(results, key=lambda case: -case.stages["fused"].score)
    fused = [case.stages["fused"].score for case in ordered]
    totals = [case.stages["rerank"].score for case in ordered]
    count = next(
        n
        for n in range(len(fused) + 1)
        if settled(fused, totals, [at < n for at in range(len(fused))], k, weight, TOP)
    )
    least = sorted((f + weight / (k + len(fused)) for f in fused), reverse=True)[TOP - 1]
    return len(fused) - count, sum(f + weight / (k + 1) < least for f in fused)


def pairs_of(ranking: Ranking) -> list[tuple[str, int]]:
    """The (segment, chunk) pairs that were read for a ranking of the whole pool."""
    segments = ranking.query.segments
    return [(segments[m.segment], m.chunk) for case in ranking.results for m in case.matches]


def ndcg(lists: Sequence[Sequence[str]], queries: Sequence[RetrievalQuery]) -> float:
    """nDCG@10 of the lists, as trec_eval has it."""
    import ir_measures
    from ir_measures import nDCG

    run = {
        query.query_id: {case: float(-at) for at, case in enumerate(listed)}
        for query, listed in zip(queries, lists, strict=True)
    }
    grades = {query.query_id: dict(query.relevant) for query in queries}
    return round(float(ir_measures.calc_aggregate([nDCG @ TOP], grades, run)[nDCG @ TOP]), 4)


def changed(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Share of the top ten lists with other cases, and with other cases or another order."""
    pairs = [(a[:TOP], b[:TOP]) for a, b in zip(left, right, strict=True)]
    sets = sum(set(a) != set(b) for a, b in pairs)
    return round(sets / len(pairs), 3), round(sum(a != b for a, b in pairs) / len(pairs), 3)


def measured(limit: int, sets: Path) -> dict[str, Any]:
    """All figures; see the module."""
    settings = load_settings()
    session = open_session(settings)
    queries = read_retrieval(sets / "retrieval.jsonl")[:limit]
    retrieval = settings.retrieval()
    retrievers = {
        mode: HybridRetriever(
            session.snapshot, session.encoders, retrieval.model_copy(update={"reranker": mode})
        )
        for mode in ("apart", "joint")
    }
    lists: dict[str, list[Sequence[str]]] = {"apart": [], "joint": [], "neither": []}
    apart, joint, left_out, unable, pool = [], [], 0, 0, 0
    reader = session.encoders.apart
    assert reader is not None
    for number, query in enumerate(queries, start=1):
        asked = [session.query(query.text)]
        rankings = {
            mode: retriever.retrieve(asked, top_k=settings.RERANK_POOL)[0]
            for mode, retriever in retrievers.items()
        }
        rankings["neither"] = retrievers["apart"].retrieve(asked, stages=Stages(reranker=False))[0]
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
        results = rankings["apart"].results
        free, never = spared(results, settings.RRF_K, settings.RERANK_WEIGHT)
        left_out, unable, pool = left_out + free, unable + never, pool + len(results)
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
        "cases_of_the_pools": pool,
        "need_no_reading": round(left_out / pool, 4),
        "cannot_be_listed": round(unable / pool, 4),
    }


def costs(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Processor milliseconds: a pair read jointly, a text read alone, a pair compared."""
    encoders = EmbeddedEncoders(EncoderOptions())
    encoders.score(pairs[:2])
    encoders.apart.read(["warm"])
    marks = [time.process_time()]
    encoders.score(pairs)
    marks.append(time.process_time())
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    readings = dict(zip(texts, encoders.apart.read(texts), strict=True))
    marks.append(time.process_time())
    encoders.apart.compare([([readings[first]], readings[second]) for first, second in pairs])
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
