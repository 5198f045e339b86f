"""Scores of segments by every ranker, computed once and cached.

This is what makes a tree cheap. A state is a sum of rows; an edit changes one segment, so it costs
one more row per ranker, whatever the number of states that contain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from countercase.config import RetrievalSettings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.io import Progress
from countercase.registry import RANKERS
from countercase.retrieval.base import DECIMALS, Query, Ranker, Row, Scores
from countercase.retrieval.dense import DenseRanker, DenseRow, standout_of, summed
from countercase.retrieval.search import Search, best_chunks

_SEGMENTS_AT_ONCE = 128
"""Segments of one pass over the corpus: those of all states of a common tree."""


class Channels:
    """The rankers of a corpus, made when they are first asked, and their rows.

    Attributes:
        size: cases of the corpus.
    """

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        self._corpus, self._encoders, self._settings = corpus, encoders, settings
        self.size = len(corpus.case_ids)
        self._rankers: dict[str, Ranker] = {}
        self._rows: dict[Ranker, dict[str, Row]] = {}
        self._search: Search = best_chunks

    def ranker(self, name: str) -> Ranker:
        """The ranker of this name.

        Raises:
            ConfigError: none is registered; the message names the nearest.
        """
        if name not in self._rankers:
            ranker = RANKERS.get(name)(self._corpus, self._encoders, self._settings)
            self._rankers[name] = ranker
            if isinstance(ranker, DenseRanker):
                ranker.search = self._search
            self._rows.setdefault(ranker, {})
        return self._rankers[name]

    def search_with(self, search: Search) -> None:
        """Let dense rankers find best chunks by `search`."""
        self._search = search
        for ranker in self._rankers.values():
            if isinstance(ranker, DenseRanker):
                ranker.search = search

    def load(
        self, names: Sequence[str], segments: Iterable[str], progress: Progress | None = None
    ) -> None:
        """Compute the rows of these rankers that are not known yet."""
        known = [self._rows[self.ranker(name)] for name in (*names, locator(names))]
        wanted = [
            text for text in dict.fromkeys(segments) if any(text not in rows for rows in known)
        ]
        for start in range(0, len(wanted), _SEGMENTS_AT_ONCE):
            batch = wanted[start : start + _SEGMENTS_AT_ONCE]

            def report(what: str, done: int, of: int, start: int = start) -> None:
                if progress is not None:
                    progress(what, start + done, len(wanted))

            for name in dict.fromkeys((locator(names), *names)):
                ranker = self.ranker(name)
                rows = self._rows[ranker]
                missing = [text for text in batch if text not in rows]
                if missing:
                    rows.update(zip(missing, ranker.rows(missing, report), strict=True))

    def dense(self, names: Sequence[str], segment: str) -> DenseRow:
        """The row that says which chunk of each case answers a segment best."""
        row = self._known(locator(names), (segment,))[segment]
        assert isinstance(row, DenseRow)
        return row

    def standout(self, query: Query) -> float:
        """How far a dense match must stand out to count in the states of a case."""
        return standout_of(query.reach or len(query.segments), self._settings.standout_z)

    def scores(self, name: str, query: Query) -> Scores:
        """A ranker's score of every case for a state, shape (cases,): the sum over its segments.

        Each segment counts by its weight, and so do words that it no longer says.
        """
        standout = self.standout(query)
        rows = self._known(name, [text for text, _ in query.asked])
        parts = [
            (row if isinstance(row, np.ndarray) else row.strength(standout)) * weight
            for row, weight in ((rows[text], weight) for text, weight in query.asked)
        ]
        return summed(parts, self.size).round(DECIMALS)

    def _known(self, name: str, texts: Sequence[str]) -> dict[str, Row]:
        """The rows of a ranker; those of `texts` that were forgotten since are computed again."""
        rows = self._rows[self.ranker(name)]
        if any(text not in rows for text in texts):
            self.load((name,), texts)
        return rows

    @property
    def cached_bytes(self) -> int:
        """Bytes of the rows that are held in memory; all rows of a ranker are of one size."""
        return sum(
            len(rows) * _size(next(iter(rows.values()))) for rows in self._rows.values() if rows
        )

    def forget(self) -> None:
        """Drop the cached rows; they are computed again when they are needed."""
        for rows in self._rows.values():
            rows.clear()


def _size(row: Row) -> int:
    arrays = (row,) if isinstance(row, np.ndarray) else vars(row).values()
    return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


def locator(names: Sequence[str]) -> str:
    """The dense ranker that says which chunk of a case answers a segment.

    The cross-encoder and the explanations need one even where no dense ranker is fused.
    """
    return "dpr" if "dpr" in names and "chroma" not in names else "chroma"
