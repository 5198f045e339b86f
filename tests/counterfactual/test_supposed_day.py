"""A supposed day of the occurrence, and the code that stands on it."""

from __future__ import annotations

import pytest

from countercase.counterfactual.lawful import open_validator
from countercase.counterfactual.suppose import read_suppositions
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.reports.wording import say

RAPE = (
    "On 14 August 2024 he raped her. The FIR under sections 64 and 351(2) BNS was lodged on 17 "
    "August 2024. He seeks bail under section 483 BNSS."
)
MURDER = "On 3 June 2021 he killed Vinod, under section 302 IPC. He appeals under section 374 CrPC."


@pytest.mark.parametrize(
    ("text", "clause", "day", "becomes"),
    [
        (RAPE, "it happened on 2 June 2024", "2024-06-02",  # what was done in August stays there
         "section 64 BNS would be section 376 IPC; section 351(2) BNS would be section 506 IPC ("),
        (MURDER, "it happened on 12 August 2024", "2024-08-12",
         "section 302 IPC would be section 103(1) BNS; section 374 CrPC would be section 415 BNSS ("),
    ],
)  # fmt: skip
def test_a_supposed_day_turns_the_code(text: str, clause: str, day: str, becomes: str) -> None:
    sheet = extract(text, "case")
    [edit] = read_suppositions(sheet, [clause]).edits
    assert say("law_then", edit).startswith(becomes)
    assert apply_edits(sheet, [edit]).occurred_on == day
    assert open_validator("rules").judge(sheet, [edit]).plausible


def test_the_day_that_the_case_has_is_no_supposition() -> None:
    read = read_suppositions(extract(MURDER, "case"), ["it happened on 3 June 2021"])
    assert not read.edits and "the case says so already" in read.problems[0]


def test_a_matter_under_no_such_code_keeps_its_provisions() -> None:
    sheet = extract("A bus hit him on 3 June 2021. He claims under section 166 MV Act.", "case")
    [edit] = read_suppositions(sheet, ["the accident took place on 12 August 2024"]).edits
    assert not [it for it in edit.changes if it.fact_type == "Section"]


@pytest.mark.parametrize(
    ("text", "clause", "kept", "plausible"),
    [
        ("On 4 May 2023 he did it, under sections 377 and 506 IPC.", "it happened on 12 August 2024",
         "IPC-377", False),  # the new code has no such section
        ("On 4 May 2023 he did it, under section 377 IPC.", "it happened on 12 August 2024",
         "IPC-377", False),
        ("On 14 August 2024 they raped her, aged 17, under section 70(2) BNS.",
         "it happened on 2 June 2024", "BNS-70(2)", False),  # of which there were several
        ("On 14 August 2024 he killed Vinod, section 103(1) BNS. He seeks bail under section 483 "
         "BNSS.", "it happened on 2 June 2024", "BNSS-483", True),  # a step of today
    ],
)  # fmt: skip
def test_what_has_no_one_section_in_the_other_code_is_left_to_the_law_of_the_day(
    text: str, clause: str, kept: str, plausible: bool
) -> None:
    sheet = extract(text, "case")
    [edit] = read_suppositions(sheet, [clause]).edits
    state = apply_edits(sheet, [edit])
    assert state.occurred_on != sheet.occurred_on
    assert kept in {str(it.value) for it in state.facts}
    assert open_validator("rules").judge(sheet, [edit]).plausible is plausible


def test_what_is_said_beside_a_supposed_day_is_stated_too() -> None:
    clause = "it happened on 12 August 2024 and three other men had beaten him with iron rods"
    [edit] = read_suppositions(extract(MURDER, "case"), [clause]).edits
    assert edit.occurred_on == "2024-08-12" and "more than this fact" in edit.note
    assert any("iron rods" in str(it.after) for it in edit.changes)
