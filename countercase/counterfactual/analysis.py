"""The analysis of one case: its tree, its null edits, its sensitivities."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from countercase.config import TreeSettings
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.lawful import Validator, open_validator
from countercase.counterfactual.null_floor import Calibrated, calibrate, comparable_moves
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.sensitivity import (
    CRITERIA,
    Criterion,
    FactSensitivity,
    NullMove,
    compute_sensitivity_scores,
    fact_sensitivities,
)
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.tree import PerturbationTree, moves_from_root
from countercase.errors import InputError
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.facts.residue import Segment
from countercase.io import Progress, tell
from countercase.registry import FACT_TYPES
from countercase.retrieval.base import Filters, Ranking, Retriever
from countercase.salience.facts import Salience

ROOT: Final = "the case as it is"
NULLS: Final = "restatements"
"""What an analysis reports as progress, beside `tree.GROWING` and what the retriever reports."""


@dataclass(frozen=True)
class Analysis:
    """The sensitivities of a case, with everything they were computed from.

    Attributes:
        sensitivity: per fact type; None where no edge of the type was measured.
        facts: per fact, sheet order, added evidence last.
        excluded: ids of the case itself and its near-duplicates in the corpus; empty where the
            retriever cannot recognise them.
        complete: False where it was interrupted; what is there is sound, but not all.
        timings: seconds per phase; the only part that may differ between two runs.
        segments: the texts of the case as it is: the residue and the statements of its facts.
        null_p: p of null values held out, where the null floor was measured; see `calibrate`.
        salience: by fact id, what the model estimates of each fact of the case, and why.
        filters: which precedents could be ranked.
        criterion: what the verdicts rest on.
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
    segments: tuple[Segment, ...] = ()
    null_p: tuple[float, ...] = ()
    salience: Mapping[str, Salience] = field(default_factory=dict)
    filters: Filters = field(default_factory=Filters)
    criterion: Criterion = "threshold"

    @property
    def precedents(self) -> Ranking:
        """The ranking of the case as it is."""
        return self.tree.root_ranking


def search_of(
    retriever: Retriever,
    renderer: Renderer,
    top_k: int,
    filters: Filters | None = None,
    progress: Progress | None = None,
) -> StateSearch:
    """What ranks the states of a case, the case itself and its near-duplicates left out."""
    exclude: frozenset[str] = frozenset()
    filters = filters and filters.of_facts(renderer.sheet.occurred_on)
    if twins := getattr(retriever, "twins", None):  # it knows whether its corpus holds the case
        sheet = renderer.sheet
        exclude = twins(renderer.query(State()), sheet.case_id, sheet.title)
    return StateSearch(renderer, retriever, top_k, exclude, filters, progress)


def analyze_sheet(
    sheet: FactSheet,
    retriever: Retriever,
    settings: TreeSettings,
    *,
    renderer: Renderer | None = None,
    types: Sequence[str] | None = None,
    filters: Filters | None = None,
    validator: Validator | str = "rules",
    by_hand: Sequence[Edit] = (),
    criterion: Criterion = "threshold",
    progress: Progress | None = None,
    watch: Callable[[Callable[[], Analysis]], None] | None = None,
) -> Analysis:
    """Measure which facts of `sheet` move its precedents.

    An interruption (KeyboardInterrupt) after the root was ranked ends the analysis early; the
    result then says that it is not complete. InputError where the sheet has no fact of the types.

    Args:
        retriever: any retriever; of one without `twins` nothing is excluded, so a corpus that
            holds the case itself should be given without it.
        renderer: cuts the narrative into segments; by default by words, without a model.
        types: the fact types to change; None for all.
        validator: the name of a registered validator (else ConfigError), or one that is open.
        by_hand: edits that a user worded, measured first; see `read_suppositions`.
        criterion: what verdicts rest on; `calibrated` measures the null floor, which takes longer.
        watch: given, before the tree grows, what returns the analysis as it is by then.
    """
    if criterion not in CRITERIA:
        raise InputError(f"criterion {criterion!r}: choose {' or '.join(CRITERIA)}")
    types = FACT_TYPES.names() if types is None else types
    edits = propose(sheet, types)
    if not any(sheet.of_type(name) for name in types):
        raise InputError(
            f"{sheet.case_id}: no fact of type {', '.join(types)} was found, so there is nothing "
            "to change; state sections_cited, parties, evidence_items or numerical_facts"
        )
    renderer, judge = renderer or Renderer(sheet), open_validator(validator)
    search = search_of(retriever, renderer, settings.top_k, filters, progress)
    times = [("", time.perf_counter())]
    tree = PerturbationTree(sheet, settings)
    nulls, floors, null_p = list[NullMove](), dict[str, Calibrated](), tuple[float, ...]()

    def so_far() -> Analysis:
        measurable = [fact.fact_id for fact in sheet.facts if renderer.statement(fact)]
        measurable += [edit.fact_id for edit in edits if edit.operation == "add"]
        placed = floors if criterion == "calibrated" else None
        return Analysis(
            sheet=sheet,
            tree=tree,
            nulls=tuple(nulls),
            sensitivity=compute_sensitivity_scores(tree),
            facts=fact_sensitivities(
                sheet, tree, edits, measurable, nulls, settings.dispositive_threshold, placed
            ),
            null_p=null_p,
            excluded=tuple(sorted(search.exclude)),
            edits=tuple(edits),
            complete=tree.complete,
            timings={name: round(end - start, 3) for (_, start), (name, end) in pairwise(times)},
            segments=renderer.segments(State()),
            salience=dict(renderer.weighing.facts) if renderer.weighing else {},
            filters=search.filters or Filters(),
            criterion=criterion,
        )

    tell(progress, ROOT, 0, 1)
    tree.rank_root(search)
    if watch is not None:
        watch(so_far)
    times.append(("root", time.perf_counter()))
    try:
        if by_hand:
            tree.add_by_hand(by_hand, search, judge)
        tree.grow(edits, search, judge, progress)
        times.append(("tree", time.perf_counter()))
        root, restated = tree.rank_root(search), _restated(sheet, tree)
        states = [State.of([edit]) for edit in restated]
        for edit, after in zip(restated, search.rank_many(states, NULLS), strict=True):
            mean = displacement(root.case_ids, after.case_ids, search.top_k).mean
            nulls.append(NullMove(edit, mean, tuple(case_id for case_id, _ in after.order)))
        if criterion == "calibrated":
            moves, least = comparable_moves(tree), settings.min_displacement
            tests = {f: [e for _, e in own] for f, own in moves.items() if own[0][0] >= least}
            floors, null_p = calibrate(tree, search, tests, len(moves))
    except KeyboardInterrupt:
        tree.complete = False  # what was measured is reported
    times.append(("nulls", time.perf_counter()))
    return so_far()


def _restated(sheet: FactSheet, tree: PerturbationTree) -> list[Edit]:
    """The restatements of the facts that moved the list furthest, whole facts while they fit."""
    own = {fact.fact_id: fact for fact in sheet.facts}
    moves = {f: rows[0][0] for f, rows in moves_from_root(tree).items() if f in own}
    edits: list[Edit] = []
    for fact_id in sorted(moves, key=lambda it: (-moves[it], it)):
        further = propose_nulls(sheet, [own[fact_id]])
        passing = moves[fact_id] > tree.settings.dispositive_threshold
        if not passing and len(edits) + len(further) > tree.settings.null_edits:
            break
        edits += further
    return edits
