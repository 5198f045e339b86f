"""The validity evaluation as measures and tables: does movement follow the law?

Its parts add to one section what each of them finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Final, TypeAlias

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.proposals import propose_nulls
from countercase.counterfactual.sensitivity import Criterion
from countercase.counterfactual.states import State, StateSearch
from countercase.counterfactual.tree import moves_from_root
from countercase.evaluation import statistics as stats
from countercase.evaluation.counterfactual.labels import CaseResult, Labelled
from countercase.evaluation.experiment import counted
from countercase.evaluation.planted.calibrate import Calibration
from countercase.evaluation.report import Section
from countercase.evaluation.validity.removal import BASELINES, MovedCase, length
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import FactSheet
from countercase.io import Progress, read_table
from countercase.registry import FACT_TYPES
from countercase.session import Session

TITLE: Final = "Validity: does movement follow the law?"
PANEL: Final = {row["distance"]: row["title"] for row in read_table("evaluation/panel", dict)}
"""The distances of the panel, as tables call them."""

Values: TypeAlias = Sequence[float | None]
"""A score of each sentence of a case; None where it is not defined."""
Restated: TypeAlias = tuple[str, str, float, float]
"""Case, fact, and the fact's sensitivity in the case as it is and in other words."""


def add_sentences(
    section: Section, moved: Sequence[MovedCase], session: Session, ks: Sequence[int], seed: int = 0
) -> None:
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

    rows = []
    for name, values in columns.items():
        judged = scores(values)
        within, pooled = stats.mean_auc(judged, seed), stats.pooled_auc(judged, seed)
        partial = stats.Estimate(None)
        if name != "length":
            partial = stats.partial_correlation(judged, seed)
        rows.append((name, *within.cells, *pooled.cells, *partial.cells))
        declared = "movement" if name == "movement" else "{key}"
        key = f"validity.sentences.auc.{declared}"
        section.add_measure(key, within, key=_slug(name), name=name)
        if name == "movement":
            section.add_measure("validity.sentences.partial.movement", partial)
    panel = []
    for name, title in PANEL.items():
        by_depth = (scores([case.values(name, k) for case in moved]) for k in ks)
        panel.append((title, *(stats.mean_auc(judged, seed).value for judged in by_depth)))
    labels = [label for case in moved for label in case.case.labels]
    counts = {"cases": len(moved), "sentences": len(labels), "decisive": sum(labels)}
    section.add_table("validity.sentences", rows, **counts)
    section.add_table("validity.panel", panel, [f"K = {k}" for k in ks])
    section.details["sentences"] = [
        {"id": it.case.id, "labels": list(it.case.labels)}
        | {n: [v if v is None else round(v, 9) for v in own[at]] for n, own in columns.items()}
        for at, it in enumerate(moved)
    ]


def scores_of(facts: Sequence[Labelled]) -> list[stats.Scores]:
    """Return label and sensitivity of the measured facts, case by case."""
    found = []
    for own in stats.group_by(facts, lambda it: it.case.case_id).values():
        known = [(it.dispositive, it.sensitivity) for it in own if it.sensitivity is not None]
        found.append(stats.Scores(*zip(*known, strict=True)))
    return found


def add_facts(section: Section, results: Sequence[CaseResult], seed: int = 0) -> None:
    """Show how sensitivity orders the labelled facts: over all, within each type, within cases."""
    facts = [it for result in results for it in result.facts if it.sensitivity is not None]
    everything, key = scores_of(facts), "validity.facts.auc.{key}"
    pooled = stats.pooled_auc(everything, seed)
    section.add_measure("validity.facts.auc.over_all_facts", pooled)
    within = stats.mean_auc(everything, seed)
    section.add_measure(key, within, key="within_cases", name="within cases")
    for name in FACT_TYPES.names():
        own = scores_of([it for it in facts if it.reading.fact_type == name])
        section.add_measure(key, stats.pooled_auc(own, seed), key=_slug(name), name=name)
    rows = []
    for area, listed in sorted(stats.group_by(facts, lambda it: it.case.area).items()):
        own = scores_of(listed)
        pooled, within = stats.pooled_auc(own, seed), stats.mean_auc(own, seed)
        rows.append((area, len(listed), pooled.value, within.value))
    section.add_table("validity.areas", rows)


def add_planted(section: Section, calibration: Calibration, criterion: Criterion) -> None:
    """Show false positives and power in worlds where the deciding facts are known.

    A fact counts as the analysis calls it by its criterion; against the null floor that is after
    Holm's correction within each case.
    """
    for role, key in (("idle", "false_positives"), ("carrying", "power")):
        called = stats.share(
            it.verdict == "dispositive"
            for it in calibration.observations
            if it.role == role and it.sensitivity is not None
        )
        section.add_measure(f"validity.planted.{key}", called, criterion=criterion)
    if calibration.null_p:
        from scipy.stats import kstest

        p = float(kstest(calibration.null_p, "uniform").pvalue)
        uniform = stats.Estimate(p, len(calibration.null_p))
        section.add_measure("validity.planted.uniform", uniform)


def _slug(name: str) -> str:
    return name.lower().replace(" ", "_")


# The same case in other words


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
    progress: Progress | None = None,
) -> list[Restated]:
    """Measure the facts of each case as it is, and with every other fact restated."""
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
                found.append((sheet.case_id, str(it.fact.value), first, second))
    return sorted(found, key=lambda it: it[:2])


def add_rewording(section: Section, found: Sequence[Restated], threshold: float) -> None:
    """Show how many verdicts the wording of the case decides, facts above the threshold being called."""
    changed = [(one > threshold) != (two > threshold) for *_, one, two in found]
    shift = [abs(two - one) for *_, one, two in found]
    section.add_measure("validity.rewording.changed", stats.share(changed))
    section.add_measure("validity.rewording.shift", stats.mean_estimate(shift))
    rows = ((*it, "dispositive" if it[3] > threshold else "not") for it in compress(found, changed))
    section.add_table("validity.rewording", rows)
