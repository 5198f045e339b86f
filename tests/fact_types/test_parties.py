"""What a party is in law, from its name and from the words beside it."""

from __future__ import annotations

import pytest

from countercase.fact_types.party.notes import parties_in_notes, proceeding_of
from countercase.fact_types.party.recognise import (
    find_parties,
    locate_party,
    names_in_title,
    party_type_of,
)
from countercase.facts.model import PartyValue
from countercase.text.spans import Span


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Ram Singh", "Individual"),
        ("State of Haryana", "State"),
        ("State, by the Inspector of Police", "State"),
        ("Union of India", "Union of India"),
        ("Commissioner of Income Tax, Kolhapur", "Union of India"),
        ("M/s Sonpura Yarn Pvt. Ltd.", "Corporation"),
        ("State Bank of Sonpura", "Corporation"),
        ("Sonpura Municipal Corporation", "State"),
        ("Gram Panchayat, Sonpura", "State"),
        ("Kumari Asha, minor, through her guardian", "Minor"),
    ],
)
def test_a_name_suggests_a_type(name: str, kind: str) -> None:
    assert party_type_of(name) == kind


def _parties(
    text: str, petitioner: str = "", respondent: str = ""
) -> dict[str, tuple[str, list[str]]]:
    return {
        p.value.side: (p.value.party_type, [text[s.start : s.end] for s in p.spans])
        for p in find_parties(text, petitioner, respondent)
    }


@pytest.mark.parametrize(
    ("text", "side", "kind", "words"),
    [
        (
            "The appellant, a constable, was dismissed.",
            "petitioner",
            "Public servant",
            ["constable"],
        ),
        ("The accused company gave a cheque.", "petitioner", "Corporation", ["company"]),
        ("The appellant-tenant paid.", "petitioner", "Tenant", ["tenant"]),
        ("The tenant appellant paid.", "petitioner", "Tenant", ["tenant"]),
        ("The respondent-landlord sued.", "respondent", "Individual", ["landlord"]),
        ("The accused, a minor, ran.", "petitioner", "Minor", ["minor"]),
        (
            "The appellant Ram Singh, aged about 16 years, ran.",
            "petitioner",
            "Minor",
            ["appellant"],
        ),
        ("The petitioner is a contractor.", "petitioner", "Contractor", ["contractor"]),
        ("Ram, the petitioner, is a tenant.", "petitioner", "Tenant", ["tenant"]),
        ("The petitioner held it as a licensee.", "petitioner", "Licensee", ["licensee"]),
        ("The respondent is an insurance company.", "respondent", "Corporation", ["company"]),
        ("My client, a workman, was sent away.", "petitioner", "Employee", ["workman"]),
        ("The State of Bihar opposes bail.", "respondent", "State", ["State of Bihar"]),
        (
            "The petitioner was working as a clerk in the office of the Collector.",
            "petitioner",
            "Public servant",
            ["clerk in the office"],
        ),
    ],
)
def test_the_words_beside_a_side_say_its_type(
    text: str, side: str, kind: str, words: list[str]
) -> None:
    assert _parties(text)[side] == (kind, words)


@pytest.mark.parametrize(
    "text",
    [
        "It rained on the day of the fair.",
        "He lived in the State of Kerala.",
        "The prosecution says that the house burnt down.",
        "A constable found the purse.",
        "The minor girl cried.",
    ],
)
def test_nothing_is_invented(text: str) -> None:
    assert _parties(text) == {}


def test_the_accused_is_the_petitioner_unless_the_text_makes_him_the_respondent() -> None:
    assert _parties("The accused, a constable, fled.")["petitioner"][0] == "Public servant"
    turned = _parties("The respondent-accused fled. The accused, a constable, hid.")
    assert turned["respondent"][0] == "Public servant"
    assert "petitioner" not in turned


def test_words_decide_over_a_persons_name_and_an_institution_over_words() -> None:
    text = "The appellant, a constable, was dismissed by the State."
    assert _parties(text, petitioner="Ram Singh")["petitioner"][0] == "Public servant"
    assert _parties(text, petitioner="Sonpura Mills Ltd.")["petitioner"][0] == "Corporation"


