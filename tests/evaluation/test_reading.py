"""What counts as a fact that was read rightly, and how the set is parted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from countercase.errors import InputError
from countercase.evaluation.reading import choose, compare, reading_section
from countercase.evaluation.sets import ReadingCase, read_set
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.text.spans import Span

ROOT = Path(__file__).parents[2]
TEXT = "Client 302 IPC, abt 24 yr. PMR done. No recovery. 45 gms seized on 2.3.2024."
LABELS: list[dict[str, Any]] = [
    {"type": "Section", "provision": "IPC-302", "mentions": ["302"]},
    {"type": "PartyType", "side": "petitioner", "party_type": "Individual", "mentions": ["Client"]},
    {"type": "Evidence", "evidence_type": "medical", "state": "present", "mentions": ["PMR done"]},
    {"type": "Evidence", "evidence_type": "recovery", "state": "absent", "mentions": ["No recovery"]},
    {"type": "Numerical", "kind": "age", "value": 24, "unit": "years", "of": "client",
     "mentions": ["24 yr"]},
    {"type": "Numerical", "kind": "quantity", "value": 45, "unit": "g", "of": "drug",
     "mentions": ["45 gms"]},
]  # fmt: skip


def case(**changes: Any) -> ReadingCase:
    row = {
        "case_id": "a", "area": "hurt", "voice": "junior", "title": "", "text": TEXT,
        "occurred_on": "2024-03-02", "facts": LABELS,
    }  # fmt: skip
    return ReadingCase.model_validate(row | changes)


def read(*facts: tuple[Any, str]) -> FactSheet:
    """A sheet of these values, each stated by these words."""
    kinds = {SectionValue: "Section", PartyValue: "PartyType", EvidenceValue: "Evidence"}
    made = []
    for at, (value, words) in enumerate(facts):
        start = TEXT.index(words)
        kind = kinds.get(type(value), "Numerical")
        made.append(Fact(f"f{at}", kind, value, (Span(start, start + len(words)),)))
    return FactSheet("a", TEXT, tuple(made), occurred_on="2024-03-02")


RIGHT = (
    (SectionValue("IPC-302"), "302"),
    (PartyValue("petitioner", "Individual"), "Client"),
    (EvidenceValue("medical", ""), "PMR"),
    (EvidenceValue("recovery", "", "absent"), "recovery"),
    (NumericalValue("age", 24, "years", "accused"), "24 yr"),
    (NumericalValue("quantity", 0.045, "kg", "heroin"), "45 gms"),
)


def figures_of(*facts: tuple[Any, str]) -> dict[str, float | None]:
    section = reading_section([compare(case(), read(*facts))])
    return {measure.key: measure.value for measure in section.measures}


def test_everything_read_rightly_is_all_right() -> None:
    values = figures_of(*RIGHT)
    assert len(values) > 5
    assert set(values.values()) == {1.0}


@pytest.mark.parametrize(
    "wrong",
    [
        (SectionValue("IPC-304"), "302"),
        (PartyValue("respondent", "Individual"), "Client"),
        (EvidenceValue("medical", "", "absent"), "PMR"),
        (EvidenceValue("recovery", ""), "recovery"),
        (NumericalValue("age", 25, "years", "client"), "24 yr"),
        (NumericalValue("duration", 24, "years", "client"), "24 yr"),
        (NumericalValue("age", 24, "years", "client", upper=26), "24 yr"),
        (NumericalValue("quantity", 45, "kg", "heroin"), "45 gms"),
    ],
)
def test_a_wrong_reading_is_missed_and_extra(wrong: tuple[Any, str]) -> None:
    reading = compare(case(), read(wrong))
    assert len(reading.missed) == len(LABELS)
    assert len(reading.extra) == 1


def test_an_owner_may_be_named_otherwise_but_must_be_the_one() -> None:
    for owner, value in (("accused", 1.0), ("prosecutrix", 0.5)):
        facts = (*RIGHT[:4], (NumericalValue("age", 24, "years", owner), "24 yr"), RIGHT[5])
        keyed = figures_of(*facts)
        assert keyed["reading.figures_with_their_owner.recall"] == value
        assert keyed["reading.numerical.recall"] == 1.0


def test_a_compound_number_is_one_value() -> None:
    fact = (NumericalValue("age", 24.5, "years", "client"), "24 yr")
    assert not compare(case(facts=[{**LABELS[4], "months": 6}]), read(fact)).missed


def test_the_held_out_part_depends_on_the_ids_alone() -> None:
    cases = read_set(ROOT / "eval_sets" / "reading.jsonl", ReadingCase)
    aside = choose(cases, "held-out")
    assert aside == choose(cases[::-1], "held-out")[::-1]
    by_hash = sorted((hashlib.sha256(c.case_id.encode()).hexdigest(), c.case_id) for c in cases)
    assert {c.case_id for c in aside} == {name for _, name in by_hash[:20]}
    assert len(choose(cases, "developed")) == len(cases) - 20
    assert len(cases) >= 60
    new = [c for c in cases if (c.occurred_on or "") >= "2024-07"]
    assert len(new) >= len(cases) // 3


def test_a_mention_that_the_text_does_not_have_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    row = json.loads(case().model_dump_json())
    row["facts"][0]["mentions"] = ["307"]
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match=r"set\.jsonl, line 1.*not in the text: '307'"):
        read_set(path, ReadingCase)
