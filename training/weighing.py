"""Choose how statements weigh: movement and retrieval under several settings, on training data alone.

    python training/weighing.py [--every 6] [--whole [--contrast W]] [--json FILE]

Every lawful what-if of the labelled matters is ranked on the matter as it is; the movement of a fact
is held against its label, decisive or not. Salience comes from a model that has not seen the area of
the matter. Retrieval is graded NDCG@10 on `training/matters.jsonl`. No evaluation set is read,
so settings may be chosen by what is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.corpus.casebook.form import sheet_of_record
from countercase.corpus.casebook.records import casebook_records
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.lawful import open_validator
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.evaluation.metrics import measures_per_query
from countercase.facts.edits import Edit
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.registry import FACT_TYPES
from countercase.salience.facts import READ, Salience, Weighing, fact_features, probability
from countercase.session import Session, open_session
from training.fusion import MATTERS
from training.logistic import area_under_curve
from training.matter_sheets import load_matters, sheet_of_matter
from training.salience_facts import (
    answers_left_out,
    decision_of,
    examples_of,
    examples_of_matters,
    train,
    words_of_matters,
)

POWERS: Final = (0.0, 1.0, 2.0, 3.0)
SHARES: Final = (0.7, 1.0, 1.5, 2.5)
NULLS: Final = 12
"""Restatements of a matter that are ranked."""


class Setting(NamedTuple):
    """The weight of a statement is `share · salience^power`."""

    power: float
    share: float


@dataclass(frozen=True)
class Moved:
    """What one fact of a matter did.

    Attributes:
        moves: mean rank displacement of each of its what-ifs, in the order of the catalogue.
    """

    matter: str
    fact_type: str
    decisive: bool
    moves: tuple[float, ...]
    salience: float


class Models:
    """Salience models, each without one area of law, made when they are first asked for."""

    def __init__(self, session: Session) -> None:
        self._encoders = encoders = session.encoders
        records = casebook_records()
        sheets = [sheet_of_record(record) for record in records]
        pairs = zip(records, sheets, strict=True)
        self._decisions = [decision_of(record, sheet, encoders) for record, sheet in pairs]
        self._examples = examples_of(records, sheets, self._decisions, encoders)
        self._answers = answers_left_out(words_of_matters())
        self._examples += examples_of_matters(self._decisions, encoders, self._answers)
        self._known: dict[str, Any] = {}

    def salience(self, sheet: FactSheet, area: str) -> dict[str, Salience]:
        """Return the salience of each fact of a matter of this area."""
        if area not in self._known:
            self._known[area] = train([row for row in self._examples if row.area != area], 0)
        rows = fact_features(sheet, self._encoders, self._decisions)
        for fact in sheet.facts:
            read = self._answers.get((sheet.case_id, fact.fact_id), 0.0)
            rows[fact.fact_id][f"{fact.fact_type}: {READ}"] = read
        odds = {name: self._known[area].log_odds(row) for name, row in rows.items()}
        return {name: Salience(probability(value)) for name, value in odds.items()}


def rank_matter(
    session: Session,
    sheet: FactSheet,
    labels: Mapping[str, str],
    salience: Mapping[str, Salience],
    setting: Setting,
    edits: Sequence[Edit],
    nulls: Sequence[Edit],
) -> tuple[list[Moved], list[float]]:
    """Return the moves of the facts of a matter, and those of its restatements."""
    weighing = Weighing(salience, setting.power, setting.share)
    pieces = session.settings.SEGMENT_PIECES
    renderer = Renderer(sheet, session.encoders.count, pieces, weighing)
    top_k = session.settings.TOP_K
    search = StateSearch(renderer, session.retriever, top_k)
    root, *lists = search.rank([State(), *(State.of([edit]) for edit in (*edits, *nulls))])
    moves = [displacement(root.case_ids, it.case_ids, top_k).mean for it in lists]
    by_fact = defaultdict[str, list[float]](list)
    for edit, move in zip(edits, moves, strict=False):
        by_fact[edit.fact_id].append(move)
    rows = [
        Moved(
            sheet.case_id, fact.fact_type, labels[fact.fact_id] == "decisive",
            tuple(by_fact[fact.fact_id]), salience[fact.fact_id].value,
        )
        for fact in sheet.facts
        if by_fact[fact.fact_id]
    ]  # fmt: skip
    return rows, moves[len(edits) :]


def auc_within(rows: Sequence[Moved], how: str) -> float:
    """Return the share of pairs (decisive, not) of one matter that the moves order rightly."""
    right = total = 0.0
    by_matter = defaultdict[str, list[Moved]](list)
    for row in rows:
        by_matter[row.matter].append(row)
    for own in by_matter.values():
        high = [_score(row, how) for row in own if row.decisive]
        low = [_score(row, how) for row in own if not row.decisive]
        if high and low:
            pairs = len(high) * len(low)
            labels = np.asarray([True] * len(high) + [False] * len(low))
            right += pairs * area_under_curve(np.asarray(high + low), labels)
            total += pairs
    return right / total if total else float("nan")


def _score(row: Moved, how: str) -> float:
    if how == "salience":
        return row.salience
    return max(row.moves) if how == "max" else float(np.mean(row.moves))


def figures(rows: Sequence[Moved], nulls: Sequence[float], how: str) -> dict[str, float]:
    """Return one line of the table."""
    threshold = load_settings().DISPOSITIVE_THRESHOLD
    by_type = {
        name: auc_within([r for r in rows if r.fact_type == name], how)
        for name in FACT_TYPES.names()
    }
    return {
        "AUC": auc_within(rows, how),
        **by_type,
        "decisive": float(np.mean([_score(r, how) > threshold for r in rows if r.decisive])),
        "others": float(np.mean([_score(r, how) <= threshold for r in rows if not r.decisive])),
        "nulls": float(np.mean(nulls)) if nulls else 0.0,
    }


def measure_retrieval(session: Session, settings: Sequence[Setting]) -> dict[Setting, float]:
    """Return graded NDCG@10 on `training/matters.jsonl` by setting."""
    rows = [json.loads(line) for line in MATTERS.read_text("utf-8").splitlines()]
    judged = {row["query_id"]: row["relevant"] for row in rows}
    runs: dict[Setting, dict[str, dict[str, float]]] = {setting: {} for setting in settings}
    for row in rows:
        sheet = extract(row["text"], row["query_id"])
        known = session.renderer(sheet).weighing
        assert known is not None, "a renderer of a session weighs"
        for setting in settings:
            weighing = Weighing(known.facts, setting.power, setting.share)
            pieces = session.settings.SEGMENT_PIECES
            renderer = Renderer(sheet, session.encoders.count, pieces, weighing)
            [ranking] = session.retriever.retrieve([renderer.query(State())], top_k=10)
            scored = {case_id: -float(at) for at, case_id in enumerate(ranking.case_ids)}
            runs[setting][row["query_id"]] = scored
    return {
        setting: fmean(measures_per_query(judged, run)["ndcg_graded@10"].values())
        for setting, run in runs.items()
    }


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--every", type=int, default=6, help="take one of so many matters")
    parser.add_argument("--whole", action="store_true", help="with the cross-encoder")
    parser.add_argument("--contrast", type=float, default=0.0, help="CONTRAST_WEIGHT, with --whole")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--setting", action="append", help="POWER,SHARE; several may be given")
    given = parser.parse_args()
    changed = {"USE_RERANKER": given.whole, "CONTRAST_WEIGHT": given.contrast}
    session = open_session(load_settings(**changed))
    settings = [Setting(power, share) for power in POWERS for share in SHARES]
    if given.setting:
        settings = [Setting(*map(float, words.split(","))) for words in given.setting]
    models, validator = Models(session), open_validator("rules")
    rows: dict[Setting, list[Moved]] = {setting: [] for setting in settings}
    nulls: dict[Setting, list[float]] = {setting: [] for setting in settings}
    for at, matter in enumerate(load_matters()[:: given.every]):
        sheet, labels = sheet_of_matter(matter)
        salience = models.salience(sheet, matter["area"])
        own = {fact.fact_id for fact in sheet.facts}
        edits = [
            edit
            for edit in propose(sheet)
            if edit.fact_id in own and validator.judge(sheet, (edit,)).plausible
        ]
        restated = propose_nulls(sheet)[:: max(1, len(propose_nulls(sheet)) // NULLS)]
        for setting in settings:
            found, noise = rank_matter(session, sheet, labels, salience, setting, edits, restated)
            rows[setting] += found
            nulls[setting] += noise
        session.retriever.forget()
        print(f"\r{at + 1} matters", end="", file=sys.stderr, flush=True)
    retrieval = measure_retrieval(session, settings)
    report: list[dict[str, Any]] = []
    for setting in settings:
        for how in ("max", "mean"):
            line = figures(rows[setting], nulls[setting], how) | {"NDCG@10": retrieval[setting]}
            if not report:
                alone = auc_within(rows[setting], "salience")
                print(f"\n{len(rows[setting])} facts; salience alone {alone:.3f}")
                print("power share".ljust(18) + "".join(key[:9].rjust(10) for key in line))
            name = f"{setting.power:g} {setting.share:g} {how}"
            print(name.ljust(18) + "".join(f"{value:10.3f}" for value in line.values()), flush=True)
            report.append({**setting._asdict(), "how": how, **line})
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
