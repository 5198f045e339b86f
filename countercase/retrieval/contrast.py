"""The contrast of the two sides of a point: on which side of what a decision turned on a matter stands.

For every encoder a decision in which the notice went out in time and one in which it went out late
are neighbours. What parts them is the difference of two likenesses: how near a statement of the
matter is to the fact as it stood in the decision, less how near it is to the same fact as it would
stand on the other side. A corpus states both for each point (`Metadata.points`); where it states
none, a decision leans nowhere. A what-if that replaces a fact changes the side on which its
statement stands; one that takes it out leaves the point to what else the matter says.

Source: polarity as the difference of two likenesses follows the reversed queries of Weller and
others, "NevIR: negation in neural information retrieval", EACL 2024.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from countercase.corpus.index.kept import kept_sides
from countercase.corpus.index.search import settled_products
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders, encode_as
from countercase.retrieval.base import DECIMALS, Query, Ranks, Scores, ranks_in

SPEAKS: Final = 0.47
"""The cosine to the nearer side from which on a text speaks of a point, by half."""
STEEP: Final = 16.0
"""How fast a text begins to speak of a point around `SPEAKS`."""
AGAINST: Final = 0.5
"""How much the likeness to the other side takes off: less than 1, so that the likeness to the fact
as it stood counts beside the contrast."""


class Stance(NamedTuple):
    """One text against every point of a corpus, shape (points,) each.

    Attributes:
        near: its cosine to the nearer side, by the sentence encoder.
        lean: how far it stands on the side as the fact stood, as far as it speaks of the point.
    """

    near: Scores
    lean: Scores


def stance_of(likeness: Scores, stance: Scores) -> Stance:
    """Return the stance of a text, given its cosines to both sides of each point, shape (2, points).

    Args:
        likeness: by the sentence encoder: whether it speaks of the point at all.
        stance: by the stance encoder: on which side it stands.
    """
    near: Scores = likeness.max(axis=0)
    speaks = 1 + np.exp(STEEP * (SPEAKS - near))
    return Stance(near, np.round((stance[0] - AGAINST * stance[1]) / speaks, DECIMALS))


class ContrastVoter:
    """Scores of cases by the sides of their points, each text compared once."""

    def __init__(self, corpus: Snapshot, encoders: Encoders) -> None:
        self._corpus, self._encoders, self._size = corpus, encoders, len(corpus.case_ids)
        counts = [len(row.points) for row in corpus.metadata]
        self._cases = np.repeat(np.arange(self._size), counts)
        self._counts = np.maximum(counts, 1)
        self._stances: dict[str, Stance] = {}

    @property
    def has_points(self) -> bool:
        """Whether the corpus states on what any of its decisions turned."""
        return len(self._cases) > 0

    @cached_property
    def _sides(self) -> Scores:
        """The sides of all points as each encoder reads them, shape (2, 2 * points, width)."""
        sides = kept_sides(self._corpus, self._encoders).astype(np.float64)
        return sides.reshape(2, -1, sides.shape[-1])

    def load(self, queries: Iterable[Query]) -> None:
        """Compare the segments of these queries that are not known yet."""
        texts = dict.fromkeys(text for query in queries for text in query.segments)
        wanted = [text for text in texts if text not in self._stances]
        if not wanted:
            return
        read = encode_as(self._encoders, ("sentence", "stance"), wanted)
        cosines = [
            settled_products(vectors, sides).reshape(len(wanted), 2, -1)
            for vectors, sides in zip(read, self._sides, strict=True)
        ]
        self._stances |= zip(wanted, map(stance_of, *cosines), strict=True)

    def scores(self, query: Query, cases: Sequence[int] | None = None) -> Scores:
        """Return how far each case's points stand as the matter does, shape (cases,).

        Of each point the text that is nearest to it speaks; a case has the mean of its points.
        With `cases`, only those are compared, and the others have 0.
        """
        if not self.has_points:
            return np.zeros(self._size)
        self.load([query])
        own = [self._stances[text] for text in query.segments]
        asked = np.zeros(self._size, dtype=np.bool_)
        asked[slice(None) if cases is None else list(cases)] = True
        points = np.flatnonzero(asked[self._cases])
        near = np.array([it.near[points] for it in own])
        leans = np.array([it.lean[points] * query.weight(at) for at, it in enumerate(own)])
        spoken = np.where(near == near.max(axis=0), leans, -np.inf).max(axis=0)
        # Whole numbers are added, so that their order cannot reach the sum.
        total = np.zeros(self._size, dtype=np.int64)
        np.add.at(total, self._cases[points], np.rint(spoken * 10**DECIMALS).astype(np.int64))
        result: Scores = np.round(total / 10**DECIMALS / self._counts, DECIMALS)
        return result

    def ranked(self, query: Query, pool: Sequence[int]) -> tuple[Ranks, Scores]:
        """Return rank and score of every case of the pool; rank 0 for the others."""
        scores = self.scores(query, pool)
        return ranks_in(pool, scores), scores

    @property
    def cached_bytes(self) -> int:
        """Bytes of the stances that are held in memory."""
        return len(self._stances) * 16 * len(self._cases)

    def forget(self) -> None:
        """Drop the stances; they are computed again when they are needed."""
        self._stances.clear()
