"""Do the facts that should matter move the precedents, and do the others leave them alone?

Each label of a fact is compared with its measured sensitivity. Dispositive accuracy is the share of
all facts labelled dispositive whose sensitivity is above the threshold, non-dispositive accuracy
that of all others at or below it; a fact that was not measured is wrong in either.

Spearman's rho says whether the sensitivities of the fact types agree with the importance that
people gave them (the rank with its sign turned). Its p comes from permuting the ranks within each
case, so that neither ties nor the few types of a case ask for an approximation.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from countercase.counterfactual.analysis import Analysis
from countercase.engines.engine import PLAIN, Engine
from countercase.engines.work import Failed
from countercase.evaluation.counterfactual import readings
from countercase.evaluation.result_store import ANALYSIS_CODE, ResultStore, fingerprint
from countercase.evaluation.sets import CounterfactualCase
from countercase.evaluation.statistics import (
    LEAST_PAIRS,
    Correlation,
    Rate,
    bootstrap_interval,
    rank_correlation,
    share,
)
from countercase.facts.model import FactSheet
from countercase.io import Progress

_Item = TypeVar("_Item")
Analyse = Callable[[FactSheet], Analysis]

CODE: Final = (*ANALYSIS_CODE, "evaluation/counterfactual/readings.py")
"""The parts of the program that decide what is read off an analysis."""

LABELS: Final = {True: "dispositive", False: "non-dispositive"}
"""Labels as tables and files say them."""

PERMUTATIONS: Final = 9_999
RESAMPLES: Final = 2_000
_SLACK: Final = 1e-9


@dataclass(frozen=True)
class Labelled:
    """A labelled fact and what was measured of it.

    A labelled fact type is one too: its reading has the type's sensitivity and no null edits, as a
    type has no null rule of its own.
    """

    case: CounterfactualCase
    reading: readings.FactReading
    dispositive: bool

    @property
    def sensitivity(self) -> float | None:
        """Mean rank displacement; None where it was not measured."""
        return self.reading.sensitivity

    def correct(self, threshold: float, nulls: bool = False) -> bool:
        """Whether the reading agrees with the label; never where the fact was not measured."""
        return self.reading.carries(threshold, nulls) == self.dispositive


@dataclass(frozen=True)
class TypeOrder:
    """The types of one case with a sensitivity and an importance rank, 1 the most; ties allowed."""

    case_id: str
    sensitivities: tuple[float, ...]
    ranks: tuple[int, ...]

    @property
    def enough(self) -> bool:
        """Whether the case has a rho of its own, if its values are not all alike."""
        return len(self.ranks) >= LEAST_PAIRS


@dataclass(frozen=True)
class CaseResult:
    """A case of the set and its reading."""

    case: CounterfactualCase
    reading: readings.CaseReading

    @property
    def facts(self) -> tuple[Labelled, ...]:
        """The labelled facts, the dispositive ones first."""
        case, own = self.case, {fact.fact_id: fact for fact in self.reading.facts}
        labels = (case.dispositive_facts, case.non_dispositive_facts)
        return self._labelled(labels, lambda label: own[label.fact_id])

    @property
    def types(self) -> tuple[Labelled, ...]:
        """The labelled fact types, the dispositive ones first."""
        labels = (self.case.dispositive_types, self.case.non_dispositive_types)
        return self._labelled(labels, lambda label: self.reading.type(label.fact_type))

    def _labelled(
        self, labels: Iterable[Iterable[Any]], read: Callable[[Any], readings.FactReading]
    ) -> tuple[Labelled, ...]:
        return tuple(
            Labelled(self.case, read(label), dispositive)
            for dispositive, row in zip(LABELS, labels, strict=True)
            for label in row
        )

    @property
    def order(self) -> TypeOrder:
        """Sensitivities and importance ranks of the fact types."""
        ranking = self.case.expert_importance_ranking
        return order_of(self.case.case_id, self.reading.sensitivity, ranking)

    def details(self, rho: Correlation, threshold: float) -> dict[str, Any]:
        """Everything about the case, ready for JSON."""
        case, reading = self.case, self.reading
        return {
            "case_id": case.case_id,
            "area": case.area,
            "design": case.design,
            "facts": [
                {
                    "fact_id": fact.reading.fact_id,
                    "fact_type": fact.reading.fact_type,
                    "value": fact.reading.value,
                    "label": LABELS[fact.dispositive],
                    "sensitivity": _rounded(fact.sensitivity),
                    "noise": _rounded(fact.reading.noise),
                    "verdict": fact.reading.calibrated or None,
                    "p": _rounded(fact.reading.p),
                    "edges": len(fact.reading.moves),
                    "unmeasured": fact.reading.unmeasured,
                    "correct": fact.correct(threshold),
                    "correct_beyond_nulls": fact.correct(threshold, nulls=True),
                }
                for fact in self.facts
            ],
            "types": [
                {
                    "fact_type": label.reading.fact_type,
                    "label": LABELS[label.dispositive],
                    "sensitivity": _rounded(label.sensitivity),
                    "correct": label.correct(threshold),
                }
                for label in self.types
            ],
            "sensitivity": {name: _rounded(value) for name, value in reading.sensitivity.items()},
            "importance": dict(case.expert_importance_ranking),
            "rho": _rounded(rho.rho),
            "rho_p": _rounded(rho.p),
            "accepted": sum(state.accepted for state in reading.judged),
            "refused": [
                {"fact_types": list(state.fact_types), "reason": state.reason}
                for state in reading.judged
                if not state.accepted
            ],
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0


def choose(items: Sequence[_Item], limit: int | None, seed: int) -> list[_Item]:
    """All items, or `limit` of them drawn with `seed`, in their order."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[at] for at in sorted(random.Random(seed).sample(range(len(items)), limit))]


