"""Sentences that state or deny evidence without naming its type."""

from __future__ import annotations

import pytest

from countercase.fact_types.evidence.naming import name_item
from countercase.fact_types.evidence.recognise import evidence_items
from countercase.facts.model import EvidenceValue


def _types(text: str) -> set[str]:
    return {item.value.evidence_type for item in evidence_items(text)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            "The deceased and his nephew Balu (P.W. 4) were returning from the fair when the three "
            "accused attacked them.",
            "eyewitness",
        ),
        (
            "P.W. 6 was sitting with the deceased on the steps. The accused stabbed the deceased.",
            "eyewitness",
        ),
        ("The inspector saw that there was theft of water.", "eyewitness"),
        ("Two revolvers and some cartridges were found with the appellant.", "recovery"),
        (
            "The boatman noticed the accused taking her by the hand. She was found murdered.",
            "last_seen",
        ),
        (
            "They took the deceased away on a scooter along with P.W. 3, who got down at the mill.",
            "last_seen",
        ),
        (
            "The deceased, who looked afraid, told P.W. 2 that he was going with the accused.",
            "dying_declaration",
        ),
        (
            "He forged the rent receipts to avoid repayment of what he owed.",
            "motive",
        ),
        ("Relations between the informant (P.W. 1) and accused No. 2 were strained.", "motive"),
        ("The prosecution led documentary evidence.", "documentary"),
        ("Exh. P3 to Exh. P9 were produced.", "documentary"),
        ("The claim form was duly signed by the widow. The form was submitted.", "documentary"),
        ("The C.A. report speaks of human hair.", "forensic"),
        ("The chemical analyser found no lead.", "forensic"),
    ],
)
def test_evidence_is_known_by_what_is_said_to_have_happened(text: str, kind: str) -> None:
    assert kind in _types(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CCTV footage was never looked for.", "electronic_record"),
        ("An eyewitness was never even searched for.", "eyewitness"),
        ("The post-mortem report has not been produced.", "medical"),
        ("The seizure memo is not on record.", "recovery"),
        ("The call records were not called for.", "electronic_record"),
        ("The handwriting expert was neither called nor examined.", "expert_opinion"),
        ("There is no such confession.", "confession"),
        ("No documentary evidence was led.", "documentary"),
    ],
)
def test_what_was_never_looked_for_or_produced_is_absent(text: str, kind: str) -> None:
    states = {(item.value.evidence_type, item.value.strength) for item in evidence_items(text)}
    assert states == {(kind, "absent")}


def test_a_periodical_examination_is_no_evidence() -> None:
    assert _types("Signalmen undergo a periodical medical examination.") == set()


def test_a_talk_with_a_mother_is_testimony_in_a_case_of_rape_alone() -> None:
    told = "Meena told her mother that the accused had locked the door."
    assert _types(f"He undressed the girl. {told}") == {"victim_testimony"}
    assert _types(f"The rent was due. {told}") == set()


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("65B cert missing for the CD.", {("electronic_certificate", "absent")}),
        ("No indep witness joined in the search.", {("search_safeguard", "absent")}),
        ("TIP not held.", {("test_identification", "absent")}),
        ("S.42 not complied.", {("search_safeguard", "absent")}),
        ("Sanction u/s 197 not obtained.", {("sanction", "absent")}),
        ("Viscera report still awaited.", {("forensic", "absent")}),
        ("Grounds of arrest not supplied in writing.", {("arrest_grounds", "absent")}),
        ("FIR prompt, within 2 hrs.", {("report_delay", "absent")}),
        ("Applicant has clean antecedents.", {("antecedents", "absent")}),
        ("Talks for compromise failed.", {("settlement", "absent")}),
        ("PMR says one lacerated wound.", {("medical", "full")}),
        ("no reason for assault", {("motive", "absent")}),
        ("Gawah mukar gaye.", {("hostile_witness", "full")}),
        ("Baramadgi nahi hui.", {("recovery", "absent")}),
        ("Rajinama ho gaya hai.", {("settlement", "full")}),
        ("Rent agreement not produced.", {("documentary", "absent")}),
        ("Salary slip and offer letter are attached.", {("documentary", "full")}),
        ("Sec 50 not reqd in bag search.", set()),
        ("Loan was sanctioned by the bank.", set()),
        ("It was a hostile environment at work.", set()),
        ("State counsel will file reply in 2 wks.", set()),
    ],
)
def test_notes_state_and_deny_in_few_words(text: str, items: set[tuple[str, str]]) -> None:
    read = {(item.value.evidence_type, item.value.strength) for item in evidence_items(text)}
    assert read >= items if items else read == items


def test_documents_of_different_kinds_are_different_items() -> None:
    text = "Stock register shows 3 bags less. Service book is attached."
    assert len(evidence_items(text)) == 2


@pytest.mark.parametrize(("words", "name"), [("MoU of 3 May", "MoU"), ("Sale deed", "sale deed")])
def test_the_name_of_a_document_keeps_the_capitals_of_an_acronym(words: str, name: str) -> None:
    assert name_item(EvidenceValue("documentary", words)) == name
