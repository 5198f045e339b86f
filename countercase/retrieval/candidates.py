"""Candidates from Chroma: the nearest chunks of its graph, filtered there and scored exactly here.

`SEARCH = "chroma"` is for corpora that are too large to compare with every chunk. Chroma's graph (HNSW)
finds about the nearest `CANDIDATES` chunks of a text, among those whose metadata meet the filters;
their cases are scored as `ExactSearch` scores them, to the bit, and no other case is ranked by the
channel. A row depends on the text, the filters and the graph, and a graph that is built again has
other neighbours: `candidate_recall` measures what it misses.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.chroma import Collections, Where
from countercase.corpus.index.kept import sampled
from countercase.corpus.index.search import Vectors
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.judgment.metadata import area_name
from countercase.encoders.base import Role
from countercase.retrieval.base import DenseRow, Filters, Scores
from countercase.retrieval.dense import best_of_cases

CANDIDATES: Final = 400
"""Chunks that Chroma is asked for, for each text."""

MOST_NAMED: Final = 30_000
"""Cases that a condition names; SQLite, in which Chroma keeps metadata, takes 32,766 values."""


class CandidateSearch:
    """A `Search` among the candidates that Chroma finds; for `where` see `conditions_of`."""

    def __init__(self, corpus: Snapshot, collections: Collections, where: Where = None) -> None:
        self._corpus, self._collections, self._where = corpus, collections, where
        self._sample = sampled(len(corpus.case_ids))

    def __call__(self, role: Role, vectors: Vectors, offset: Scores | None) -> list[DenseRow]:
        """See `Search`."""
        found = self._collections.nearest(role, vectors, self._where, CANDIDATES)
        starts = self._corpus.starts
        owners = [np.unique(np.searchsorted(starts, chunks, side="right") - 1) for chunks in found]
        return [
            self._row(role, vector[None], cases, offset)
            for vector, cases in zip(vectors, owners, strict=True)
        ]

    def _row(
        self, role: Role, vector: Vectors, candidates: NDArray[np.int64], offset: Scores | None
    ) -> DenseRow:
        looked_at = np.union1d(candidates, self._sample)
        [scores], [chunks] = best_of_cases(self._corpus, role, vector, looked_at)
        size = len(self._corpus.case_ids)
        cosine, chunk = np.zeros(size), np.full(size, -1, dtype=np.int64)
        cosine[looked_at], chunk[looked_at] = scores, chunks
        less = cosine if offset is None else cosine - offset
        mean, spread = less[self._sample].mean(), less[self._sample].std()
        z = np.full(size, -np.inf)  # adds nothing, and is not ranked
        z[candidates] = (less[candidates] - mean) / spread if spread else 0.0
        return DenseRow(cosine, chunk, z)


def conditions_of(filters: Filters, corpus: Snapshot) -> Where:
    """Return filters as conditions on the metadata in Chroma.

    Years, courts and areas stand there with every chunk. Judges, provisions and good law do not:
    the cases that meet those conditions, or the fewer ones that do not, are named. Where these are
    more than `MOST_NAMED`, about half of all candidates meet the conditions anyway.
    """
    asked: list[dict[str, Any]] = []
    if filters.year_from is not None:
        asked.append({"year": {"$gte": filters.year_from}})
    if filters.year_to is not None:
        asked.append({"year": {"$lte": filters.year_to}})
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