@dataclass(frozen=True)
class _Measure:
    """From a fact sheet to its reading as JSON values, wherever it is done."""

    analyse: Analyse

    def __call__(self, sheet: FactSheet) -> Any:
        analysis = self.analyse(sheet)
        if not analysis.complete:
            raise KeyboardInterrupt
        return readings.READING.dump_python(readings.reading_of(analysis), mode="json")


def measure_cases(
    cases: Sequence[CounterfactualCase],
    analyse: Analyse,
    store: ResultStore | None = None,
    progress: Progress | None = None,
    engine: Engine = PLAIN,
) -> list[CaseResult]:
    """Analyse the cases, or read what an earlier run stored of them; all labels are checked first.

    Args:
        analyse: what can be pickled, unless the engine is plain.
        store: made with the settings, models, corpus and program (`CODE`) of the analyses.

    Raises:
        InputError: a label does not fit its case.
        CounterCaseError: a case could not be analysed; those finished before it are stored.
        KeyboardInterrupt: an analysis was broken off; it is not stored, those before it are.
    """
    sheets = [readings.sheet_of(case) for case in cases]
    keys = [fingerprint(case.case_file.model_dump(mode="json")) for case in cases]
    stored = [store.get(key) if store else None for key in keys]
    missing = [at for at, reading in enumerate(stored) if reading is None]
    done = len(cases) - len(missing)

    def receive(number: int, reading: Any) -> None:
        nonlocal done
        if isinstance(reading, Failed):
            raise reading.error
        at = missing[number]
        stored[at], done = reading, done + 1
        if store:
            store.put(keys[at], reading)
        if progress:
            progress("cases", done, len(cases))

    if progress:
        progress("cases", done, len(cases))
    if missing:
        engine.run(_Measure(analyse), [sheets[at] for at in missing], receive)
    return [
        CaseResult(case, readings.READING.validate_python(reading))
        for case, reading in zip(cases, stored, strict=True)
    ]


