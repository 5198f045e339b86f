"""Verdicts when a case is told in other words: all its null edits made at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.proposals import propose_nulls
from countercase.evaluation.report import Measure, Section, Table
from countercase.evaluation.statistics import Rate
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet
from countercase.io import Progress

CHANGED: Final = 0.05
"""The greatest share of verdicts that should change."""


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


def reworded(sheet: FactSheet) -> FactSheet:
    """The case with as many of its null edits as can hold at once, in the order of its facts."""
    chosen: list[Edit] = []
    for edit in propose_nulls(sheet):
        if compatible([*chosen, edit]):
            chosen.append(edit)
    return apply_edits(sheet, chosen)


def compare(
    sheets: Sequence[FactSheet],
    measure: Callable[[FactSheet], Analysis],
    progress: Progress | None = None,
) -> list[Verdicts]:
    """The verdicts on the facts that were measured in both wordings of each case."""
    found = []
    for at, sheet in enumerate(sheets):
        if progress is not None:
            progress(f"{sheet.case_id} in other words", at, len(sheets))
        before, after = (
            {fact.fact.fact_id: fact for fact in measure(told).facts}
            for told in (sheet, reworded(sheet))
        )
        for fact_id in before.keys() & after.keys():
            pair = before[fact_id], after[fact_id]
            first, second = pair[0].sensitivity, pair[1].sensitivity
            if first is None or second is None:
                continue
            called = pair[0].verdict == "dispositive", pair[1].verdict == "dispositive"
            fact = str(pair[0].fact.value)
            found.append(Verdicts(sheet.case_id, fact, (first, second), called))
    return sorted(found, key=lambda it: (it.case_id, it.fact))


def rewording_section(found: Sequence[Verdicts]) -> Section:
    """How many verdicts the wording of the case decides."""
    changed = [it for it in found if it.changed]
    rows = tuple(
        (it.case_id, it.fact, *it.sensitivity, "dispositive" if it.dispositive[1] else "not")
        for it in changed
    )
    shift = [abs(it.sensitivity[1] - it.sensitivity[0]) for it in found]
    measures = (
        Measure.of_rate(
            "validity.rewording.changed", "All null edits at once: verdicts that change",
            Rate(len(changed), len(found)), target=CHANGED, at_most=True,
        ),
        Measure.of_mean(
            "validity.rewording.shift", "All null edits at once: change of a sensitivity", shift
        ),
    )  # fmt: skip
    columns = ("case", "fact", "sensitivity", "in other words", "then called dispositive")
    return Section(
        "validity",
        "Validity: the same case in other words",
        measures,
        (Table("Verdicts that change with the words", columns, rows),),
    )
