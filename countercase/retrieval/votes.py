"""Stage 5: what votes on a pool beside the fusion: the cross-encoder, and the contrast of sides.

*The cross-encoder* scores (segment, best chunk) pairs (Nogueira and Cho, "Passage re-ranking with BERT",
2019). The sum over segments keeps the score decomposable: each pair is scored once, and every state
is a sum of stored pairs. A model that reads texts apart reads each text once.

*The contrast*: for every encoder a notice that went out in time and one that went out late are
neighbours. A corpus states for each point on which a decision turned (`Metadata.points`) the fact as it
stood there, and as it would stand on the other side. Of every text of a matter and every point it is
asked, bilinear in their vectors, whether the text speaks of the point, and on which side it stands.
The texts share a point as in attention (Vaswani and others 2017, with a share for no text at all;
reversed queries: Weller and others, "NevIR", EACL 2024); what none of them speaks of counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Generic, Literal, NamedTuple, TypeVar

import numpy as np

from countercase.corpus.index.kept import kept_sides
from countercase.corpus.index.search import settle
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.apart import ApartReader, Reading, one_thread
from countercase.encoders.base import Encoders, encode_as
from countercase.encoders.embedded.weights import CONTRAST, are_embedded, own_file, read_tensors
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS, Query, Scores

_VOTE_BYTES: Final = 200
"""What a vote and its key take in a dict, about."""
Chunk = TypeVar("Chunk", int, str)


@dataclass(eq=False)
class CrossEncoderReranker(Generic[Chunk]):
    """Scores of (segment, chunk) pairs, each computed once.

    By `mode` texts are read `apart`, where the model can (`Encoders.apart`), or `joint`, with attention
    between them. `text` and `kept` give a chunk's text, and its reading that is kept, if any.
    """

    encoders: Encoders
    mode: Literal["apart", "joint"]
    text: Callable[[Chunk], str]
    kept: Callable[[Chunk], Reading | None] = lambda chunk: None
    _votes: dict[str, dict[Chunk, float]] = field(default_factory=dict, init=False)
    _segments: dict[str, Reading] = field(default_factory=dict, init=False)

    def load(
        self, asked: Iterable[tuple[str, Sequence[Chunk]]], progress: Progress | None = None
    ) -> None:
        """Compute the votes of segments with chunks that are not known yet."""
        wanted: dict[tuple[str, Chunk], None] = {}
        for segment, chunks in asked:
            known = self._votes.get(segment, {})
            if None in map(known.get, chunks):
                wanted |= dict.fromkeys((segment, it) for it in chunks if it not in known)
        if not wanted:
            return
        apart = self.encoders.apart if self.mode == "apart" else None
        if apart is not None:
            scored = self._score_apart(apart, wanted, progress)
        else:
            pairs = [(own, self.text(it)) for own, it in wanted]
            scored = zip(wanted, self.encoders.score(pairs, progress).tolist(), strict=True)
        for (segment, chunk), score in scored:
            self._votes.setdefault(segment, {})[chunk] = contribution(score)

    def _score_apart(
        self, reader: ApartReader, pairs: Collection[tuple[str, Chunk]], progress: Progress | None
    ) -> Iterator[tuple[tuple[str, Chunk], float]]:
        asking: dict[Chunk, list[str]] = {}
        for segment, chunk in pairs:
            asking.setdefault(chunk, []).append(segment)
        known = {text: reading for text, _ in pairs if (reading := self._segments.get(text))}
        unread: list[str] = list(dict.fromkeys(text for text, _ in pairs if text not in known))
        chunks = {chunk: reading for chunk in asking if (reading := self.kept(chunk))}
        missing: list[Chunk] = [chunk for chunk in asking if chunk not in chunks]
        readings = reader.read([*unread, *map(self.text, missing)], progress)
        known |= zip(unread, readings, strict=False)
        self._segments |= known
        chunks |= zip(missing, readings[len(unread) :], strict=True)
        groups = [([known[text] for text in own], chunks[chunk]) for chunk, own in asking.items()]
        for (chunk, own), scores in zip(asking.items(), reader.compare(groups), strict=True):
            yield from zip(((text, chunk) for text in own), scores.tolist(), strict=True)

    def votes(self, segment: str, chunks: Sequence[Chunk]) -> list[float]:
        """Return what a segment adds to the case of each chunk."""
        known = self._votes.setdefault(segment, {})
        if None in map(known.get, chunks):
            self.load([(segment, chunks)])
        return [known[chunk] for chunk in chunks]

    def vote(self, segment: str, chunk: Chunk) -> float:
        """Return what a pair adds to its case; one that was not loaded is read now."""
        return self.votes(segment, [chunk])[0]

    @property
    def cached_bytes(self) -> int:
        """Bytes that are held in memory, about."""
        readings = sum(reading.states.nbytes for reading in self._segments.values())
        return 5 * readings + _VOTE_BYTES * sum(map(len, self._votes.values()))

    def forget(self) -> None:
        """Drop what was computed; it is computed again when it is needed."""
        self._votes.clear()
        self._segments.clear()


def contribution(score: float) -> float:
    """Return what a pair adds to its case: ln(1 + exp(score)).

    A relevant pair (above 0) adds about its score, an irrelevant one (under −5) next to nothing, so
    that a case is not sunk by the segments that it has no answer to.
    """
    return round(float(np.logaddexp(0.0, round(score, DECIMALS))), DECIMALS)


SHARPNESS: Final = 1.5
"""By how much the log-odds of a side are multiplied before they are a probability."""
DAMPING: Final = 0.75
"""Power of the number of its points by which the sum of a decision is divided."""


class Questions(NamedTuple):
    """What is asked of a text and the two sides of a point, by encoder: does it speak of the point
    (the cosine to the nearer side, the sum of both sides, a constant), on which side (their difference)?

    `alike` weighs the products with sum and difference, shape (2, 2, 1, 1); `topic` and `side` are both
    again after two projections, of the text and (`_of`) of the sides, shape (2, width, rank).
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
        if are_embedded(encoders.fingerprint, "sentence", "stance"):
            return cls(*read_tensors(own_file(CONTRAST), *cls._fields))
        none = np.zeros((2, encoders.width("stance"), 1))
        alike = np.diag([0.0, 1.0])[..., None, None]
        return cls(np.array([16.0, 0.0]), alike, none, none, none, none, np.array([-7.5]))

    def project(self, sides: Scores) -> tuple[Scores, Scores, Scores]:
        """Return sides of shape (2, 2, points, width), and their sum and difference as projected."""
        held, otherwise = np.moveaxis(sides, 1, 0)
        return sides, (held + otherwise) @ self.topic_of, (held - otherwise) @ self.side_of

    def multiply(self, texts: Scores, points: Sequence[Scores]) -> Scores:
        """Return the products of texts, shape (2, texts, width), with points as `project` has them:
        with both sides, what tells that a text speaks of the point, and on which side it stands;
        shape (2, 4, texts, points).
        """
        sides, topic_of, side_of = points
        held, otherwise = np.moveaxis(texts[:, None] @ sides.swapaxes(2, 3), 1, 0)
        topic = self.alike[0] * (held + otherwise) + texts @ self.topic @ topic_of.swapaxes(1, 2)
        side = self.alike[1] * (held - otherwise) + texts @ self.side @ side_of.swapaxes(1, 2)
        return np.stack([held, otherwise, topic, side], axis=1)


