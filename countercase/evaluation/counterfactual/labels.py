"""Do the facts that should matter move the precedents, and do the others leave them alone?

What is held against labels is read off an analysis and stored without the labels, so that they can
be corrected without analysing again. Dispositive accuracy is the share of all facts labelled
dispositive whose sensitivity is above the threshold, non-dispositive accuracy that of all others at
or below it; a fact that was not measured is wrong in either.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.sensitivity import FactSensitivity
from countercase.counterfactual.tree import moves_from_root
from countercase.engines.engine import PLAIN, Engine
from countercase.errors import InputError
from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, run_cases
from countercase.evaluation.sets import CounterfactualCase, read_set
from countercase.evaluation.statistics import Estimate, Pairs, area_under_curve, mean_of, share
from countercase.facts.case_file import read_case, sheet_from_case
from countercase.facts.model import FactSheet
from countercase.io import Progress

_Item = TypeVar("_Item")
Analyse = Callable[[FactSheet], Analysis]

CODE: Final = (*ANALYSIS_CODE, "evaluation/counterfactual/labels.py")
"""The parts of the program that decide what is read off an analysis."""

LABELS: Final = {True: "dispositive", False: "non-dispositive"}
"""Labels as tables and files say them."""

SWEEP: Final = tuple(step * 0.25 for step in range(1, 33))
"""Thresholds from .25 to 8, in mean rank displacement."""

Unmeasured: TypeAlias = Literal["reaches no channel", "refused or beyond the limits"]
"""Why a fact has no sensitivity: it is not stated to any ranker, or none of its edits was ranked."""


def is_carrying(sensitivity: float | None, noise: float | None, threshold: float) -> bool | None:
    """Return whether a fact moves more than threshold and null edits; None if it was not measured."""
    if sensitivity is None:
        return None
    return sensitivity > threshold and (noise is None or sensitivity > noise)


@dataclass(frozen=True)
class FactReading:
    """One fact's sensitivity.

    Attributes:
        sensitivity: mean rank displacement, 0 to K + 1, the largest of `moves`; None: not measured.
        noise: what null edits move the ranking; None without null edits.
        moves: its edges from the root: operation of the edit, and mean rank displacement.
        calibrated: the verdict against the null floor; empty where it was not measured.
        p: how often words alone move the ranking as far, not corrected for the number of facts.
    """

    fact_id: str
    fact_type: str
    value: str = ""
    sensitivity: float | None = None
    noise: float | None = None
    moves: tuple[tuple[str, float], ...] = ()
    unmeasured: Unmeasured | None = None
    calibrated: str = ""
    p: float | None = None
    salience: float | None = None

    def carries(self, threshold: float, nulls: bool) -> bool | None:
        """Return whether it reads as dispositive (`nulls`: beyond null edits); None if unmeasured."""
        return is_carrying(self.sensitivity, self.noise if nulls else None, threshold)


@dataclass(frozen=True)
class Judged:
    """The validator's verdict on one state, the types of its edits, and the reason of a refusal."""

    fact_types: tuple[str, ...]
    accepted: bool
    reason: str


@dataclass(frozen=True)
class CaseReading:
    """The analysis of one case.

    Attributes:
        sensitivity: per fact type; None where no edge of the type was measured.
        nulls: fact type and mean rank displacement of every null edit.
        proposed: how many edits there were; those beyond the limits were not judged.
    """

    case_id: str
    sensitivity: dict[str, float | None]
    facts: tuple[FactReading, ...]
    nulls: tuple[tuple[str, float], ...] = ()
    judged: tuple[Judged, ...] = ()
    proposed: int = 0


def reading_of(analysis: Analysis) -> CaseReading:
    """Return what the evaluation needs of an analysis."""
    moves = {
        fact: tuple((edit.operation, mean) for mean, edit in own)
        for fact, own in moves_from_root(analysis.tree).items()
    }

    def read(measured: FactSensitivity) -> FactReading:
        fact, is_measured = measured.fact, measured.sensitivity is not None
        why = get_args(Unmeasured)[measured.measurable]
        judged = is_measured and analysis.criterion == "calibrated"
        salience = analysis.salience.get(fact.fact_id)
        return FactReading(
            fact.fact_id, fact.fact_type, str(fact.value), measured.sensitivity, measured.noise,
            moves.get(fact.fact_id, ()) if is_measured else (),
            None if is_measured else why,
            measured.verdict if judged else "",
            measured.calibrated.p if measured.calibrated else None,
            salience.value if salience else None,
        )  # fmt: skip

    judged = []
    for node in analysis.tree.nodes():
        if node.state.edits:
            refused = node.status == "rejected"
            kinds = tuple(edit.fact_type for edit in node.state.edits)
            judged.append(Judged(kinds, not refused, node.reason if refused else ""))
    return CaseReading(
        analysis.sheet.case_id,
        {kind: analysis.sensitivity.get(kind) for kind in _kinds(analysis.sheet)},
        tuple(map(read, analysis.facts)),
        tuple((null.edit.fact_type, null.mean_displacement) for null in analysis.nulls),
        tuple(judged),
        len(analysis.edits),
    )


