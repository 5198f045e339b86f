"""Do the facts that should matter move the precedents, and do the others leave them alone?

Cases with labelled facts are analysed, and each label is compared with the measured sensitivity.
Dispositive accuracy is the share of the facts labelled dispositive whose sensitivity is above the
threshold; non-dispositive accuracy that of the others at or below it. A fact that could not be
measured is counted as such: it is in neither share, and never correct.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from countercase.counterfactual.analysis import Analysis
from countercase.evaluation.counterfactual.importance import TypeOrder, order_of
from countercase.evaluation.counterfactual.readings import (
    CaseReading,
    FactReading,
    reading_from_json,
    reading_of,
    reading_to_json,
    sheet_of,
)
from countercase.evaluation.result_store import ResultStore, fingerprint
from countercase.evaluation.sets import CounterfactualCase
from countercase.evaluation.statistics import Rate
from countercase.facts.model import FactSheet
from countercase.io import Progress

_Item = TypeVar("_Item")
Analyse = Callable[[FactSheet], Analysis]

CODE: Final = (
    "text", "law", "facts", "fact_types", "counterfactual", "retrieval", "encoders",
)  # fmt: skip
"""The packages whose program text decides what an analysis finds."""


@dataclass(frozen=True)
class LabelledFact:
    """A label and what was measured of its fact."""

    case: CounterfactualCase
    reading: FactReading
    dispositive: bool

    @property
    def sensitivity(self) -> float | None:
        """Mean rank displacement; None where it was not measured."""
        return self.reading.sensitivity

    def correct(self, threshold: float, nulls: bool = False) -> bool | None:
        """Whether the reading agrees with the label; None where the fact was not measured."""
        carries = self.reading.carries(threshold, nulls)
        return None if carries is None else carries == self.dispositive


@dataclass(frozen=True)
class LabelledType:
    """A label of a fact type and its sensitivity; None where it was not measured."""

    case: CounterfactualCase
    fact_type: str
    sensitivity: float | None
    dispositive: bool

    def correct(self, threshold: float, nulls: bool = False) -> bool | None:
        """Whether the sensitivity agrees with the label; a type has no null rule of its own."""
        if self.sensitivity is None:
            return None
        return (self.sensitivity > threshold) == self.dispositive


@dataclass(frozen=True)
class CaseResult:
    """A case of the set and its reading."""

    case: CounterfactualCase
    reading: CaseReading

    @property
    def facts(self) -> tuple[LabelledFact, ...]:
        """The labelled facts, the dispositive ones first."""
        return tuple(
            LabelledFact(self.case, self.reading.fact(label.fact_id), dispositive)
            for dispositive, labels in (
                (True, self.case.dispositive_facts),
                (False, self.case.non_dispositive_facts),
            )
            for label in labels
        )

    @property
    def types(self) -> tuple[LabelledType, ...]:
        """The labelled fact types, the dispositive ones first."""
        return tuple(
            LabelledType(
                self.case,
                label.fact_type,
                self.reading.sensitivity.get(label.fact_type),
                dispositive,
            )
            for dispositive, labels in (
                (True, self.case.dispositive_types),
                (False, self.case.non_dispositive_types),
            )
            for label in labels
        )

    @property
    def order(self) -> TypeOrder:
        """Sensitivities and importance ranks of the fact types."""
        ranking = self.case.expert_importance_ranking
        return order_of(self.case.case_id, self.reading.sensitivity, ranking)


def choose(items: Sequence[_Item], limit: int | None, seed: int) -> list[_Item]:
    """All items, or `limit` of them drawn with `seed`, in their order."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[at] for at in sorted(random.Random(seed).sample(range(len(items)), limit))]


def measure_cases(
    cases: Sequence[CounterfactualCase],
    analyse: Analyse,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> list[CaseResult]:
    """Analyse the cases, or read what an earlier run stored of them.

    All labels are checked before the first case is analysed.

    Args:
        store: made with the settings, models, corpus and program (`CODE`) of the analyses.

    Raises:
        InputError: a label does not fit its case.
        KeyboardInterrupt: an analysis was broken off; it is not stored, those before it are.
    """
    sheets = [sheet_of(case) for case in cases]
    results = []
    for at, (case, sheet) in enumerate(zip(cases, sheets, strict=True)):
        if progress:
            progress("cases", at, len(cases))
        key = fingerprint(case.case_file.model_dump(mode="json"))
        stored = store.get(key) if store else None
        if stored is not None:
            reading = reading_from_json(stored)
        else:
            analysis = analyse(sheet)
            if not analysis.complete:
                raise KeyboardInterrupt
            reading = reading_of(analysis)
            if store:
                store.put(key, reading_to_json(reading))
        results.append(CaseResult(case, reading))
    if progress:
        progress("cases", len(cases), len(cases))
    return results


def accuracy(
    labelled: Sequence[LabelledFact] | Sequence[LabelledType],
    dispositive: bool,
    threshold: float,
    nulls: bool = False,
) -> Rate:
    """The share of the measured facts (or types) with this label that are read rightly."""
    verdicts = [
        label.correct(threshold, nulls) for label in labelled if label.dispositive == dispositive
    ]
    known = [verdict for verdict in verdicts if verdict is not None]
    return Rate(sum(known), len(known))


def values_of(
    labelled: Sequence[LabelledFact] | Sequence[LabelledType], dispositive: bool
) -> list[float]:
    """The sensitivities of those with this label that were measured."""
    return [
        label.sensitivity
        for label in labelled
        if label.dispositive == dispositive and label.sensitivity is not None
    ]
