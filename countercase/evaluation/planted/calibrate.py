"""How often the analysis is wrong about facts of which the truth is known, as a section.

A false alarm is an idle fact that is called dispositive, a miss a carrying one that is not. Facts
that were not measured count as neither; they are counted apart.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from countercase.config import Settings
from countercase.corpus.index.build import build_index
from countercase.corpus.readers.beir import read_beir_corpus
from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.sensitivity import Criterion
from countercase.encoders.base import open_encoders
from countercase.errors import InputError
from countercase.evaluation.counterfactual.readings import FactReading
from countercase.evaluation.experiment import measure, table
from countercase.evaluation.planted import generate
from countercase.evaluation.planted.generate import ROLES, PlantedFact
from countercase.evaluation.report import Plot, Section, Series
from countercase.evaluation.statistics import Rate, share
from countercase.facts.case_file import read_case
from countercase.facts.model import FactSheet
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import Progress
from countercase.session import Session

Analyze: TypeAlias = Callable[[FactSheet], Analysis]
OpenWorld: TypeAlias = Callable[[generate.World], Analyze]

THRESHOLDS: Final = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0)
"""The thresholds that are tried where none are given, in mean rank displacement."""

OVERALL: Final = "overall"


@dataclass(frozen=True)
class Observation:
    """What the analysis says of one planted fact.

    Attributes:
        towards: of the edits of a carrying fact made on the case as it is, those after which more
            of the precedents they lead to, or fewer of the case's own group, are in the top K.
        away: those after which it is the other way round; those that change neither do not count.
    """

    world: str
    case_id: str
    fact: PlantedFact
    reading: FactReading
    towards: int = 0
    away: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the observation for JSON."""
        fact, reading = self.fact, self.reading
        return {
            "world": self.world, "case_id": self.case_id, "fact_id": fact.fact_id,
            "fact_type": fact.fact_type, "role": fact.role, "presence": fact.presence,
            "added": fact.added, "sensitivity": reading.sensitivity, "noise": reading.noise,
            "towards": self.towards, "away": self.away, "verdict": reading.calibrated,
        }  # fmt: skip


@dataclass(frozen=True)
class Errors:
    """The errors on one fact type (or `overall`) at one threshold.

    Attributes:
        misses, false_alarms: among the measured carrying and idle facts.
        misses_by_threshold, false_alarms_by_threshold: the same if null edits were not asked.
        unmeasured_carrying, unmeasured_idle: facts that no edit measured.
    """

    fact_type: str
    threshold: float
    misses: Rate
    false_alarms: Rate
    misses_by_threshold: Rate
    false_alarms_by_threshold: Rate
    unmeasured_carrying: int
    unmeasured_idle: int


