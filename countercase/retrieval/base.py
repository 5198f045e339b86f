"""What goes into retrieval and what comes out of it.

What goes into retrieval and what comes out of it.

Ranks that two runs agree on: rounded scores, ties broken by case id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

STAGES: Final = ("dpr", "chroma", "lexical", "fused", "mmr", "rerank", "final")


"""Names of the stages in order; a stage that was switched off is absent from a result."""


@dataclass(frozen=True)
class Query:
    """One state of a case, as retrieval reads it.

    Args:
        segments: the texts that are encoded; their order does not matter to the scores.
        pinned: positions of segments that the cross-encoder must read even where a narrative
            has more of them than it reads (those that state facts).
        reach: segments of the case as it is, by which it is judged in all its states what stands
            out; 0 for those of this query.
    """

    segments: tuple[str, ...]
    pinned: frozenset[int] = frozenset()
    reach: int = 0

    @property
    def key(self) -> str:
        """The same segments, the same key."""
        return hashlib.sha256("\x1f".join(self.segments).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Filters:
    """Which precedents may be ranked at all; None or empty: no condition.

    Args:
        bench: a judge's name, or part of it.
        provision: a normal form that the judgment must cite.
    """

    year_from: int | None = None
    year_to: int | None = None
    court: str = ""
    bench: str = ""
    provision: str = ""


@dataclass(frozen=True)
class StageScore:
    """Rank (from 1) and score of a precedent at one stage."""

    rank: int
    score: float


@dataclass(frozen=True)
class Match:
    """The chunk of a precedent that answers a segment best, and how well.

    Args:
        segment: position of the segment in the query.
        chunk: position of the chunk in the corpus.
        weight: what this pair adds to the precedent's score at the last stage that ran.
    """

    segment: int
    chunk: int
    weight: float


@dataclass(frozen=True)
class RankedCase:
    """One precedent of a ranking, with its trace through the stages."""

    case_id: str
    case: int
    rank: int
    score: float
    stages: Mapping[str, StageScore]
    matches: tuple[Match, ...] = ()


@dataclass(frozen=True)
class Ranking:
    """The top-K precedents of one state, in rank order.

    Attributes:
        pool: ids of all cases that reached the last stage, in its order; the first K are the
            results.
    """

    query: Query
    results: tuple[RankedCase, ...]
    top_k: int
    pool: tuple[str, ...] = field(default=(), compare=False)

    @property
    def case_ids(self) -> tuple[str, ...]:
        """The precedents' ids in rank order."""
        return tuple(result.case_id for result in self.results)


DECIMALS: Final = 9


"""Scores that differ by less than this many decimals are equal."""


Scores = NDArray[np.float64]


Ranks = NDArray[np.int64]


def best_first(scores: Scores, allowed: NDArray[np.bool_] | None = None) -> Ranks:
    """Positions in descending order of rounded score; equal scores in order of position.

    Cases are stored sorted by id, so the position is the tie-break by id.
    """
    places = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
    rounded = np.round(scores[places], DECIMALS)
    return places[np.lexsort((places, -rounded))].astype(np.int64)


def ranks(order: Ranks, size: int) -> Ranks:
    """Rank from 1 of each position; 0 for positions that are not in `order`."""
    result = np.zeros(size, dtype=np.int64)
    result[order] = np.arange(1, len(order) + 1)
    return result
