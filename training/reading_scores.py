"""Score how facts are read out of labelled matters: precision and recall by type.

    python -m training.reading_scores

A fact is right where it meets a labelled one: evidence by its type, with a mention that lies in the
labelled clause or meets a labelled mention; a party by its side and type; a figure by its kind and
value, with a place that meets the labelled one. Each label is met once. Further rows ask for more:
the strength of evidence, the role of a party, whose a figure is and what it measures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from countercase.fact_types.base import share_of_words, telling_words
from countercase.fact_types.roles import owner_of, role_of
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, PartyValue
from training.matter_sheets import is_held_out, load_matters
from training.matters_check import find_spans

Row = Mapping[str, Any]
"""A fact: `type`, the fields of its value, and `spans`, pairs of places."""


@dataclass
class Count:
    """How many facts were labelled, read, and both."""

    labelled: int = 0
    read: int = 0
    right: int = 0

    def __str__(self) -> str:
        precision, recall = self.right / max(1, self.read), self.right / max(1, self.labelled)
        both = 2 * precision * recall / max(1e-9, precision + recall)
        return f"P {precision:.3f}  R {recall:.3f}  F {both:.3f}  ({self.labelled} labelled)"


def _meet(left: Row, right: Row) -> bool:
    return any(a[0] < b[1] and b[0] < a[1] for a in left["spans"] for b in right["spans"])


def _same_evidence(label: Row, read: Row) -> bool:
    return label["evidence_type"] == read["evidence_type"] and _meet(label, read)


def _same_figure(label: Row, read: Row) -> bool:
    same = (label["kind"], label["unit"]) == (read["kind"], read["unit"])
    return same and math.isclose(label["value"], read["value"], rel_tol=1e-6) and _meet(label, read)


def _measured(label: Row, read: Row) -> bool:
    words = telling_words(read["context"])
    return label["kind"] == "age" or share_of_words(label["measures"], words) >= 0.5


def _same_party(label: Row, read: Row) -> bool:
    return (label["side"], label["party_type"]) == (read["side"], read["party_type"])


Test = Callable[[Row, Row], bool]
ROWS: Final[dict[str, tuple[str, Test]]] = {
    "evidence, place": ("Evidence", _meet),
    "evidence, type": ("Evidence", _same_evidence),
    "evidence, type and strength": (
        "Evidence",
        lambda a, b: _same_evidence(a, b) and a["strength"] == b["strength"],
    ),
    "party, side and type": ("PartyType", _same_party),
    "party, side, type and role": (
        "PartyType",
        lambda a, b: _same_party(a, b) and a["role"] == b["role"],
    ),
    "figure": ("Numerical", _same_figure),
    "figure with owner": (
        "Numerical",
        lambda a, b: _same_figure(a, b) and a["owner"] == b["owner"],
    ),
    "age with owner": (
        "age",
        lambda a, b: _same_figure(a, b) and a["owner"] == b["owner"],
    ),
    "figure with what it measures": (
        "Numerical",
        lambda a, b: _same_figure(a, b) and _measured(a, b),
    ),
}
"""The rows of the table: which facts, and when one is right."""


def rows_of_type(rows: Sequence[Row], kind: str) -> list[Row]:
    """Return the facts of a type, or of a kind of figure."""
    return [row for row in rows if kind in (row["type"], row.get("kind"))]


def count_matter(counts: dict[str, Count], labelled: Sequence[Row], read: Sequence[Row]) -> None:
    """Add one matter to the counts of each row of the table."""
    for name, (kind, same) in ROWS.items():
        count = counts.setdefault(name, Count())
        labels, found = rows_of_type(labelled, kind), rows_of_type(read, kind)
        taken: set[int] = set()
        for label in labels:
            at = next((n for n, f in enumerate(found) if n not in taken and same(label, f)), None)
            if at is not None:
                taken.add(at)
        count.labelled += len(labels)
        count.read += len(found)
        count.right += len(taken)


def labelled_rows(matter: Mapping[str, Any]) -> list[Row]:
    """Return the labelled facts of a matter that a sheet can hold, as rows."""
    rows: list[Row] = []
    for fact in matter["facts"]:
        spans = find_spans(matter["text"], fact["mentions"])
        row: dict[str, Any] = {"type": fact["type"], "spans": spans}
        if fact["type"] == "Evidence":
            start = matter["text"].find(fact["words"])
            row["spans"] = [*spans, (start, start + len(fact["words"]))]
            row |= {"evidence_type": fact["value"], "strength": fact["strength"]}
        elif fact["type"] == "PartyType" and fact["side"] != "other":
            row |= {"side": fact["side"], "party_type": fact["value"], "role": fact["role"]}
        elif fact["type"] == "Numerical" and fact["stated"]:
            row |= {key: fact[key] for key in ("kind", "value", "unit", "measures", "owner")}
        else:
            continue
        rows.append(row)
    return rows


def read_rows(sheet: FactSheet) -> list[Row]:
    """Return the facts of a sheet as rows, with the roles and owners that are concluded."""
    rows: list[Row] = []
    for fact in sheet.facts:
        value, spans = fact.value, [(span.start, span.end) for span in fact.spans]
        row: dict[str, Any] = {"type": fact.fact_type, "spans": spans}
        if isinstance(value, NumericalValue):
            row |= asdict(value) | {"owner": owner_of(sheet, value)}
        elif isinstance(value, PartyValue):
            row |= asdict(value) | {"role": role_of(sheet, value)}
        elif isinstance(value, EvidenceValue):
            row |= asdict(value)
        rows.append(row)
    return rows


def main() -> None:
    """Print how matters that the reader did not learn from are read, with it and by rules alone."""
    matters = [m for n, m in enumerate(load_matters()) if is_held_out(n)]
    for name, tagger in (("rules alone", False), ("with the trained models", True)):
        counts: dict[str, Count] = {}
        dates = 0
        for matter in matters:
            sheet = extract(matter["text"], matter["matter_id"], tagger=tagger)
            count_matter(counts, labelled_rows(matter), read_rows(sheet))
            dates += sheet.occurred_on == matter["read_on"]
        print(f"{name}: date of the occurrence {dates} of {len(matters)}")
        for row, count in counts.items():
            print(f"  {row:32}{count}")


if __name__ == "__main__":
    main()