@dataclass(frozen=True)
class Calibration:
    """The errors over a set of worlds.

    Attributes:
        towards: edits of carrying facts that moved the top K the way they should, of those that
            moved it either way.
        errors: per threshold, the fact types and then `overall`.
        null_p: p of null edits that were held out of the null floor, where it was measured.
    """

    worlds: tuple[str, ...]
    cases: int
    towards: Rate
    errors: tuple[Errors, ...]
    observations: tuple[Observation, ...]
    null_p: tuple[float, ...] = ()

    def at(self, threshold: float, fact_type: str = OVERALL) -> Errors:
        """Return the errors at a threshold that was tried; `KeyError` for another."""
        return {(e.threshold, e.fact_type): e for e in self.errors}[threshold, fact_type]

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration for JSON."""
        return {
            "worlds": list(self.worlds),
            "cases": self.cases,
            "towards": self.towards.to_dict(),
            "errors": [
                {key: it.to_dict() if isinstance(it, Rate) else it for key, it in vars(at).items()}
                for at in self.errors
            ],
            "observations": [observation.to_dict() for observation in self.observations],
        }


def calibrate_spec(
    spec: Path,
    settings: Settings,
    *,
    worlds: int | None = None,
    folder: Path | None = None,
    criterion: Criterion = "threshold",
    progress: Progress | None = None,
) -> Calibration:
    """Write the worlds of a recipe (the first `worlds` of them) and analyse their cases.

    Args:
        folder: where the worlds are kept; without one they are thrown away.
        criterion: `calibrated` measures the null floor of each case too.

    Raises:
        InputError: the recipe is not valid.
        CorpusIndexError, StoreError, ModelError: a world cannot be indexed.
    """
    recipe = generate.read_spec(spec)
    recipe = recipe.model_copy(update={"seeds": recipe.seeds[:worlds]})
    encoders = open_encoders(**settings.encoding(), progress=progress)
    # Which facts carry a world is drawn, and no court ever turned on them: all weigh the same.
    plain = settings.model_copy(update={"STATEMENT_POWER": 0.0})

    def open_world(world: generate.World) -> Analyze:
        corpus, name = read_beir_corpus(world.corpus), f"planted-{world.name}"
        snapshot, _ = build_index(corpus, name, encoders, settings.CHUNK_PIECES)
        return partial(Session(plain, encoders, snapshot).measure, criterion=criterion)

    thresholds = sorted({*THRESHOLDS, settings.DISPOSITIVE_THRESHOLD})
    with tempfile.TemporaryDirectory() as temporary:
        written = generate.generate(recipe, folder or Path(temporary))
        return calibrate(written, open_world, thresholds, progress)


def calibrate(
    worlds: Sequence[generate.World],
    open_world: OpenWorld,
    thresholds: Sequence[float] = THRESHOLDS,
    progress: Progress | None = None,
) -> Calibration:
    """Analyse every case of the worlds and count the errors.

    Args:
        open_world: indexes a world's corpus and returns what analyses a case of it.

    Raises:
        InputError: there is no world, or a case no longer states a fact that the truth names.
    """
    if not worlds:
        raise InputError("no planted world was given; generate some first")
    report = progress or (lambda what, done, of: None)
    total, done = sum(len(world.cases) for world in worlds), 0
    observations: list[Observation] = []
    null_p: list[float] = []
    for world in worlds:
        report(f"indexing {world.name}", done, total)
        analyze = open_world(world)
        for case in world.cases:
            report(case.case_id, done, total)
            analysis = analyze(read_case(world.case_file(case)))
            measured = {result.fact.fact_id: result for result in analysis.facts}
            missing = [fact.fact_id for fact in case.facts if fact.fact_id not in measured]
            if missing:
                raise InputError(
                    f"{world.case_file(case)}: states no {', '.join(missing)}, which "
                    f"{world.name}'s truth names; generate the world anew"
                )
            for fact in case.facts:
                result = measured[fact.fact_id]
                reading = FactReading(
                    fact.fact_id, fact.fact_type, "",
                    result.sensitivity if result.measurable else None, result.noise,
                    calibrated=result.verdict,
                )  # fmt: skip
                seen = (fact, reading, *_count_directions(fact, analysis))
                observations.append(Observation(world.name, case.case_id, *seen))
            null_p += analysis.null_p
            done += 1
    report("done", total, total)
    names = [world.name for world in worlds]
    return replace(summarise(names, observations, thresholds), null_p=tuple(null_p))


def summarise(
    worlds: Iterable[str],
    observations: Sequence[Observation],
    thresholds: Sequence[float] = THRESHOLDS,
) -> Calibration:
    """Count the errors in the observations, at each threshold in ascending order."""
    towards = sum(observation.towards for observation in observations)
    moves = towards + sum(observation.away for observation in observations)
    cases = {(observation.world, observation.case_id) for observation in observations}

    def errors_of(kind: str, threshold: float) -> Errors:
        asked = [it for it in observations if kind in (it.fact.fact_type, OVERALL)]
        groups = {role: [it.reading for it in asked if it.fact.role == role] for role in ROLES}
        known = {
            role: [it for it in own if it.sensitivity is not None] for role, own in groups.items()
        }
        wrong = [
            share(it.carries(threshold, nulls) == (role == "idle") for it in known[role])
            for nulls in (True, False)
            for role in ROLES
        ]
        misses, alarms, plain_misses, plain_alarms = wrong
        carrying, idle = (len(groups[role]) - len(known[role]) for role in ROLES)
        return Errors(kind, threshold, misses, alarms, plain_misses, plain_alarms, carrying, idle)

    kinds, ascending = (*FACT_TYPES, OVERALL), sorted(set(thresholds))
    errors = tuple(errors_of(kind, threshold) for threshold in ascending for kind in kinds)
    return Calibration(tuple(worlds), len(cases), Rate(towards, moves), errors, tuple(observations))


def _count_directions(fact: PlantedFact, analysis: Analysis) -> tuple[int, int]:
    """Count edits of the case as it is that moved the top K towards their aim, and away from it."""
    tree, moves = analysis.tree, Counter[str]()
    rises, falls = {aim.edit: frozenset(aim.rises) for aim in fact.aims}, frozenset(fact.falls)
    before = frozenset(analysis.precedents.case_ids)
    for edge, _ in tree.measured():
        ranking = tree.node(edge.target).ranking
        aimed = rises.get(edge.edit.edit_id)
        if edge.source != tree.root.node_id or aimed is None or ranking is None:
            continue
        after = frozenset(ranking.case_ids)
        gain = len(after & aimed) - len(before & aimed) + len(before & falls) - len(after & falls)
        moves["towards"] += gain > 0
        moves["away"] += gain < 0
    return moves["towards"], moves["away"]


def planted_section(calibration: Calibration, threshold: float) -> Section:
    """Report a calibration."""
    at, lines = calibration.at(threshold), []
    for key in ("misses", "false_alarms"):
        rates = ((it.threshold, getattr(it, key).value) for it in calibration.errors
                 if it.fact_type == OVERALL)  # fmt: skip
        known = [(x, y) for x, y in rates if y is not None]
        x, y = tuple(x for x, _ in known), tuple(y for _, y in known)
        lines.append(Series(key.replace("_", " "), x, y))
    rows = (
        (e.threshold, e.fact_type, e.misses.count, e.misses.of, e.false_alarms.count,
         e.false_alarms.of)
        for e in calibration.errors
    )  # fmt: skip
    return Section(
        "planted",
        f"Planted worlds: {calibration.cases} cases",
        (
            measure("planted.misses", at.misses, at=threshold),
            measure("planted.false_alarms", at.false_alarms, at=threshold),
        ),
        (table("planted.errors", rows),),
        (Plot("Errors by threshold", "lines", "threshold", "share", tuple(lines)),),
        calibration.to_dict(),
    )
