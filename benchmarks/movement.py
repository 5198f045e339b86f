"""Does movement follow what decisions turned on? The facts of the casebook, under several settings.

    python benchmarks/movement.py [--areas] [--json FILE]

Every lawful edit of a fact of which its record says whether the decision turned on it is ranked by
itself, without the cross-encoder; the decision is left out of the corpus, and its area of law out
of the salience model. Nothing of `eval_sets/` is read, so settings may be chosen by what is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.corpus.casebook import casebook_records
from countercase.corpus.casebook.sheets import sheet_of_record
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.validators import open_validator
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.registry import FACT_TYPES
from countercase.salience.case import CaseSalience
from countercase.salience.facts import fact_features
from countercase.salience.model import Salience, probability
from countercase.salience.points import Points
from countercase.salience.segments import segment_salience
from countercase.session import Session, open_session
from training.logistic import area_under_curve
from training.salience_facts import decision_of, examples_of, train

VARIANTS: Final = {
    "as worded": (0.0, 0.0),
    "segments, power 1": (1.0, 0.0),
    "segments, power 2": (2.0, 0.0),
    "segments, power 3": (3.0, 0.0),
    "changes, power 2": (0.0, 2.0),
    "changes, power 3": (0.0, 3.0),
    "changes, power 4": (0.0, 4.0),
    "changes, power 6": (0.0, 6.0),
    "changes, power 8": (0.0, 8.0),
    "segments 2, changes 6": (2.0, 6.0),
}
"""SALIENCE_POWER and CHANGE_POWER of each line of the table."""
SPREAD: Final = 1.5
NULLS: Final = 12


@dataclass(frozen=True)
class Case:
    """A decision as a case: its labelled facts, their edits and its null edits."""

    area: str
    sheet: FactSheet
    salience: dict[str, Salience]
    edits: tuple[Edit, ...]
    nulls: tuple[Edit, ...]
    turned: frozenset[str]


@dataclass(frozen=True)
class Moved:
    """How far a labelled fact moved the list."""

    case_id: str
    area: str
    fact_type: str
    turned: bool
    move: float
    salience: float


def cases_of(session: Session) -> list[Case]:
    """The decisions of the casebook, each with salience from a model without its area."""
    records, encoders, validator = casebook_records(), session.encoders, open_validator("rules")
    sheets = [sheet_of_record(record) for record in records]
    pairs = list(zip(records, sheets, strict=True))
    points = Points(tuple(decision_of(record, sheet, encoders) for record, sheet in pairs))
    examples = examples_of(records, sheets, points, encoders)

    @cache
    def model_without(area: str) -> Any:
        return train([example for example in examples if example.area != area], 0)

    cases = []
    for record, sheet in pairs:
        features = fact_features(sheet, encoders, points, leave_out=sheet.case_id)
        model = model_without(record["area"])
        salience = {
            name: Salience(probability(model.log_odds(row))) for name, row in features.items()
        }
        labelled = {*record["turned_on"], *record["not_turned_on"]}
        edits = tuple(
            edit
            for edit in propose(sheet)
            if edit.fact_id in labelled and validator.judge(sheet, (edit,)).plausible
        )
        cases.append(
            Case(
                record["area"], sheet, salience, edits, tuple(propose_nulls(sheet)[:NULLS]),
                frozenset(record["turned_on"]),
            )
        )  # fmt: skip
    return cases


def moved(
    case: Case, session: Session, powers: tuple[float, float]
) -> tuple[list[Moved], list[float]]:
    """The moves of the labelled facts of a case, and those of its null edits."""

    def read(texts: Sequence[str]) -> dict[str, Salience]:
        return segment_salience(texts, session.encoders)

    salience = CaseSalience(case.salience, read, *powers)
    limit = session.settings.SEGMENT_PIECES
    renderer = Renderer(case.sheet, session.encoders.count, limit, salience)
    top_k = session.settings.TOP_K
    search = StateSearch(renderer, session.retriever, top_k, frozenset({case.sheet.case_id}))
    edits = [*case.edits, *case.nulls]
    root, *lists = search.rank([State(), *(State.of([edit]) for edit in edits)])
    moves = [displacement(root.case_ids, it.case_ids, top_k).mean for it in lists]
    by_fact: dict[str, list[float]] = {}
    for edit, move in zip(case.edits, moves, strict=False):
        by_fact.setdefault(edit.fact_id, []).append(move)
    types = {fact.fact_id: fact.fact_type for fact in case.sheet.facts}
    rows = [
        Moved(
            case.sheet.case_id, case.area, types[name], name in case.turned,
            float(np.mean(values)), case.salience[name].value,
        )
        for name, values in by_fact.items()
    ]  # fmt: skip
    return rows, moves[len(case.edits) :]


def auc(rows: Iterable[Moved], score: Callable[[Moved], float] = lambda row: row.move) -> float:
    """The chance that a fact that was turned on is above one that was not."""
    chosen = list(rows)
    labels = np.asarray([row.turned for row in chosen], dtype=np.bool_)
    if labels.all() or not labels.any():
        return float("nan")
    return area_under_curve(np.asarray([score(row) for row in chosen]), labels)


def figures(rows: Sequence[Moved], nulls: Sequence[float]) -> dict[str, float]:
    """One line of the table."""
    within = [auc(row for row in rows if row.case_id == name) for name in {r.case_id for r in rows}]
    return {
        "all": auc(rows),
        **{name: auc(r for r in rows if r.fact_type == name) for name in FACT_TYPES.names()},
        "within": float(np.nanmean(within)),
        "turned": float(np.mean([row.move > SPREAD for row in rows if row.turned])),
        "others": float(np.mean([row.move <= SPREAD for row in rows if not row.turned])),
        "nulls": float(np.mean(nulls)),
    }


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--areas", action="store_true", help="the AUC of each area of law too")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    session = open_session(load_settings(USE_RERANKER=False))
    cases = cases_of(session)
    report: dict[str, Any] = {}
    for name, powers in VARIANTS.items():
        parts = [moved(case, session, powers) for case in cases if case.edits]
        rows = [row for own, _ in parts for row in own]
        line = figures(rows, [move for _, own in parts for move in own])
        if not report:
            salience = auc(rows, lambda row: row.salience)
            print(f"{len(rows)} facts with a lawful edit; salience alone {salience:.3f}")
            print("variant".ljust(24) + "".join(key[:8].rjust(9) for key in line))
        print(name.ljust(24) + "".join(f"{value:9.3f}" for value in line.values()), flush=True)
        areas = {area: auc(r for r in rows if r.area == area) for area in {r.area for r in rows}}
        report[name] = {**line, "areas": areas, "facts": [asdict(row) for row in rows]}
        if given.areas:
            for area, value in sorted(areas.items()):
                print(f"    {area.ljust(24)}{value:.3f}")
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
