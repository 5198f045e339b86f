"""Segment rows: what each channel says of a segment, computed once and kept.

This is what makes a tree cheap. A state is a sum of rows; an edit changes one segment, so one more
row, whatever the number of states that contain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from countercase.config import Settings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import Done, Encoders
from countercase.retrieval.base import DECIMALS, Query, Scores
from countercase.retrieval.dense import DenseRow, standout_of, summed
from countercase.retrieval.dense_rankers import ChromaRanker, DprRanker
from countercase.retrieval.lexical import LexicalRanker


@dataclass(frozen=True)
class SegmentRow:
    """One segment's row in every channel; None where the channel is switched off."""

    dpr: DenseRow | None
    chroma: DenseRow | None
    lexical: Scores | None

    @property
    def dense(self) -> DenseRow | None:
        """The row that says which chunk of a case answers the segment best."""
        return self.chroma if self.chroma is not None else self.dpr


class SegmentRows:
    """The rows of every segment asked for so far."""

    def __init__(self, snapshot: Snapshot, encoders: Encoders, settings: Settings) -> None:
        self._snapshot = snapshot
        self._rankers = settings.RANKERS
        hub = settings.HUBNESS_WEIGHT
        self._most = settings.STANDOUT_Z
        self._dpr = DprRanker(snapshot, encoders, hub) if "dpr" in self._rankers else None
        # The reranker pairs each segment with its best chunk, which a dense channel must name.
        needed = "chroma" in self._rankers or self._dpr is None
        self._chroma = ChromaRanker(snapshot, encoders, hub) if needed else None
        self._lexical = (
            LexicalRanker(snapshot, settings.PROVISION_WEIGHT)
            if "lexical" in self._rankers
            else None
        )
        # With no weights of its own, the question tower gives the sentence encoder's rows again.
        self._same = encoders.fingerprint("question") == encoders.fingerprint("sentence") and (
            encoders.fingerprint("passage") == encoders.fingerprint("sentence")
        )
        self._known: dict[str, SegmentRow] = {}

    def load(self, segments: Iterable[str], done: Done | None = None) -> int:
        """Compute what is not known yet; returns how many segments that were."""
        wanted = [text for text in dict.fromkeys(segments) if text not in self._known]
        for start in range(0, len(wanted), 32):
            part = wanted[start : start + 32]

            def tell(finished: int, of: int, start: int = start) -> None:
                if done is not None:
                    done(start + finished, len(wanted))

            self._load(part, tell)
        return len(wanted)

    def _load(self, texts: Sequence[str], done: Done) -> None:
        none: list[None] = [None] * len(texts)
        chroma: Sequence[DenseRow | None] = none
        dpr: Sequence[DenseRow | None] = none
        if self._chroma is not None:
            chroma = self._chroma.rows(texts, done)
        if self._dpr is not None:
            known = self._same and self._chroma is not None
            dpr = chroma if known else self._dpr.rows(texts, done)
        lexical: Sequence[Scores | None] = (
            self._lexical.rows(texts) if self._lexical is not None else [None] * len(texts)
        )
        for text, d, c, x in zip(texts, dpr, chroma, lexical, strict=True):
            self._known[text] = SegmentRow(d, c, x)

    def __getitem__(self, segment: str) -> SegmentRow:
        return self._known[segment]

    def standout(self, query: Query) -> float:
        """How far a dense match must stand out to count in the states of a case."""
        return standout_of(query.reach or len(query.segments), self._most)

    def channel_scores(self, query: Query) -> dict[str, Scores]:
        """Each channel's score of every case for a state: the sum over its segments."""
        rows = [self._known[text] for text in query.segments]
        standout = self.standout(query)
        size = len(self._snapshot.case_ids)
        scores: dict[str, Scores] = {}
        for name in self._rankers:
            if name == "lexical":
                parts = [row.lexical for row in rows if row.lexical is not None]
            else:
                dense = [row.dpr if name == "dpr" else row.chroma for row in rows]
                parts = [row.strength(standout) for row in dense if row is not None]
            scores[name] = summed(parts, size).round(DECIMALS)
        return scores
