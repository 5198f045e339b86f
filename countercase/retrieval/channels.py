"""Scores of segments by every ranker, computed once and cached.

This is what makes a tree cheap. A state is a sum of rows; an edit changes the statements of a fact or
of a few, so it costs a few more rows per ranker, whatever the number of states that contain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.errors import InputError, call
from countercase.io import Progress, tell
from countercase.registry import RANKERS
from countercase.retrieval.base import (
    DECIMALS,
    DenseRow,
    Query,
    Ranker,
    Ranks,
    Row,
    Scores,
    best_first,
    ranks,
)
from countercase.retrieval.dense import (
    CandidateSearch,
    DenseRanker,
    Search,
    exact_search,
    standout_of,
)
from countercase.retrieval.foreign import as_list

_UNIT: Final = 10**DECIMALS
_SEGMENTS_AT_ONCE = 128
"""Segments of one pass over the corpus: those of all states of a common tree."""


class Channels:
    """The rankers of a corpus, made when first asked, and their rows; dense ones find chunks by `search`."""

    def __init__(
        self,
        corpus: Snapshot,
        encoders: Encoders,
        settings: RetrievalSettings,
        search: Search | None = None,
    ) -> None:
        self._corpus, self._encoders, self._settings = corpus, encoders, settings
        self.size = len(corpus.case_ids)
        self._rankers: dict[str, Ranker] = {}
        self._rows: dict[Ranker, dict[str, Row]] = {}
        self._terms: dict[Ranker, dict[tuple[str, float, float], NDArray[np.int64]]] = {}
        self.search: Search = search or partial(exact_search, corpus)

    def ranker(self, name: str) -> Ranker:
        """Return the ranker of this name; ConfigError with the nearest where none is registered."""
        if name not in self._rankers:
            ranker = RANKERS.make(name, self._corpus, self._encoders, self._settings)
            self._rankers[name] = ranker
            if isinstance(ranker, DenseRanker):
                ranker.search = lambda *asked: self.search(*asked)
            self._rows.setdefault(ranker, {})
        return self._rankers[name]

    @contextmanager
    def search_with(self, search: Search) -> Iterator[None]:
        """Let dense rankers find chunks by `search` for a while."""
        before, self.search = self.search, search
        try:
            yield
        finally:
            self.search = before

    def load(
        self, names: Sequence[str], queries: Sequence[Query], progress: Progress | None = None
    ) -> None:
        """Compute the rows of these rankers, and of their locator, that are not known yet."""
        for ranker in map(self.ranker, dict.fromkeys((locator(names), *names))):
            asked = (part for query in queries for part, _ in _asked(ranker, query))
            self._add(ranker, asked, progress)

    def _add(self, ranker: Ranker, parts: Iterable[str], progress: Progress | None) -> None:
        rows = self._rows[ranker]
        missing = [part for part in dict.fromkeys(parts) if part not in rows]
        for start in range(0, len(missing), _SEGMENTS_AT_ONCE):
            batch = missing[start : start + _SEGMENTS_AT_ONCE]

            def report(what: str, done: int, of: int, start: int = start) -> None:
                tell(progress, what, start + done, len(missing))

            rows.update(zip(batch, self._read(ranker, batch, report), strict=True))

    def _read(self, ranker: Ranker, parts: list[str], report: Progress) -> Sequence[Row]:
        """Return a ranker's rows; InputError where one of a user fails or gives something else."""
        name = f"the ranker {ranker.name}"
        answer = as_list(name, call(name, ranker.rows, parts, report), "a row for each segment")
        rows = [r if isinstance(r, DenseRow) else call(name, np.asarray, r, float) for r in answer]
        scores = [it.cosine if isinstance(it, DenseRow) else it for it in rows]
        fit = [it.shape == (self.size,) and np.isfinite(it).all() for it in scores]
        if len(fit) != len(parts) or not all(fit):
            raise InputError(f"{name} returned no finite score of each case for each segment")
        return rows

    def dense(self, names: Sequence[str], segment: str) -> DenseRow:
        """Return the row that says which chunk of each case answers a segment best."""
        row = self._known(locator(names), (segment,))[segment]
        assert isinstance(row, DenseRow)
        return row

    def best_chunks(
        self, names: Sequence[str], segments: Sequence[str], cases: Ranks
    ) -> list[list[int]]:
        """Return for each segment the chunk of each of some cases that answers it best."""
        rows, ranker = self._known(locator(names), segments), self.ranker(locator(names))
        assert isinstance(ranker, DenseRanker)
        return [ranker.best_of(text, cast("DenseRow", rows[text]), cases) for text in segments]

    def standout(self, query: Query) -> float:
        """Return how far a dense match must stand out to count in the states of a case."""
        return standout_of(query.reach or len(query.segments), self._settings.standout_z)

    def scores(self, name: str, query: Query) -> Scores:
        """Return a ranker's score of every case for a state, shape (cases,).

        It is the weighted sum over its segments. Terms are rounded to `DECIMALS` and added as whole
        numbers, so that neither their order nor what else is asked can reach the sum.
        """
        standout, ranker = self.standout(query), self.ranker(name)
        asked, terms = _asked(ranker, query), self._terms.setdefault(ranker, {})
        rows = self._known(name, [part for part, _ in asked])
        total = np.zeros(self.size, dtype=np.int64)
        for part, weight in asked:
            key = part, weight, standout
            if (term := terms.get(key)) is None:
                row = rows[part]
                strength = row if isinstance(row, np.ndarray) else row.strength(standout)
                term = terms[key] = np.rint(strength * (weight * _UNIT)).astype(np.int64)
            total += term
        result: Scores = total / _UNIT
        return result

    def _known(self, name: str, texts: Sequence[str]) -> dict[str, Row]:
        """Return the rows of a ranker; those of `texts` that were forgotten since are computed again."""
        ranker = self.ranker(name)
        self._add(ranker, texts, None)
        return self._rows[ranker]

    def ranked(self, name: str, query: Query, allowed: NDArray[np.bool_]) -> tuple[Ranks, Scores]:
        """Return a ranker's rank and score of every case; rank 0 where it does not rank the case.

        A ranker of matches (`matches_only`) does not rank the cases that have none, nor does a
        dense one that looks at candidates.
        """
        scores, ranker = self.scores(name, query), self.ranker(name)
        candidates = isinstance(ranker, DenseRanker) and isinstance(self.search, CandidateSearch)
        if candidates or getattr(ranker, "matches_only", False):
            allowed = allowed & (scores > 0)
        return ranks(best_first(scores, allowed), self.size), scores

    def candidate_recall(self, queries: Sequence[Query], depth: int = 10) -> dict[str, float]:
        """Return by dense channel the mean share of the exact list's first cases that are candidates."""
        exact = Channels(self._corpus, self._encoders, self._settings)
        every = np.ones(self.size, dtype=np.bool_)
        recall: dict[str, float] = {}
        for name in self._settings.rankers:
            if isinstance(self.ranker(name), DenseRanker):
                for channels in (exact, self):
                    channels.load([name], queries)
                found = [
                    self.ranked(name, it, every)[0][best_first(exact.scores(name, it))[:depth]] > 0
                    for it in queries
                ]
                recall[name] = float(np.mean([hits.mean() for hits in found]))
        return recall

    @property
    def cached_bytes(self) -> int:
        """Bytes of the rows and terms that are held in memory; those of a ranker are of one size."""
        rows = sum(
            len(rows) * _size(next(iter(rows.values()))) for rows in self._rows.values() if rows
        )
        return rows + sum(len(terms) * 8 * self.size for terms in self._terms.values())

    def forget(self) -> None:
        """Drop the cached rows; they are computed again when they are needed."""
        for rows in self._rows.values():
            rows.clear()
        for terms in self._terms.values():
            terms.clear()


def _size(row: Row) -> int:
    arrays = (row,) if isinstance(row, np.ndarray) else vars(row).values()
    return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


def _asked(ranker: Ranker, query: Query) -> tuple[tuple[str, float], ...]:
    """Return the parts of a query that a ranker scores, with their weights."""
    if query.quoted and getattr(ranker, "reads", "segments") == "quoted":
        return tuple((text, 1.0) for text in query.quoted)
    return query.asked


def locator(names: Sequence[str]) -> str:
    """Return the dense ranker that says which chunk of a case answers a segment, though none be fused."""
    return "dpr" if "dpr" in names and "chroma" not in names else "chroma"
