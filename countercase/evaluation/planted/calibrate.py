"""How often the analysis is wrong about facts of which the truth is known, as a section.

A false alarm is an idle fact that is called dispositive, a miss a carrying one that is not. Facts
that were not measured count as neither; they are counted apart.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from countercase.config import Settings
from countercase.corpus.index.build import build_index
from countercase.corpus.readers.beir import read_beir_corpus
from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.sensitivity import Criterion
from countercase.encoders.base import ROLES, open_encoders
from countercase.evaluation.counterfactual.labels import is_carrying
from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, open_store, run_cases
from countercase.evaluation.planted import generate
from countercase.evaluation.planted.generate import PlantedCase, PlantedFact, Role
from countercase.evaluation.report import Plot, Section, Series
from countercase.evaluation.sets import read_json
from countercase.evaluation.statistics import Estimate, rate, share
from countercase.facts.case_file import read_case
from countercase.facts.model import FactSheet, FactTypeName
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import Progress
from countercase.session import Session

THRESHOLDS: Final = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0)
"""The thresholds that are tried where none are given, in mean rank displacement."""

OVERALL: Final = "overall"
ERRORS: Final[dict[str, Role]] = {"misses": "carrying", "false_alarms": "idle"}
"""Each error by its key, with the role of the facts that it is made on."""

CODE: Final = (*ANALYSIS_CODE, "evaluation/planted")
"""The parts of the program that decide what is observed of a world."""


@dataclass(frozen=True)
class Observation:
    """What the analysis says of one planted fact; see also `FactReading`.

    Attributes:
        towards: of the edits of a carrying fact made on the case as it is, those after which more
            of the precedents they lead to, or fewer of the case's own group, are in the top K.
        away: those after which it is the other way round; those that change neither do not count.
    """

    world: str
    case_id: str
    fact_id: str
    fact_type: FactTypeName
    role: Role
    presence: generate.Presence
    added: bool = False
    sensitivity: float | None = None
    noise: float | None = None
    towards: int = 0
    away: int = 0
    verdict: str = ""


@dataclass(frozen=True)
class Calibration:
    """What the analysis says of the planted facts of some worlds.

    Errors are counted at `thresholds`, in ascending order; `null_p` is the p of null edits that
    were held out of the null floor, where it was measured.
    """

    worlds: tuple[str, ...]
    observations: tuple[Observation, ...]
    thresholds: tuple[float, ...] = THRESHOLDS
    null_p: tuple[float, ...] = ()

    @property
    def towards(self) -> Estimate:
        """Edits of carrying facts that moved the top K the way they should, of those that moved it."""
        towards = sum(it.towards for it in self.observations)
        return rate(towards, towards + sum(it.away for it in self.observations))

    def wrong(
        self, role: Role, threshold: float, fact_type: str = OVERALL, nulls: bool = True
    ) -> Estimate:
        """Count misses among carrying facts or false alarms among idle ones, `nulls` heeded or not."""
        called = (
            is_carrying(it.sensitivity, it.noise if nulls else None, threshold)
            for it in self.planted(role, fact_type)
        )
        return share(verdict == (role == "idle") for verdict in called if verdict is not None)

    def planted(self, role: Role, fact_type: str = OVERALL) -> list[Observation]:
        """Return what is said of the facts of a role, of one fact type or of all."""
        asked = (it for it in self.observations if fact_type in (it.fact_type, OVERALL))
        return [it for it in asked if it.role == role]

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration for JSON: per threshold, the errors of each fact type and overall."""
        errors = []
        for at, kind in product(self.thresholds, (*FACT_TYPES, OVERALL)):
            row: dict[str, Any] = {"fact_type": kind, "threshold": at}
            for suffix, nulls in (("", True), ("_by_threshold", False)):
                for key, role in ERRORS.items():
                    row[key + suffix] = _share_fields(self.wrong(role, at, kind, nulls))
            for role in ERRORS.values():
                unmeasured = sum(it.sensitivity is None for it in self.planted(role, kind))
                row[f"unmeasured_{role}"] = unmeasured
            errors.append(row)
        return {
            "worlds": list(self.worlds),
            "cases": len({(it.world, it.case_id) for it in self.observations}),
            "towards": _share_fields(self.towards),
            "errors": errors,
            "observations": [asdict(observation) for observation in self.observations],
        }


