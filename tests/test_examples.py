"""Every example is a case that the reader takes, with all four fact types placed in its text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from countercase.facts.case_file import read_case
from countercase.facts.model import (
    EvidenceValue,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.vocabulary import FACT_TYPES
from countercase.law.citations import provisions_in
from countercase.law.provisions import lookup, predecessors

FOLDER = Path(__file__).resolve().parents[1] / "examples"
STATED = sorted(FOLDER.glob("*.json"))
NARRATED = sorted(FOLDER.glob("*.txt"))
EVERY = [*STATED, *NARRATED]
PARTS = {"parties", "sections_cited", "evidence_items", "numerical_facts"}

each_example = pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
each_stated = pytest.mark.parametrize("path", STATED, ids=lambda path: path.name)


def _provisions(sheet: FactSheet) -> set[str]:
    return {f.value.provision for f in sheet.facts if isinstance(f.value, SectionValue)}


def _evidence(sheet: FactSheet) -> set[str]:
    return {f.value.evidence_type for f in sheet.facts if isinstance(f.value, EvidenceValue)}


def _party_types(sheet: FactSheet) -> dict[str, str]:
    parties = [f.value for f in sheet.facts if isinstance(f.value, PartyValue)]
    return {party.side: party.party_type for party in parties}


def _figures(sheet: FactSheet) -> set[tuple[str, float, str]]:
    values = [f.value for f in sheet.facts if isinstance(f.value, NumericalValue)]
    return {(value.kind, value.value, value.unit) for value in values}


def test_there_are_examples_of_both_formats() -> None:
    assert len(STATED) >= 7
    assert len(NARRATED) >= 2


@each_example
def test_all_four_fact_types_are_present(path: Path) -> None:
    sheet = read_case(path)
    assert {fact.fact_type for fact in sheet.facts} == set(FACT_TYPES)


@each_example
def test_both_sides_have_a_party_type(path: Path) -> None:
    assert set(_party_types(read_case(path))) == {"petitioner", "respondent"}


@each_example
def test_every_fact_has_its_place_in_the_narrative(path: Path) -> None:
    """Each stated fact is also told in the text, so none may be left without a span."""
    sheet = read_case(path)
    assert [fact.fact_id for fact in sheet.facts if not fact.spans] == []
    for fact in sheet.facts:
        for span in fact.spans:
            assert sheet.narrative[span.start : span.end].strip()


@each_example
def test_every_provision_is_known_itself_or_by_the_one_that_it_replaced(path: Path) -> None:
    provisions = sorted(_provisions(read_case(path)))
    assert [p for p in provisions if lookup(p) is None and not predecessors(p)] == []


@each_example
def test_the_narrative_is_of_moderate_length_and_without_an_outcome(path: Path) -> None:
    sheet = read_case(path)
    assert 150 <= len(sheet.narrative.split()) <= 300
    assert sheet.outcome is None


@each_stated
def test_what_is_stated_is_what_the_reader_returns(path: Path) -> None:
    stated = json.loads(path.read_text(encoding="utf-8"))
    assert stated.keys() >= PARTS
    assert "outcome" not in stated
    assert stated["case_id"] == path.stem
    numbers = stated["numerical_facts"]
    figures = {("age", float(row["value"]), "years") for row in numbers["ages"]}
    for key, kind in (
        ("amounts", "amount"),
        ("durations", "duration"),
        ("quantities", "quantity"),
        ("counts", "count"),
    ):
        figures |= {(kind, float(row["value"]), row["unit"]) for row in numbers.get(key, [])}
    sheet = read_case(path)
    assert _provisions(sheet) == set(stated["sections_cited"])
    assert _evidence(sheet) == {row["evidence_type"] for row in stated["evidence_items"]}
    assert _figures(sheet) == figures


@each_stated
def test_the_text_cites_no_provision_that_is_not_stated(path: Path) -> None:
    stated = json.loads(path.read_text(encoding="utf-8"))
    assert list(provisions_in(stated["text"])) == stated["sections_cited"]


def test_the_facts_of_a_plain_narrative_are_found() -> None:
    consent = read_case(FOLDER / "age-of-consent.txt")
    assert {"IPC-376", "POCSO-4"} <= _provisions(consent)
    assert {"victim_testimony", "medical", "documentary", "electronic_record"} <= _evidence(consent)
    assert {("age", 21.0, "years"), ("amount", 25000.0, "INR")} <= _figures(consent)
    assert ("duration", 7.0, "years") in _figures(consent)
    shop = read_case(FOLDER / "shop-tenancy.txt")
    assert {"TPA-105", "TPA-106"} <= _provisions(shop)
    assert _party_types(shop) == {"petitioner": "Tenant", "respondent": "Corporation"}
    assert {("amount", 4500.0, "INR"), ("age", 63.0, "years")} <= _figures(shop)
    assert ("duration", 45.0, "years") in _figures(shop)


def test_the_examples_cover_the_kinds_that_edits_exist_for() -> None:
    """Together they hold most party and evidence types, and both criminal codes."""
    sheets = [read_case(path) for path in EVERY]
    parties = {kind for sheet in sheets for kind in _party_types(sheet).values()}
    assert parties >= {
        "Individual",
        "Minor",
        "Corporation",
        "State",
        "Union of India",
        "Public servant",
        "Employee",
        "Tenant",
    }
    assert len({kind for sheet in sheets for kind in _evidence(sheet)}) >= 12
    acts = {p.split("-")[0] for sheet in sheets for p in _provisions(sheet)}
    assert {"IPC", "BNS", "CrPC", "IEA", "NDPS", "NIA", "MVA", "CONST", "PCA", "POCSO"} <= acts


def test_the_readme_names_every_file_and_no_other() -> None:
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    named = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert sorted(named) == sorted(path.name for path in EVERY)
