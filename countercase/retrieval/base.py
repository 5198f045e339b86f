"""Retrieval as its users see it: queries, rankings, rankers, retrievers.

A `Retriever` ranks precedents for queries. `HybridRetriever` is ours; `foreign.as_retriever` makes
one of any function from queries to rankings. A `Ranker` is one channel of the hybrid retriever, found by
name in `countercase.registry.RANKERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.search import DECIMALS as DECIMALS
from countercase.corpus.index.search import Scores as Scores
from countercase.corpus.judgment.metadata import Metadata, area_name
from countercase.corpus.judgment.treatment import standing
from countercase.errors import InputError, check_type
from countercase.io import Progress
from countercase.law.in_force import facts_period

if TYPE_CHECKING:
    from countercase.config import RetrievalSettings
    from countercase.corpus.index.snapshot import Snapshot
    from countercase.encoders.base import Encoders

Ranks: TypeAlias = NDArray[np.int64]
Allowed: TypeAlias = NDArray[np.bool_]

MOST_SEARCHED: Final = 30_000
"""Characters whose precedents are looked for at once; reading more takes minutes."""

SCORED: Final = 100
"""Cases of a ranking whose scores are kept, for measures that look below the top K."""


@dataclass(frozen=True)
class Query:
    """One state of a case, as retrieval reads it; the order of its segments does not matter to scores.

    `pinned` are positions of segments that the cross-encoder must read; `reach` the number of segments
    of the unedited case (0: of this one), which sets for all its states how far a match must stand
    out; `weights` how much each segment counts, from 0 up, all alike where empty; `quoted` the sentences
    of the narrative as it stands, for rankers of what it quotes, the segments where empty.
    """

    segments: tuple[str, ...]
    pinned: frozenset[int] = frozenset()
    reach: int = 0
    weights: tuple[float, ...] = ()
    quoted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_type("Query", "segments", self.segments, [str])
        check_type("Query", "weights", self.weights, [float | int])
        given = len(self.weights or self.segments), all(0 <= it < inf for it in self.weights)
        if given != (len(self.segments), True):
            raise InputError("Query: weights must be one number from 0 up for each segment")
        check_type("Query", "reach", self.reach, int)

    @property
    def asked(self) -> tuple[tuple[str, float], ...]:
        """Every segment with its weight."""
        weights = self.weights or (1.0,) * len(self.segments)
        return tuple(zip(self.segments, weights, strict=True))

    @property
    def text(self) -> str:
        """The segments, joined by spaces."""
        return " ".join(self.segments)


@dataclass(frozen=True)
class Filters:
    """Which precedents may be ranked at all; None or empty: no condition.

    `bench` is a judge's name, or part of it; `provision` a normal form that the judgment must cite;
    `areas` are areas of law in any way of writing, of which the judgment's must be one. `good_law`
    leaves out what was overruled or superseded for facts that `occurred_on` a day.
    """

    year_from: int | None = None
    year_to: int | None = None
    court: str = ""
    bench: str = ""
    provision: str = ""
    areas: tuple[str, ...] = ()
    good_law: bool = False
    occurred_on: str = ""

    def __post_init__(self) -> None:
        kinds = {"year_from": int | None, "year_to": int | None, "areas": {str}, "good_law": bool}
        for name, value in vars(self).items():
            check_type("Filters", name, value, kinds.get(name, str))

    def of_facts(self, occurred_on: str) -> Filters:
        """These filters for a case whose facts happened on a day; only `good_law` depends on it."""
        return replace(self, occurred_on=occurred_on) if self.good_law else self

    def allow(self, metadata: Metadata) -> bool:
        """Return whether a judgment meets every condition; what is not known of it meets none."""
        year, bench, own = metadata.year, self.bench.lower(), self.provision
        conditions = (
            self.year_from is None or (year is not None and year >= self.year_from),
            self.year_to is None or (year is not None and year <= self.year_to),
            self.court.lower() in metadata.court.lower(),
            not bench or any(bench in judge.lower() for judge in metadata.bench),
            not self.areas or not set(metadata.areas).isdisjoint(map(area_name, self.areas)),
            not own or any(it == own or it.startswith(f"{own}(") for it in metadata.provisions),
            not (self.good_law and standing(metadata.treatment, facts_period(self.occurred_on))),
        )
        return all(conditions)

    def allowed(self, corpus: Snapshot, exclude: frozenset[str] = frozenset()) -> Allowed:
        """Return which cases of a corpus may be ranked, shape (cases,); InputError where none may."""
        if unknown := [area for area in self.areas if area_name(area) not in corpus.areas]:
            known = ", ".join(corpus.areas) or "none; its decisions state no area"
            named = f"no decision is of {', '.join(unknown)}"
            raise InputError(f"{named} (areas of this corpus: {known})")
        cases, all_meet = zip(corpus.case_ids, corpus.metadata, strict=True), self == Filters()
        told = (case not in exclude and (all_meet or self.allow(data)) for case, data in cases)
        allowed = np.fromiter(told, dtype=np.bool_)
        if not allowed.any():
            dated = any(data.year for data in corpus.metadata)
            advice = "widen the years or drop one" if dated else "no decision here has a date"
            raise InputError(f"the filters leave no precedent to rank; {advice}")
        return allowed

    @property
    def asked(self) -> dict[str, int | str | list[str]]:
        """The conditions that there are, by name."""
        values = {name: list(v) if isinstance(v, tuple) else v for name, v in vars(self).items()}
        return {name: value for name, value in values.items() if value not in (None, "", [], False)}


@dataclass(frozen=True)
class StageScore:
    """Rank (from 1) and score of a precedent at one stage."""

    rank: int
    score: float


@dataclass(frozen=True)
class Match:
    """The chunk of a precedent that answers a segment best: their positions in corpus and query,
    and what this pair adds to the precedent's score at the last stage that ran.
    """

    segment: int
    chunk: int
    weight: float


def check_size(text: str, most: int = MOST_SEARCHED) -> None:
    """Raise an `InputError` where a text to be searched for is blank or has more than `most` characters."""
    if not text.strip():
        raise InputError("the query is empty; write what to search for")
    if len(text) > most:
        told = f"the query has {len(text):,} characters, more than the {most:,} searched for"
        raise InputError(f"{told}; shorten it, or analyze it as a case")


def _find_nothing() -> Sequence[Match]:
    raise InputError("a copy of a ranking has no retriever to find passages; ask the original")


@dataclass(frozen=True)
class RankedCase:
    """One precedent of a ranking, with its trace through the stages.

    `case` is its position in the corpus, -1 where the retriever has no index of ours; `stages` are
    rank and score by name in the order in which they ran (each ranker, `fused`, `mmr`, `rerank`,
    `contrast`, `final`), without those switched off; `found` are the matches or what finds them.
    """

    case_id: str
    case: int
    rank: int
    score: float
    stages: Mapping[str, StageScore]
    found: Sequence[Match] | Callable[[], Sequence[Match]] = field(default=(), compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """A copy keeps the matches that were asked for, and not the retriever that finds them."""
        return vars(self) | ({"found": _find_nothing} if callable(self.found) else {})

    @cached_property
    def matches(self) -> Sequence[Match]:
        """The chunks that answer its segments best, largest weight first."""
        return self.found() if callable(self.found) else self.found


@dataclass(frozen=True)
class Ranking:
    """The top-K precedents of one state, in rank order.

    `pool` are all cases that reached the last stage, in its order, the results first; `scored` the
    first `SCORED` cases with the score of the fusion with the cross-encoder's vote: the pool in its
    order, then the others in fused order.
    """

    query: Query
    results: tuple[RankedCase, ...]
    top_k: int
    pool: tuple[str, ...] = field(default=(), compare=False)
    scored: tuple[tuple[str, float], ...] = field(default=(), compare=False)

    @property
    def order(self) -> tuple[tuple[str, float], ...]:
        """Ids and scores, best first, as deep as they are known; equal scores are ties."""
        return self.scored or tuple((result.case_id, result.score) for result in self.results)

    @property
    def case_ids(self) -> tuple[str, ...]:
        """The precedents' ids in rank order."""
        return tuple(result.case_id for result in self.results)


