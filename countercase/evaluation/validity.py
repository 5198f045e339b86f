"""Does movement follow the law? Planted worlds, labelled facts and sentences, and rewording.

The parts add to one section what each of them finds. A labelled sentence is taken away, and how far
the precedents move is held against plain scores of sentences that need no change of the case.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import DEPTHS, Distances, displacement, distances
from countercase.counterfactual.proposals import propose_nulls
from countercase.counterfactual.sensitivity import Criterion
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.tree import moves_from_root
from countercase.errors import InputError
from countercase.evaluation import statistics as stats
from countercase.evaluation.counterfactual.labels import CaseResult
from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, counted, run_cases
from countercase.evaluation.planted.calibrate import Calibration
from countercase.evaluation.report import Section
from countercase.evaluation.sets import read_set
from countercase.facts.edits import STATED, Edit, compatible
from countercase.facts.model import Fact, FactSheet
from countercase.io import Progress, read_table
from countercase.law.provisions import Provision
from countercase.registry import FACT_TYPES
from countercase.session import Session
from countercase.text.spans import Span, one_line
from countercase.text.words import words

CODE: Final = (*ANALYSIS_CODE, "evaluation/validity.py")
"""The parts of the program that decide how far a sentence moves the precedents."""


class SentenceCase(BaseModel):
    """A case as sentences, each with whether people called it decisive."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    text: tuple[str, ...]
    labels: tuple[bool, ...]

    @model_validator(mode="after")
    def _checked(self) -> SentenceCase:
        if len(self.text) != len(self.labels):
            raise ValueError(f"{len(self.text)} sentences and {len(self.labels)} labels")
        return self

    @property
    def decides(self) -> bool:
        """Whether it has both labels, so that the order of its sentences can be right or wrong."""
        return len(set(self.labels)) == 2


def read_sentences(path: Path) -> list[SentenceCase]:
    """Read cases, `{"id", "text": [...], "labels": [...]}` a line; blank sentences are left out."""
    cases = []
    for case in read_set(path, SentenceCase):
        filled = [bool(text.strip()) for text in case.text]
        kept = {name: tuple(compress(getattr(case, name), filled)) for name in ("text", "labels")}
        cases.append(case.model_copy(update=kept))
    if not any(case.decides for case in cases):
        raise InputError(f"{path}: no case has sentences of both labels")
    return cases


@dataclass(frozen=True)
class MovedCase:
    """A case with the distances, per sentence and depth, of the list without that sentence."""

    case: SentenceCase
    panels: tuple[tuple[Distances, ...], ...]

    def values(self, measure: str, k: int) -> list[float | None]:
        """Return one measure of the panel at one K, per sentence; None where it is not defined."""
        return [getattr(it, measure) for row in self.panels for it in row if it.k == k]


def removals(case: SentenceCase) -> tuple[FactSheet, tuple[Edit, ...]]:
    """Return the case with each sentence as a statement, and for each the edit that leaves it out."""
    sentences = [one_line(text) for text in case.text]
    facts, edits, start = [], [], 0
    for at, sentence in enumerate(sentences, start=1):
        place = Span(start, start + len(sentence))
        start = place.end + 1
        facts.append(Fact(f"sentence:{at}", STATED, sentence, (place,)))
        edits.append(Edit(f"sentence:{at}", STATED, "remove", sentence, None, "", "removal"))
    return FactSheet(case.id, " ".join(sentences), tuple(facts)), tuple(edits)