def sheet_of(case: CounterfactualCase) -> FactSheet:
    """Return the fact sheet of a labelled case; an InputError where a label does not fit it."""
    sheet = sheet_from_case(case.case_file)
    known = {fact.fact_id: fact for fact in sheet.facts}
    for field in ("dispositive_facts", "non_dispositive_facts"):
        for label in getattr(case, field):
            where = f"{case.case_id}: {field}: {label.fact_id}"
            fact = known.get(label.fact_id)
            if fact is None:
                hint = "`countercase facts` lists its facts"
                raise InputError(f"{where}: the case has no such fact; {hint}")
            for name, there in (("fact_type", fact.fact_type), ("value", str(fact.value))):
                if (given := getattr(label, name)) != there:
                    raise InputError(f"{where}: {name} is {given!r}, in the case {there!r}")
    named = {
        "dispositive_types": [label.fact_type for label in case.dispositive_types],
        "non_dispositive_types": [label.fact_type for label in case.non_dispositive_types],
        "expert_importance_ranking": list(case.expert_importance_ranking),
    }
    for field, names in named.items():
        if missing := [name for name in names if name not in _kinds(sheet)]:
            raise InputError(f"{case.case_id}: {field}: the case has no fact of type {missing[0]}")
    if both := {*named["dispositive_types"]} & {*named["non_dispositive_types"]}:
        twice = f"{', '.join(sorted(both))} stands in dispositive_types and in"
        raise InputError(f"{case.case_id}: {twice} non_dispositive_types; keep one")
    return sheet


def read_sheets(paths: Sequence[Path], max_bytes: int, tagger: bool = True) -> list[FactSheet]:
    """Read the fact sheets of case files and of `.jsonl` files of the case set."""
    sheets: list[FactSheet] = []
    for path in paths:
        if path.suffix.lower() == ".jsonl":
            sheets += [sheet_of(case) for case in read_set(path, CounterfactualCase)]
        else:
            sheets.append(read_case(path, max_bytes, tagger=tagger))
    names = [sheet.case_id for sheet in sheets]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"the case {twice!r} is given twice")
    return sheets


def _kinds(sheet: FactSheet) -> list[str]:
    """Return the fact types that the sheet has, in sheet order."""
    return list(dict.fromkeys(fact.fact_type for fact in sheet.facts))


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
        case, own = self.case, {fact.fact_id: fact for fact in self.reading.facts}
        labels = [(it, True) for it in case.dispositive_facts]
        labels += [(it, False) for it in case.non_dispositive_facts]
        return tuple(Labelled(case, own[it.fact_id], is_high) for it, is_high in labels)

    @property
    def types(self) -> tuple[Labelled, ...]:
        """The labelled fact types, the dispositive ones first; they have no null edits."""
        case, moved = self.case, self.reading.sensitivity
        labels = [(it.fact_type, True) for it in case.dispositive_types]
        labels += [(it.fact_type, False) for it in case.non_dispositive_types]
        read = ((FactReading("", it, "", moved[it]), is_high) for it, is_high in labels)
        return tuple(Labelled(case, *it) for it in read)

    @property
    def order(self) -> Pairs:
        """Sensitivity and importance (the rank, its sign turned) of the types that have both."""
        ranks, moved = self.case.expert_importance_ranking, self.reading.sensitivity
        known = {kind: v for kind in ranks if (v := moved.get(kind)) is not None}
        return tuple(known.values()), tuple(-ranks[kind] for kind in known)


def choose(items: Sequence[_Item], limit: int | None, seed: int | str) -> list[_Item]:
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
) -> Estimate:
    """Return the share of all facts (or types) with this label that are read rightly."""
    return share(it.correct(threshold, nulls) for it in labelled if it.dispositive == dispositive)


def coverage(labelled: Sequence[Labelled]) -> Estimate:
    """Return the share of the labelled facts (or types) that were measured."""
    return share(fact.sensitivity is not None for fact in labelled)


def separation(labelled: Sequence[Labelled]) -> Estimate:
    """Return the AUC of sensitivity: dispositive facts above the others, of those measured."""
    known = [(it.dispositive, it.sensitivity) for it in labelled if it.sensitivity is not None]
    return Estimate(area_under_curve(known), len(known))


class Point(NamedTuple):
    """At one threshold, the share of `high` above it, of `low` not above it, and their mean."""

    threshold: float
    high: float | None
    low: float | None
    balanced: float | None


def sweep(high: Sequence[float], low: Sequence[float]) -> list[Point]:
    """Return a point for each threshold of `SWEEP`."""
    points = []
    for at in SWEEP:
        above, beneath = mean_of([it > at for it in high]), mean_of([it <= at for it in low])
        mean = None if above is None or beneath is None else (above + beneath) / 2
        points.append(Point(at, above, beneath, mean))
    return points