@dataclass(frozen=True)
class DenseRow:
    """A ranker's row that also says which chunk of each case answers the segment best.

    Each of shape (cases,): the best chunk's score, its position (-1 where the case was not looked
    at), and the standard deviations by which the score, less the case's hubness, lies above the
    mean of the corpus.
    """

    cosine: Scores
    chunk: NDArray[np.int64]
    z: Scores

    def strength(self, standout: float) -> Scores:
        """Return how far each score stands out from the corpus; see `beyond`."""
        return beyond(self.z, standout)


Row: TypeAlias = Scores | DenseRow
"""What a ranker says of one segment: a score for each case, shape (cases,), or a `DenseRow`."""


class Ranker(Protocol):
    """One channel of the hybrid retriever: a score of every case for each segment.

    A query's score is the weighted sum over its segments. A class may have `default_weight`, its weight in
    the fusion where the settings give none (1 otherwise), `reads = "quoted"`, where it ranks by the
    narrative as it stands in place of the segments, and `matches_only = True`, where it does not rank
    cases of score 0. Rankers that compare equal share rows.
    """

    name: str

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        """Prepare to rank the cases of a corpus; `corpus.case_text(at)` is the text of one."""

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> Sequence[Row]:
        """Return one row per segment; a segment's row depends on nothing but the segment."""


@runtime_checkable
class Retriever(Protocol):
    """Anything that ranks precedents for queries."""

    def retrieve(
        self,
        queries: Sequence[Query],
        *,
        top_k: int = 10,
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> list[Ranking]:
        """Return the top-K precedents of each query; the same query always gets the same ranking.

        Cases in `exclude` are never ranked: the case itself and its near-duplicates.
        """


@runtime_checkable
class Loading(Protocol):
    """A retriever that does the work of many queries at less cost than that of each alone."""

    def load(self, queries: Sequence[Query], progress: Progress | None = None) -> None:
        """Prepare to retrieve these queries; no ranking changes."""


def beyond(z: Scores, threshold: float, sharpness: float = 3.0) -> Scores:
    """ln(1 + exp(s·(z − threshold))) / s: the smooth form of max(0, z − threshold) of a sharpness s.

    What does not stand out adds next to nothing, and no two different scores become equal.
    """
    result: Scores = np.logaddexp(0.0, sharpness * (z - threshold)) / sharpness
    return result


def best_first(scores: Scores, allowed: Allowed | None = None) -> Ranks:
    """Return positions by descending rounded score; of equal scores the first, which has the smaller id."""
    places = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
    rounded = np.round(scores[places], DECIMALS)
    return places[np.argsort(-rounded, kind="stable")].astype(np.int64)


def ranks(order: Ranks, size: int) -> Ranks:
    """Return rank from 1 of each position; 0 for positions that are not in `order`."""
    result = np.zeros(size, dtype=np.int64)
    result[order] = np.arange(1, len(order) + 1)
    return result


def ranks_in(pool: Sequence[int], scores: Scores) -> Ranks:
    """Return rank from 1 of each case of a pool by its score; 0 for the others."""
    mask = np.bincount(np.array(pool, int), minlength=len(scores)) > 0
    return ranks(best_first(scores, mask), len(scores))