def test_a_title_names_both_sides() -> None:
    assert names_in_title("Ram Singh v. State of Haryana") == ("Ram Singh", "State of Haryana")
    assert names_in_title("Asha and Another Vs Sonpura Mills Ltd. and Ors.") == (
        "Asha",
        "Sonpura Mills Ltd.",
    )
    assert names_in_title("In re Sonpura") == ("", "")


def test_a_stated_party_is_found_by_its_words_its_name_or_its_role() -> None:
    text = "Ram Singh, the tenant, wrote to the State of Bihar; the appellant then sued."
    tenant = locate_party(text, PartyValue("petitioner", "Tenant"))
    named = locate_party(text, PartyValue("petitioner", "Minor", "Ram Singh"))
    role = locate_party(text, PartyValue("petitioner", "Individual"))
    assert [text[s.start : s.end] for s in tenant] == ["tenant"]
    assert named == (Span(0, 9),)
    assert [text[s.start : s.end] for s in role] == ["appellant"]
    assert locate_party(text, PartyValue("respondent", "Corporation")) == ()


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            "Regular bail for Sonu, FIR 33/2025. State counsel says habitual.",
            [("Individual", "accused"), ("State", "prosecution")],
        ),
        (
            "I am landlord of a shop, tenant not paying rent since 2020.",
            [("Individual", "landlord"), ("Tenant", "tenant")],
        ),
        (
            "Rev. for tenant. Landlord concealed two shops.",
            [("Tenant", "tenant"), ("Individual", "landlord")],
        ),
        (
            "CWP by retd Head Constable, pension withheld. State of Haryana says enquiry pending.",
            [("Public servant", "employee"), ("State", "employer")],
        ),
        ("JJ matter - CCL, 302 case, tried as adult.", [("Minor", "accused")]),
        ("Society members made us sit together. It rained.", []),
        ("The witness saw the company of players.", []),
    ],
)
def test_a_note_says_who_comes_to_the_court(text: str, parties: list[tuple[str, str]]) -> None:
    assert [(p.value.party_type, p.value.role) for p in parties_in_notes(text)] == parties


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Regular bail, FIR 14/2024 u/s 20 NDPS, challan filed.", "criminal"),
        ("138 NI Act matter, cheque returned for insufficient funds.", "cheque"),
        ("MACT Nagpur, claimants want enhancement of compensation.", "accident"),
        ("Landlord wants eviction, rent unpaid since March.", "tenancy"),
        ("Charge memo, enquiry officer's report, pension withheld.", "service"),
        ("HCP against the detention order, grounds not supplied.", "detention"),
        ("It rained on the day of the fair.", ""),
    ],
)
def test_the_words_of_a_note_tell_the_kind_of_matter(text: str, kind: str) -> None:
    assert proceeding_of(text) == kind


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            "We are for the builder before NCDRC. Complainant booked a flat, no possession.",
            [("petitioner", "Corporation"), ("respondent", "Individual")],
        ),
        (
            "Management side, labour court. Workman was absent, enquiry held.",
            [("petitioner", "Corporation"), ("respondent", "Employee")],
        ),
        (
            "My tenant has not paid rent since 14 months. I want eviction.",
            [("petitioner", "Individual"), ("respondent", "Tenant")],
        ),
        (
            "CBI trap, final args for accused JE. PC Act.",
            [("petitioner", "Public servant"), ("respondent", "State")],
        ),
        (
            "Maintenance u/s 125 for wife and minor daughter 6. Husband is in the army.",
            [("petitioner", "Individual"), ("petitioner", "Minor"), ("respondent", "Individual")],
        ),
        (
            "MACT claim. Claimants are widow and minor kids. Ins. Co. pleads breach of policy.",
            [("petitioner", "Individual"), ("petitioner", "Minor"), ("respondent", "Corporation")],
        ),
        (
            "Quash of FIR u/s 498A IPC, settled. Petitioners: husband. State & wife respondents.",
            [("petitioner", "Individual"), ("respondent", "State"), ("respondent", "Individual")],
        ),
    ],
)
def test_parties_follow_from_the_client_and_the_matter(
    text: str, parties: list[tuple[str, str]]
) -> None:
    read = parties_in_notes(text)
    assert sorted((p.value.side, p.value.party_type) for p in read) == sorted(parties)