def accuracy(
    labelled: Sequence[Labelled], dispositive: bool, threshold: float, nulls: bool = False
) -> Rate:
    """The share of all facts (or types) with this label that are read rightly."""
    return share(it.correct(threshold, nulls) for it in labelled if it.dispositive == dispositive)


def coverage(labelled: Sequence[Labelled]) -> Rate:
    """The share of the labelled facts (or types) that were measured."""
    return share(fact.sensitivity is not None for fact in labelled)


def values_of(labelled: Sequence[Labelled], dispositive: bool) -> list[float]:
    """The sensitivities of those with this label that were measured."""
    values = [fact.sensitivity for fact in labelled if fact.dispositive == dispositive]
    return [value for value in values if value is not None]


def order_of(
    case_id: str, sensitivity: Mapping[str, float | None], ranking: Mapping[str, int]
) -> TypeOrder:
    """The types that were both measured and ranked, in the order of the ranking's keys."""
    pairs = [(sensitivity.get(kind), rank) for kind, rank in ranking.items()]
    known = [(value, rank) for value, rank in pairs if value is not None]
    return TypeOrder(case_id, tuple(value for value, _ in known), tuple(rank for _, rank in known))


def case_rho(order: TypeOrder) -> Correlation:
    """Rho of one case, with the exact p over all orders of its importance ranks."""
    return rank_correlation(order.sensitivities, [-rank for rank in order.ranks])


def pooled_rho(
    orders: Sequence[TypeOrder],
    seed: int = 0,
    within: bool = False,
    times: int = PERMUTATIONS,
    resamples: int | None = None,
) -> Correlation:
    """Compute rho over the types of all cases together, with a 95% interval by resampling cases.

    Args:
        within: rank the sensitivities case by case first, so that only the order inside each
            case counts and not how much a case moves altogether.
        times: permutations of the importance ranks, each within its own case; by hand, since
            scipy's permutation test permutes a sample as a whole.
    """
    import numpy as np

    count = sum(len(order.ranks) for order in orders)
    rho = _rho(orders, within) if count >= LEAST_PAIRS else math.nan
    if math.isnan(rho):
        return Correlation(None, None, count)
    moved, ranked = _centred_ranks(orders, within)
    rng = np.random.default_rng(seed)
    ends = np.cumsum([len(order.ranks) for order in orders])
    shuffled = np.hstack([
        rng.permuted(np.tile(ranks, (times, 1)), axis=1) for ranks in np.split(ranked, ends[:-1])
    ])  # fmt: skip
    reached = int((np.abs(shuffled @ moved) >= abs(float(moved @ ranked)) - _SLACK).sum())

    def resampled(cases: Iterable[int]) -> float:
        return _rho([orders[at] for at in cases], within)

    interval = bootstrap_interval(
        range(len(orders)), seed, resamples=resamples or RESAMPLES, statistic=resampled
    )
    return Correlation(rho, (reached + 1) / (times + 1), count, *(interval or (None, None)))


def _rho(orders: Sequence[TypeOrder], within: bool) -> float:
    """Rho over the types of these cases; NaN where one side is all ties."""
    moved, ranked = _centred_ranks(orders, within)
    scale = math.sqrt((moved**2).sum() * (ranked**2).sum())
    return float(moved @ ranked) / scale if scale > 0 else math.nan


def _centred_ranks(orders: Sequence[TypeOrder], within: bool) -> tuple[Any, Any]:
    """Ranks of the sensitivities and of the importance, less their mean; case after case."""
    import numpy as np
    from scipy.stats import rankdata

    values = [np.array(order.sensitivities) for order in orders]
    if within:
        values = [rankdata(row) - (len(row) + 1) / 2 for row in values]
    importance = [-rank for order in orders for rank in order.ranks]
    middle = (len(importance) + 1) / 2
    return rankdata(np.concatenate(values)) - middle, rankdata(importance) - middle
