"""The hybrid retriever: three channels, RRF, MMR, cross-encoder, top K.

Rows of segments and scores of pairs are kept, so a batch of states costs its distinct segments and
pairs, and each state's ranking is exactly what it would be if it were retrieved alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.config import Settings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import Done, Encoders
from countercase.errors import CorpusIndexError, InputError
from countercase.retrieval.base import (
    DECIMALS,
    Filters,
    Match,
    Query,
    RankedCase,
    Ranking,
    Scores,
    StageScore,
    best_first,
    ranks,
)
from countercase.retrieval.channels import SegmentRows
from countercase.retrieval.filters import allowed_cases
from countercase.retrieval.mmr import maximal_marginal_relevance, scaled
from countercase.retrieval.reranker import CrossEncoderReranker
from countercase.retrieval.rrf import reciprocal_rank_fusion

Report = Callable[[str, int, int], None]
"""Called with what is being done (`encoding`, `reranking`), how much of it, and of how much."""

_DECIMALS_RRF: Final = 12


@dataclass(frozen=True)
class Fused:
    """A state after fusion and MMR: everything that the cross-encoder does not decide.

    Attributes:
        stages: per stage, rank and score of every case (rank 0: not ranked).
        pool: positions of the cases to rerank, in MMR order.
        read: positions of the segments that the cross-encoder reads.
    """

    stages: dict[str, tuple[NDArray[np.int64], Scores]]
    pool: tuple[int, ...]
    read: tuple[int, ...]


class HybridRetriever:
    """Rankings of a corpus for states of a case.

    Args:
        snapshot: the corpus.
        encoders: the models; the same that indexed the corpus.
        settings: which stages run and with what constants.
    """

    def __init__(self, snapshot: Snapshot, encoders: Encoders, settings: Settings) -> None:
        if not snapshot.case_ids:
            raise CorpusIndexError("the corpus holds no judgment")
        self.snapshot, self.settings = snapshot, settings
        self._rows = SegmentRows(snapshot, encoders, settings)
        self._reranker = CrossEncoderReranker(encoders)

    def retrieve(
        self,
        queries: Sequence[Query],
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        report: Report | None = None,
    ) -> list[Ranking]:
        """The top-K precedents of each query.

        Args:
            exclude: ids of cases that are never ranked: the case itself and its near-duplicates.

        Raises:
            InputError: a query has no segment, or the filters leave no precedent.
        """
        fused = self.fuse(queries, exclude, filters, report)
        if self.settings.USE_RERANKER:
            pairs = [
                (query.segments[at], self.snapshot.text(self.best_chunk(query.segments[at], case)))
                for query, state in zip(queries, fused, strict=True)
                for case in state.pool
                for at in state.read
            ]
            self._reranker.load(pairs, _stage(report, "reranking"))
        return [self._finish(query, state) for query, state in zip(queries, fused, strict=True)]

    def fuse(
        self,
        queries: Sequence[Query],
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        report: Report | None = None,
    ) -> list[Fused]:
        """Channels, RRF and MMR of each query, without the cross-encoder."""
        allowed = allowed_cases(self.snapshot, filters or Filters())
        allowed &= np.asarray([case not in exclude for case in self.snapshot.case_ids], dtype=bool)
        if not allowed.any():
            raise InputError("the filters leave no precedent to rank; widen the years or drop one")
        queries = [self._reading(query) for query in queries]
        if any(not query.segments for query in queries):
            raise InputError("the case states nothing that could be searched for")
        self._rows.load(
            (text for query in queries for text in query.segments), _stage(report, "encoding")
        )
        return [self._fuse(query, allowed) for query in queries]

    def _reading(self, query: Query) -> Query:
        if self.settings.QUERY_READING == "segments":
            return query
        return Query((" ".join(query.segments),), reach=1)

    def _fuse(self, query: Query, allowed: NDArray[np.bool_]) -> Fused:
        settings, size = self.settings, len(self.snapshot.case_ids)
        stages: dict[str, tuple[NDArray[np.int64], Scores]] = {}
        for name, scores in self._rows.channel_scores(query).items():
            stages[name] = (ranks(best_first(scores, allowed), size), scores)
        fused = reciprocal_rank_fusion(
            [listed for listed, _ in stages.values()],
            settings.RRF_K,
            [settings.weight_of(name) for name in stages],
        )
        fused = np.round(fused, _DECIMALS_RRF)
        order = best_first(fused * 10 ** (_DECIMALS_RRF - DECIMALS), allowed)
        stages["fused"] = (ranks(order, size), fused)
        width = max(settings.RERANK_POOL, settings.TOP_K)
        if settings.USE_MMR:
            head = order[: max(settings.MMR_HEAD, width)]
            chosen = maximal_marginal_relevance(
                scaled(fused[head]), self.snapshot.case_vectors[head], width, settings.MMR_LAMBDA
            )
            pool = [int(head[at]) for at, _ in chosen]
            scores = np.zeros(size)
            scores[pool] = [value for _, value in chosen]
            stages["mmr"] = (ranks(np.asarray(pool, dtype=np.int64), size), scores)
        else:
            pool = [int(at) for at in order[:width]]
        return Fused(stages, tuple(pool), self._segments_to_read(query))

    def _segments_to_read(self, query: Query) -> tuple[int, ...]:
        """All segments; of a long narrative, those with facts and those that stand out most."""
        limit = self.settings.RERANK_SEGMENTS
        if len(query.segments) <= limit:
            return tuple(range(len(query.segments)))

        def telling(at: int) -> tuple[bool, float, int]:
            dense = self._rows[query.segments[at]].dense
            strength = float(dense.z.max()) if dense is not None else 0.0
            return (at not in query.pinned, -strength, at)

        return tuple(sorted(sorted(range(len(query.segments)), key=telling)[:limit]))

    def best_chunk(self, segment: str, case: int) -> int:
        """The chunk of `case` that answers `segment` best, by its position in the corpus."""
        dense = self._rows[segment].dense
        assert dense is not None
        return int(dense.chunk[case])

    def _finish(self, query: Query, state: Fused) -> Ranking:
        query = self._reading(query)
        pool = list(state.pool)
        stages = dict(state.stages)
        if self.settings.USE_RERANKER:
            stages["rerank"] = self._reranked(query, pool, state.read)
            stages["final"] = self._voted(pool, stages["fused"][1], stages["rerank"][0])
            pool = sorted(pool, key=lambda case: int(stages["final"][0][case]))
        last = stages[next(reversed(stages))]
        results = tuple(
            RankedCase(
                case_id=self.snapshot.case_ids[case],
                case=case,
                rank=at,
                score=float(last[1][case]),
                stages={
                    name: StageScore(int(listed[case]), float(scores[case]))
                    for name, (listed, scores) in stages.items()
                    if listed[case]
                },
                matches=self._matches(query, state.read, case),
            )
            for at, case in enumerate(pool[: self.settings.TOP_K], start=1)
        )
        names = tuple(self.snapshot.case_ids[case] for case in pool)
        return Ranking(query, results, self.settings.TOP_K, names)

    def _reranked(
        self, query: Query, pool: Sequence[int], read: Sequence[int]
    ) -> tuple[NDArray[np.int64], Scores]:
        totals = np.zeros(len(self.snapshot.case_ids))
        for case in pool:
            weights = [match.weight for match in self._matches(query, read, case)]
            totals[case] = round(sum(sorted(weights)), DECIMALS)
        mask = np.zeros(len(totals), dtype=bool)
        mask[list(pool)] = True
        return ranks(best_first(totals, mask), len(totals)), totals

    def _voted(
        self, pool: Sequence[int], fused: Scores, reranked: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], Scores]:
        """The fused score of each case of the pool, with the cross-encoder's vote added.

        The cross-encoder votes as a further ranker of RRF, with RERANK_WEIGHT; it does not
        replace what the channels found.
        """
        vote = self.settings.RERANK_WEIGHT / (self.settings.RRF_K + reranked)
        totals = np.zeros(len(fused))
        totals[list(pool)] = np.round((fused + vote)[list(pool)], _DECIMALS_RRF)
        mask = np.zeros(len(fused), dtype=bool)
        mask[list(pool)] = True
        order = best_first(totals * 10 ** (_DECIMALS_RRF - DECIMALS), mask)
        return ranks(order, len(fused)), totals

    def _matches(self, query: Query, read: Sequence[int], case: int) -> tuple[Match, ...]:
        """What each segment adds to a case at the last stage, largest first."""
        found = []
        standout = self._rows.standout(query)
        for at in read:
            segment = query.segments[at]
            chunk = self.best_chunk(segment, case)
            if self.settings.USE_RERANKER:
                score = self._reranker.score(segment, self.snapshot.text(chunk))
                weight = self._reranker.contribution(score)
            else:
                dense = self._rows[segment].dense
                weight = 0.0 if dense is None else float(dense.strength(standout)[case])
            found.append(Match(at, chunk, weight))
        return tuple(sorted(found, key=lambda match: (-match.weight, match.segment)))

    def twins(self, query: Query, case_id: str, title: str = "") -> frozenset[str]:
        """Ids of the case itself in the corpus and of its near-duplicates.

        A precedent is a near-duplicate where its best chunks have, on average over the segments,
        a cosine of at least `NEAR_DUPLICATE`.
        """
        self._rows.load(query.segments)
        found = set()
        rows = [row for text in query.segments if (row := self._rows[text].dense) is not None]
        means = np.mean([row.cosine for row in rows], axis=0) if rows else None
        wanted = " ".join(title.lower().split())
        for at, known in enumerate(self.snapshot.case_ids):
            same_title = (
                bool(wanted)
                and " ".join(self.snapshot.metadata[at].title.lower().split()) == wanted
            )
            near = means is not None and means[at] >= self.settings.NEAR_DUPLICATE
            if known == case_id or same_title or near:
                found.add(known)
        return frozenset(found)


def _stage(report: Report | None, name: str) -> Done | None:
    if report is None:
        return None
    return lambda finished, of: report(name, finished, of)