def _share_fields(share: Estimate) -> dict[str, float | None]:
    names = ("count", "of", "rate", "low", "high")
    return dict(zip(names, (share.count, share.n, *share.cells), strict=True))


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
    """
    recipe = read_json(spec, generate.Spec)
    recipe = recipe.model_copy(update={"seeds": recipe.seeds[:worlds]})
    encoders = open_encoders(**settings.encoding(), progress=progress)
    # Which facts carry a world is drawn, and no court ever turned on them: all weigh the same.
    plain = settings.model_copy(update={"STATEMENT_POWER": 0.0})

    def open_world(world: generate.World) -> Callable[[FactSheet], Analysis]:
        corpus, name = read_beir_corpus(world.corpus), f"planted-{world.name}"
        snapshot, _ = build_index(corpus, name, encoders, settings.CHUNK_PIECES)
        return partial(Session(plain, encoders, snapshot).measure, criterion=criterion)

    made_with = {
        "settings": plain.fingerprint(),
        "models": {role: encoders.fingerprint(role) for role in ROLES},
        "criterion": criterion,
    }
    thresholds = (*THRESHOLDS, settings.DISPOSITIVE_THRESHOLD)
    with tempfile.TemporaryDirectory() as temporary, open_store("planted", CODE, made_with) as kept:
        written = generate.generate(recipe, folder or Path(temporary))
        return calibrate(written, open_world, thresholds, progress, kept)


def calibrate(
    worlds: Sequence[generate.World],
    open_world: Callable[[generate.World], Callable[[FactSheet], Analysis]],
    thresholds: Sequence[float] = THRESHOLDS,
    progress: Progress | None = None,
    store: ResultStore | None = None,
) -> Calibration:
    """Analyse every case of the worlds, or read what an earlier run stored of it.

    `open_world` returns what analyses the cases of a world, where one of them is not stored.
    """
    planted = [(world, case) for world in worlds for case in world.cases]
    analyze_in = lru_cache(maxsize=1)(open_world)

    def observe(item: tuple[generate.World, PlantedCase]) -> Any:
        world, case = item
        analysis = analyze_in(world)(read_case(world.case_file(case)))
        if not analysis.complete:
            raise KeyboardInterrupt
        said = {result.fact.fact_id: result for result in analysis.facts}
        seen = [
            Observation(
                world.name, case.case_id, it.fact_id, it.fact_type, it.role, it.presence, it.added,
                said[it.fact_id].sensitivity, said[it.fact_id].noise,
                *_count_directions(it, analysis), said[it.fact_id].verdict,
            )
            for it in case.facts
        ]  # fmt: skip
        return tuple(seen), analysis.null_p

    def identify(item: tuple[generate.World, PlantedCase]) -> list[Any]:
        world, case = item
        files = (world.corpus, world.case_file(case))
        return [asdict(case), *(file.read_text(encoding="utf-8") for file in files)]

    observed = run_cases(
        planted, observe, identify, store, progress, "cases of planted worlds",
        form=tuple[tuple[Observation, ...], tuple[float, ...]],
    )  # fmt: skip
    seen, null_p = ([it for row in observed for it in row[at]] for at in (0, 1))
    names = tuple(world.name for world in worlds)
    return Calibration(names, tuple(seen), tuple(sorted(set(thresholds))), tuple(null_p))


def _count_directions(fact: PlantedFact, analysis: Analysis) -> tuple[int, int]:
    """Count edits of the case as it is that moved the top K towards their aim, and away from it."""
    tree, gains = analysis.tree, list[int]()

    def reach(ids: Sequence[str], edit: str) -> int:
        return len({*ids} & {*fact.aims[edit]}) - len({*ids} & {*fact.falls})

    for edge, _ in tree.measured():
        ranking, edit = tree.node(edge.target).ranking, edge.edit.edit_id
        if edge.source == tree.root.node_id and edit in fact.aims and ranking is not None:
            before = reach(analysis.precedents.case_ids, edit)
            gains.append(reach(ranking.case_ids, edit) - before)
    return sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)


def planted_section(calibration: Calibration, threshold: float) -> Section:
    """Report a calibration."""
    details, lines = calibration.to_dict(), []
    found = Section("planted", f"Planted worlds: {details['cases']} cases", details=details)
    for key, role in ERRORS.items():
        found.add_measure(f"planted.{key}", calibration.wrong(role, threshold), at=threshold)
        rates = {at: calibration.wrong(role, at).value for at in calibration.thresholds}
        known = {at: value for at, value in rates.items() if value is not None}
        lines.append(Series(key.replace("_", " "), tuple(known), tuple(known.values())))
    rows = (
        (it["threshold"], it["fact_type"], *(it[key][n] for key in ERRORS for n in ("count", "of")))
        for it in details["errors"]
    )
    found.add_table("planted.errors", rows)
    found.plots.append(Plot("Errors by threshold", "lines", "threshold", "share", tuple(lines)))
    return found
