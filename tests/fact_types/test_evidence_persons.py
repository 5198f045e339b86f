"""Witnesses known by who they are and what they do, and what became of a settlement."""

from __future__ import annotations

import pytest

from countercase.fact_types.evidence.recognise import evidence_items


@pytest.mark.parametrize(
    ("text", "kind", "strength"),
    [
        ("The scribe deposed for the daughter.", "eyewitness", "full"),
        ("Staff nurse's 161 supports the family.", "eyewitness", "full"),
        ("Driver Murugan statement is with police.", "eyewitness", "full"),
        ("Her mama deposed.", "related_witness", "full"),
        ("Notary attested; both panch heard nothing.", "eyewitness", "absent"),
        ("Un logon ne samjhota bola, humne thukra diya.", "settlement", "absent"),
        ("He asked 15 lakh to compromise, nothing is settled.", "settlement", "absent"),
        ("Cash ki rasid nahi hai.", "documentary", "absent"),
        ("Non traceable certificate was given by police.", "documentary", "full"),
    ],
)
def test_a_person_or_an_outcome_is_read(text: str, kind: str, strength: str) -> None:
    read = {(item.value.evidence_type, item.value.strength) for item in evidence_items(text)}
    assert (kind, strength) in read


@pytest.mark.parametrize(
    "text",
    [
        "Wife is witness to my pain.",
        "The driver's licence statement was filed.",
        "Her mother said that the driver was late.",
    ],
)
def test_a_person_alone_is_no_witness(text: str) -> None:
    kinds = {item.value.evidence_type for item in evidence_items(text)}
    assert not kinds & {"eyewitness", "related_witness"}
