"""The validity evaluation as measures and tables: does movement follow the law?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.proposals import propose_nulls
from countercase.counterfactual.sensitivity import Criterion
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import moves_from_root
from countercase.evaluation import statistics as stats
from countercase.evaluation.counterfactual.labels import CaseResult, Labelled
from countercase.evaluation.experiment import counted, measure, table
from countercase.evaluation.planted.calibrate import Calibration
from countercase.evaluation.report import Section
from countercase.evaluation.validity.removal import BASELINES, MovedCase, length
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import FactSheet
from countercase.io import Progress
from countercase.registry import FACT_TYPES
from countercase.session import Session

TITLE: Final = "Validity: does movement follow the law?"
PANEL: Final = {
    "displacement": "mean rank displacement",
    "overlap": "1 − rank-biased overlap",
    "turnover": "turnover",
    "tau": "Kendall distance",
    "shift": "score shift below K",
    "censored": "share of censored ranks",
}
"""The distances of the panel, as tables call them."""

Values = Sequence[float | None]
"""A score of each sentence of a case; None where it is not defined."""


def sentences_section(
    moved: Sequence[MovedCase], session: Session, ks: Sequence[int], seed: int = 0
) -> Section:
    """Show how movement orders the labelled sentences of each case, beside the baselines."""
    top_k = session.settings.TOP_K
    columns: dict[str, list[Values]] = {
        "movement": [it.values("displacement", top_k) for it in moved]
    }
    for name, baseline in BASELINES.items():
        columns[name] = [baseline(case.case, session) for case in moved]

    def scores(values: Sequence[Values]) -> list[stats.Scores]:
        """Put what is measured of the sentences beside their labels and lengths."""
        found = []
        for case, row in zip(moved, values, strict=True):
            items = zip(case.case.labels, row, length(case.case), strict=True)
            if known := [item for item in items if item[1] is not None]:
                found.append(stats.Scores(*zip(*known, strict=True)))
        return found

    rows, measures = [], []
    for name, values in columns.items():
        judged = scores(values)
        within, pooled = stats.mean_auc(judged, seed), stats.pooled_auc(judged, seed)
        partial = stats.Estimate(None)
        if name != "length":
            partial = stats.partial_correlation(judged, seed)
        rows.append((name, *within.cells, *pooled.cells, *partial.cells))
        declared = "movement" if name == "movement" else "{key}"
        key = f"validity.sentences.auc.{declared}"
        measures.append(measure(key, within, key=_slug(name), name=name))
        if name == "movement":
            measures.append(measure("validity.sentences.partial.movement", partial))
    panel = []
    for name, title in PANEL.items():
        by_depth = (scores([case.values(name, k) for case in moved]) for k in ks)
        panel.append((title, *(stats.mean_auc(judged, seed).value for judged in by_depth)))
    labels = [label for case in moved for label in case.case.labels]
    counts = {"cases": len(moved), "sentences": len(labels), "decisive": sum(labels)}
    details: list[dict[str, Any]] = []
    for at, it in enumerate(moved):
        details.append({"id": it.case.id, "labels": list(it.case.labels)})
        for name, values in columns.items():
            details[at][name] = [v if v is None else round(v, 9) for v in values[at]]
    tables = (
        table("validity.sentences", rows, **counts),
        table("validity.panel", panel, [f"K = {k}" for k in ks]),
    )
    return Section("validity", TITLE, tuple(measures), tables, details={"sentences": details})


def scores_of(facts: Sequence[Labelled]) -> list[stats.Scores]:
    """Return label and sensitivity of the measured facts, case by case."""
    found = []
    for own in stats.group_by(facts, lambda it: it.case.case_id).values():
        known = [(it.dispositive, it.sensitivity) for it in own if it.sensitivity is not None]
        found.append(stats.Scores(*zip(*known, strict=True)))
    return found


def facts_section(results: Sequence[CaseResult], seed: int = 0) -> Section:
    """Show how sensitivity orders the labelled facts: over all, within each type, within cases."""
    facts = [it for result in results for it in result.facts if it.sensitivity is not None]
    everything, key = scores_of(facts), "validity.facts.auc.{key}"
    measures = [
        measure("validity.facts.auc.over_all_facts", stats.pooled_auc(everything, seed)),
        measure(key, stats.mean_auc(everything, seed), key="within_cases", name="within cases"),
    ]
    for name in FACT_TYPES.names():
        own = scores_of([it for it in facts if it.reading.fact_type == name])
        measures.append(measure(key, stats.pooled_auc(own, seed), key=_slug(name), name=name))
    rows = []
    for area, listed in sorted(stats.group_by(facts, lambda it: it.case.area).items()):
        own = scores_of(listed)
        pooled, within = stats.pooled_auc(own, seed), stats.mean_auc(own, seed)
        rows.append((area, len(listed), pooled.value, within.value))
    return Section("validity", TITLE, tuple(measures), (table("validity.areas", rows),))


def planted_validity(calibration: Calibration, criterion: Criterion) -> Section:
    """Show false positives and power in worlds where the deciding facts are known.

    A fact counts as the analysis calls it by its criterion; against the null floor that is after
    Holm's correction within each case.
    """
    measures = []
    for role, key in (("idle", "false_positives"), ("carrying", "power")):
        called = stats.share(
            it.verdict == "dispositive"
            for it in calibration.observations
            if it.role == role and it.sensitivity is not None
        )
        measures.append(measure(f"validity.planted.{key}", called, criterion=criterion))
    if calibration.null_p:
        from scipy.stats import kstest

        p = float(kstest(calibration.null_p, "uniform").pvalue)
        uniform = stats.Estimate(p, len(calibration.null_p))
        measures.append(measure("validity.planted.uniform", uniform))
    return Section("validity", TITLE, tuple(measures))


def joined(parts: Sequence[Section]) -> Section:
    """Join the parts to one section."""
    measures = tuple(measure for part in parts for measure in part.measures)
    tables = tuple(table for part in parts for table in part.tables)
    details = {name: found for part in parts for name, found in part.details.items()}
    return Section("validity", TITLE, measures, tables, details=details)


def _slug(name: str) -> str:
    return name.lower().replace(" ", "_")


# The same case in other words


@dataclass(frozen=True)
class Verdicts:
    """What is said of a fact of the case as it is, and of the same fact in other words."""

    case_id: str
    fact: str
    sensitivity: tuple[float, float]
    dispositive: tuple[bool, bool]

    @property
    def is_changed(self) -> bool:
        """Tell whether the words decide what is said."""
        return self.dispositive[0] != self.dispositive[1]


def restate_facts(sheet: FactSheet) -> State:
    """Return the case with every fact restated, each by the first of its restatements."""
    chosen: list[Edit] = []
    for edit in propose_nulls(sheet):
        if compatible([*chosen, edit]):
            chosen.append(edit)
    return State.of(chosen)


def compare_wordings(
    sheets: Sequence[FactSheet],
    analyse: Callable[[FactSheet], Analysis],
    search: Callable[[FactSheet], StateSearch],
    threshold: float,
    progress: Progress | None = None,
) -> list[Verdicts]:
    """Return the verdicts on the facts of each case as it is and with every fact restated."""
    found = []
    for sheet in counted(sheets, "cases in other words", progress):
        analysis, ranked, other = analyse(sheet), search(sheet), restate_facts(sheet)
        moves, states = moves_from_root(analysis.tree), []
        for _, edit in (move for own in moves.values() for move in own):
            kept = [restated for restated in other.edits if restated.fact_id not in edit.fact_ids]
            states.append(State.of([*kept, edit]))
        root, *lists = [r.case_ids for r in ranked.rank_many([other, *states], "in other words")]
        told = iter(lists)
        again = {
            fact: max(displacement(root, next(told), ranked.top_k).mean for _ in own)
            for fact, own in moves.items()
        }
        for it in analysis.facts:
            first, second = it.sensitivity, again.get(it.fact.fact_id)
            if first is not None and second is not None:
                called = first > threshold, second > threshold
                found.append(Verdicts(sheet.case_id, str(it.fact.value), (first, second), called))
    return sorted(found, key=lambda it: (it.case_id, it.fact))


def rewording_section(found: Sequence[Verdicts]) -> Section:
    """Show how many verdicts the wording of the case decides."""
    rows = (
        (it.case_id, it.fact, *it.sensitivity, "dispositive" if it.dispositive[1] else "not")
        for it in found
        if it.is_changed
    )
    shift = [abs(it.sensitivity[1] - it.sensitivity[0]) for it in found]
    measures = (
        measure("validity.rewording.changed", stats.share(it.is_changed for it in found)),
        measure("validity.rewording.shift", stats.mean_estimate(shift)),
    )
    return Section("validity", TITLE, measures, (table("validity.rewording", rows),))
