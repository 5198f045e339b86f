"""The analysis of one case: its tree, its null edits, its sensitivities."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from countercase.config import Settings
from countercase.counterfactual.displacement import mean_rank_displacement
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.sensitivity import (
    FactSensitivity,
    NullMove,
    compute_sensitivity_scores,
    fact_sensitivities,
)
from countercase.counterfactual.states import Renderer, State
from countercase.counterfactual.tree import PerturbationTree, grow
from countercase.counterfactual.validators import RuleValidator, Validator
from countercase.errors import InputError
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet, FactType
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import Progress
from countercase.retrieval.base import Filters, Query, Ranking
from countercase.retrieval.hybrid import HybridRetriever

Phase = Callable[[str, int, int], None]
"""Called with the phase (`root`, `nulls`, `tree`), steps done and steps in all."""


@dataclass(frozen=True)
class Analysis:
    """What the analysis of a case found.

    Attributes:
        sensitivity: per fact type; None where no edge of the type was measured.
        facts: per fact, sheet order, added evidence last.
        excluded: ids of the case itself and its near-duplicates in the corpus.
        complete: False where it was interrupted; what is there is sound, but not all.
        timings: seconds per phase; the only part that may differ between two runs.
    """

    sheet: FactSheet
    tree: PerturbationTree
    nulls: tuple[NullMove, ...]
    sensitivity: dict[str, float | None]
    facts: tuple[FactSensitivity, ...]
    excluded: tuple[str, ...]
    edits: tuple[Edit, ...]
    complete: bool
    timings: dict[str, float] = field(compare=False)

    @property
    def precedents(self) -> Ranking:
        """The ranking of the case as it is."""
        ranking = self.tree.root.ranking
        assert ranking is not None
        return ranking


def analyze_sheet(
    sheet: FactSheet,
    retriever: HybridRetriever,
    renderer: Renderer,
    settings: Settings,
    types: Sequence[FactType] = FACT_TYPES,
    filters: Filters | None = None,
    validator: Validator | None = None,
    phase: Phase | None = None,
    report: Progress | None = None,
) -> Analysis:
    """Measure which facts of `sheet` move its precedents.

    An interruption (KeyboardInterrupt) after the root was ranked ends the analysis early; the
    result then says that it is not complete.

    Raises:
        InputError: the sheet has no fact of the types asked for.
    """
    if not any(sheet.of_type(kind) for kind in types):
        raise InputError(
            f"{sheet.case_id}: no fact of type {', '.join(types)} was found, so there is nothing "
            "to change; state sections_cited, parties, evidence_items or numerical_facts"
        )
    exclude = retriever.twins(renderer.query(State()), sheet.case_id, sheet.title)

    def retrieve(queries: Sequence[Query]) -> list[Ranking]:
        return retriever.retrieve(
            queries, top_k=settings.TOP_K, exclude=exclude, filters=filters, progress=report
        )

    clock = _Clock()
    edits = propose(sheet, types)
    tree = PerturbationTree(sheet, settings)
    nulls: tuple[NullMove, ...] = ()
    tell = phase or (lambda name, done, of: None)
    tell("root", 0, 1)
    retrieve([renderer.query(State())])
    clock.lap("root")
    try:
        nulls = _measure_nulls(sheet, renderer, retrieve, settings, types, tell)
        clock.lap("nulls")
        grow(
            tree, edits, renderer, retrieve, validator or RuleValidator(),
            lambda done, of: tell("tree", done, of),
        )  # fmt: skip
    except KeyboardInterrupt:
        if "root" not in tree.graph:
            _keep_root(tree, renderer, retrieve)
    clock.lap("tree")
    by_fact: dict[str, list[Edit]] = {}
    for edit in edits:
        by_fact.setdefault(edit.fact_id, []).append(edit)
    measurable = [key for key, listed in by_fact.items() if renderer.measurable(listed)]
    return Analysis(
        sheet=sheet,
        tree=tree,
        nulls=nulls,
        sensitivity=compute_sensitivity_scores(tree),
        facts=fact_sensitivities(
            sheet, tree, edits, measurable, nulls, settings.DISPOSITIVE_THRESHOLD
        ),
        excluded=tuple(sorted(exclude)),
        edits=tuple(edits),
        complete=tree.complete,
        timings=clock.laps,
    )


def _keep_root(
    tree: PerturbationTree,
    renderer: Renderer,
    retrieve: Callable[[Sequence[Query]], list[Ranking]],
) -> None:
    """Put the root into a tree that was interrupted before it had one; its ranking is known."""
    from countercase.counterfactual.tree import Node

    [ranking] = retrieve([renderer.query(State())])
    tree.put(Node(State(), "root", 0, ranking))


def _measure_nulls(
    sheet: FactSheet,
    renderer: Renderer,
    retrieve: Callable[[Sequence[Query]], list[Ranking]],
    settings: Settings,
    types: Sequence[FactType],
    tell: Phase,
) -> tuple[NullMove, ...]:
    chosen = _nulls_in_turn(sheet, types)[: settings.NULL_EDITS]
    if not chosen:
        return ()
    tell("nulls", 0, len(chosen))
    states = [State(), *(State.of([edit]) for edit in chosen)]
    root, *moved = retrieve([renderer.query(state) for state in states])
    tell("nulls", len(chosen), len(chosen))
    return tuple(
        NullMove(
            edit,
            mean_rank_displacement(root.case_ids, ranking.case_ids, settings.TOP_K).mean,
        )
        for edit, ranking in zip(chosen, moved, strict=True)
    )


def _nulls_in_turn(sheet: FactSheet, types: Sequence[FactType]) -> list[Edit]:
    """The null edits, the fact types in turn and within a type its facts in turn."""
    queues: list[list[Edit]] = []
    for kind in types:
        seen: dict[str, int] = {}
        ranked: list[tuple[int, Edit]] = []
        for edit in propose_nulls(sheet):
            if edit.fact_type == kind:
                seen[edit.fact_id] = seen.get(edit.fact_id, 0) + 1
                ranked.append((seen[edit.fact_id], edit))
        queues.append([edit for _, edit in sorted(ranked, key=lambda item: item[0])])
    longest = max((len(queue) for queue in queues), default=0)
    return [queue[at] for at in range(longest) for queue in queues if at < len(queue)]


class _Clock:
    """Seconds between laps."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(now - self._last, 3)
        self._last = now
