"""States: sets of edits, the query that each one is, and how the states of a case are ranked.

A query is a bag of weighted texts: the residue of the narrative, the same in every state, and one
statement for each fact. A state differs from its parent in the statements of the facts that changed
and in nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from countercase.errors import call
from countercase.facts.edits import STATED, Edit, apply_edits
from countercase.facts.model import Fact, FactSheet
from countercase.facts.residue import Segment, fit_into, residue_of, root_ranges
from countercase.io import Progress, tell
from countercase.registry import FACT_TYPES
from countercase.retrieval.base import Filters, Loading, Query, Ranking, Retriever
from countercase.retrieval.foreign import ask_retriever, name_of
from countercase.salience.facts import Weighing
from countercase.text.spans import one_line

_AT_ONCE: Final = 64

SEGMENT_WORDS: Final = 96
"""Most words of a segment where no word pieces are counted: about 128 word pieces."""


@dataclass(frozen=True)
class State:
    """A set of edits of one case; the root is the empty set. Edits are kept in order of id."""

    edits: tuple[Edit, ...] = ()

    @staticmethod
    def of(edits: Iterable[Edit]) -> State:
        """Return the state of these edits, in whatever order they come."""
        return State(tuple(sorted(edits, key=lambda edit: edit.edit_id)))

    @cached_property
    def state_id(self) -> str:
        """`root`, or a short name of the set of edits."""
        if not self.edits:
            return "root"
        joined = "\x1f".join(edit.edit_id for edit in self.edits)
        return "s" + hashlib.sha256(joined.encode()).hexdigest()[:10]


@dataclass(frozen=True)
class Renderer:
    """Turns the states of one case into queries.

    `count` is the length of a text, at most `limit` in a segment: in words, so that no model is
    needed, or in the word pieces of an encoder. Without a `weighing` all statements weigh the same.
    """

    sheet: FactSheet
    count: Callable[[str], int] = lambda text: len(text.split())
    limit: int = SEGMENT_WORDS
    weighing: Weighing | None = None
    _said: dict[tuple[str, str, int], str] = field(default_factory=dict, init=False, repr=False)
    _queries: dict[str, Query] = field(default_factory=dict, init=False, repr=False)

    def segments(self, state: State) -> tuple[Segment, ...]:
        """Return the texts of a state in narrative order, each statement where its fact is first."""
        templates = {edit.fact_id: edit.template for edit in state.edits if edit.null}
        statements = [
            Segment(text, fact.span, fact.fact_id)
            for fact in apply_edits(self.sheet, state.edits).facts
            if (text := self.statement(fact, templates.get(fact.fact_id, 0)))
        ]
        end = len(self.sheet.narrative)
        return tuple(
            sorted([*self._residue, *statements], key=lambda it: it.span.start if it.span else end)
        )

    def statement(self, fact: Fact, template: int = 0) -> str:
        """Return a fact of a state as one sentence."""
        key = fact.fact_id, repr(fact.value), template
        if key not in self._said:
            kind = FACT_TYPES.get(fact.fact_type) if fact.fact_type != STATED else None
            words = str(fact.value) if kind is None else kind.state(self.sheet, fact, template)
            self._said[key] = fit_into(one_line(words), self.count, self.limit)
        return self._said[key]

    def query(self, state: State) -> Query:
        """Return what retrieval reads of a state."""
        if known := self._queries.get(state.state_id):
            return known
        segments = self.segments(state)
        weigh = self.weighing.of if self.weighing else None
        weights = tuple(weigh(it.fact_id) if it.fact_id else 1.0 for it in segments if weigh)
        pinned = frozenset(at for at, segment in enumerate(segments) if segment.fact_id)
        texts = tuple(segment.text for segment in segments)
        query = Query(texts, pinned, max(len(self._quoted), 1), weights, self._quoted)
        return self._queries.setdefault(state.state_id, query)

    @cached_property
    def _residue(self) -> tuple[Segment, ...]:
        return residue_of(self.sheet, self.count, self.limit)

    @cached_property
    def _quoted(self) -> tuple[str, ...]:
        narrative = self.sheet.narrative
        ranges = root_ranges(narrative, self.count, self.limit)
        return tuple(one_line(narrative[span.start : span.end]) for span in ranges)


@dataclass(frozen=True)
class StateSearch:
    """Ranks the states of one case: a retriever, and what is the same for all of them.

    `exclude` are never ranked: the case itself and its near-duplicates.
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
            queries = [self.renderer.query(state) for state in states]
            call(f"load of {name_of(self.retriever)}", self.retriever.load, queries, self.progress)

    def rank(self, states: Sequence[State]) -> list[Ranking]:
        """Return the rankings of `states`, in their order, retrieved in one call."""
        queries = [self.renderer.query(state) for state in states]
        return ask_retriever(
            self.retriever, queries, top_k=self.top_k, exclude=self.exclude, filters=self.filters,
            progress=self.progress,
        )  # fmt: skip

    def rank_many(self, states: Sequence[State], what: str) -> Iterator[Ranking]:
        """Yield the rankings of many states, in their order, some at a time; progress says `what`."""
        for start in range(0, len(states), _AT_ONCE):
            batch = states[start : start + _AT_ONCE]
            yield from self.rank(batch)
            tell(self.progress, what, start + len(batch), len(states))
