"""How many of the decisions that an exact search finds are among the candidates from Chroma."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from countercase.retrieval.base import Query, best_first
from countercase.retrieval.channels import Channels
from countercase.retrieval.dense import DenseRanker
from countercase.retrieval.hybrid import HybridRetriever


def candidate_recall(
    retriever: HybridRetriever, queries: Iterable[Query], depth: int = 10
) -> dict[str, float]:
    """Measure by dense channel which share of the exact list's first cases are candidates.

    Args:
        retriever: one that looks candidates up (`SEARCH = "chroma"`); for another the share is 1.
        depth: cases of the exact list of a query.

    Returns:
        The mean over `queries` by name of the channel.
    """
    queries = list(queries)
    exact = Channels(retriever.snapshot, retriever.encoders, retriever.settings)
    every = np.ones(exact.size, dtype=np.bool_)
    recall: dict[str, float] = {}
    for name in retriever.settings.rankers:
        if isinstance(exact.ranker(name), DenseRanker):
            exact.load([name], queries)
            retriever.channels.load([name], queries)
            shares = []
            for query in queries:
                first = best_first(exact.scores(name, query))[:depth]
                ranks, _ = retriever.channels.ranked(name, query, every)
                shares.append(float((ranks[first] > 0).mean()))
            recall[name] = float(np.mean(shares))
    return recall
