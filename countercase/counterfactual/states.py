"""States: sets of edits, the query that each one is, and how the states of a case are ranked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import FactSheet
from countercase.facts.segments import Segment, render, root_ranges
from countercase.io import Progress
from countercase.retrieval.base import Filters, Loading, Query, Ranking, Retriever
from countercase.salience.case import CaseSalience, weighed, weighed_features
from countercase.salience.model import Salience

_AT_ONCE: Final = 64

SEGMENT_WORDS: Final = 96
"""Most words of a segment where no word pieces are counted: about 128 word pieces."""


@dataclass(frozen=True)
class State:
    """A set of edits of one case; the root is the empty set. Edits are kept in order of id.

    Args:
        as_worded: whether every edit counts in full, whatever the salience of its fact.
    """

    edits: tuple[Edit, ...] = ()
    as_worded: bool = False

    @staticmethod
    def of(edits: Iterable[Edit], as_worded: bool = False) -> State:
        """The state of these edits, in whatever order they come."""
        return State(tuple(sorted(edits, key=lambda edit: edit.edit_id)), as_worded)

    def plus(self, edit: Edit) -> State:
        """This state with one more edit."""
        return State.of([*self.edits, edit])

    @cached_property
    def state_id(self) -> str:
        """`root`, or a short name of the set of edits."""
        if not self.edits:
            return "root"
        joined = "\x1f".join(edit.edit_id for edit in self.edits) + "\x1fw" * self.as_worded
        return "s" + hashlib.sha256(joined.encode()).hexdigest()[:10]

    @property
    def fact_ids(self) -> frozenset[str]:
        """The facts that change, with those that follow by law."""
        return frozenset(fact_id for edit in self.edits for fact_id in edit.fact_ids)


def count_words(text: str) -> int:
    """The words of a text: the length of a segment where no model is open."""
    return len(text.split())


class Renderer:
    """Turns the states of one case into queries, segment by segment.

    The narrative is cut once, at the root. An edit changes the segments that it touches and no
    other, so the scores of every other segment stay what they were.

    Args:
        count: the length of a text, in the unit of `limit`: words, so that no model is needed, or
            the word pieces of an encoder.
        limit: the greatest length of a segment.
        salience: how much the facts and segments of the case weigh; all the same where None.
        features: whether the queries also hold the features of the facts, for a ranker of those.
    """

    def __init__(
        self,
        sheet: FactSheet,
        count: Callable[[str], int] = count_words,
        limit: int = SEGMENT_WORDS,
        salience: CaseSalience | None = None,
        features: bool = False,
    ) -> None:
        self.sheet = sheet
        self._features = features
        self._count, self._limit = count, limit
        self._ranges = root_ranges(sheet.narrative, count, limit)
        self._salience = salience
        self._queries: dict[State, Query] = {}

    def segments(self, state: State) -> tuple[Segment, ...]:
        """The segments of a state."""
        changed = apply_edits(self.sheet, state.edits)
        replacements = [(r.start, r.end, r.text) for edit in state.edits for r in edit.changes]
        return render(
            self.sheet, changed.facts, sorted(replacements), self._ranges, self._count, self._limit
        )

    def query(self, state: State) -> Query:
        """What retrieval reads of a state."""
        if state not in self._queries:
            self._queries[state] = self._query(state)
        return self._queries[state]

    def _query(self, state: State) -> Query:
        segments = self.segments(state)
        weights: tuple[float, ...]
        former: tuple[tuple[str, float], ...]
        if self._salience is None:
            weights, former = (), ()
        else:
            salience = self._salience.as_worded() if state.as_worded else self._salience
            weights, former = weighed(self._root, segments, state.edits, salience)
        pinned = frozenset(at for at, segment in enumerate(segments) if segment.fact_ids)
        texts = tuple(segment.text for segment in segments)
        features = None
        if self._features:
            features = weighed_features(apply_edits(self.sheet, state.edits), self.salience)
        return Query(texts, pinned, len(self._ranges), weights, former, features)

    @cached_property
    def _root(self) -> tuple[Segment, ...]:
        return self.segments(State())

    @property
    def salience(self) -> dict[str, Salience]:
        """How much each fact weighs, by fact id; empty where all weigh the same."""
        return {} if self._salience is None else self._salience.facts

    def measurable(self, edits: Sequence[Edit]) -> bool:
        """Whether any of the edits changes what retrieval reads."""
        root = self.query(State()).segments
        return any(self.query(State.of([edit])).segments != root for edit in edits)


@dataclass(frozen=True)
class StateSearch:
    """Ranks the states of one case: a retriever, and what is the same for all of them.

    Args:
        exclude: ids that are never ranked: the case itself and its near-duplicates.
    """

    renderer: Renderer
    retriever: Retriever
    top_k: int = 10
    exclude: frozenset[str] = frozenset()
    filters: Filters | None = None
    progress: Progress | None = None

    def load(self, states: Sequence[State]) -> None:
        """Let the retriever prepare for all these states at once, where it can."""
        if isinstance(self.retriever, Loading):
            self.retriever.load([self.renderer.query(state) for state in states], self.progress)

    def rank(self, states: Sequence[State]) -> list[Ranking]:
        """The rankings of `states`, in their order, retrieved in one call."""
        return self.retriever.retrieve(
            [self.renderer.query(state) for state in states],
            top_k=self.top_k,
            exclude=self.exclude,
            filters=self.filters,
            progress=self.progress,
        )

    def rank_many(self, states: Sequence[State], what: str) -> Iterator[Ranking]:
        """The rankings of many states, in their order, some at a time; progress says `what`."""
        for start in range(0, len(states), _AT_ONCE):
            batch = states[start : start + _AT_ONCE]
            yield from self.rank(batch)
            if self.progress is not None:
                self.progress(what, start + len(batch), len(states))
