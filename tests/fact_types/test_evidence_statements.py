"""Sentences that state or deny evidence without naming its type."""

from __future__ import annotations

import pytest

from countercase.fact_types.evidence.naming import name_item
from countercase.fact_types.evidence.recognise import evidence_items
from countercase.facts.model import EvidenceValue


def _types(text: str) -> set[str]:
    return {item.value.evidence_type for item in evidence_items(text)}


def test_a_periodical_examination_is_no_evidence() -> None:
    assert _types("Signalmen undergo a periodical medical examination.") == set()


def test_a_talk_with_a_mother_is_testimony_in_a_case_of_rape_alone() -> None:
    told = "Meena told her mother that the accused had locked the door."
    assert _types(f"He undressed the girl. {told}") == {"victim_testimony"}
    assert _types(f"The rent was due. {told}") == set()


def test_documents_of_different_kinds_are_different_items() -> None:
    text = "Stock register shows 3 bags less. Service book is attached."
    assert len(evidence_items(text)) == 2


@pytest.mark.parametrize(("words", "name"), [("MoU of 3 May", "MoU"), ("Sale deed", "sale deed")])
def test_the_name_of_a_document_keeps_the_capitals_of_an_acronym(words: str, name: str) -> None:
    assert name_item(EvidenceValue("documentary", words)) == name


@pytest.mark.parametrize(
    "text",
    [
        "Wife is witness to my pain.",
        "The driver's licence statement was filed.",
        "Her mother said that the driver was late.",
    ],
)
def test_a_person_alone_is_no_witness(text: str) -> None:
    assert not _types(text) & {"eyewitness", "related_witness"}
