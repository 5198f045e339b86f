"""Sensitivity: what the tree says of each fact type and of each fact, and how sure one can be.

The sensitivity of a fact type is the mean of the mean rank displacements over the edges of that
type, and that of a fact the same over its own edges. Null edits, which change the words and not
the law, are measured in the same way: they say how far a ranking moves when nothing did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from countercase.counterfactual.tree import PerturbationTree
from countercase.fact_types.numerical.edits import SCALE
from countercase.facts.edits import Edit
from countercase.facts.model import Fact, FactSheet
from countercase.facts.vocabulary import fact_type_names

VerdictWord: TypeAlias = Literal[
    "dispositive", "not dispositive", "within noise", "not measurable", "not tried"
]


@dataclass(frozen=True)
class NullMove:
    """A null edit and the mean rank displacement that it caused."""

    edit: Edit
    mean_displacement: float


@dataclass(frozen=True)
class FactSensitivity:
    """What was measured of one fact.

    Attributes:
        sensitivity: mean over its edges, 0 to K + 1; None where nothing was measured.
        edges: how many edges that is.
        noise: what the sensitivity must pass beside the threshold; None without null edits.
        beats: share of all null edits that moved the ranking less than this fact did.
        verdict: `within noise` where it passes the threshold but not the noise, and where it was
            only changed by scale: the law draws no line there, so no move of it is more than noise.
    """

    fact: Fact
    measurable: bool
    sensitivity: float | None
    edges: int
    noise: float | None
    beats: float | None
    verdict: VerdictWord


def compute_sensitivity_scores(tree: PerturbationTree) -> dict[str, float | None]:
    """Sensitivity per fact type, in the order of the registry.

    None for a type of which the tree has no measured edge; never 0 for want of measuring.
    """
    return {kind: _mean(_moves(tree, fact_type=kind)) for kind in fact_type_names()}


def fact_sensitivities(
    sheet: FactSheet,
    tree: PerturbationTree,
    tried: Sequence[Edit],
    measurable: Sequence[str],
    nulls: Sequence[NullMove],
    threshold: float,
) -> tuple[FactSensitivity, ...]:
    """What was measured of every fact of the sheet, and of evidence that edits added.

    Args:
        tried: all edits that were proposed.
        measurable: ids of the facts of which some edit changes what retrieval reads.
    """
    added = {
        edit.fact_id: Fact(edit.fact_id, edit.fact_type, edit.new_value)
        for edit in tried
        if edit.new_value is not None and edit.fact_id not in {f.fact_id for f in sheet.facts}
    }
    proposed = {edit.fact_id for edit in tried}
    found = []
    for fact in [*sheet.facts, *(added[key] for key in sorted(added))]:
        moves = _moves(tree, fact_id=fact.fact_id)
        value = _mean(moves)
        reaches = fact.fact_id in measurable
        noise = noise_floor(fact, nulls)
        verdict: VerdictWord
        if fact.fact_id in proposed and not reaches:
            value, verdict = None, "not measurable"
        elif value is None:
            verdict = "not tried"
        elif value <= threshold:
            verdict = "not dispositive"
        elif (noise is not None and value <= noise) or _only_scaled(tree, fact.fact_id):
            verdict = "within noise"
        else:
            verdict = "dispositive"
        found.append(
            FactSensitivity(
                fact=fact,
                measurable=reaches,
                sensitivity=value,
                edges=len(moves),
                noise=noise,
                beats=_beats(value, nulls),
                verdict=verdict,
            )
        )
    return tuple(found)


def noise_floor(fact: Fact, nulls: Sequence[NullMove]) -> float | None:
    """How far words alone move the ranking, for one fact.

    The largest move by a null edit of the fact itself; where it has none, the mean over those of
    its type; where that has none, the mean over all.
    """
    own = [null.mean_displacement for null in nulls if null.edit.fact_id == fact.fact_id]
    if own:
        return max(own)
    kind = [null.mean_displacement for null in nulls if null.edit.fact_type == fact.fact_type]
    return _mean(kind or [null.mean_displacement for null in nulls])


def _beats(value: float | None, nulls: Sequence[NullMove]) -> float | None:
    if value is None or not nulls:
        return None
    return sum(null.mean_displacement < value for null in nulls) / len(nulls)


def _only_scaled(tree: PerturbationTree, fact_id: str) -> bool:
    """Whether no measured edge of the fact crosses a line of the law."""
    return all(
        edge.edit.rule == SCALE for edge, _ in tree.measured() if edge.edit.fact_id == fact_id
    )


def _moves(
    tree: PerturbationTree, fact_type: str | None = None, fact_id: str | None = None
) -> list[float]:
    return [
        change.mean
        for edge, change in tree.measured()
        if (fact_type is None or edge.edit.fact_type == fact_type)
        and (fact_id is None or edge.edit.fact_id == fact_id)
    ]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
