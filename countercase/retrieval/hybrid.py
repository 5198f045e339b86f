"""The hybrid retriever: rankers, RRF, MMR, cross-encoder, top K.

Rows of segments and scores of pairs are cached: a batch of states costs its distinct segments and
pairs, and each is ranked as if it were alone. K and ablations are arguments of a retrieval.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import index_in_memory, open_collections
from countercase.corpus.index.kept import kept_readings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders, open_encoders
from countercase.errors import COUNT, CorpusIndexError, InputError, takes
from countercase.io import Progress
from countercase.retrieval import fusion
from countercase.retrieval.base import (
    DECIMALS,
    SCORED,
    Filters,
    Match,
    Query,
    RankedCase,
    Ranking,
    Ranks,
    Scores,
    ranks,
    ranks_in,
)
from countercase.retrieval.channels import Channels
from countercase.retrieval.dense import CandidateSearch, conditions_of
from countercase.retrieval.foreign import checked_progress
from countercase.retrieval.votes import ContrastVoter, CrossEncoderReranker


@dataclass(frozen=True)
class Fused:
    """A state after fusion and MMR: everything that the cross-encoder does not decide.

    `stages` hold rank and score of every case (rank 0: not ranked), `pool` the positions of the
    cases to rerank, in MMR order, `read` those of the segments that the cross-encoder reads.
    """

    query: Query
    settings: RetrievalSettings
    channels: Channels
    top_k: int
    stages: fusion.StageScores
    pool: tuple[int, ...]
    read: tuple[int, ...]


_Asked: TypeAlias = tuple[str, float, list[int]]
"""What the cross-encoder reads: a text, its weight, and the best chunk of each case of the pool."""


class HybridRetriever:
    """Rankings of a corpus for states of a case, by the models that indexed it.

    With `search = "chroma"` candidates are looked up at `chroma_host`, or in the index's own
    Chroma. CorpusIndexError where the corpus is empty; StoreError where Chroma fails; ConfigError
    where a ranker is not registered, when it is first used.
    """

    @takes(snapshot=Snapshot, encoders=Encoders, settings=RetrievalSettings, chroma_host=str)
    def __init__(
        self,
        snapshot: Snapshot,
        encoders: Encoders,
        settings: RetrievalSettings | None = None,
        chroma_host: str | None = None,
    ) -> None:
        if not snapshot.case_ids:
            raise CorpusIndexError("the corpus holds no judgment")
        self.snapshot, self.encoders, self.chroma_host = snapshot, encoders, chroma_host
        self.settings = settings or RetrievalSettings()
        chroma = self.settings.search == "chroma"
        if chroma_host and not chroma:
            told = "is not searched, as the setting SEARCH is not `chroma`"
            warnings.warn(f"the Chroma server {chroma_host} {told}", stacklevel=1)
        self._collections = open_collections(snapshot, chroma_host) if chroma else None
        self._filtered: dict[str, Channels] = {}
        self.channels = self._channels(Filters())
        kept, mode = kept_readings(snapshot.folder, encoders), self.settings.reranker
        self._reranker = CrossEncoderReranker[int](encoders, mode, snapshot.text, kept)
        self._contrast = ContrastVoter(snapshot, encoders)

    @classmethod
    @takes(documents=Iterable, encoders=Encoders, settings=RetrievalSettings, chunk_pieces=COUNT)
    def from_documents(
        cls,
        documents: Iterable[Document] | Mapping[str, str],
        *,
        encoders: Encoders | None = None,
        settings: RetrievalSettings | None = None,
        chunk_pieces: int = 200,
        progress: Progress | None = None,
    ) -> HybridRetriever:
        """Return a retriever over documents, or texts by id, in memory; it ranks as over their index.

        The models are the embedded ones by default. Errors are those of `index_in_memory`.
        """
        progress = checked_progress(progress)
        if isinstance(documents, Mapping):
            documents = [Document(name, "", text) for name, text in documents.items()]
        encoders = encoders or open_encoders(progress=progress)
        return cls(index_in_memory(documents, encoders, chunk_pieces, progress), encoders, settings)

    @takes(queries=[Query], top_k=COUNT, settings=RetrievalSettings, exclude={str}, filters=Filters)
    def retrieve(
        self,
        queries: Sequence[Query],
        *,
        top_k: int = 10,
        settings: RetrievalSettings | None = None,
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> list[Ranking]:
        """Return the top-K precedents of each query.

        `settings` take the place of the retriever's for which rankers and stages run, and for their
        weights. Cases in `exclude` are never ranked: the case itself and its near-duplicates.
        InputError where a query has no segment, or the filters leave no precedent.
        """
        states = self.fuse(queries, top_k, settings, exclude, filters, progress)
        asked = [self._asked(it) if it.settings.use_reranker else [] for it in states]
        self._reranker.load(((text, chunks) for own in asked for text, _, chunks in own), progress)
        self._contrast.load(it.query for it in states if self._has_contrast(it.settings))
        return list(map(self._finish, states, asked))

    def fuse(
        self,
        queries: Sequence[Query],
        top_k: int = 10,
        settings: RetrievalSettings | None = None,
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> list[Fused]:
        """Rankers, RRF and MMR of each query, without the cross-encoder; see `retrieve`."""
        settings, filters = settings or self.settings, filters or Filters()
        queries, channels = self._read(queries, settings), self._channels(filters)
        allowed = filters.allowed(self.snapshot, exclude)
        channels.load(settings.rankers, queries, progress)
        return [self._fuse(query, settings, channels, top_k, allowed) for query in queries]

    @takes(queries=[Query])
    def load(self, queries: Sequence[Query], progress: Progress | None = None) -> None:
        """Score the segments of all these queries in one pass, so that `retrieve` need not."""
        queries = self._read(queries, self.settings)
        self.channels.load(self.settings.rankers, queries, progress)
        if self._has_contrast(self.settings):
            self._contrast.load(queries)

    def _channels(self, filters: Filters) -> Channels:
        """Return the channels for some filters; those that compare every chunk serve for all."""
        where = search = None
        if self._collections is not None:
            where = conditions_of(filters, self.snapshot)
            search = CandidateSearch(self.snapshot, self._collections, where)
        key = repr(where)
        if key not in self._filtered:
            self._filtered[key] = Channels(self.snapshot, self.encoders, self.settings, search)
        return self._filtered[key]

    def _has_contrast(self, settings: RetrievalSettings) -> bool:
        is_wanted = settings.use_reranker and settings.contrast_weight > 0
        return is_wanted and self._contrast.has_points

    @staticmethod
    def _read(queries: Sequence[Query], settings: RetrievalSettings) -> list[Query]:
        if any(not query.segments for query in queries):
            raise InputError("the case states nothing that could be searched for")
        if settings.query_reading == "segments":
            return list(queries)
        return [Query((query.text,), reach=1) for query in queries]

    def _fuse(
        self,
        query: Query,
        settings: RetrievalSettings,
        channels: Channels,
        top_k: int,
        allowed: NDArray[np.bool_],
    ) -> Fused:
        size, names, segments = channels.size, settings.rankers, query.segments
        stages = {name: channels.ranked(name, query, allowed) for name in names}
        lists = [listed for listed, _ in stages.values()]
        weights = list(map(settings.weight_of, names))
        fused = fusion.reciprocal_rank_fusion(lists, settings.rrf_k, weights)
        fused = np.round(fused, fusion.FUSED_DECIMALS)
        order = fusion.best_fused(fused, allowed)
        stages["fused"] = (ranks(order, size), fused)
        width = max(settings.rerank_pool, top_k)
        if settings.use_mmr:
            head = order[: max(settings.mmr_head, width)]
            vectors = self.snapshot.case_vectors[head]
            chosen = fusion.maximal_marginal_relevance(
                fusion.scaled(fused[head]), vectors, width, settings.mmr_lambda
            )
            pool = [int(head[at]) for at, _ in chosen]
            scores = np.zeros(size)
            scores[pool] = [value for _, value in chosen]
            stages["mmr"] = (ranks(np.asarray(pool, dtype=np.int64), size), scores)
        else:
            pool = order[:width].tolist()

        def priority(at: int) -> tuple[bool, float, int]:
            stands_out = float(channels.dense(names, segments[at]).z.max())
            return (at not in query.pinned, -stands_out, at)

        read: Sequence[int] = range(len(segments))
        if len(segments) > settings.rerank_segments:  # those with facts, then what stands out most
            read = sorted(sorted(read, key=priority)[: settings.rerank_segments])
        return Fused(query, settings, channels, top_k, stages, tuple(pool), tuple(read))

    @staticmethod
    def _asked(state: Fused) -> list[_Asked]:
        """Return what the cross-encoder reads of a state."""
        segments, cases = state.query.asked, np.array(state.pool)
        asked = [segments[at] for at in state.read]
        texts = [text for text, _ in asked]
        best = state.channels.best_chunks(state.settings.rankers, texts, cases)
        return [(*own, chunks) for own, chunks in zip(asked, best, strict=True)]

    def _finish(self, state: Fused, asked: Sequence[_Asked]) -> Ranking:
        settings, pool, stages = state.settings, list(state.pool), dict(state.stages)
        if settings.use_reranker:
            stages["rerank"] = self._reranked(state, asked)
            votes = settings.rerank_weight / (settings.rrf_k + stages["rerank"][0])
            if self._has_contrast(settings):
                sides = self._contrast.scores(state.query, pool)
                stages["contrast"] = (ranks_in(pool, sides), sides)
                votes += settings.contrast_weight * stages["fused"][1] * sides
            stages["final"] = fusion.with_votes(pool, stages["fused"][1], votes)
            pool = sorted(pool, key=lambda case: int(stages["final"][0][case]))
        last = stages[next(reversed(stages))]
        results = tuple(
            RankedCase(
                case_id=self.snapshot.case_ids[case],
                case=case,
                rank=at,
                score=float(last[1][case]),
                stages=fusion.scores_of(stages, case),
                found=partial(self._matches, state, case),
            )
            for at, case in enumerate(pool[: state.top_k], 1)
        )
        names, final = self.snapshot.case_ids, stages.get("final", stages["fused"])[1]
        scored = fusion.below_the_pool(names, pool, *stages["fused"], final, SCORED)
        in_order = tuple(names[case] for case in pool)
        return Ranking(state.query, results, state.top_k, in_order, scored)

    def _reranked(self, state: Fused, asked: Sequence[_Asked]) -> tuple[Ranks, Scores]:
        pool, totals = list(state.pool), np.zeros(state.channels.size)
        votes = [self._reranker.votes(text, chunks) for text, _, chunks in asked]
        weighted = np.array(votes) * np.array([weight for _, weight, _ in asked])[:, None]
        sums = np.sort(weighted, axis=0).cumsum(axis=0)[-1]  # in one order, whatever the texts'
        totals[pool] = [round(total, DECIMALS) for total in sums.tolist()]
        return ranks_in(pool, totals), totals

    def _matches(self, state: Fused, case: int) -> tuple[Match, ...]:
        """Return what each segment adds to a case at the last stage, largest first."""
        matches, asked = [], self._asked(replace(state, pool=(case,)))
        for at, (text, weight, [chunk]) in zip(state.read, asked, strict=True):
            if state.settings.use_reranker:
                adds = self._reranker.vote(text, chunk)
            else:
                row = state.channels.dense(state.settings.rankers, text)
                adds = float(row.strength(state.channels.standout(state.query))[case])
            matches.append(Match(at, chunk, adds * weight))
        return tuple(sorted(matches, key=lambda match: (-match.weight, match.segment)))

    @takes(query=Query, case_id=str, title=str)
    def twins(self, query: Query, case_id: str, title: str = "") -> frozenset[str]:
        """Return the ids of the case itself in the corpus and of its near-duplicates.

        A precedent is a near-duplicate where its best chunks have, on average over the segments,
        a cosine of at least `near_duplicate`; one of the same title is taken for the case itself.
        """
        names = self.settings.rankers
        self.channels.load(names, [query])
        rows = [self.channels.dense(names, text) for text in query.segments]
        near = np.zeros(self.channels.size, dtype=bool)
        if rows:
            near = np.mean([row.cosine for row in rows], axis=0) >= self.settings.near_duplicate
        own = _plain(title)
        known = zip(self.snapshot.case_ids, self.snapshot.metadata, near, strict=True)
        return frozenset(
            name
            for name, metadata, is_near in known
            if name == case_id or is_near or (own and _plain(metadata.title) == own)
        )

    @property
    def cached_bytes(self) -> int:
        """Bytes of the scores and readings of segments that are held in memory."""
        rows = sum(channels.cached_bytes for channels in self._filtered.values())
        return rows + self._reranker.cached_bytes + self._contrast.cached_bytes

    def forget(self) -> None:
        """Empty the caches, at any time; no ranking changes, only what it costs."""
        for channels in self._filtered.values():
            channels.forget()
        self._reranker.forget()
        self._contrast.forget()


def _plain(title: str) -> str:
    return " ".join(title.lower().split())
