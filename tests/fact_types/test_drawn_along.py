"""What falls, or ends, with a change: sections, sentences, and what was said to be missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from countercase.fact_types.catalogue import rows_that_add
from countercase.fact_types.suppositions import suppose_added
from countercase.facts.edits import Edit
from countercase.facts.model import EvidenceValue, FactSheet
from countercase.law.in_force import code_in_force, reading_period
from tests.helpers.perturbation_cases import edits_of, sheet_of

ABSENT = {"strength": "absent"}


def gone(edit: Edit) -> set[str]:
    """The facts that fall with an edit."""
    return {change.fact_id for change in edit.consequences if change.after is None}


def edit_of(sheet: FactSheet, fact_id: str, operation: str) -> Edit:
    [edit] = [it for it in edits_of(sheet, fact_id) if it.operation == operation]
    return edit


@pytest.mark.parametrize(
    ("facts", "of", "operation", "falls"),
    [
        ({"a": "IPC-392", "b": "IPC-397"}, "a", "remove", {"b"}),
        ({"a": "IPC-392", "b": "IPC-397", "c": "IPC-394"}, "a", "remove", set()),
        (
            {"a": "NDPS-21", "b": "NDPS-37", "e": {"evidence": "recovery", "said": "heroin"}},
            "e", "deny", {"a", "b"},
        ),
        (
            {
                "a": "NDPS-20(b)(ii)(C)", "b": "NDPS-21(c)", "n": ["duration", 10, "years", "imprisonment"],
                "e": {"evidence": "recovery", "said": "charas and heroin"},
            },
            "e", "deny", {"a", "b", "n"},
        ),
    ],
)  # fmt: skip
def test_a_section_falls_with_what_it_needs(
    facts: dict[str, Any], of: str, operation: str, falls: set[str]
) -> None:
    assert gone(edit_of(sheet_of("2022-05-01", facts), of, operation)) == falls


def test_one_of_several_recoveries_is_not_the_loss_of_all() -> None:
    one = {"evidence": "recovery", "said": "heroin from the bag"}
    sheet = sheet_of("2022-05-01", {"a": "NDPS-21", "e": one, "f": one | {"said": "cash"}})
    assert gone(edit_of(sheet, "e", "remove")) == set()


def test_a_prompt_report_ends_the_delay() -> None:
    facts = {
        "a": "IPC-302", "n": ["duration", 4, "days", "report delay"],
        "e": {"evidence": "report_delay", "said": "no reason for four days"},
    }  # fmt: skip
    asked = {edit.rule: gone(edit) for edit in edits_of(sheet_of("2022-05-01", facts), "n")}
    assert asked["prompt report"] == {"e"} and asked["late report"] == set()


def test_a_part_of_a_cited_section_is_not_exchanged_by_itself() -> None:
    sheet = sheet_of("2024-01-01", {"a": "CGST-73", "b": "CGST-73(2)"})
    assert "CGST-73>CGST-74" in {edit.rule for edit in edits_of(sheet, "a")}
    assert "CGST-73>CGST-74" not in {edit.rule for edit in edits_of(sheet, "b")}


@pytest.mark.parametrize(("strength", "ends"), [("full", {"e"}), ("absent", set())])
def test_what_is_added_is_no_longer_missing(strength: Any, ends: set[str]) -> None:
    missing = {"evidence": "settlement", "said": "no settlement"} | ABSENT
    sheet = sheet_of("2022-05-01", {"a": "IPC-498A", "b": "CrPC-482", "e": missing})
    row = next(it for it in rows_that_add(sheet, "Evidence") if it.of == ("settlement",))
    added = EvidenceValue("settlement", row.says, strength)
    assert gone(suppose_added(sheet, row, "settlement", added)) == ends


@pytest.mark.parametrize(
    ("cited", "code"),
    [("BNSS-173", "BSA"), ("BNSS-175(3)", "BSA"), ("BNSS-528", "IEA"), ("CrPC-154", "IEA")],
)
def test_a_case_opened_under_the_new_code_is_proved_under_it(cited: str, code: str) -> None:
    when = reading_period("2024-03-01", ())
    assert code_in_force("IEA", when, ["IPC-420", cited]) == code


def test_no_item_is_denied_where_others_of_its_kind_stay() -> None:
    record = {"evidence": "electronic_record", "said": "the CCTV footage"}
    sheet = sheet_of("2022-05-01", {"a": "IPC-302", "e": record})
    two = replace(sheet, facts=(*sheet.facts, *sheet_of("", {"f": record}).facts))
    assert "deny" in {edit.operation for edit in edits_of(sheet, "e")}
    assert "deny" not in {edit.operation for edit in edits_of(two, "e")}
