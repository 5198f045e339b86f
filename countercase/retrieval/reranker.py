"""Stage 5: the cross-encoder on (segment, best chunk) pairs, summed over segments.

Source: Nogueira and Cho, "Passage re-ranking with BERT", 2019, for scoring segment and chunk with
one model; the sum over segments keeps the score decomposable, so that each pair is scored once
and every state is a sum of stored pairs. A model that reads texts apart reads each text once: of an
edited state only the segments that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, Literal, TypeVar

import numpy as np

from countercase.encoders.apart import ApartReader, Reading
from countercase.encoders.base import Encoders
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS

_VOTE_BYTES: Final = 200
"""What a vote and its key take in a dict, about."""
Chunk = TypeVar("Chunk", int, str)


class CrossEncoderReranker(Generic[Chunk]):
    """Scores of (segment, chunk) pairs, each computed once.

    Args:
        mode: `apart`: each text is read alone, where the model can (`Encoders.apart`); `joint`:
            both are read together, with attention between them.
        text, kept: of a chunk its text, and the reading kept with the index; None where there is none.
    """

    def __init__(
        self,
        encoders: Encoders,
        mode: Literal["apart", "joint"],
        text: Callable[[Chunk], str],
        kept: Callable[[Chunk], Reading | None] = lambda chunk: None,
    ) -> None:
        self._encoders, self._mode = encoders, mode
        self._text: Callable[[Chunk], str] = text
        self._kept: Callable[[Chunk], Reading | None] = kept
        self._votes: dict[str, dict[Chunk, float]] = {}
        self._segments: dict[str, Reading] = {}

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
        apart = self._encoders.apart if self._mode == "apart" else None
        if apart is not None:
            self._load_apart(apart, list(wanted), progress)
            return
        scores = self._encoders.score([(own, self._text(it)) for own, it in wanted], progress)
        for (segment, chunk), score in zip(wanted, scores.tolist(), strict=True):
            self._votes.setdefault(segment, {})[chunk] = contribution(score)

    def _load_apart(
        self, reader: ApartReader, pairs: Sequence[tuple[str, Chunk]], progress: Progress | None
    ) -> None:
        asking: dict[Chunk, list[str]] = {}
        for segment, chunk in pairs:
            asking.setdefault(chunk, []).append(segment)
        kept = {chunk: self._kept(chunk) for chunk in asking}
        first = dict.fromkeys(segment for segment, _ in pairs)
        read = {text: self._segments[text] for text in first if text in self._segments}
        segments: list[str] = [text for text in first if text not in read]
        unread: list[Chunk] = [chunk for chunk, reading in kept.items() if reading is None]
        readings = reader.read([*segments, *map(self._text, unread)], progress)
        read |= zip(segments, readings, strict=False)
        self._segments |= read
        kept |= zip(unread, readings[len(segments) :], strict=True)
        groups = [
            ([read[segment] for segment in own], reading)
            for chunk, own in asking.items()
            if (reading := kept[chunk]) is not None
        ]
        for (chunk, own), scores in zip(asking.items(), reader.compare(groups), strict=True):
            for segment, score in zip(own, scores.tolist(), strict=True):
                self._votes.setdefault(segment, {})[chunk] = contribution(score)

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
