"""Every example is a case that the reader takes, with all four fact types placed in its text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from countercase.facts.case_file import read_case
from countercase.facts.model import EvidenceValue, NumericalValue, PartyValue, SectionValue
from countercase.facts.vocabulary import FACT_TYPES

FOLDER = Path(__file__).resolve().parents[1] / "examples"
EVERY = sorted(path for path in FOLDER.iterdir() if path.suffix in (".json", ".txt"))


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_all_four_fact_types_and_both_sides_are_there_and_every_fact_has_its_place(
    path: Path,
) -> None:
    """Each stated fact is also told in the text, so none may be left without a span."""
    sheet = read_case(path)
    assert {fact.fact_type for fact in sheet.facts} == set(FACT_TYPES)
    assert {party.side for _, party in sheet.valued(PartyValue)} == {"petitioner", "respondent"}
    for fact in sheet.facts:
        assert fact.spans
        assert all(sheet.narrative[span.start : span.end].strip() for span in fact.spans)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.name)
def test_what_is_stated_is_what_the_reader_returns(path: Path) -> None:
    stated = json.loads(path.read_text(encoding="utf-8"))
    assert "outcome" not in stated and stated["case_id"] == path.stem
    sheet = read_case(path)
    figures = [row["value"] for rows in stated["numerical_facts"].values() for row in rows]
    items = [row["evidence_type"] for row in stated["evidence_items"]]
    sections = [value.provision for _, value in sheet.valued(SectionValue)]
    assert sections == list(dict.fromkeys(stated["sections_cited"]))
    assert sorted(it.evidence_type for _, it in sheet.valued(EvidenceValue)) == sorted(items)
    assert sorted(it.value for _, it in sheet.valued(NumericalValue)) == sorted(figures)


def test_the_readme_names_every_file_and_no_other() -> None:
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    named = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert sorted(named) == sorted(path.name for path in EVERY)
