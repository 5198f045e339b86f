"""Sensitivity: how far each fact type and each fact moves the ranking, and how sure one can be.

The sensitivity of a fact type is the mean of the mean rank displacements over the edges of that
type. The headline of a fact rests on its edges from the case as it is: the strongest of its what-ifs.
Deeper edges are shown as what they are and count for the type alone. Restatements, which say the same
facts in other words, are measured in the same way: the strongest of a fact's restatements is what its
strongest what-if has to beat.

The balance of allowed and dismissed among the precedents moves with each fact too. It is a count of what
became of the decisions that the search finds, and no forecast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from countercase.counterfactual.displacement import Distances, displacement, distances
from countercase.counterfactual.null_floor import Calibrated, permutation_p
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import PerturbationTree, moves_from_root
from countercase.facts.edits import Edit
from countercase.facts.model import Fact, FactSheet
from countercase.registry import FACT_TYPES

VerdictWord: TypeAlias = Literal[
    "dispositive", "not dispositive", "inconclusive", "not measurable", "refused", "not tried"
]

Criterion: TypeAlias = Literal["threshold", "calibrated"]
"""What a verdict rests on: a fixed threshold, or the null floor as well; see `null_floor`."""

CRITERIA: Final[tuple[Criterion, ...]] = ("threshold", "calibrated")


@dataclass(frozen=True)
class NullMove:
    """A restatement, the mean rank displacement that it caused, and the ids that it left, in order."""

    edit: Edit
    mean_displacement: float
    case_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class FactSensitivity:
    """What was measured of one fact.

    Attributes:
        sensitivity: the largest mean rank displacement over its edges from the root, 0 to K + 1;
            None where nothing was measured.
        strongest: the edit of that edge.
        edges: the number of its edges from the root.
        noise: the largest move by a restatement of the fact; None where none was measured, which
            is so of facts that hardly moved.
        beats: share of all restatements that moved the ranking less than this fact did.
        verdict: `inconclusive` where it passes the threshold but not its restatements; `not
            measurable` where the fact reaches no ranker; `refused` where the law allows none of
            its what-ifs; `not tried` where the analysis ended before it, or the retriever found
            nothing. By the calibrated criterion what passes the threshold is judged by `calibrated`,
            and `inconclusive` where only what-ifs that restatements say nothing of passed it.
        p_value: how often words alone move the ranking as far, by the restatements of the case:
            (b + 1) / (m + 1) where b of m moved it at least as far (Phipson and Smyth,
            "Permutation p-values should never be zero", 2010); None without restatements.
    """

    fact: Fact
    measurable: bool
    sensitivity: float | None
    edges: int
    noise: float | None
    beats: float | None
    verdict: VerdictWord
    p_value: float | None = None
    calibrated: Calibrated | None = None
    strongest: Edit | None = None


def compute_sensitivity_scores(tree: PerturbationTree) -> dict[str, float | None]:
    """Return sensitivity per fact type, in the order Section, PartyType, Evidence, Numerical, others.

    None for a type of which the tree has no measured edge; never 0 for want of measuring. What a user
    worded, and facts that the case does not have, do not count.
    """
    own = {fact.fact_id for fact in tree.sheet.facts}
    moves: dict[str, list[float]] = {name: [] for name in FACT_TYPES.names()}
    for edge, move in tree.measured():
        if not edge.edit.by_hand and edge.edit.fact_id in own:
            moves[edge.edit.fact_type].append(move.mean)
    return {name: sum(row) / len(row) if row else None for name, row in moves.items()}


def fact_sensitivities(
    sheet: FactSheet,
    tree: PerturbationTree,
    edits: Sequence[Edit],
    measurable: Sequence[str],
    nulls: Sequence[NullMove],
    threshold: float,
    calibrated: Mapping[str, Calibrated] | None = None,
) -> tuple[FactSensitivity, ...]:
    """Return what was measured of every fact of the sheet, and of facts that edits added.

    `edits` are all what-ifs proposed, `measurable` the ids of facts that reach retrieval;
    `calibrated` are by fact id the places against the null floor, None where verdicts rest on the
    threshold.
    """
    own = {fact.fact_id for fact in sheet.facts}
    added = {
        edit.fact_id: Fact(edit.fact_id, edit.fact_type, edit.after)
        for edit in edits
        if edit.after is not None and edit.fact_id not in own
    }
    moves, measured = moves_from_root(tree), []
    rejected = {it.edit.fact_id for it in tree.edges() if tree.node(it.target).status == "rejected"}
    for fact in [*sheet.facts, *(added[fact_id] for fact_id in sorted(added))]:
        reaches = fact.fact_id in measurable
        rows = moves.get(fact.fact_id, []) if reaches else []
        value, strongest = rows[0] if rows else (None, None)
        floor = None if value is None else (calibrated or {}).get(fact.fact_id)
        own_nulls = (null for null in nulls if null.edit.fact_id == fact.fact_id)
        noise = max((null.mean_displacement for null in own_nulls), default=None)
        verdict: VerdictWord
        if value is None:
            verdict = "refused" if fact.fact_id in rejected else "not tried"
            verdict = verdict if reaches else "not measurable"
        elif value <= threshold:  # whatever the floor is
            verdict = "not dispositive"
        elif calibrated is not None:
            verdict = floor.verdict if floor and floor.move > threshold else "inconclusive"
        else:
            verdict = "inconclusive" if noise is not None and value <= noise else "dispositive"
        beats = p_value = None
        if value is not None and nulls:
            beats = sum(null.mean_displacement < value for null in nulls) / len(nulls)
            p_value = permutation_p(value, [null.mean_displacement for null in nulls])
        found = FactSensitivity(
            fact, reaches, value, len(rows), noise, beats, verdict, p_value, floor, strongest
        )
        measured.append(found)
    return tuple(measured)


@dataclass(frozen=True)
class FactPanel:
    """One fact at several depths: by K the distances of its strongest what-if, and whether that
    moved the list further than each restatement of the fact.
    """

    fact_id: str
    distances: tuple[Distances, ...]
    beyond_words: tuple[bool, ...]

    @property
    def depends_on_k(self) -> bool:
        """Whether it moves the list beyond words at one K and not at another."""
        return len(set(self.beyond_words)) > 1


def fact_panels(
    tree: PerturbationTree, nulls: Sequence[NullMove], depths: Sequence[int]
) -> tuple[FactPanel, ...]:
    """Return the panel of each fact whose restatements were measured, in order of the tree.

    Depths beyond what the root's ranking holds are left out.
    """
    root = tree.root_ranking
    depths = [k for k in depths if k <= len(root.order)]
    before, panels = [case_id for case_id, _ in root.order], []
    for fact, moves in moves_from_root(tree).items():
        ranking = tree.node(State.of([moves[0][1]]).state_id).ranking
        own = [null for null in nulls if null.edit.fact_id == fact]
        if own and ranking is not None:
            row = tuple(distances(root.order, ranking.order, k) for k in depths)
            words = ([displacement(before, it.case_ids, k).mean for it in own] for k in depths)
            beyond = tuple(it.displacement > max(by) for it, by in zip(row, words, strict=True))
            panels.append(FactPanel(fact, row, beyond))
    return tuple(panels)


@dataclass(frozen=True)
class Balance:
    """What became of the decisions of a list; `other` is remanded, disposed of, or not known."""

    allowed: int
    partly_allowed: int
    dismissed: int
    other: int

    @property
    def leaning(self) -> float | None:
        """From -1, all dismissed, to 1, all allowed; partly allowed is 0; None where none counts."""
        counted = self.allowed + self.partly_allowed + self.dismissed
        return (self.allowed - self.dismissed) / counted if counted else None


@dataclass(frozen=True)
class OutcomeShift:
    """What a change of one fact of the case as it is does to the balance; `shift` is the change of
    the leaning, -2 to 2, None where either list has none.
    """

    fact_id: str
    edit_id: str
    balance: Balance
    shift: float | None


def balance_of(case_ids: Iterable[str], outcomes: Mapping[str, str]) -> Balance:
    """Count the outcomes of a list of decisions."""
    counts = Counter(outcomes.get(case, "") for case in case_ids)
    allowed, partly, dismissed = (counts[it] for it in ("allowed", "partly allowed", "dismissed"))
    return Balance(allowed, partly, dismissed, counts.total() - allowed - partly - dismissed)


def outcome_shifts(
    tree: PerturbationTree, outcomes: Mapping[str, str]
) -> tuple[Balance, tuple[OutcomeShift, ...]]:
    """Return the balance of the case as it is, and the shift by each change, the largest first."""
    before = balance_of(tree.root_ranking.case_ids, outcomes)
    shifts = []
    for edge, _ in tree.measured():
        after = tree.node(edge.target).ranking
        if edge.source == "root" and after is not None:
            balance = balance_of(after.case_ids, outcomes)
            old, new = before.leaning, balance.leaning
            shift = None if old is None or new is None else new - old
            shifts.append(OutcomeShift(edge.edit.fact_id, edge.edit.edit_id, balance, shift))
    return before, tuple(sorted(shifts, key=lambda it: -abs(it.shift or 0.0)))