class ContrastVoter:
    """Scores of cases by the sides of their points, each text compared once."""

    def __init__(self, corpus: Snapshot, encoders: Encoders) -> None:
        self._corpus, self._encoders, self._size = corpus, encoders, len(corpus.case_ids)
        counts = [len(row.points) for row in corpus.metadata]
        self.has_points = any(counts)
        self._cases = np.repeat(np.arange(self._size), counts)
        self._damped: Scores = np.array([max(n, 1) ** DAMPING for n in counts])
        self._stances: dict[str, Scores] = {}
        """Of each text the log-odds that it speaks of a point, and its side; shape (2, points)."""

    @cached_property
    def _asked(self) -> tuple[Questions, Sequence[Scores]]:
        questions = Questions.of(self._encoders)
        sides = kept_sides(self._corpus, self._encoders).astype(np.float64)
        with one_thread():
            return questions, questions.project(sides)

    def load(self, queries: Iterable[Query]) -> None:
        """Compare the segments of these queries that are not known yet."""
        segments = dict.fromkeys(text for query in queries for text in query.segments)
        wanted = [text for text in segments if text not in self._stances]
        if not wanted:
            return
        questions, points = self._asked
        read = encode_as(self._encoders, ("sentence", "stance"), wanted)
        texts = np.stack(read).astype(np.float64)
        with one_thread():
            products = questions.multiply(texts, points)

            def alone(at: int) -> float:
                encoder, kind, text, point = np.unravel_index(at, products.shape)
                own = [part[..., [point], :] for part in points]
                return float(questions.multiply(texts[:, [text]], own)[encoder, kind, 0, 0])

            products = settle(products, 2 * texts.shape[2], alone)
        held, otherwise, topic, side = np.moveaxis(products, 1, 0)
        nearer = np.maximum(held, otherwise) * questions.nearer[:, None, None]
        stances = np.stack([(nearer + topic).sum(axis=0) + questions.bias, side.sum(axis=0)], 1)
        self._stances |= zip(wanted, stances, strict=True)

    def scores(self, query: Query, cases: Sequence[int]) -> Scores:
        """Return on how many of their points the matter stands with these cases; 0 for the others.

        A point counts the probability that the matter speaks of it times that of its side. Texts
        share a point by how surely they speak of it and by their weights, with a share for none of
        them; a case has the sum over its points by their number to the power of `DAMPING`.
        """
        self.load([query])
        told = sorted(query.asked)  # in one order of adding
        asked = np.bincount(np.array(cases, int), minlength=self._size)
        points = np.flatnonzero(asked[self._cases])
        speaks, sides = np.stack([self._stances[text][:, points] for text, _ in told], axis=1)
        shares = np.exp(speaks) * np.array([weight for _, weight in told])[:, None]
        spoken = shares.cumsum(axis=0)[-1]
        side = (shares * sides).cumsum(axis=0)[-1] / np.maximum(spoken, np.finfo(float).tiny)
        stands = spoken / (1 + spoken) / (1 + np.exp(-SHARPNESS * side))
        whole = np.rint(stands * 10**DECIMALS)  # so that the order of adding cannot reach the sum
        total = np.bincount(self._cases[points], whole, self._size) / 10**DECIMALS
        result: Scores = np.round(total / self._damped, DECIMALS)
        return result

    @property
    def cached_bytes(self) -> int:
        """Bytes of the stances that are held in memory."""
        return len(self._stances) * 16 * len(self._cases)

    def forget(self) -> None:
        """Drop the stances; they are computed again when they are needed."""
        self._stances.clear()
