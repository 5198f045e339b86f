"""States: sets of edits, and the query that each one is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import FactSheet
from countercase.facts.segments import Segment, render, root_ranges
from countercase.retrieval.base import Query


@dataclass(frozen=True)
class State:
    """A set of edits of one case; the root is the empty set. Edits are kept in order of id."""

    edits: tuple[Edit, ...] = ()

    @staticmethod
    def of(edits: Iterable[Edit]) -> State:
        """The state of these edits, in whatever order they come."""
        return State(tuple(sorted(edits, key=lambda edit: edit.edit_id)))

    def plus(self, edit: Edit) -> State:
        """This state with one more edit."""
        return State.of([*self.edits, edit])

    @property
    def state_id(self) -> str:
        """`root`, or a short name of the set of edits."""
        if not self.edits:
            return "root"
        joined = "\x1f".join(edit.edit_id for edit in self.edits)
        return "s" + hashlib.sha256(joined.encode()).hexdigest()[:10]

    @property
    def fact_ids(self) -> frozenset[str]:
        """The facts that are changed, those that the law takes along among them."""
        return frozenset(fact_id for edit in self.edits for fact_id in edit.fact_ids)


class Renderer:
    """Turns the states of one case into queries, segment by segment.

    The narrative is cut once, at the root; an edit then changes the segments that it touches and no
    other, so that every other segment's scores stay what they were.

    Args:
        count: word pieces of a text.
        limit: most word pieces of a segment.
    """

    def __init__(self, sheet: FactSheet, count: Callable[[str], int], limit: int) -> None:
        self.sheet = sheet
        self._count, self._limit = count, limit
        self._ranges = root_ranges(sheet.narrative, count, limit)

    def segments(self, state: State) -> tuple[Segment, ...]:
        """The segments of a state."""
        changed = apply_edits(self.sheet, state.edits)
        replacements = [(r.start, r.end, r.text) for edit in state.edits for r in edit.changes]
        return render(
            self.sheet, changed.facts, sorted(replacements), self._ranges, self._count, self._limit
        )

    def query(self, state: State) -> Query:
        """What retrieval reads of a state."""
        segments = self.segments(state)
        pinned = frozenset(at for at, segment in enumerate(segments) if segment.fact_ids)
        return Query(tuple(segment.text for segment in segments), pinned, len(self._ranges))

    def measurable(self, edits: Sequence[Edit]) -> bool:
        """Whether any of the edits changes what retrieval reads."""
        root = self.query(State()).segments
        return any(self.query(State.of([edit])).segments != root for edit in edits)
