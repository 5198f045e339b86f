"""The validity evaluation as measures and tables: does movement follow the law?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from countercase.counterfactual.sensitivity import Criterion
from countercase.evaluation.counterfactual.labels import CaseResult
from countercase.evaluation.over_cases import (
    Scores,
    mean_auc,
    partial_correlation,
    pooled_auc,
)
from countercase.evaluation.planted.calibrate import Calibration
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.evaluation.statistics import Estimate, Rate, share
from countercase.evaluation.validity.removal import BASELINES, MovedCase, length
from countercase.registry import FACT_TYPES
from countercase.session import Session

MEASURES: Final = {
    "displacement": "mean rank displacement",
    "overlap": "1 − rank-biased overlap",
    "turnover": "turnover",
    "tau": "Kendall distance",
    "shift": "score shift below K",
    "censored": "share of censored ranks",
}
"""The measures of the panel, as tables call them."""

FALSE_POSITIVES: Final = 0.05
POWER: Final = 0.95
SENTENCE_AUC: Final = 0.8
FACT_AUC: Final = 0.85
TYPE_AUC: Final = 0.7


def sentences_section(
    moved: Sequence[MovedCase], session: Session, ks: Sequence[int], seed: int = 0
) -> Section:
    """How movement orders the labelled sentences of each case, beside the baselines."""
    top_k = session.settings.TOP_K
    columns = {"movement": [case.values("displacement", top_k) for case in moved]}
    columns |= {
        name: [tuple(baseline(case.case, session)) for case in moved]
        for name, baseline in BASELINES.items()
    }

    def scores(values: Sequence[Sequence[float]]) -> list[Scores]:
        return [
            Scores(case.case.labels, tuple(row), tuple(length(case.case)))
            for case, row in zip(moved, values, strict=True)
        ]

    rows, measures = [], []
    for name, values in columns.items():
        judged = scores(values)
        within, pooled = mean_auc(judged, seed), pooled_auc(judged, seed)
        partial = Estimate(None) if name == "length" else partial_correlation(judged, seed)
        rows.append((name, *within.cells, *pooled.cells, *partial.cells))
        target = SENTENCE_AUC if name == "movement" else None
        key = f"validity.sentences.auc.{name.lower().replace(' ', '_')}"
        title = f"Sentences, AUC within cases: {name}"
        measures.append(Measure.of(key, title, within, target=target))
        if name == "movement":
            title = "Sentences: correlation of movement and label, length held fixed"
            measures.append(Measure.of("validity.sentences.partial.movement", title, partial))
    panel = tuple(
        (title, *(mean_auc(scores([case.values(name, k) for case in moved]), seed).value
                  for k in ks))
        for name, title in MEASURES.items()
    )  # fmt: skip
    sentences = sum(len(case.case.text) for case in moved)
    decisive = sum(sum(case.case.labels) for case in moved)
    note = (
        f"{len(moved)} cases with sentences of both labels, {sentences} sentences, {decisive} of "
        "them decisive. Intervals resample cases. The correlation is over ranks within cases, the "
        "length of the sentence held fixed."
    )
    heads = ("AUC within cases", "low", "high", "AUC over all", "low ", "high ",
             "partial correlation", "low  ", "high  ")  # fmt: skip
    return Section(
        "validity",
        "Validity: movement and the sentences that people called decisive",
        tuple(measures),
        (
            Table("Labelled sentences", ("score", *heads), tuple(rows), note),
            Table(
                "The panel: AUC within cases", ("measure", *(f"K = {k}" for k in ks)), panel,
                "What orders the sentences at one K alone is no finding.",
            ),
        ),
        details={
            "sentences": [
                {
                    "id": case.case.id,
                    "labels": list(case.case.labels),
                    **{name: [round(v, 9) for v in values[at]] for name, values in columns.items()},
                }
                for at, case in enumerate(moved)
            ]
        },
    )  # fmt: skip


def facts_section(results: Sequence[CaseResult], seed: int = 0) -> Section:
    """How sensitivity orders the labelled facts: over all, within each type, within cases."""

    def scores(fact_type: str = "", area: str = "") -> list[Scores]:
        cases = []
        for result in results:
            known = [
                (fact.dispositive, fact.sensitivity)
                for fact in result.facts
                if fact.sensitivity is not None
                and fact_type in ("", fact.reading.fact_type)
                and area in ("", fact.case.area)
            ]
            if known:
                cases.append(Scores(*(tuple(row) for row in zip(*known, strict=True))))
        return cases

    everything = scores()
    estimates = {
        "over all facts": pooled_auc(everything, seed),
        "within cases": mean_auc(everything, seed),
    }
    for name in FACT_TYPES.names():
        estimates[name] = pooled_auc(scores(fact_type=name), seed)
    measures = []
    for name, estimate in estimates.items():
        target = FACT_AUC if name == "over all facts" else TYPE_AUC
        key, title = name.lower().replace(" ", "_"), f"Facts, AUC: {name}"
        measures.append(Measure.of(f"validity.facts.auc.{key}", title, estimate, target=target))
    rows: list[tuple[Cell, ...]] = []
    for area in sorted({result.case.area for result in results}):
        if chosen := scores(area=area):
            areas_under = (pooled_auc(chosen, seed).value, mean_auc(chosen, seed).value)
            rows.append((area, sum(len(case.labels) for case in chosen), *areas_under))
    columns = ("area", "facts", "AUC over all", "AUC within cases")
    return Section(
        "validity",
        "Validity: movement and the facts labelled dispositive",
        tuple(measures),
        (Table("Labelled facts by area", columns, tuple(rows)),),
    )


def planted_validity(calibration: Calibration, criterion: Criterion) -> Section:
    """False positives and power in worlds where the deciding facts are known.

    A fact counts as the analysis calls it by its criterion; against the null floor that is after
    Holm's correction within each case.
    """

    def called(role: str) -> Rate:
        return share(
            fact.verdict == "dispositive"
            for fact in calibration.observations
            if fact.role == role and fact.sensitivity is not None
        )

    measures = [
        Measure.of(
            "validity.planted.false_positives", f"Planted: idle facts called dispositive, {criterion}",
            called("idle"), target=FALSE_POSITIVES, at_most=True,
        ),
        Measure.of(
            "validity.planted.power", f"Planted: deciding facts called dispositive, {criterion}",
            called("carrying"), target=POWER,
        ),
    ]  # fmt: skip
    if calibration.null_p:
        title = "Planted: p-values of held-out null edits against a uniform distribution, KS p"
        note = "Ties broken at random. Small: p is not what it says."
        p = _uniform(calibration.null_p)
        measures.append(
            Measure("validity.planted.uniform", title, p, len(calibration.null_p), target=0.05,
                    note=note)
        )  # fmt: skip
    return Section("validity", "Validity: planted worlds", tuple(measures))


def _uniform(p: Sequence[float]) -> float:
    """p of the Kolmogorov-Smirnov test against the uniform distribution."""
    from scipy.stats import kstest

    return float(kstest(p, "uniform").pvalue)


def joined(parts: Sequence[Section]) -> Section:
    """The parts as one section."""
    details: dict[str, Any] = {}
    for part in parts:
        details |= part.details
    return Section(
        "validity",
        "Validity: does movement follow the law?",
        tuple(measure for part in parts for measure in part.measures),
        tuple(table for part in parts for table in part.tables),
        details=details,
    )
