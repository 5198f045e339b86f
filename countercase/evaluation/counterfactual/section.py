"""The counterfactual evaluation as measures, tables and plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from countercase.evaluation.counterfactual.importance import Rho, TypeOrder, case_rho, pooled_rho
from countercase.evaluation.counterfactual.tables import (
    case_orders,
    curve,
    edits_judged,
    groups,
    misread,
    rules,
    sensitivities,
    sweep_table,
    unmeasured,
)
from countercase.evaluation.counterfactual_eval import (
    CaseResult,
    LabelledFact,
    LabelledType,
    accuracy,
    values_of,
)
from countercase.evaluation.report import Measure, Section
from countercase.evaluation.statistics import Rate, area_under_curve, best_point, sweep

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
    facts = [fact for one in results for fact in one.facts]
    types = [kind for one in results for kind in one.types]
    orders = [one.order for one in results]
    rhos = [case_rho(order) for order in orders]
    points = sweep(values_of(facts, True), values_of(facts, False))
    return Section(
        name="counterfactual",
        title="Counterfactual: the facts that should matter and those that should not",
        measures=(
            *_accuracies("facts", "facts", facts, threshold, ACCURACY_TARGET),
            *_accuracies("facts.nulls", "facts, null edits heeded", facts, threshold, None),
            *_accuracies("types", "fact types", types, threshold, None),
            _area(facts),
            *_best(facts),
            *_rhos(orders, rhos, seed),
            *_validator(results),
        ),
        tables=(
            groups(
                "Facts by fact type",
                "fact type",
                facts,
                threshold,
                lambda one: one.reading.fact_type,
            ),
            unmeasured(facts),
            groups("Facts by area", "area", facts, threshold, lambda one: one.case.area),
            groups("Facts by design", "design", facts, threshold, lambda one: one.case.design),
            groups("Fact types", "fact type", types, threshold, lambda one: one.fact_type),
            sweep_table(points, threshold),
            rules(facts),
            case_orders(orders, rhos),
            edits_judged(results),
            misread(facts, threshold),
        ),
        plots=(curve(points, threshold), sensitivities(results, threshold)),
        details=_details(results, rhos, threshold),
    )


def _accuracies(
    key: str, title: str, labelled: _Labelled, threshold: float, target: float | None
) -> list[Measure]:
    nulls = key.endswith("nulls")
    found = []
    for dispositive, name in ((True, "Dispositive"), (False, "Non-dispositive")):
        share = accuracy(labelled, dispositive, threshold, nulls)
        missing = sum(one.dispositive == dispositive for one in labelled) - share.of
        note = f"{share.count} of {share.of} measured; {missing} not measured."
        word = "dispositive" if dispositive else "non_dispositive"
        found.append(
            _share(
                f"counterfactual.{word}.{key}",
                f"{name} accuracy at {threshold:g}: {title}",
                share,
                target,
                note,
            )
        )
    return found


def _share(key: str, title: str, share: Rate, target: float | None, note: str) -> Measure:
    low, high = share.interval or (None, None)
    return Measure(key, title, share.value, share.of, low, high, target, note=note)


def _area(facts: Sequence[LabelledFact]) -> Measure:
    high, low = values_of(facts, True), values_of(facts, False)
    return Measure(
        "counterfactual.auc",
        "AUC: dispositive facts above the others",
        area_under_curve(high, low),
        len(high) + len(low),
        note="Over all thresholds; 1 parts the two without error, .5 is chance.",
    )


def _best(facts: Sequence[LabelledFact]) -> list[Measure]:
    high, low = values_of(facts, True), values_of(facts, False)
    best = best_point(sweep(high, low))
    if best is None:
        return []
    return [
        Measure(
            "counterfactual.best_balanced",
            "Best mean of both accuracies at any threshold",
            best.balanced,
            len(high) + len(low),
            note=f"At {best.threshold:g}; read off these same labels, so on the hopeful side.",
        )
    ]


def _rhos(orders: Sequence[TypeOrder], rhos: Sequence[Rho], seed: int) -> list[Measure]:
    pooled = pooled_rho(orders, seed)
    within = pooled_rho(orders, seed, within=True)
    own = [rho.value for rho in rhos if rho.value is not None]
    few = sum(not order.enough for order in orders)
    tied = len(orders) - len(own) - few
    return [
        _rho(
            "rho.pooled",
            "Spearman's rho of sensitivity and importance, pooled",
            pooled,
            RHO_TARGET,
            "All fact types of all cases.",
        ),
        _rho(
            "rho.within",
            "The same, sensitivities ranked case by case",
            within,
            None,
            "How much a case moves altogether does not count.",
        ),
        Measure(
            "counterfactual.rho.mean",
            "Mean of the rho of each case",
            sum(own) / len(own) if own else None,
            len(own),
            note=f"Left out: {few} cases with fewer than 3 measured types, {tied} all ties.",
        ),
    ]


def _rho(key: str, title: str, rho: Rho, target: float | None, note: str) -> Measure:
    p = "" if rho.p is None else f" Permutation p = {rho.p:.4f}, two-sided, within cases."
    return Measure(
        f"counterfactual.{key}", title, rho.value, rho.n, rho.low, rho.high, target, note=note + p
    )


def _validator(results: Sequence[CaseResult]) -> list[Measure]:
    judged = [state for one in results for state in one.reading.judged]
    single = [state for state in judged if len(state.fact_types) == 1]
    beyond = sum(one.reading.proposed for one in results) - len(single)
    found = []
    for key, title, states, more in (
        ("accept_rate", "Accept rate of the validator: single edits", single,
         f"; {beyond} more beyond the limits were not judged"),
        ("accept_rate.states", "Accept rate of the validator: all states", judged, ""),
    ):  # fmt: skip
        share = Rate(sum(state.accepted for state in states), len(states))
        note = f"{share.count} accepted, {share.of - share.count} refused{more}."
        found.append(_share(f"counterfactual.{key}", title, share, None, note))
    return found


def _details(
    results: Sequence[CaseResult], rhos: Sequence[Rho], threshold: float
) -> dict[str, Any]:
    return {
        "threshold": threshold,
        "cases": [
            {
                "case_id": one.case.case_id,
                "area": one.case.area,
                "design": one.case.design,
                "facts": [_fact(fact, threshold) for fact in one.facts],
                "types": [
                    {
                        "fact_type": kind.fact_type,
                        "label": _label(kind.dispositive),
                        "sensitivity": _rounded(kind.sensitivity),
                        "correct": kind.correct(threshold),
                    }
                    for kind in one.types
                ],
                "sensitivity": {
                    kind: _rounded(value) for kind, value in one.reading.sensitivity.items()
                },
                "importance": dict(one.case.expert_importance_ranking),
                "rho": _rounded(rho.value),
                "rho_p": _rounded(rho.p),
                "accepted": sum(state.accepted for state in one.reading.judged),
                "refused": [
                    {"fact_types": list(state.fact_types), "reason": state.reason}
                    for state in one.reading.judged
                    if not state.accepted
                ],
            }
            for one, rho in zip(results, rhos, strict=True)
        ],
    }


def _fact(fact: LabelledFact, threshold: float) -> dict[str, Any]:
    return {
        "fact_id": fact.reading.fact_id,
        "fact_type": fact.reading.fact_type,
        "value": fact.reading.value,
        "label": _label(fact.dispositive),
        "sensitivity": _rounded(fact.reading.sensitivity),
        "noise": _rounded(fact.reading.noise),
        "edges": len(fact.reading.moves),
        "unmeasured": fact.reading.unmeasured,
        "correct": fact.correct(threshold),
        "correct_beyond_nulls": fact.correct(threshold, nulls=True),
    }


def _label(dispositive: bool) -> str:
    return "dispositive" if dispositive else "non-dispositive"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0
