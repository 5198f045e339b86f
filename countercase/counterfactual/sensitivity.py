"""Sensitivity: how far each fact type and each fact moves the ranking, and how sure one can be.

The sensitivity of a fact type is the mean of the mean rank displacements over the edges of that
type; that of a fact is the same over its own edges. Null edits, which change the words and not the
law, are measured in the same way: they say how far a ranking moves when no fact changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from countercase.counterfactual.null_floor.floor import Calibrated
from countercase.counterfactual.panel import Distances
from countercase.counterfactual.tree import PerturbationTree
from countercase.facts.edits import Edit
from countercase.facts.model import Fact, FactSheet
from countercase.registry import FACT_TYPES

VerdictWord: TypeAlias = Literal[
    "dispositive", "not dispositive", "inconclusive", "no line", "not measurable", "not tried"
]

Criterion: TypeAlias = Literal["threshold", "calibrated"]
"""What a verdict rests on: a fixed threshold, or the null floor; see `null_floor`."""

CRITERIA: Final[tuple[Criterion, ...]] = ("threshold", "calibrated")


@dataclass(frozen=True)
class NullMove:
    """A null edit, the mean rank displacement that it caused, and the move at other depths."""

    edit: Edit
    mean_displacement: float
    panel: tuple[Distances, ...] = ()


@dataclass(frozen=True)
class FactSensitivity:
    """What was measured of one fact.

    Attributes:
        sensitivity: mean over its edges, 0 to K + 1; None where nothing was measured.
        edges: the number of those edges.
        noise: what the sensitivity must pass beside the threshold; None without null edits.
        beats: share of all null edits that moved the ranking less than this fact did.
        verdict: `inconclusive` where it passes the threshold but not the noise; `no line` where the
            law draws no line there, or none that the facts leave room for, so that no edit was
            proposed; `not tried` where an edit was, or rules of proof have one, and none was
            measured.
            Where there is `calibrated`, its verdict on what was measured.
        p_value: how often words alone move the ranking as far, by the null edits of the case:
            (b + 1) / (m + 1) where b of m moved it at least as far (Phipson and Smyth,
            "Permutation p-values should never be zero", 2010); None without null edits.
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

    @property
    def floor(self) -> float | None:
        """What the verdict was held against: the null floor where it is calibrated, else `noise`."""
        return self.calibrated.floor if self.calibrated else self.noise


def compute_sensitivity_scores(tree: PerturbationTree) -> dict[str, float | None]:
    """Sensitivity per fact type, in the order Section, PartyType, Evidence, Numerical, others.

    None for a type of which the tree has no measured edge; never 0 for want of measuring.
    """
    return {name: _mean(_moves(tree, fact_type=name)) for name in FACT_TYPES.names()}


def fact_sensitivities(
    sheet: FactSheet,
    tree: PerturbationTree,
    edits: Sequence[Edit],
    measurable: Sequence[str],
    nulls: Sequence[NullMove],
    threshold: float,
) -> tuple[FactSensitivity, ...]:
    """What was measured of every fact of the sheet, and of evidence that edits added.

    Args:
        edits: all edits that were proposed.
        measurable: ids of the facts of which some edit changes what retrieval reads.
    """
    own = {fact.fact_id for fact in sheet.facts}
    added = {
        edit.fact_id: Fact(edit.fact_id, edit.fact_type, edit.new_value)
        for edit in edits
        if edit.new_value is not None and edit.fact_id not in own
    }
    proposed = {edit.fact_id for edit in edits}
    return tuple(
        _fact_sensitivity(
            fact, tree, fact.fact_id in proposed, fact.fact_id in measurable, nulls, threshold
        )
        for fact in [*sheet.facts, *(added[fact_id] for fact_id in sorted(added))]
    )


def _fact_sensitivity(
    fact: Fact,
    tree: PerturbationTree,
    proposed: bool,
    measurable: bool,
    nulls: Sequence[NullMove],
    threshold: float,
) -> FactSensitivity:
    moves = _moves(tree, fact_id=fact.fact_id)
    value = _mean(moves)
    noise = noise_floor(fact.fact_id, fact.fact_type, nulls)
    verdict: VerdictWord
    if proposed and not measurable:
        value, verdict = None, "not measurable"
    elif value is None:
        verdict = "not tried" if proposed or fact.fact_type == "Evidence" else "no line"
    elif value <= threshold:
        verdict = "not dispositive"
    elif noise is not None and value <= noise:
        verdict = "inconclusive"
    else:
        verdict = "dispositive"
    beats = p_value = None
    if value is not None and nulls:
        smaller = sum(null.mean_displacement < value for null in nulls)
        beats = smaller / len(nulls)
        p_value = (len(nulls) - smaller + 1) / (len(nulls) + 1)
    return FactSensitivity(fact, measurable, value, len(moves), noise, beats, verdict, p_value)


def calibrated_facts(
    facts: Sequence[FactSensitivity], calibrated: Mapping[str, Calibrated]
) -> tuple[FactSensitivity, ...]:
    """The facts with their place against the null floor, and the verdict that follows.

    A fact that was measured only together with others has no place there: it is inconclusive.
    """

    def judged(fact: FactSensitivity) -> FactSensitivity:
        if fact.sensitivity is None or fact.verdict == "no line":
            return fact
        floor = calibrated.get(fact.fact.fact_id)
        return replace(
            fact, calibrated=floor, verdict="inconclusive" if floor is None else floor.verdict
        )

    return tuple(map(judged, facts))


def noise_floor(fact_id: str, fact_type: str, nulls: Sequence[NullMove]) -> float | None:
    """How far words alone move the ranking, for one fact.

    The largest move by a null edit of the fact itself; where it has none, the mean over those of
    its type; where that has none, the mean over all.
    """
    own = [null.mean_displacement for null in nulls if null.edit.fact_id == fact_id]
    if own:
        return max(own)
    of_type = [null.mean_displacement for null in nulls if null.edit.fact_type == fact_type]
    return _mean(of_type or [null.mean_displacement for null in nulls])


def _moves(
    tree: PerturbationTree, fact_type: str | None = None, fact_id: str | None = None
) -> list[float]:
    """The mean displacements over the edges of one type, or of one fact; none by hand."""
    return [
        change.mean
        for edge, change in tree.measured()
        if fact_type in (None, edge.edit.fact_type)
        and fact_id in (None, edge.edit.fact_id)
        and tree.node(edge.target).status != "by_hand"
    ]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
