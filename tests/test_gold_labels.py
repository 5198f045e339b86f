"""The hand labels are well formed, and the benchmark counts them as one would by hand."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from countercase.errors import InputError
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.vocabulary import DURATION_UNITS, EVIDENCE_TYPES

ROOT = Path(__file__).resolve().parent.parent
GOLD = ROOT / "tests" / "gold" / "facts.jsonl"


@pytest.fixture(scope="module")
def benchmark_script() -> ModuleType:
    path = ROOT / "benchmarks" / "facts_extraction.py"
    spec = importlib.util.spec_from_file_location("facts_extraction_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _empty() -> dict[str, frozenset[str]]:
    kinds = ("provisions", "amounts", "ages", "durations", "evidence")
    return {kind: frozenset() for kind in kinds}


def test_every_label_is_a_word_of_the_vocabulary() -> None:
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    assert len({row["factid"] for row in rows}) == len(rows) == 20
    for row in rows:
        assert list(row) == ["factid", "provisions", "amounts", "ages", "durations", "evidence"]
        assert set(row["evidence"]) <= set(EVIDENCE_TYPES)
        assert {unit for _, unit in row["durations"]} <= set(DURATION_UNITS)
        assert all(0 < age < 110 for age in row["ages"])


def test_one_hit_one_miss_and_one_false_alarm(benchmark_script: ModuleType) -> None:
    gold = {"x": _empty() | {"ages": frozenset({"16", "40"})}, "y": _empty()}
    found = {
        "x": _empty() | {"ages": frozenset({"16"})},
        "y": _empty() | {"ages": frozenset({"9"})},
    }
    scores, differences = benchmark_script.compare(gold, found)
    ages = scores["ages"]
    assert (ages.hits, ages.misses, ages.false_alarms) == (1, 1, 1)
    assert (ages.precision, ages.recall, ages.f1) == (0.5, 0.5, 0.5)
    assert [(d.factid, d.error, d.value) for d in differences] == [
        ("x", "miss", "40"),
        ("y", "false alarm", "9"),
    ]


def test_a_kind_without_labels_has_no_rate_rather_than_a_perfect_one(
    benchmark_script: ModuleType,
) -> None:
    scores, _ = benchmark_script.compare({"x": _empty()}, {"x": _empty()})
    assert scores["provisions"].precision is None
    assert scores["provisions"].recall is None
    assert scores["provisions"].f1 is None


def test_a_sheet_is_read_as_sets_and_leaves_out_parties_and_quantities(
    benchmark_script: ModuleType,
) -> None:
    values = [
        SectionValue("IPC-302"),
        PartyValue("petitioner", "Individual"),
        EvidenceValue("medical", "post-mortem"),
        EvidenceValue("medical", "injury report"),
        NumericalValue("amount", 5000.0, "INR"),
        NumericalValue("age", 16.0, "years"),
        NumericalValue("duration", 2.5, "years"),
        NumericalValue("quantity", 1.25, "kg"),
    ]
    types = ["Section", "PartyType", "Evidence", "Evidence", *["Numerical"] * 4]
    facts = tuple(
        Fact(f"fact:{n}", fact_type, value)  # type: ignore[arg-type]
        for n, (fact_type, value) in enumerate(zip(types, values, strict=True))
    )
    assert benchmark_script.labels_of(FactSheet("x", "", facts)) == {
        "provisions": {"IPC-302"},
        "amounts": {"5000"},
        "ages": {"16"},
        "durations": {"2.5 years"},
        "evidence": {"medical"},
    }


def test_a_collection_that_lacks_a_labelled_narrative_is_refused(
    benchmark_script: ModuleType, tmp_path: Path
) -> None:
    folder = tmp_path / "charge_sentences"
    folder.mkdir()
    row = {"factid": "a", "text": ["He ran.", "She saw it."]}
    (folder / "Train-Sent.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert benchmark_script.read_narratives(tmp_path, ["a"]) == {"a": "He ran. She saw it."}
    with pytest.raises(InputError, match="lacks 1 labelled narratives, first b"):
        benchmark_script.read_narratives(tmp_path, ["a", "b"])
