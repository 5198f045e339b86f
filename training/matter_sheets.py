"""Labelled matters as fact sheets, with their labels by fact id."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.text.spans import Span
from training.matters_check import FOLDER, find_spans, read_matters

JUDGED: Final = Path(__file__).with_name("judged.jsonl")
FACTS_JUDGED: Final = Path(__file__).with_name("facts_judged.jsonl")
DATES_AND_CLAUSES: Final = Path(__file__).with_name("dates_and_clauses.jsonl")


def load_matters() -> list[dict[str, Any]]:
    """Return all labelled matters, by area and number."""
    areas = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
    return [matter for area in areas for matter in read_matters(area)]


def load_dates_and_clauses() -> dict[str, dict[str, Any]]:
    """Return what happened on the dates of each matter, and its clauses that tell no labelled fact.

    `dates` names the events of the full dates in their order, two on one day joined by a plus;
    `clauses` have `words` and a `label`.
    """
    rows = map(json.loads, DATES_AND_CLAUSES.read_text(encoding="utf-8").splitlines())
    return {row["matter_id"]: row for row in rows}


def load_judged() -> list[dict[str, Any]]:
    """Return the judged matters, in the order of the file."""
    return [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]


def load_others() -> list[dict[str, Any]]:
    """Return the other matters whose facts are judged and whose id begins with their `area`."""
    areas = {matter["area"] for matter in load_judged()}
    rows = map(json.loads, FACTS_JUDGED.read_text(encoding="utf-8").splitlines())
    named = [{"area": row["matter_id"].rpartition("-")[0], **row} for row in rows if "text" in row]
    return [row for row in named if row["area"] in areas]


def is_held_out(place: int) -> bool:
    """Return whether a matter is one of the fifth that measures."""
    return place % 5 == 4


def sheet_of_matter(matter: Mapping[str, Any]) -> tuple[FactSheet, dict[str, str]]:
    """Return the fact sheet of a labelled matter, and the label of each fact by its id.

    Parties on neither side are left out: a sheet has no place for them.
    """
    facts: list[Fact] = []
    labels: dict[str, str] = {}
    counts: dict[str, int] = {}
    for row in matter["facts"]:
        value, prefix = _value(row)
        if value is None:
            continue
        if row["type"] in ("Section", "PartyType") and prefix not in counts:
            counts[prefix], fact_id = 1, prefix
        else:
            counts[prefix] = counts.get(prefix, 0) + 1
            fact_id = f"{prefix}:{counts[prefix]}"
        spans = tuple(
            Span(*span) for span in sorted(set(find_spans(matter["text"], row["mentions"])))
        )
        facts.append(Fact(fact_id, row["type"], value, spans))
        labels[fact_id] = row["label"]
    sheet = FactSheet(
        matter["matter_id"], matter["text"], tuple(facts), occurred_on=matter["read_on"]
    )
    return sheet, labels


def _value(row: Mapping[str, Any]) -> tuple[FactValue | None, str]:
    if row["type"] == "Section":
        return SectionValue(row["value"]), f"section:{row['value']}"
    if row["type"] == "PartyType":
        if row["side"] == "other":
            return None, ""
        party = PartyValue(row["side"], row["value"], row["name"], row["role"])
        return party, f"party:{row['side']}"
    if row["type"] == "Evidence":
        words = " ".join(row["words"].split())[:160]
        return EvidenceValue(row["value"], words, row["strength"]), f"evidence:{row['value']}"
    owner = row["owner"]
    context = owner or row["measures"] if row["kind"] == "age" else row["measures"]
    value = NumericalValue(row["kind"], float(row["value"]), row["unit"], context, row["upper"])
    return value, f"numerical:{row['kind']}"