def measure(
    cases: Sequence[SentenceCase],
    session: Session,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> list[MovedCase]:
    """Take away each sentence of each case that has both labels, and rank again.

    Moves are measured at the K of the panel and at the setting TOP_K.
    """
    cases = [case for case in cases if case.decides]
    pieces, top_k = session.settings.SEGMENT_PIECES, session.settings.TOP_K
    depths = tuple(sorted({*DEPTHS, top_k}))

    def move(case: SentenceCase) -> tuple[tuple[Distances, ...], ...]:
        sheet, edits = removals(case)
        renderer = Renderer(sheet, session.encoders.count, pieces)
        exclude = session.retriever.twins(renderer.query(State()), case.id)
        search = StateSearch(renderer, session.retriever, top_k, exclude)
        [root] = search.rank([State()])
        rankings = search.rank_many([State.of([it]) for it in edits], "sentences")
        panels = tuple(tuple(distances(root.order, it.order, k) for k in depths) for it in rankings)
        session.retriever.forget()
        return panels

    found = run_cases(
        cases, move, lambda case: [case.model_dump(mode="json", exclude={"labels"})], store,
        progress, form=tuple[tuple[Distances, ...], ...],
    )  # fmt: skip
    return list(map(MovedCase, cases, found))


def score_plainly(case: SentenceCase, session: Session) -> dict[str, list[float]]:
    """Score each sentence in ways that need no change of the case: what movement has to beat.

    By the name that tables show: words, place, the sum of the inverse document frequencies of the
    distinct words, the largest cosine with the heading of a known provision, and chance.
    """
    idf, encode = session.snapshot.lexicon.idf, session.encoders.encode
    titles = dict.fromkeys(row.title for row in read_table("law/provisions", Provision))
    headings = encode("sentence", [*filter(None, titles)]).astype(np.float64)
    vectors, drawn = encode("sentence", list(case.text)).astype(np.float64), random.Random(case.id)
    cosines = np.einsum("ik,jk->ij", vectors, headings).max(axis=1).round(9)
    return {
        "length": [float(len(text.split())) for text in case.text],
        "position": [float(at) for at in range(len(case.text))],
        "IDF mass": [sum(idf(word) for word in sorted(set(words(text)))) for text in case.text],
        "likeness to provisions": cosines.tolist(),
        "random": [drawn.random() for _ in case.text],
    }


Restated: TypeAlias = tuple[str, str, float, float]
"""Case, fact, and the fact's sensitivity in the case as it is and in other words."""


def _measured(cases: Iterable[Iterable[Any]]) -> list[list[stats.Scored]]:
    """Return what is measured of the items (label, score, ...) of each case, where anything is."""
    known = ([item for item in case if item[1] is not None] for case in cases)
    return [own for own in known if own]


def add_sentences(
    section: Section, moved: Sequence[MovedCase], session: Session, seed: int = 0
) -> None:
    """Show how movement orders the labelled sentences of each case, beside the baselines."""
    columns: dict[str, list[Sequence[float | None]]] = {}
    for it in moved:
        scored: dict[str, Any] = {"movement": it.values("displacement", session.settings.TOP_K)}
        for name, row in (scored | score_plainly(it.case, session)).items():
            columns.setdefault(name, []).append(row)

    def scores(values: Sequence[Sequence[float | None]]) -> list[list[stats.Scored]]:
        """Put what is measured of the sentences beside their labels and lengths."""
        return _measured(
            zip(it.case.labels, row, lengths, strict=True)
            for it, row, lengths in zip(moved, values, columns["length"], strict=True)
        )

    rows = []
    for name, values in columns.items():
        judged = scores(values)
        within, pooled = stats.mean_auc(judged, seed), stats.pooled_auc(judged, seed)
        has_own = name != "length"
        partial = stats.partial_correlation(judged, seed) if has_own else stats.Estimate(None)
        rows.append((name, *within.cells, *pooled.cells, *partial.cells))
        slug = name.lower().replace(" ", "_")
        declared = name if name == "movement" else "{key}"
        section.add_measure(f"validity.sentences.auc.{declared}", within, key=slug, name=name)
        if name == "movement":
            section.add_measure("validity.sentences.partial.movement", partial)
    labels = [label for case in moved for label in case.case.labels]
    counts = {"cases": len(moved), "sentences": len(labels), "decisive": sum(labels)}
    section.add_table("validity.sentences", rows, **counts)
    ks, distances = [it.k for it in moved[0].panels[0]] if moved else [], []
    for row in read_table("evaluation/panel", dict):
        by_depth = (scores([it.values(row["distance"], k) for it in moved]) for k in ks)
        distances.append((row["title"], *(stats.mean_auc(it, seed).value for it in by_depth)))
    section.add_table("validity.panel", distances, [f"K = {k}" for k in ks])
    section.details["sentences"] = [
        {"id": it.case.id, "labels": list(it.case.labels)}
        | {name: list(own[at]) for name, own in columns.items()}
        for at, it in enumerate(moved)
    ]


def add_facts(section: Section, results: Sequence[CaseResult], seed: int = 0) -> None:
    """Show how sensitivity orders the labelled facts: over all, within each type, within cases."""

    def scores(area: str = "", fact_type: str = "") -> list[list[stats.Scored]]:
        chosen = (result.facts for result in results if area in ("", result.case.area))
        kinds = ([it for it in own if fact_type in ("", it.reading.fact_type)] for own in chosen)
        return _measured([(it.dispositive, it.sensitivity) for it in own] for own in kinds)

    everything, key = scores(), "validity.facts.auc.{key}"
    section.add_measure("validity.facts.auc.over_all_facts", stats.pooled_auc(everything, seed))
    within = stats.mean_auc(everything, seed)
    section.add_measure(key, within, key="within_cases", name="within cases")
    for name in FACT_TYPES.names():
        pooled = stats.pooled_auc(scores(fact_type=name), seed)
        section.add_measure(key, pooled, key=name.lower(), name=name)
    rows = []
    for area in sorted({it.case.area for it in results}):
        if own := scores(area):
            pooled, within = stats.pooled_auc(own, seed), stats.mean_auc(own, seed)
            rows.append((area, sum(map(len, own)), pooled.value, within.value))
    section.add_table("validity.areas", rows)


def add_planted(section: Section, calibration: Calibration, criterion: Criterion) -> None:
    """Show false positives and power, as the criterion calls facts, in worlds of known facts."""
    for role, key in (("idle", "false_positives"), ("carrying", "power")):
        called = stats.share(
            it.verdict == "dispositive"
            for it in calibration.observations
            if it.role == role and it.sensitivity is not None
        )
        section.add_measure(f"validity.planted.{key}", called, criterion=criterion)
    if p := calibration.null_p:
        from scipy.stats import kstest

        uniform = stats.Estimate(float(kstest(p, "uniform").pvalue), len(p))
        section.add_measure("validity.planted.uniform", uniform)


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
