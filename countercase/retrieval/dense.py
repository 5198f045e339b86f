"""Dense rankers: for each segment, the best chunk of every case.

Stage 1, `dpr`: the question tower reads the segment, the passage tower has read the chunks, and
their inner product is the score (Karpukhin et al., "Dense passage retrieval for open-domain
question answering", EMNLP 2020). Stage 2, `chroma`: the sentence encoder reads both.

By default every chunk is compared (`exact_search`): an approximate index gives other neighbours when it
is built again, and a ranking that moves by itself is poor ground to measure what moves it.
`SEARCH = "chroma"` is for corpora that are too large for that. Chroma's graph (HNSW) finds about the
nearest `CANDIDATES` chunks of a text, among those whose metadata meet the filters; their cases are
scored as in exact search, to the bit, and no other case is ranked by the channel (`CandidateSearch`).
`candidate_recall` measures what a graph misses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings
from countercase.corpus.index.chroma import Collections, Where
from countercase.corpus.index.kept import kept_hubness, sampled
from countercase.corpus.index.search import Vectors, best_chunks
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.judgment.metadata import area_name
from countercase.encoders.base import Encoders, Role
from countercase.io import Progress
from countercase.retrieval.base import DenseRow, Filters, Scores, beyond

CANDIDATES: Final = 400
"""Chunks that Chroma is asked for, for each text."""

MOST_NAMED: Final = 30_000
"""Cases that a condition names; SQLite, in which Chroma keeps metadata, takes 32,766 values."""


def dense_rows(
    vectors: Vectors, chunks: Vectors, starts: NDArray[np.int64], offset: Scores | None = None
) -> list[DenseRow]:
    """Compare every chunk with each vector; `offset`, shape (cases,), is taken off before standardising."""
    return rows_of(*best_chunks(vectors, chunks, starts), offset) if len(vectors) else []


def rows_of(
    cosines: Scores, chunks: NDArray[np.int64], offset: Scores | None = None
) -> list[DenseRow]:
    """Return the rows of best chunks as `best_chunks` gives them, standardised over all cases."""
    return [
        DenseRow(cosine, chunk, standard(cosine if offset is None else cosine - offset))
        for cosine, chunk in zip(cosines, chunks, strict=True)
    ]


Search: TypeAlias = Callable[[Role, Vectors, Scores | None], list[DenseRow]]
"""Finds one row per vector, given the model that read the chunks and the offsets of cases."""


def exact_search(
    corpus: Snapshot, role: Role, vectors: Vectors, offset: Scores | None
) -> list[DenseRow]:
    """Compare every chunk of a corpus; see `Search`."""
    return dense_rows(vectors, corpus.vectors(role), corpus.starts, offset)


def best_of_cases(
    corpus: Snapshot, role: Role, vectors: Vectors, cases: NDArray[np.int64]
) -> tuple[Scores, NDArray[np.int64]]:
    """Return what `best_chunks` does, of some cases only: each of shape (vectors, given cases)."""
    firsts, afters = corpus.starts[cases], corpus.starts[cases + 1]
    chunks = np.concatenate([np.arange(*ends) for ends in zip(firsts, afters, strict=True)])
    starts = np.concatenate([[0], np.cumsum(afters - firsts)])
    scores, places = best_chunks(vectors, corpus.vectors(role)[chunks], starts)
    return scores, chunks[places]


def standard(scores: Scores) -> Scores:
    """Return scores as standard deviations above their mean; zeros where all are the same."""
    if np.all(scores == scores[:1]):  # the rounded mean of equal scores may be another number
        return np.zeros_like(scores)
    result: Scores = (scores - scores.mean()) / scores.std()
    return result


def stand_out(scores: Scores, threshold: float) -> Scores:
    """Return how far each score stands out beyond `threshold` standard deviations above the mean."""
    z = standard(scores)
    return beyond(z, threshold) if z.any() else z


def standout_of(segments: int, most: float) -> float:
    """Return how far a match must stand out to count, in a query of `segments` segments.

    Each segment has chance likenesses; the largest of n of them grows with log n (extreme values
    of n draws), and so does the threshold: log10 n, at most `most`.
    """
    return min(most, float(np.log10(max(1, segments))))


@dataclass(frozen=True)
class CandidateSearch:
    """A `Search` among the candidates that Chroma finds; for `where` see `conditions_of`."""

    corpus: Snapshot
    collections: Collections
    where: Where = None

    def __call__(self, role: Role, vectors: Vectors, offset: Scores | None) -> list[DenseRow]:
        """See `Search`."""
        found = self.collections.nearest(role, vectors, self.where, CANDIDATES)
        starts, size = self.corpus.starts, len(self.corpus.case_ids)
        sample, rows = sampled(size), []
        for vector, near in zip(vectors, found, strict=True):
            candidates = np.unique(np.searchsorted(starts, near, side="right") - 1)
            looked_at = np.union1d(candidates, sample)
            [scores], [chunks] = best_of_cases(self.corpus, role, vector[None], looked_at)
            cosine, chunk = np.zeros(size), np.full(size, -1, dtype=np.int64)
            cosine[looked_at], chunk[looked_at] = scores, chunks
            less = cosine if offset is None else cosine - offset
            mean, spread = less[sample].mean(), less[sample].std()
            z = np.full(size, -np.inf)  # adds nothing, and is not ranked
            z[candidates] = (less[candidates] - mean) / spread if spread else 0.0
            rows.append(DenseRow(cosine, chunk, z))
        return rows


def conditions_of(filters: Filters, corpus: Snapshot) -> Where:
    """Return filters as conditions on the metadata in Chroma.

    Years, courts and areas stand there with every chunk. Judges, provisions and good law do not:
    the cases that meet those conditions, or the fewer ones that do not, are named. Where these are
    more than `MOST_NAMED`, about half of all candidates meet the conditions anyway.
    """
    asked: list[dict[str, Any]] = []
    for how, year in (("$gte", filters.year_from), ("$lte", filters.year_to)):
        if year is not None:
            asked.append({"year": {how: year}})
    if filters.court:
        wanted = filters.court.lower()
        courts = {data.court for data in corpus.metadata if wanted in data.court.lower()}
        asked.append({"court": {"$in": sorted(courts)}})
    if filters.areas:
        areas = [{"areas": {"$contains": area}} for area in map(area_name, filters.areas)]
        asked.append({"$or": areas} if len(areas) > 1 else areas[0])
    if filters.bench or filters.provision or filters.good_law:
        meets = [filters.allow(data) for data in corpus.metadata]
        among = sum(meets) * 2 <= len(meets)
        named = [c for c, met in zip(corpus.case_ids, meets, strict=True) if met == among]
        if 0 < len(named) <= MOST_NAMED:
            asked.append({"case_id": {"$in" if among else "$nin": named}})
    if len(asked) > 1:
        return {"$and": asked}
    return asked[0] if asked else None


class DenseRanker:
    """Segments encoded by one model against chunk vectors of another."""

    name: str
    query_role: Role
    chunk_role: Role

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        self._corpus, self._encoders = corpus, encoders
        self.search: Search = partial(exact_search, corpus)
        self._hubness_weight = settings.hubness_weight

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> list[DenseRow]:
        """Return one row per segment."""
        vectors = self._encoders.encode(self.query_role, segments, progress)
        return self.search(self.chunk_role, vectors, self._offset)

    def best_of(self, segment: str, row: DenseRow, cases: NDArray[np.int64]) -> list[int]:
        """Return the best chunk of each of some cases; of cases not looked at it is found now."""
        places: list[int] = row.chunk[cases].tolist()
        if -1 in places:
            unseen = cases[row.chunk[cases] < 0]
            vectors = self._encoders.encode(self.query_role, [segment])
            _, chunks = best_of_cases(self._corpus, self.chunk_role, vectors, unseen)
            row.chunk[unseen] = chunks[0]
            places = row.chunk[cases].tolist()
        return places

    @cached_property
    def _offset(self) -> Scores | None:
        weight, roles = self._hubness_weight, (self.query_role, self.chunk_role)
        return weight * kept_hubness(self._corpus, self._encoders, *roles) if weight else None


class DprRanker(DenseRanker):
    """Question-tower segments against passage-tower chunks."""

    name = "dpr"
    query_role: Role = "question"
    chunk_role: Role = "passage"


class ChromaRanker(DenseRanker):
    """Segments against chunks, both by the sentence encoder."""

    name = "chroma"
    query_role: Role = "sentence"
    chunk_role: Role = "sentence"
