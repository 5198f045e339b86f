"""Verdicts when a case is told in other words: all its facts restated at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.proposals import propose_nulls
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import moves_from_root
from countercase.evaluation.experiment import measure, table
from countercase.evaluation.report import Section
from countercase.evaluation.result_store import counted
from countercase.evaluation.statistics import mean_estimate, share
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import FactSheet
from countercase.io import Progress


@dataclass(frozen=True)
class Verdicts:
    """What is said of a fact of the case as it is, and of the same fact in other words."""

    case_id: str
    fact: str
    sensitivity: tuple[float, float]
    dispositive: tuple[bool, bool]

    @property
    def changed(self) -> bool:
        """Whether the words decide what is said."""
        return self.dispositive[0] != self.dispositive[1]


def reworded(sheet: FactSheet) -> State:
    """Return the case with every fact restated, each by the first of its restatements."""
    chosen: list[Edit] = []
    for edit in propose_nulls(sheet):
        if compatible([*chosen, edit]):
            chosen.append(edit)
    return State.of(chosen)


def compare(
    sheets: Sequence[FactSheet],
    analyse: Callable[[FactSheet], Analysis],
    search: Callable[[FactSheet], StateSearch],
    threshold: float,
    progress: Progress | None = None,
) -> list[Verdicts]:
    """Return the verdicts on the facts of each case as it is and with every fact restated."""
    found = []
    for sheet in counted(sheets, "cases in other words", progress):
        analysis, ranked, other = analyse(sheet), search(sheet), reworded(sheet)
        restated = {edit.fact_id: edit for edit in other.edits}
        moves = moves_from_root(analysis.tree)
        states = []
        for own in moves.values():
            for _, edit in own:
                kept = [e for fact, e in restated.items() if fact not in edit.fact_ids]
                states.append(State.of([*kept, edit]))
        root, *lists = [r.case_ids for r in ranked.rank_many([other, *states], "in other words")]
        told = iter(lists)
        again = {
            fact: max(displacement(root, next(told), ranked.top_k).mean for _ in own)
            for fact, own in moves.items()
        }
        for fact in analysis.facts:
            second = again.get(fact.fact.fact_id)
            if fact.sensitivity is not None and second is not None:
                called = fact.sensitivity > threshold, second > threshold
                pair = fact.sensitivity, second
                found.append(Verdicts(sheet.case_id, str(fact.fact.value), pair, called))
    return sorted(found, key=lambda it: (it.case_id, it.fact))


def rewording_section(found: Sequence[Verdicts]) -> Section:
    """Show how many verdicts the wording of the case decides."""
    rows = (
        (it.case_id, it.fact, *it.sensitivity, "dispositive" if it.dispositive[1] else "not")
        for it in found
        if it.changed
    )
    shift = [abs(it.sensitivity[1] - it.sensitivity[0]) for it in found]
    return Section(
        "validity",
        "Validity: the same case in other words",
        (
            measure("validity.rewording.changed", share(it.changed for it in found)),
            measure("validity.rewording.shift", mean_estimate(shift)),
        ),
        (table("validity.rewording", rows),),
    )
