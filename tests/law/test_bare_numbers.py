"""Provisions as juniors and clients cite them: short, bare, mistyped, in two scripts."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.law.citations import find_citations, provisions_in
from countercase.law.provision_ids import citation
from countercase.law.provisions import normal_form


@labelled("provisions_of_notes")
def test_the_provisions_of_a_note(text: str, provisions: str) -> None:
    assert " ".join(provisions_in(text)) == provisions


def test_an_article_of_the_schedule_is_no_section() -> None:
    assert provisions_in("in time under Art 54 Limitation Act") == ("LIM-54",)
    assert provisions_in("Section 54 of the Limitation Act") == ()
    assert citation("LIM-54") == "Article 54 of the Limitation Act, 1963"
    assert normal_form("Article 54 of the Limitation Act") == "LIM-54"


def test_a_long_text_marks_its_sections() -> None:
    note = "He was booked for 302 and section 34 of the Penal Code. "
    assert provisions_in(note) == ("IPC-302", "IPC-34")
    assert provisions_in(note * 300) == ("IPC-34",)


@pytest.mark.parametrize(
    ("text", "provisions"),
    [
        ("Charges 64(1), 137(2) BNS plus S 4 POCSO.", {"BNS-64(1)", "BNS-137(2)", "POCSO-4"}),
        ("At most 105 BNS and not 103 (old 302).", {"BNS-105", "BNS-103", "IPC-302"}),
        ("318(4) BNS case hai, old wale 420, 406.", {"BNS-318(4)", "IPC-420", "IPC-406"}),
        ("FIR 352 BNS. Kya 528 me FIR khatam hogi?", {"BNS-352", "BNSS-528"}),
        ("Article 226 writ. Main 32 ka hu.", {"CONST-226"}),
        ("Licence under CLRA s.12?", {"CLRA-12"}),
        ("Cheque matter 138. Returned 13.11.2024, notice 18.12.2024.", {"NIA-138"}),
        ("138 cheque case, returned 13.11.2024.", {"NIA-138"}),
        ("138 cheques were seized from the shop.", set()),
    ],
)
def test_numbers_as_juniors_write_them(text: str, provisions: set[str]) -> None:
    assert {citation.provision for citation in find_citations(text)} == provisions


@pytest.mark.parametrize(
    ("text", "provision"),
    [
        ("FIR u/s 21(b) NDPS, bail u/s 439 CrPC. S.50 notice given.", "NDPS-50"),
        ("She says so in her 180 stmt (old 161). FIR u/s 103(1) BNS.", "CrPC-161"),
        ("The limitation of 3 years is by Art 65.", "LIM-65"),
        (
            "Revolver .32 seized. Sanction u/s 39 was given by the DC; appeal u/s 374 CrPC.",
            "ARMS-39",
        ),
        ("Police ne 115(2) aur 352 BNS lagayi, 117 nahi jodi.", "BNS-117"),
    ],
)
def test_the_act_of_a_number_by_its_neighbours(text: str, provision: str) -> None:
    assert provision in provisions_in(text)


def test_an_age_then_and_now_is_no_section() -> None:
    assert "ARMS-27" not in provisions_in("Arms Act, revolver. Sonu then 24 now 27.")
