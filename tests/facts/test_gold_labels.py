"""The hand labels are well formed, and the benchmark counts them as one would by hand."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

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
from countercase.law.provision_ids import is_normal_form

ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "tests" / "gold"
KINDS = ["provisions", "amounts", "ages", "durations", "evidence"]


@pytest.fixture(scope="module")
def benchmark_script() -> ModuleType:
    path = ROOT / "benchmarks" / "facts_extraction.py"
    spec = importlib.util.spec_from_file_location("facts_extraction_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))
        spec.loader.exec_module(module)
    return module


def fact_labels(script: ModuleType) -> ModuleType:
    return sys.modules[script.read_gold.__module__]


def _empty() -> dict[str, frozenset[str]]:
    return {kind: frozenset() for kind in KINDS}


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLD / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("name", "size", "place"),
    [
        ("facts.jsonl", 20, ["factid"]),
        ("passages.jsonl", 30, ["doc_id", "start", "end", "sha256"]),
        ("unseen.jsonl", 15, ["doc_id", "start", "end", "sha256"]),
    ],
)
def test_every_label_is_a_word_of_the_vocabulary(name: str, size: int, place: list[str]) -> None:
    rows = _rows(name)
    assert len({row[place[0]] for row in rows}) == len(rows) == size
    for row in rows:
        assert list(row) == [*place, *KINDS]
        assert set(row["evidence"]) <= set(EVIDENCE_TYPES)
        assert {unit for _, unit in row["durations"]} <= set(DURATION_UNITS)
        assert all(0 < age < 110 for age in row["ages"])
        assert all(is_normal_form(provision) for provision in row["provisions"])


def test_passages_hold_places_and_no_text() -> None:
    for row in _rows("passages.jsonl"):
        assert 0 <= row["start"] < row["end"]
        assert len(row["sha256"]) == 16
        assert all(len(word) < 20 for kind in ("provisions", "evidence") for word in row[kind])


def _collection(folder: Path, text: str) -> None:
    (folder / "aila2019").mkdir()
    row = {"_id": "a", "title": "A v B", "text": text}
    (folder / "aila2019" / "corpus.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")


def _passage(script: ModuleType, doc_id: str, start: int, end: int, digest: str) -> Any:
    place = {"doc_id": doc_id, "start": start, "end": end, "sha256": digest}
    return fact_labels(script).Passage(**place, **{kind: [] for kind in KINDS})


def test_a_passage_is_read_by_its_characters(benchmark_script: ModuleType, tmp_path: Path) -> None:
    _collection(tmp_path, "He ran. Sh\u0101m saw it.\u2028She left.")
    digest = hashlib.sha256("Sh\u0101m saw it.".encode()).hexdigest()[:16]
    passage = _passage(benchmark_script, "a", 8, 20, digest)
    assert passage.name == "a:8-20"
    assert benchmark_script.read_passages(tmp_path, [passage]) == {"a:8-20": "Sh\u0101m saw it."}


def test_another_edition_of_a_judgment_is_refused(
    benchmark_script: ModuleType, tmp_path: Path
) -> None:
    _collection(tmp_path, "He walked. She saw it.")
    other, missing = (_passage(benchmark_script, name, 0, 7, "0" * 16) for name in "ab")
    with pytest.raises(InputError, match="a:0-7 is not the passage that was labelled"):
        benchmark_script.read_passages(tmp_path, [other])
    with pytest.raises(InputError, match="lacks the labelled judgment b"):
        benchmark_script.read_passages(tmp_path, [missing])


def test_one_hit_one_miss_and_one_false_alarm(benchmark_script: ModuleType) -> None:
    gold = {"x": _empty() | {"ages": frozenset({"16", "40"})}, "y": _empty()}
    found = {
        "x": _empty() | {"ages": frozenset({"16"})},
        "y": _empty() | {"ages": frozenset({"9"})},
    }
    result = benchmark_script.compare(gold, found)
    ages = result.scores["ages"]
    assert (ages.hits, ages.labelled, ages.found) == (1, 2, 2)
    assert (ages.precision, ages.recall, ages.f1) == (0.5, 0.5, 0.5)
    assert [(d.text, d.error, d.value) for d in result.differences] == [
        ("x", "miss", "40"),
        ("y", "false alarm", "9"),
    ]


def test_a_kind_without_labels_has_no_rate_rather_than_a_perfect_one(
    benchmark_script: ModuleType,
) -> None:
    result = benchmark_script.compare({"x": _empty()}, {"x": _empty()})
    rates = benchmark_script.rates_of(result.scores["provisions"])
    assert rates == {"precision": None, "recall": None, "f1": None}


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
