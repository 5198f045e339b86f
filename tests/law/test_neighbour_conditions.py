"""A neighbour is proposed only where the narrative leaves room for it."""

from __future__ import annotations

import pytest

from countercase.counterfactual.validators import RuleValidator
from countercase.fact_types.neighbours import Circumstance, Neighbour, states
from countercase.fact_types.section import propose
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.io import read_table


def neighbours_of(text: str, provision: str) -> set[str]:
    root = extract(text, tagger=False)
    return {e.perturbed_value for e in propose(root) if e.original_value == provision}


@pytest.mark.parametrize(
    ("text", "provision", "impossible"),
    [
        ("He died of the blow. Convicted under section 304 Part II IPC.", "IPC-304-II", "IPC-325"),
        ("She died. The driver is tried under section 304A IPC.", "IPC-304A", "IPC-279"),
        ("They had planned it. He died. Tried under section 302 IPC.", "IPC-302", "IPC-304-I"),
        ("He died. Section 302 IPC; the death sentence came up for confirmation.",
         "IPC-302", "IPC-304-II"),
        ("He seeks anticipatory bail under section 438 CrPC.", "CrPC-438", "CrPC-439"),
        ("He is in custody and asks for bail under section 439 CrPC.", "CrPC-439", "CrPC-438"),
        ("A revision under section 397 CrPC.", "CrPC-397", "CrPC-482"),
        ("The wound of a knife is simple. Section 324 IPC.", "IPC-324", "IPC-323"),
        ("The wound of a knife is simple. Section 324 IPC.", "IPC-324", "IPC-326"),
        ("Five men. Sections 148 and 149 IPC with 302 IPC.", "IPC-149", "IPC-34"),
        ("A quarrel. Sections 302 and 34 IPC.", "IPC-34", "IPC-120B"),
        ("No dowry was ever asked for. Section 498A IPC.", "IPC-498A", "DPA-4"),
        ("She complained late. Section 498A IPC, section 468 CrPC. A car was demanded.",
         "IPC-498A", "DPA-4"),
        ("A revolver in his pocket. Section 25 of the Arms Act.", "ARMS-25", "ARMS-27"),
        ("The delay is illness. Section 5 of the Limitation Act, 1963.", "LIM-5", "LIM-14"),
        ("His pay was Rs. 9,000 a month. Section 166 of the Motor Vehicles Act, 1988.",
         "MVA-166", "MVA-163A"),
        ("1.2 kg of charas. Section 20 of the NDPS Act.", "NDPS-20", "NDPS-21"),
        ("The knife was shown. Section 392 IPC.", "IPC-392", "IPC-379"),
        ("Sections 302 and 201 IPC. The body was found.", "IPC-201", "IPC-202"),
        ("He was dismissed under a clause. Others were let off: Article 14.", "CONST-14", "ICA-23"),
        ("He held her hand in 2019. Section 354 IPC.", "IPC-354", "IPC-354B"),
        ("He tore her clothes in March 2008. Section 354 IPC.", "IPC-354", "IPC-354B"),
        ("The girl was under ten. Convicted under section 6 POCSO Act.", "POCSO-6", "POCSO-4"),
        ("Her hostel warden did it. Convicted under section 10 POCSO Act.", "POCSO-10", "POCSO-8"),
        ("A child below the age of nine. Section 376(2)(f) IPC.", "IPC-376(2)(f)", "IPC-376"),
        ("He died. Section 302 IPC was affirmed; we plead Exception 1.", "IPC-302", "IPC-304-I"),
        ("He died. Section 304 Part II IPC, for mere knowledge is proved.", "IPC-304-II",
         "IPC-304-I"),
        ("A car was demanded. Section 498A IPC and the Dowry Prohibition Act.", "IPC-498A",
         "DPA-4"),
        ("He was acquitted. The State has leave under Article 136.", "CONST-136", "CONST-133"),
        ("An ex parte decree. His petition under Order 9 Rule 13 CPC failed.", "CPC-O9R13",
         "CPC-96"),
    ],
)  # fmt: skip
def test_what_the_facts_exclude_is_not_proposed(text: str, provision: str, impossible: str) -> None:
    assert impossible not in neighbours_of(text, provision)


@pytest.mark.parametrize(
    ("text", "provision", "possible"),
    [
        ("A sudden fight. He died. Convicted under section 302 IPC.", "IPC-302", "IPC-304-I"),
        ("The wound is simple, of a lathi. Section 323 IPC.", "IPC-323", "IPC-324"),
        ("Five men. Section 302 with section 149 IPC.", "IPC-149", "IPC-34"),
        ("They had planned it. Sections 302 and 34 IPC.", "IPC-34", "IPC-120B"),
        ("A car was demanded. Section 498A IPC.", "IPC-498A", "DPA-4"),
        ("He fired the revolver. Section 25 of the Arms Act.", "ARMS-25", "ARMS-27"),
        ("He tore her clothes in 2019. Section 354 IPC.", "IPC-354", "IPC-354B"),
        ("The buyer paid Rs. 3,00,000 in March for flat 602. Section 420 IPC.",
         "IPC-420", "IPC-406"),
        ("The tax was struck down. Money paid under a mistake within section 72 of the Indian "
         "Contract Act, 1872 is claimed.", "ICA-72", "CONST-265"),
        ("His service was terminated. The clause hits Article 14 of the Constitution.",
         "CONST-14", "ICA-23"),
        ("It was filed in the wrong court. Section 5 of the Limitation Act, 1963.",
         "LIM-5", "LIM-14"),
        ("The suit for partition failed. Leave under Article 136 is asked for.",
         "CONST-136", "CONST-133"),
        ("The girl was below sixteen. Convicted under section 6 POCSO Act.", "POCSO-6", "POCSO-4"),
    ],
)  # fmt: skip
def test_what_the_facts_leave_open_is_proposed(text: str, provision: str, possible: str) -> None:
    assert possible in neighbours_of(text, provision)


def test_words_that_deny_a_circumstance_do_not_state_it() -> None:
    assert states("They came prepared.", "planning")
    assert not states("Nobody says that they had come prepared.", "planning")
    assert not states("Words were exchanged.", "suicide")


def test_every_circumstance_named_in_a_row_is_in_the_table() -> None:
    known = {row.name for row in read_table("fact_types/circumstances", Circumstance)}
    for row in read_table("law/neighbours", Neighbour):
        assert {*row.given, *row.not_given} <= known


def test_the_name_of_the_offence_goes_with_the_provision() -> None:
    text = "Dowry death appeal. Wife hanging. She was driven to suicide. Section 304B IPC."
    root = extract(text, tagger=False)
    edit = next(e for e in propose(root) if e.perturbed_value == "IPC-306")
    after = apply_edits(root, [edit]).narrative
    assert "abetment of suicide appeal" in after.lower()
    assert RuleValidator().judge(root, [edit]).plausible


def test_a_name_that_is_argued_about_refuses_the_change() -> None:
    text = "Was it a dowry death at all? She was driven to suicide. Section 304B IPC."
    root = extract(text, tagger=False)
    edit = next(e for e in propose(root) if e.perturbed_value == "IPC-306")
    assert RuleValidator().judge(root, [edit]).rule == "section.words_left"
