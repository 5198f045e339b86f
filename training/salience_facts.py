"""Train the salience of typed facts on labelled matters and on what the casebook turned on.

    python training/salience_facts.py [--seed 0] [--install]

Positive are the decisive facts of a matter and the facts in `turned_on` of a record; negative are
the other facts of a matter, one that is argued counting half, and those in `not_turned_on`. A fact
of a record that stands in neither is left out. A record is never compared with itself. What the
reader of facts makes of their words is a linear question on its states for each type; a matter is
asked by questions that were fitted on the matters of other areas. Whole areas of law are left out in
turn to measure; what `--install` puts into the package is fitted on everything.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.corpus.casebook.form import sheet_of_record
from countercase.corpus.casebook.records import casebook_records
from countercase.encoders.base import Encoders, open_encoders
from countercase.fact_types.base import tokens
from countercase.facts.model import FactSheet
from countercase.facts.reader import load_network, passage_vector
from countercase.salience.facts import (
    READ,
    Decision,
    Features,
    encoded,
    fact_features,
    mean_vector,
    places_of,
)
from countercase.text.sentences import clauses_of
from countercase.text.spans import Span
from training.circumstances import Question, add_questions
from training.circumstances import fit as fit_question
from training.logistic import Fitted, area_under_curve, fit
from training.matter_sheets import load_matters, sheet_of_matter

SCARCE: Final = 8
"""Features that fewer facts than this have are left out."""

STRENGTH: Final = 0.1
"""Inverse of the strength of the L2 penalty, chosen by the areas left out."""

MATTER: Final = 4.0
"""How much a fact of a matter counts beside one of a record, which was labelled from the judgment's
own headings and not fact by fact; chosen by the areas left out."""

FOLDS: Final = 7
"""Groups of areas; the questions of one are fitted on the others."""

WEIGHTS: Final = {"decisive": MATTER, "argued": MATTER / 2, "background": MATTER}


@dataclass(frozen=True)
class Example:
    """A labelled fact.

    Attributes:
        source: `record` of the casebook, or `matter`.
        weight: how much it counts.
    """

    source: str
    area: str
    fact_type: str
    features: Features
    turned: bool
    weight: float = 1.0


def decision_of(record: Mapping[str, Any], sheet: FactSheet, encoders: Encoders) -> Decision:
    """What cases are compared with: the vectors of a record and the tokens of its facts."""
    entries = record["dispositive"]
    points = encoded(encoders, [f"{entry['fact']}: {entry['why']}" for entry in entries])
    cited: dict[str, int] = {}
    turned: dict[str, int] = {}
    for fact in sheet.facts:
        for token in sorted(set(tokens(fact))):
            cited[token] = cited.get(token, 0) + 1
            if fact.fact_id in record["turned_on"]:
                turned[token] = turned.get(token, 0) + 1
    return Decision(
        record["case_id"],
        half(mean_vector(encoders, record["facts"])),
        tuple(entry["fact_type"] for entry in entries),
        half(points),
        cited,
        turned,
    )


def half(vectors: Any) -> Any:
    """Vectors as they ship, at half precision."""
    return vectors.astype(np.float16).astype(np.float64)


def examples_of(
    records: Sequence[Mapping[str, Any]],
    sheets: Sequence[FactSheet],
    decisions: Sequence[Decision],
    enc: Encoders,
) -> list[Example]:
    """The labelled facts of all records."""
    rows = []
    for record, sheet in zip(records, sheets, strict=True):
        features = fact_features(sheet, enc, decisions, leave_out=sheet.case_id)
        for fact in sheet.facts:
            if fact.fact_id in record["turned_on"] or fact.fact_id in record["not_turned_on"]:
                turned = fact.fact_id in record["turned_on"]
                row = Example(
                    "record", record["area"], fact.fact_type, features[fact.fact_id], turned
                )
                rows.append(row)
    return rows


@dataclass(frozen=True)
class Words:
    """A labelled fact of a matter in its words, as the reader of facts sees them."""

    area: str
    fact: tuple[str, str]
    fact_type: str
    vector: NDArray[np.float64]
    decisive: bool


def words_of_matters() -> list[Words]:
    """Return the facts of all labelled matters that are read, each known by matter and fact id."""
    rows = []
    for matter in load_matters():
        sheet, labels = sheet_of_matter(matter)
        text = sheet.narrative
        clauses = [Span(clause.start, clause.end) for clause in clauses_of(text)]
        for fact in sheet.facts:
            if (vector := passage_vector(text, *places_of(fact, clauses))) is not None:
                key, decisive = (sheet.case_id, fact.fact_id), labels[fact.fact_id] == "decisive"
                rows.append(Words(matter["area"], key, fact.fact_type, vector, decisive))
    return rows


def questions_of(rows: Sequence[Words]) -> dict[str, Question]:
    """Return for each type whether a court turns on a fact; the answers have the mean 0."""
    asked = {}
    for kind in _named(rows, "fact_type"):
        own = [row for row in rows if row.fact_type == kind]
        vectors = np.array([row.vector for row in own])
        weight, _ = fit_question(vectors, np.array([float(row.decisive) for row in own]))
        asked[kind] = weight, -float((vectors @ weight).mean())
    return asked


def answers_left_out(rows: Sequence[Words]) -> dict[tuple[str, str], float]:
    """Return the answer for each fact by questions fitted without the areas of its fold."""
    areas, answers = _named(rows, "area"), {}
    for fold in range(FOLDS):
        chosen = set(areas[fold::FOLDS])
        asked = questions_of([row for row in rows if row.area not in chosen])
        for row in rows:
            if row.area in chosen:
                weight, bias = asked[row.fact_type]
                answers[row.fact] = float(row.vector @ weight + bias)
    return answers


def examples_of_matters(
    decisions: Sequence[Decision], encoders: Encoders, answers: Mapping[tuple[str, str], float]
) -> list[Example]:
    """The facts of all labelled matters.

    Args:
        answers: what the reader makes of their words, by matter and fact id.
    """
    rows = []
    for matter in load_matters():
        sheet, labels = sheet_of_matter(matter)
        features = fact_features(sheet, encoders, decisions)
        for fact in sheet.facts:
            label = labels[fact.fact_id]
            read = {f"{fact.fact_type}: {READ}": answers.get((sheet.case_id, fact.fact_id), 0.0)}
            own = features[fact.fact_id] | read, label == "decisive", WEIGHTS[label]
            rows.append(Example("matter", matter["area"], fact.fact_type, *own))
    return rows


def train(rows: Sequence[Example], seed: int) -> Fitted:
    """The model of these facts."""
    features, turned = [row.features for row in rows], [row.turned for row in rows]
    return fit(features, turned, STRENGTH, SCARCE, seed, [row.weight for row in rows])


def left_out(rows: Sequence[Example], seed: int) -> dict[str, float]:
    """AUC over facts whose area the model had not seen: by source, type and area.

    Of the matters, decisive against background and argued alike.
    """
    scores = np.zeros(len(rows))
    for area in sorted({row.area for row in rows}):
        model = train([row for row in rows if row.area != area], seed)
        for at, row in enumerate(rows):
            if row.area == area:
                scores[at] = model.log_odds(row.features)
    labels = np.asarray([row.turned for row in rows])
    groups = {name: [r.source == name for r in rows] for name in _named(rows, "source")}
    groups |= {kind: [r.fact_type == kind for r in rows] for kind in _named(rows, "fact_type")}
    groups |= {area: [r.area == area for r in rows] for area in _named(rows, "area")}
    return {
        name: area_under_curve(scores[np.asarray(mask)], labels[np.asarray(mask)])
        for name, mask in groups.items()
    }


def _named(rows: Sequence[Example] | Sequence[Words], field: str) -> list[str]:
    return sorted({str(getattr(row, field)) for row in rows})


def install(model: Fitted, decisions: Sequence[Decision], seed: int) -> None:
    """Write the model and the decisions into the package."""
    from safetensors.numpy import save_file

    folder = Path(str(files("countercase.salience")))
    text = json.dumps(model.as_json(seed), indent=1, ensure_ascii=False)
    (folder / "facts.json").write_text(text + "\n", encoding="utf-8")
    rows = [
        {"case_id": d.case_id, "types": d.types, "cited": d.cited, "turned": d.turned}
        for d in decisions
    ]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "casebook.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    arrays = {
        "cases": np.stack([d.vector for d in decisions]).astype(np.float16),
        "points": np.concatenate([d.points for d in decisions]).astype(np.float16),
    }
    save_file(arrays, folder / "casebook.safetensors")


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--install", action="store_true", help="put the model into the package")
    given = parser.parse_args()
    encoders = open_encoders(**load_settings().encoding())
    records = casebook_records()
    sheets = [sheet_of_record(record) for record in records]
    pairs = zip(records, sheets, strict=True)
    decisions = [decision_of(record, sheet, encoders) for record, sheet in pairs]
    words = words_of_matters()
    if given.install:
        add_questions({f"fact.{kind}": it for kind, it in questions_of(words).items()})
        load_network.cache_clear()
    rows = examples_of(records, sheets, decisions, encoders)
    rows += examples_of_matters(decisions, encoders, answers_left_out(words))
    print(f"{len(rows)} facts, {sum(row.turned for row in rows)} turned on")
    for name, value in left_out(rows, given.seed).items():
        print(f"{name}: AUC {value:.3f}")
    if given.install:
        install(train(rows, given.seed), decisions, given.seed)


if __name__ == "__main__":
    main()
