"""Evidence as notes state it: in few words, in shorthand, in Hindi words."""

from __future__ import annotations

import pytest

from countercase.fact_types.evidence.recognise import evidence_items


def _read(text: str) -> list[tuple[str, str]]:
    return [(item.value.evidence_type, item.value.strength) for item in evidence_items(text)]


@pytest.mark.parametrize(
    "text",
    [
        "ESI contribution card shows 240 days.",
        "Patwari's report favours us.",
        "Makaan ka registry meri maa ke naam hai.",
        "Form 26 affidavit hid 2 cases.",
        "Parcha with thumb impression annexed.",
        "Domestic enquiry report ex parte.",
    ],
)
def test_a_document_is_known_by_its_noun(text: str) -> None:
    assert _read(text) == [("documentary", "full")]


@pytest.mark.parametrize(
    "text",
    [
        "Appointment letter never issued.",
        "ECIR not supplied.",
        "Raseed nahi di.",
        "Agreement was only oral.",
        "Receipt? none.",
        "Everything was by word of mouth.",
        "Translated copies of the grounds and of the order were not supplied.",
    ],
)
def test_a_document_is_missing_where_its_clause_says_so(text: str) -> None:
    assert ("documentary", "absent") in _read(text)
    assert ("documentary", "full") not in _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Agreement not registered.",
        "The receipt is not disputed.",
        "No arbitration clause in work order.",
        "He is not the debtor as per ledger.",
    ],
)
def test_what_is_said_of_a_document_does_not_take_it_away(text: str) -> None:
    assert _read(text) == [("documentary", "full")]


@pytest.mark.parametrize(
    "text",
    [
        "On receipt of the order he left.",
        "He filed a petition at all courts.",
        "The charge sheet was filed.",
        "He will come.",
    ],
)
def test_what_is_no_document(text: str) -> None:
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "strength"),
    [
        ("Sister-in-law saw from window.", "eyewitness", "full"),
        ("It happened in front of my mother.", "eyewitness", "full"),
        ("Employer not examined on salary.", "eyewitness", "absent"),
        ("Nobody else heard the abuse.", "eyewitness", "absent"),
        ("PW2 has resiled.", "hostile_witness", "full"),
        ("Gawah sab rishtedar hai.", "related_witness", "full"),
        ("Ballistic report: not in working order.", "forensic", "full"),
        ("Viscera preserved, nothing received from lab.", "forensic", "absent"),
        ("Handwriting expert says signature does not match.", "expert_opinion", "full"),
        ("Surveyor assessed the loss.", "expert_opinion", "full"),
        ("Video hai mere paas.", "electronic_record", "full"),
        ("Camera in the lift was off.", "electronic_record", "absent"),
        ("Hash value not noted.", "electronic_certificate", "absent"),
        ("Gold 466 g from shoe heel.", "recovery", "full"),
        ("No rope or wire was found on site.", "recovery", "absent"),
        ("Raid fruitless.", "recovery", "absent"),
        ("He beat me with belt.", "weapon", "full"),
        ("FIR 3 din baad likhi.", "report_delay", "full"),
        ("FIR lodged in 40 minutes.", "report_delay", "absent"),
        ("Involved in 3 others.", "antecedents", "full"),
        ("Koi purana case nahi.", "antecedents", "absent"),
        ("Settlement talks collapsed.", "settlement", "absent"),
        ("Medical nahi hua.", "medical", "absent"),
        ("Hymen intact, no external injury in MLR.", "medical", "full"),
    ],
)
def test_other_kinds_in_the_words_of_notes(text: str, kind: str, strength: str) -> None:
    assert (kind, strength) in _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "No infirmity was found by the High Court.",
        "No fault was found with the order.",
        "The appeal was not pressed.",
        "Talks on wages go on.",
        "She backed out of the deal.",
    ],
)
def test_ordinary_words_of_judgments_are_no_evidence(text: str) -> None:
    assert _read(text) == []
