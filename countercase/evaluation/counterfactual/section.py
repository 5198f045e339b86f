"""The counterfactual evaluation as measures, tables and plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from countercase.evaluation.counterfactual import tables
from countercase.evaluation.counterfactual.importance import TypeOrder, case_rho, pooled_rho
from countercase.evaluation.counterfactual_eval import (
    CaseResult,
    LabelledFact,
    LabelledType,
    accuracy,
    values_of,
)
from countercase.evaluation.report import Measure, Section
from countercase.evaluation.statistics import Correlation, Rate, area_under_curve, best_point, sweep

ACCURACY_TARGET: Final = 0.7
RHO_TARGET: Final = 0.5

_Labelled = Sequence[LabelledFact] | Sequence[LabelledType]


def counterfactual_section(
    results: Sequence[CaseResult], threshold: float, seed: int = 0
) -> Section:
    """Everything that the evaluation found.

    Args:
        threshold: mean rank displacement above which a fact is read as dispositive.
        seed: of the permutations and of the resampling.
    """
    facts = [fact for result in results for fact in result.facts]
    types = [label for result in results for label in result.types]
    orders = [result.order for result in results]
    rhos = [case_rho(order) for order in orders]
    points = sweep(values_of(facts, True), values_of(facts, False))
    by_fact: dict[str, Any] = {"labelled": facts, "threshold": threshold}
    return Section(
        name="counterfactual",
        title="Counterfactual: the facts that should matter and those that should not",
        measures=(
            *_accuracies("facts", "facts", facts, threshold, ACCURACY_TARGET),
            *_accuracies("facts.nulls", "facts, null edits heeded", facts, threshold, None),
            *_accuracies("types", "fact types", types, threshold, None),
            *_thresholds(facts),
            *_rhos(orders, rhos, seed),
            *_validator(results),
        ),
        tables=(
            tables.groups(
                "Facts by fact type",
                "fact type",
                group=lambda fact: fact.reading.fact_type,
                **by_fact,
            ),
            tables.unmeasured(facts),
            tables.groups("Facts by area", "area", group=lambda fact: fact.case.area, **by_fact),
            tables.groups(
                "Facts by design", "design", group=lambda fact: fact.case.design, **by_fact
            ),
            tables.groups("Fact types", "fact type", types, threshold, lambda it: it.fact_type),
            tables.sweep_table(points, threshold),
            tables.rules(facts),
            tables.case_orders(orders, rhos),
            tables.edits_judged(results),
            tables.misread(facts, threshold),
        ),
        plots=(tables.curve(points, threshold), tables.sensitivities(results, threshold)),
        details={
            "threshold": threshold,
            "cases": [
                _details(result, rho, threshold) for result, rho in zip(results, rhos, strict=True)
            ],
        },
    )


def _accuracies(
    key: str, title: str, labelled: _Labelled, threshold: float, target: float | None
) -> list[Measure]:
    measures = []
    for dispositive in (True, False):
        right = accuracy(labelled, dispositive, threshold, nulls=key.endswith("nulls"))
        missing = sum(label.dispositive == dispositive for label in labelled) - right.of
        name = tables.label_name(dispositive)
        measures.append(
            Measure.of_rate(
                f"counterfactual.{name.replace('-', '_')}.{key}",
                f"{name.capitalize()} accuracy at {threshold:g}: {title}",
                right,
                target=target,
                note=f"{right.count} of {right.of} measured; {missing} not measured.",
            )
        )
    return measures


def _thresholds(facts: Sequence[LabelledFact]) -> list[Measure]:
    """How well any threshold at all parts the facts of both labels."""
    high, low = values_of(facts, True), values_of(facts, False)
    count = len(high) + len(low)
    area = Measure(
        "counterfactual.auc",
        "AUC: dispositive facts above the others",
        area_under_curve(high, low),
        count,
        note="Over all thresholds; 1 parts the two without error, .5 is chance.",
    )
    best = best_point(sweep(high, low))
    if best is None:
        return [area]
    title = "Best mean of both accuracies at any threshold"
    note = f"At {best.threshold:g}; read off these same labels, so on the hopeful side."
    return [
        area, Measure("counterfactual.best_balanced", title, best.balanced, count, note=note)
    ]  # fmt: skip


def _rhos(orders: Sequence[TypeOrder], rhos: Sequence[Correlation], seed: int) -> list[Measure]:
    measures = []
    for key, title, pooled, target, note in (
        ("rho.pooled", "Spearman's rho of sensitivity and importance, pooled",
         pooled_rho(orders, seed), RHO_TARGET, "All fact types of all cases."),
        ("rho.within", "The same, sensitivities ranked case by case",
         pooled_rho(orders, seed, within=True), None,
         "How much a case moves altogether does not count."),
    ):  # fmt: skip
        p = "" if pooled.p is None else f" Permutation p = {pooled.p:.4f}, two-sided, within cases."
        measures.append(
            Measure(
                f"counterfactual.{key}", title, pooled.rho, pooled.n, pooled.low, pooled.high,
                target, note=note + p,
            )
        )  # fmt: skip
    own = [rho.rho for rho in rhos if rho.rho is not None]
    few = sum(not order.enough for order in orders)
    tied = len(orders) - len(own) - few
    measures.append(
        Measure(
            "counterfactual.rho.mean",
            "Mean of the rho of each case",
            sum(own) / len(own) if own else None,
            len(own),
            note=f"Left out: {few} cases with fewer than 3 measured types, {tied} all ties.",
        )
    )
    return measures


def _validator(results: Sequence[CaseResult]) -> list[Measure]:
    judged = [state for result in results for state in result.reading.judged]
    single = [state for state in judged if len(state.fact_types) == 1]
    beyond = sum(result.reading.proposed for result in results) - len(single)
    measures = []
    for key, title, states, more in (
        ("accept_rate", "Accept rate of the validator: single edits", single,
         f"; {beyond} more beyond the limits were not judged"),
        ("accept_rate.states", "Accept rate of the validator: all states", judged, ""),
    ):  # fmt: skip
        accepted = Rate(sum(state.accepted for state in states), len(states))
        note = f"{accepted.count} accepted, {accepted.of - accepted.count} refused{more}."
        measures.append(Measure.of_rate(f"counterfactual.{key}", title, accepted, note=note))
    return measures


def _details(result: CaseResult, rho: Correlation, threshold: float) -> dict[str, Any]:
    reading = result.reading
    return {
        "case_id": result.case.case_id,
        "area": result.case.area,
        "design": result.case.design,
        "facts": [_fact(fact, threshold) for fact in result.facts],
        "types": [
            {
                "fact_type": label.fact_type,
                "label": tables.label_name(label.dispositive),
                "sensitivity": _rounded(label.sensitivity),
                "correct": label.correct(threshold),
            }
            for label in result.types
        ],
        "sensitivity": {name: _rounded(value) for name, value in reading.sensitivity.items()},
        "importance": dict(result.case.expert_importance_ranking),
        "rho": _rounded(rho.rho),
        "rho_p": _rounded(rho.p),
        "accepted": sum(state.accepted for state in reading.judged),
        "refused": [
            {"fact_types": list(state.fact_types), "reason": state.reason}
            for state in reading.judged
            if not state.accepted
        ],
    }


def _fact(fact: LabelledFact, threshold: float) -> dict[str, Any]:
    reading = fact.reading
    return {
        "fact_id": reading.fact_id,
        "fact_type": reading.fact_type,
        "value": reading.value,
        "label": tables.label_name(fact.dispositive),
        "sensitivity": _rounded(reading.sensitivity),
        "noise": _rounded(reading.noise),
        "edges": len(reading.moves),
        "unmeasured": reading.unmeasured,
        "correct": fact.correct(threshold),
        "correct_beyond_nulls": fact.correct(threshold, nulls=True),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0
