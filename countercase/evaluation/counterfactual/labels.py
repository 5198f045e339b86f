"""Do the facts that should matter move the precedents, and do the others leave them alone?

Each label of a fact is compared with its measured sensitivity. Dispositive accuracy is the share of
all facts labelled dispositive whose sensitivity is above the threshold, non-dispositive accuracy
that of all others at or below it; a fact that was not measured is wrong in either.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from countercase.counterfactual.analysis import Analysis
from countercase.engines.engine import PLAIN, Engine
from countercase.evaluation.counterfactual.readings import (
    CaseReading,
    FactReading,
    reading_of,
    sheet_of,
)
from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, run_cases
from countercase.evaluation.sets import CounterfactualCase
from countercase.evaluation.statistics import Estimate, Pairs, Rate, area_under_curve, share
from countercase.facts.model import FactSheet
from countercase.io import Progress

_Item = TypeVar("_Item")
Analyse = Callable[[FactSheet], Analysis]

CODE: Final = (*ANALYSIS_CODE, "evaluation/counterfactual/readings.py")
"""The parts of the program that decide what is read off an analysis."""

LABELS: Final = {True: "dispositive", False: "non-dispositive"}
"""Labels as tables and files say them."""

SWEEP: Final = tuple(step * 0.25 for step in range(1, 33))
"""Thresholds from .25 to 8, in mean rank displacement."""


@dataclass(frozen=True)
class Labelled:
    """A labelled fact and what was measured of it; a labelled fact type is as if it were one."""

    case: CounterfactualCase
    reading: FactReading
    dispositive: bool

    @property
    def sensitivity(self) -> float | None:
        """Mean rank displacement; None where it was not measured."""
        return self.reading.sensitivity

    def correct(self, threshold: float, nulls: bool = False) -> bool:
        """Return whether reading and label agree; never where the fact was not measured."""
        return self.reading.carries(threshold, nulls) == self.dispositive


@dataclass(frozen=True)
class CaseResult:
    """A case of the set and its reading."""

    case: CounterfactualCase
    reading: CaseReading

    @property
    def facts(self) -> tuple[Labelled, ...]:
        """The labelled facts, the dispositive ones first."""
        own = {fact.fact_id: fact for fact in self.reading.facts}
        return self._label("facts", lambda label: own[label.fact_id])

    @property
    def types(self) -> tuple[Labelled, ...]:
        """The labelled fact types, the dispositive ones first; they have no null edits."""
        moved = {
            kind: FactReading("", kind, "", it) for kind, it in self.reading.sensitivity.items()
        }
        return self._label("types", lambda label: moved[label.fact_type])

    def _label(self, what: str, read: Callable[[Any], FactReading]) -> tuple[Labelled, ...]:
        labels = [(True, it) for it in getattr(self.case, f"dispositive_{what}")]
        labels += [(False, it) for it in getattr(self.case, f"non_dispositive_{what}")]
        return tuple(Labelled(self.case, read(it), is_high) for is_high, it in labels)

    @property
    def order(self) -> Pairs:
        """Sensitivity and importance of the types that were both measured and ranked.

        Importance is the rank that people gave with its sign turned, since rank 1 is the most.
        """
        ranks, moved = self.case.expert_importance_ranking, self.reading.sensitivity
        known = {kind: v for kind in ranks if (v := moved.get(kind)) is not None}
        return tuple(known.values()), tuple(-ranks[kind] for kind in known)


def choose(items: Sequence[_Item], limit: int | None, seed: int) -> list[_Item]:
    """Return all items, or `limit` of them drawn with `seed`, in their order."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[at] for at in sorted(random.Random(seed).sample(range(len(items)), limit))]


def _read(analyse: Analyse, sheet: FactSheet) -> CaseReading:
    """Analyse a case and read what it says; KeyboardInterrupt if the analysis is broken off."""
    analysis = analyse(sheet)
    if not analysis.complete:
        raise KeyboardInterrupt
    return reading_of(analysis)


