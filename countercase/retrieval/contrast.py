"""The contrast of the two sides of a point: on which side of what a decision turned on a matter stands.

For every encoder a notice that went out in time and one that went out late are neighbours. A corpus
states for each point on which a decision turned (`Metadata.points`) the fact as it stood there, and
as it would stand on the other side. Two questions are asked of every text of a matter and every
point, both bilinear in their vectors: whether the text speaks of the point, and on which side it
stands. The texts share a point as in attention; what none of them speaks of leans nowhere.

Sources: Vaswani and others, "Attention is all you need", 2017, with a share for no text at all;
reversed queries of Weller and others, "NevIR: negation in neural information retrieval", EACL 2024.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from countercase.corpus.index.kept import kept_sides
from countercase.corpus.index.search import settled_products
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders, encode_as
from countercase.encoders.embedded.weights import CONTRAST, are_embedded, own_file, read_tensors
from countercase.encoders.reading import one_thread
from countercase.retrieval.base import DECIMALS, Query, Scores


class Questions(NamedTuple):
    """What is asked of a text and the two sides of a point, by encoder: does it speak of the point
    (the cosine to the nearer side, the sum of both sides, a constant), on which side (their difference)?

    Attributes:
        alike: weights of the product with the sum, and with the difference, shape (2, 2, 1, 1).
        topic, topic_of, side, side_of: both products again after two projections, of the text and
            of the sides, shape (2, width, rank).
    """

    nearer: Scores
    alike: Scores
    topic: Scores
    topic_of: Scores
    side: Scores
    side_of: Scores
    bias: Scores

    @classmethod
    def of(cls, encoders: Encoders) -> Questions:
        """Return what was learnt of the embedded models; of other models plain cosines tell."""
        if are_embedded(encoders, "sentence", "stance"):
            return cls(*read_tensors(own_file(CONTRAST), *cls._fields))
        none = np.zeros((2, encoders.width("stance"), 1))
        alike = np.diag([0.0, 1.0])[..., None, None]
        return cls(np.array([16.0, 0.0]), alike, none, none, none, none, np.array([-7.5]))

    def rows(self, held: Scores, otherwise: Scores) -> Scores:
        """Return what a text is multiplied with, for sides of shape (2, points, width): both sides of
        every point, what tells that it speaks of it, and on which side; (2, 4 · points, width).
        """
        both, apart = held + otherwise, held - otherwise
        with one_thread():
            topic = self.alike[0] * both + both @ self.topic_of @ self.topic.transpose(0, 2, 1)
            side = self.alike[1] * apart + apart @ self.side_of @ self.side.transpose(0, 2, 1)
        return np.concatenate([held, otherwise, topic, side], axis=1)


class ContrastVoter:
    """Scores of cases by the sides of their points, each text compared once."""

    def __init__(self, corpus: Snapshot, encoders: Encoders) -> None:
        self._corpus, self._encoders, self._size = corpus, encoders, len(corpus.case_ids)
        counts = [len(row.points) for row in corpus.metadata]
        self.has_points = any(counts)
        self._cases = np.repeat(np.arange(self._size), counts)
        self._counts = np.maximum(counts, 1)
        self._stances: dict[str, Scores] = {}
        """Of each text the log-odds that it speaks of a point, and its side; shape (2, points)."""

    @cached_property
    def _asked(self) -> tuple[Questions, Scores]:
        questions = Questions.of(self._encoders)
        sides = kept_sides(self._corpus, self._encoders).astype(np.float64)
        return questions, questions.rows(sides[:, 0], sides[:, 1])

    def load(self, queries: Iterable[Query]) -> None:
        """Compare the segments of these queries that are not known yet."""
        texts = dict.fromkeys(text for query in queries for text in query.segments)
        wanted = [text for text in texts if text not in self._stances]
        if not wanted:
            return
        questions, asked = self._asked
        read = zip(encode_as(self._encoders, ("sentence", "stance"), wanted), asked, strict=True)
        products = np.stack([settled_products(vectors, rows) for vectors, rows in read])
        held, otherwise, topic, side = np.moveaxis(products.reshape(2, len(wanted), 4, -1), 2, 0)
        nearer = np.maximum(held, otherwise) * questions.nearer[:, None, None]
        stances = np.stack([(nearer + topic).sum(axis=0) + questions.bias, side.sum(axis=0)], 1)
        self._stances |= zip(wanted, stances, strict=True)

    def scores(self, query: Query, cases: Sequence[int]) -> Scores:
        """Return how far the points of these cases stand as the matter does; 0 for the others.

        Texts share a point by how surely they speak of it and by their weights, with a share for
        none of them; a case has the sum of its points over the root of their number.
        """
        self.load([query])
        told = sorted(query.asked)  # in one order of adding
        asked = np.zeros(self._size, dtype=np.bool_)
        asked[list(cases)] = True
        points = np.flatnonzero(asked[self._cases])
        speaks, sides = np.stack([self._stances[text][:, points] for text, _ in told], axis=1)
        shares = np.exp(speaks) * np.array([weight for _, weight in told])[:, None]
        lean = (shares * sides).cumsum(axis=0)[-1] / (1 + shares.cumsum(axis=0)[-1])
        # Whole numbers are added, so that their order cannot reach the sum.
        total = np.zeros(self._size, dtype=np.int64)
        np.add.at(total, self._cases[points], np.rint(lean * 10**DECIMALS).astype(np.int64))
        result: Scores = np.round(total / 10**DECIMALS / np.sqrt(self._counts), DECIMALS)
        return result

    @property
    def cached_bytes(self) -> int:
        """Bytes of the stances that are held in memory."""
        return len(self._stances) * 16 * len(self._cases)

    def forget(self) -> None:
        """Drop the stances; they are computed again when they are needed."""
        self._stances.clear()
