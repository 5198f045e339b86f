"""A world opened with given models: its corpus indexed, its cases analysed.

How often the analysis is wrong about facts of which the truth is known.

A false alarm is an idle fact that is called dispositive, a miss a carrying one that is not. Facts
that were not measured count as neither; they are counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

from countercase.config import Settings
from countercase.corpus.index.build import build_index
from countercase.corpus.readers.beir import read_beir_corpus
from countercase.counterfactual.analysis import Analysis
from countercase.encoders.base import Encoders
from countercase.errors import InputError
from countercase.evaluation.planted.model import PlantedCase, PlantedFact, Presence, Role, World
from countercase.evaluation.statistics import Rate
from countercase.facts.case_file import read_case
from countercase.facts.model import FactSheet, FactTypeName
from countercase.facts.vocabulary import FACT_TYPES
from countercase.session import Session

Analyze: TypeAlias = Callable[[FactSheet], Analysis]


OpenWorld: TypeAlias = Callable[[World], Analyze]


def opener(encoders: Encoders, settings: Settings) -> OpenWorld:
    """Opens worlds with these models and settings; each is indexed as a corpus of its own name.

    What it opens raises CorpusIndexError, StoreError or ModelError where that fails.
    """

    def open_world(world: World) -> Analyze:
        snapshot, _ = build_index(
            read_beir_corpus(world.corpus), f"planted-{world.name}", encoders, settings.CHUNK_PIECES
        )
        return Session(settings, encoders, snapshot).measure

    return open_world


THRESHOLDS: Final = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0)


"""The thresholds that are tried where none are given, in mean rank displacement."""


OVERALL: Final = "overall"


Progress = Callable[[str, int, int], None]


"""Called with what is next (`indexing <world>`, a case, at last `done`), cases done and in all."""


@dataclass(frozen=True)
class Observation:
    """What the analysis said of one planted fact.

    Attributes:
        sensitivity: mean rank displacement over its edges; None where it was not measured.
        noise: what null edits move; None without them.
        towards: of the edits of a carrying fact made on the case as it is, those after which
            more of the precedents they lead to, or fewer of the case's own group, are in the top K.
        away: those after which it is the other way round. Edits that change neither are left out.
    """

    world: str
    case_id: str
    fact_id: str
    fact_type: FactTypeName
    role: Role
    presence: Presence
    added: bool
    sensitivity: float | None
    noise: float | None
    towards: int = 0
    away: int = 0

    def dispositive(self, threshold: float, with_noise: bool = True) -> bool:
        """Whether the fact is called dispositive at a threshold.

        Args:
            with_noise: whether it must also move more than null edits do, as in an analysis.
        """
        if self.sensitivity is None or self.sensitivity <= threshold:
            return False
        return not with_noise or self.noise is None or self.sensitivity > self.noise


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

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            key: value.to_dict() if isinstance(value, Rate) else value
            for key, value in vars(self).items()
        }


@dataclass(frozen=True)
class Calibration:
    """What came of a set of worlds.

    Attributes:
        towards: edits of carrying facts that moved the top K the way they should, of those that
            moved it either way.
        errors: per threshold, the fact types and then `overall`.
    """

    worlds: tuple[str, ...]
    cases: int
    towards: Rate
    errors: tuple[Errors, ...]
    observations: tuple[Observation, ...]

    def at(self, threshold: float, fact_type: str = OVERALL) -> Errors:
        """The errors at a threshold that was tried; `KeyError` for another."""
        for errors in self.errors:
            if (errors.threshold, errors.fact_type) == (threshold, fact_type):
                return errors
        raise KeyError((threshold, fact_type))

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "worlds": list(self.worlds),
            "cases": self.cases,
            "towards": self.towards.to_dict(),
            "errors": [errors.to_dict() for errors in self.errors],
            "observations": [asdict(seen) for seen in self.observations],
        }


def calibrate(
    worlds: Sequence[World],
    open_world: OpenWorld,
    thresholds: Sequence[float] = THRESHOLDS,
    progress: Progress | None = None,
) -> Calibration:
    """Analyse every case of the worlds and count the errors.

    Args:
        open_world: indexes a world's corpus and returns what analyses a case of it, such as
            `running.opener(encoders, settings)`.

    Raises:
        InputError: there is no world, or a case no longer states a fact that the truth names.
    """
    if not worlds:
        raise InputError("no planted world was given; generate some first")
    total, seen, done = sum(len(world.cases) for world in worlds), list[Observation](), 0
    for world in worlds:
        if progress is not None:
            progress(f"indexing {world.name}", done, total)
        analyze = open_world(world)
        for case in world.cases:
            if progress is not None:
                progress(case.case_id, done, total)
            seen += observe(world, case, analyze(read_case(world.case_file(case))))
            done += 1
    if progress is not None:
        progress("done", total, total)
    return summarise([world.name for world in worlds], seen, thresholds)


def observe(world: World, case: PlantedCase, analysis: Analysis) -> list[Observation]:
    """What an analysis said of each planted fact of its case.

    Raises:
        InputError: the analysis is of a sheet that lacks a planted fact.
    """
    found = {fact.fact.fact_id: fact for fact in analysis.facts}
    missing = [f.fact_id for f in case.facts if f.fact_id not in found]
    if missing:
        raise InputError(
            f"{world.case_file(case)}: states no {', '.join(missing)}, which {world.name}'s truth "
            "names; generate the world anew"
        )
    listed = []
    for fact in case.facts:
        measured = found[fact.fact_id]
        towards, away = _directions(fact, analysis)
        listed.append(
            Observation(
                world=world.name,
                case_id=case.case_id,
                fact_id=fact.fact_id,
                fact_type=fact.fact_type,
                role=fact.role,
                presence=fact.presence,
                added=fact.added,
                sensitivity=measured.sensitivity if measured.measurable else None,
                noise=measured.noise,
                towards=towards,
                away=away,
            )
        )
    return listed


def summarise(
    worlds: Iterable[str], seen: Sequence[Observation], thresholds: Sequence[float] = THRESHOLDS
) -> Calibration:
    """Count the errors in what was observed, at each threshold in ascending order."""
    moved = [(each.towards, each.away) for each in seen]
    kinds = (*FACT_TYPES, OVERALL)
    return Calibration(
        worlds=tuple(worlds),
        cases=len({(each.world, each.case_id) for each in seen}),
        towards=Rate(sum(t for t, _ in moved), sum(t + a for t, a in moved)),
        errors=tuple(
            _errors(kind, threshold, [e for e in seen if kind in (e.fact_type, OVERALL)])
            for threshold in sorted(set(thresholds))
            for kind in kinds
        ),
        observations=tuple(seen),
    )


def _errors(kind: str, threshold: float, seen: Sequence[Observation]) -> Errors:
    def rate(role: Role, wrong: bool, with_noise: bool) -> Rate:
        facts = [each for each in seen if each.role == role and each.sensitivity is not None]
        called = sum(each.dispositive(threshold, with_noise) == wrong for each in facts)
        return Rate(called, len(facts))

    def unmeasured(role: Role) -> int:
        return sum(each.role == role and each.sensitivity is None for each in seen)

    return Errors(
        fact_type=kind,
        threshold=threshold,
        misses=rate("carrying", False, True),
        false_alarms=rate("idle", True, True),
        misses_by_threshold=rate("carrying", False, False),
        false_alarms_by_threshold=rate("idle", True, False),
        unmeasured_carrying=unmeasured("carrying"),
        unmeasured_idle=unmeasured("idle"),
    )


def _directions(fact: PlantedFact, analysis: Analysis) -> tuple[int, int]:
    """How many edits of the case as it is moved the top K towards their aim, and away from it."""
    tree, towards, away = analysis.tree, 0, 0
    rises = {aim.edit: frozenset(aim.rises) for aim in fact.aims}
    before = frozenset(analysis.precedents.case_ids)
    for edge, _ in tree.measured():
        ranking = tree.node(edge.target).ranking
        aimed = rises.get(edge.edit.edit_id)
        if edge.source != tree.root.node_id or aimed is None or ranking is None:
            continue
        after = frozenset(ranking.case_ids)
        gained = len(after & aimed) - len(before & aimed)
        lost = len(before & frozenset(fact.falls)) - len(after & frozenset(fact.falls))
        towards += gained + lost > 0
        away += gained + lost < 0
    return towards, away