def measure_cases(
    cases: Sequence[CounterfactualCase],
    analyse: Analyse,
    store: ResultStore | None = None,
    progress: Progress | None = None,
    engine: Engine = PLAIN,
) -> list[CaseResult]:
    """Analyse the cases, or read what an earlier run stored of them; all labels are checked first."""
    sheets = [sheet_of(case) for case in cases]
    files = {case.case_id: [case.case_file.model_dump(mode="json")] for case in cases}
    readings = run_cases(
        sheets, partial(_read, analyse), lambda it: files[it.case_id], store, progress,
        engine=engine, form=CaseReading,
    )  # fmt: skip
    return list(map(CaseResult, cases, readings))


def accuracy(
    labelled: Sequence[Labelled], dispositive: bool, threshold: float, nulls: bool = False
) -> Rate:
    """Return the share of all facts (or types) with this label that are read rightly."""
    return share(it.correct(threshold, nulls) for it in labelled if it.dispositive == dispositive)


def coverage(labelled: Sequence[Labelled]) -> Rate:
    """Return the share of the labelled facts (or types) that were measured."""
    return share(fact.sensitivity is not None for fact in labelled)


def values_of(labelled: Sequence[Labelled], dispositive: bool) -> list[float]:
    """Return the sensitivities of those with this label that were measured."""
    own = (fact for fact in labelled if fact.dispositive == dispositive)
    return [value for fact in own if (value := fact.sensitivity) is not None]


def separation(labelled: Sequence[Labelled]) -> Estimate:
    """Return the AUC of sensitivity: dispositive facts above the others, of those measured."""
    high, low = values_of(labelled, True), values_of(labelled, False)
    return Estimate(area_under_curve(high, low), len(high) + len(low))


class Point(NamedTuple):
    """At one threshold, the share of `high` above it, of `low` not above it, and their mean.

    A share of none is None; a mean of .5 is what a coin gets.
    """

    threshold: float
    high: float | None
    low: float | None
    balanced: float | None


def sweep(high: Sequence[float], low: Sequence[float]) -> tuple[Point, ...]:
    """Return a point for each threshold of `SWEEP`."""
    points = []
    for at in SWEEP:
        above, beneath = share(it > at for it in high).value, share(it <= at for it in low).value
        mean = None if above is None or beneath is None else (above + beneath) / 2
        points.append(Point(at, above, beneath, mean))
    return tuple(points)


def best_point(points: Sequence[Point]) -> Point | None:
    """Return the point with the best mean, that of the lowest threshold of several such."""
    known = [point for point in points if point.balanced is not None]
    return max(known, key=lambda point: (point.balanced or 0.0, -point.threshold), default=None)


def _row(label: Labelled, threshold: float) -> dict[str, Any]:
    """Return everything about a labelled fact, ready for JSON."""
    reading = label.reading
    return {
        "fact_id": reading.fact_id,
        "fact_type": reading.fact_type,
        "value": reading.value,
        "label": LABELS[label.dispositive],
        "sensitivity": _rounded(reading.sensitivity),
        "noise": _rounded(reading.noise),
        "verdict": reading.calibrated or None,
        "p": _rounded(reading.p),
        "edges": len(reading.moves),
        "unmeasured": reading.unmeasured,
        "correct": label.correct(threshold),
        "correct_beyond_nulls": label.correct(threshold, nulls=True),
    }


def case_details(result: CaseResult, rho: Estimate, threshold: float) -> dict[str, Any]:
    """Return everything about a case, ready for JSON."""
    case, reading = result.case, result.reading
    of_type = ("fact_type", "label", "sensitivity", "correct")
    types = (_row(label, threshold) for label in result.types)
    refused = [state for state in reading.judged if not state.accepted]
    return {
        "case_id": case.case_id,
        "area": case.area,
        "design": case.design,
        "facts": [_row(fact, threshold) for fact in result.facts],
        "types": [{key: row[key] for key in of_type} for row in types],
        "sensitivity": {name: _rounded(value) for name, value in reading.sensitivity.items()},
        "importance": dict(case.expert_importance_ranking),
        "rho": _rounded(rho.value),
        "rho_p": _rounded(rho.p),
        "accepted": len(reading.judged) - len(refused),
        "refused": [{"fact_types": list(it.fact_types), "reason": it.reason} for it in refused],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0
