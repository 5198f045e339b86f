"""Consequences: what the law draws from a figure, a provision, a party or an item changes with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from labelled_rows import labelled
from perturbation_cases import asked_of, edits_of, figure, on, section, sheet, sheet_of

from countercase.counterfactual.proposals import make_edit
from countercase.fact_types.catalogue import rows_that_add
from countercase.fact_types.consequences import Following
from countercase.fact_types.evidence import FACT_TYPE as EVIDENCE
from countercase.fact_types.evidence import ask
from countercase.fact_types.lines import Line
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, SectionValue
from countercase.io import read_table
from countercase.law.provisions import clause_for, tier_of

HEROIN = sheet(
    "", q=figure("quantity", 300, "g", "heroin"), s=section("NDPS-21(c)"), b=section("NDPS-37")
)


def cited_after(root: FactSheet, edit: Edit) -> list[str]:
    return [str(value) for _, value in apply_edits(root, [edit]).valued(SectionValue)]


def fits(edit: Edit, how: str, words: str) -> bool:
    """Whether an edit moves across this line, or becomes, does or is called this."""
    if how == "line":
        return edit.operation == "cross" and edit.rule == f"line: {words}"
    told = {"becomes": edit.perturbed_value, "operation": edit.operation, "rule": edit.rule}
    return told[how] == words


@labelled("what_follows")
def test_what_the_law_draws_from_a_fact_changes_with_it(
    date: str,
    facts: dict[str, Any],
    of: str,
    edit: list[str],
    cited: list[str],
    changes: dict[str, str],
) -> None:
    root = sheet_of(date, facts)
    found = next(asked for asked in asked_of(root, of) if fits(asked, *edit))
    assert cited_after(root, found) == cited
    assert {change.fact_id: change.perturbed_value for change in found.consequences} == changes


def test_a_question_takes_along_what_its_row_says() -> None:
    rows = {row.name: row for row in rows_that_add(HEROIN, "Evidence")}
    [edit] = ask(HEROIN, [rows["narcotics 63"]])
    assert cited_after(HEROIN, edit) == ["NDPS-21(b)"]
    gone = "section 21(c) NDPS Act would give way to section 21(b) NDPS Act; section 37 NDPS Act"
    less = (
        "commercial quantity: the quantity of heroin would be 225 grams"  # the tier of the clause
    )
    assert edit.supposition.endswith(f"{less}; {gone} no longer applies.")


def test_the_parts_of_a_provision_go_with_the_whole() -> None:
    case = extract(
        "He is charged under section 376, section 376(2)(g) and section 34 IPC.", "parts"
    )
    gone = {e.after: [c.fact_id for c in e.consequences] for e in edits_of(case, "section:IPC-376")}
    assert set(gone) >= {None} and all("section:IPC-376(2)(g)" in ids for ids in gone.values())
    [part] = [e for e in edits_of(case, "section:IPC-376(2)(g)") if e.after is None]
    assert not part.consequences


@pytest.mark.parametrize("beside", ["IPC-376", "IPC-34"])
def test_a_graver_form_gives_way_to_the_plain_one_where_that_is_not_cited_too(beside: str) -> None:
    case = sheet("", s=section("IPC-376(2)(g)"), t=section(beside))
    plain = [e for e in edits_of(case, "s") if e.perturbed_value == "IPC-376"]
    assert len(plain) == (beside != "IPC-376")


def test_what_follows_belongs_to_the_one_edit() -> None:
    edit = next(e for e in edits_of(HEROIN, "q") if e.consequences)
    assert edit.fact_ids == ("q", "s", "b")
    assert not compatible([edit, edits_of(HEROIN, "s")[0]])
    assert apply_edits(HEROIN, []) == HEROIN


def test_every_line_and_clause_of_the_tables_is_known() -> None:
    drawn = {row.provision for row in read_table("law/lines", Line)}
    for row in read_table("law/consequences", Following):
        assert row.line in drawn
        assert row.cited != row.becomes
        assert row.reason.endswith(".")
    for tier in read_table("law/ndps_tiers", dict):
        assert tier_of(tier["provision"]) == tier["tier"]
        assert clause_for(tier["provision"], tier["tier"]) == tier["provision"]


def test_a_disputed_age_is_a_question_of_its_own() -> None:
    ages = {"n": figure("age", 17, context="accused"), "m": figure("age", 20, context="accused")}
    root = on("2024-08-01", "", s=section("BNS-103(1)"), **ages)
    [disputed] = [edit for edit in edits_of(root, "n") if edit.rule == "disputed age"]
    assert disputed.supposition == "Suppose the accused were 20 years old, and not 17 years."
    alone = on("2024-08-01", "", s=section("BNS-103(1)"), n=ages["n"])
    assert "disputed age" not in {edit.rule for edit in edits_of(alone, "n")}


@pytest.mark.parametrize(("other", "left"), [((), False), (("BNS-64(1)",), True)])
def test_a_child_is_assessed_for_a_heinous_offence_alone(
    other: tuple[str, ...], left: bool
) -> None:
    """A minimum of seven years makes an offence heinous: murder, and rape; not homicide."""
    others = {f"o{n}": section(provision) for n, provision in enumerate(other)}
    root = on("2025", "", s=section("BNS-103(1)"), j=section("JJA-15"), **others)
    assert {"JJA-15" in cited_after(root, edit) for edit in edits_of(root, "s")} == {left}


LEDGER = (
    "The accused, aged 34, is charged under section 138 of the Negotiable Instruments Act. On 4 May "
    "2023 a sum of Rs. 6,00,000 was paid by bank transfer as the ledger shows. The cheque was for Rs. "
    "9,00,000."
)


@pytest.mark.parametrize("operation", ["deny", "remove"])
def test_a_figure_that_only_an_item_tells_falls_with_it_and_no_age_nor_other_figure(
    operation: str,
) -> None:
    root = extract(LEDGER, "ledger", tagger=False)
    [fact] = [f for f, v in root.valued(EvidenceValue) if "ledger" in v.description]
    edits = [e for e in EVIDENCE.what_ifs(root, fact) if e.operation == operation]
    fallen = {change.original_value for edit in edits for change in edit.consequences}
    assert any("600000" in told for told in fallen)
    assert not any("34" in told or "900000" in told for told in fallen)


@pytest.mark.parametrize(
    ("age", "changes", "line"),
    [
        (11, "section 64 BNS would give way to section 65(2) BNS", "(section 5(m) POCSO Act)"),
        (13, "", "(section 65(1) BNS)"),
        (17, "", "16 years or more (section 65(1) BNS)"),
        (
            19,
            "section 4 POCSO Act no longer applies",
            "18 years or more (section 2(1)(d) POCSO Act)",
        ),
    ],
)
def test_a_childs_age_names_the_line_that_it_crosses(age: int, changes: str, line: str) -> None:
    """Rape on a woman under twelve is section 65(2) BNS, and an aggravated assault under POCSO."""
    said = "On 14 August 2024 he raped the girl, aged 15 years: sections 64 BNS and section 4 POCSO Act."
    sheet = extract(said, "case")
    fact, own = next((it, v) for it, v in sheet.valued(NumericalValue) if v.kind == "age")
    edit = make_edit(sheet, fact, "replace", replace(own, value=float(age)))
    assert changes in edit.follows and bool(changes) == bool(edit.follows)
    assert statements_of(sheet, edit)[1].endswith(f"{line}.")
