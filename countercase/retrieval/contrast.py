"""The contrast of a statement with its opposite: on which side of a fact a decision stands.

For every encoder a decision in which the notice went out in time and one in which it went out late
are neighbours. What parts them is the difference of two likenesses: how near a decision's holding is
to the statement of a fact, less how near it is to the statement of its opposite. The sum over the facts
of a state, each by the weight of its statement, orders the pool as a further vote of the fusion. An
edit that replaces a fact turns the sign of its row; one that takes it out drops the row.

Source: polarity as the difference of two likenesses follows the reversed queries of Weller and
others, "NevIR: negation in neural information retrieval", EACL 2024.

A difference counts as far as the decision speaks of the fact at all: by the logistic function of how
far its likeness to either statement lies above the mean of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.contents import FIELDS, SECTIONS
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.retrieval.base import DECIMALS, Query, Ranks, Scores, best_first, ranks

HOLDING: Final = "holding"
"""The section of a judgment that says what it decides."""


SPEAKS: Final = 0.0
"""Standard deviations above the mean at which half of a difference counts.

Of -10 (all counts), -1, 0, 1, 2 and 3, 0 had the best nDCG@10 on the matters of `training/` at the same
share of decisive facts that move the list."""
STEEP: Final = 2.0


def lean(likeness: Scores, opposite: Scores) -> Scores:
    """Return how far each case leans to a statement from its opposite, given its likeness to both."""
    nearest = np.maximum(likeness, opposite)
    spread = float(nearest.std())
    z = (nearest - nearest.mean()) / spread if spread else np.zeros_like(nearest)
    result: Scores = (likeness - opposite) / (1 + np.exp(STEEP * (SPEAKS - z)))
    return result


class ContrastVoter:
    """Scores of cases by the contrasts of a query, each text compared once.

    A case without a holding of its own, as its sections were read, stands on neither side: 0.
    """

    def __init__(self, corpus: Snapshot, encoders: Encoders) -> None:
        self._encoders, self._size = encoders, len(corpus.case_ids)
        section = np.asarray(corpus.chunks[:, FIELDS.index("section")])
        self._chunks = np.flatnonzero(section == SECTIONS.index(HOLDING))
        cases = np.asarray(corpus.chunks[:, FIELDS.index("case")])[self._chunks]
        self._cases, self._starts = np.unique(cases, return_index=True)
        self._vectors = corpus.sentence
        self._rows: dict[str, Scores] = {}

    def load(self, queries: Iterable[Query]) -> None:
        """Compare the statements of these queries, and their opposites, that are not known yet."""
        texts = dict.fromkeys(t for query in queries for c in query.contrasts for t in c[:2])
        wanted = [text for text in texts if text not in self._rows]
        if not wanted or not len(self._chunks):
            return
        holdings = np.asarray(self._vectors[self._chunks], dtype=np.float64)
        vectors = self._encoders.encode("sentence", wanted).astype(np.float64)
        for text, vector in zip(wanted, vectors, strict=True):
            # One product a text: what else is asked cannot reach the last bits of a sum.
            likeness = np.round((holdings * vector).sum(axis=1), DECIMALS)
            self._rows[text] = np.maximum.reduceat(likeness, self._starts)

    def scores(self, query: Query) -> Scores:
        """Return how far each case leans to the facts of a state, from its opposites, shape (cases,).

        Terms are rounded and added as whole numbers, so that their order cannot reach the sum.
        """
        total = np.zeros(self._size, dtype=np.int64)
        if not len(self._chunks):
            return total.astype(np.float64)
        self.load([query])
        for text, opposite, weight in query.contrasts:
            term = weight * lean(self._rows[text], self._rows[opposite])
            total[self._cases] += np.rint(term * 10**DECIMALS).astype(np.int64)
        result: Scores = total / 10**DECIMALS
        return result

    def ranked(self, query: Query, pool: Sequence[int]) -> tuple[Ranks, Scores]:
        """Return rank and score of every case of the pool; rank 0 for the others."""
        scores = self.scores(query)
        mask: NDArray[np.bool_] = np.zeros(self._size, dtype=bool)
        mask[list(pool)] = True
        return ranks(best_first(scores, mask), self._size), np.where(mask, scores, 0.0)

    @property
    def cached_bytes(self) -> int:
        """Bytes of the rows that are held in memory."""
        return len(self._rows) * 8 * len(self._cases)

    def forget(self) -> None:
        """Drop the rows; they are computed again when they are needed."""
        self._rows.clear()
