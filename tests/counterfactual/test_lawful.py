"""One place refuses, on the sheet, after the consequences, and gives the provision."""

from __future__ import annotations

from typing import Any

import pytest
from example_cases import NAMES, example
from labelled_rows import labelled
from perturbation_cases import figure, on, section, sheet, sheet_of, value_of

from countercase.counterfactual.lawful import RULES, LawfulValidator
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.suppose import read_suppositions
from countercase.facts.edits import Change, Edit


@labelled("lawful_changes")
def test_one_edit_that_gives_facts_these_values_is_lawful_or_refused_by_this_rule(
    date: str, facts: dict[str, Any], changes: dict[str, Any], refused: list[str]
) -> None:
    root = sheet_of(date, facts)
    first, *others = (
        Change(
            name, fact.fact_type, "replace", fact.value, None if said is None else value_of(said)
        )
        for name, said in changes.items()
        for fact in [root.fact(name)]
    )
    edit = Edit(
        first.fact_id, first.fact_type, first.operation, first.before, first.after,
        consequences=tuple(others),
    )  # fmt: skip
    verdict = LawfulValidator().judge(root, [edit])
    assert verdict.plausible is not bool(refused)
    if refused:
        assert [verdict.rule, verdict.provision] == refused
        assert verdict.reason.endswith(".")


def test_the_case_as_it_is_is_plausible() -> None:
    verdict = LawfulValidator().judge(sheet("", s=section("IPC-302")), [])
    assert (verdict.plausible, verdict.rule, verdict.provision) == (True, "rules", "")


@pytest.mark.parametrize(("cited", "lesser"), [("IPC-302", "IPC-304-I"), ("BNS-103", "BNS-105")])
def test_an_offence_after_the_repeal_is_offered_in_the_code_that_is_cited(
    cited: str, lesser: str
) -> None:
    root = on("2025-02-12", "", s=section(cited))
    offered = [edit for edit in propose(root) if edit.operation == "replace"]
    assert lesser in {edit.perturbed_value for edit in offered}
    assert {edit.perturbed_value[:4] for edit in offered} == {cited[:4]}
    assert all(LawfulValidator().judge(root, [edit]).plausible for edit in offered)


def test_the_sentence_that_was_passed_refuses_no_lesser_charge() -> None:
    cited = {"s": section("NDPS-21(c)"), "shared": section("NDPS-29")}
    passed = figure("duration", 10, "years", context="imprisonment")
    root = sheet("", q=figure("quantity", 255, "g", "heroin"), n=passed, **cited)
    [edit] = read_suppositions(root, ["the quantity was 4.5 grams of heroin"]).edits
    assert "section 21(a)" in edit.supposition
    assert LawfulValidator().judge(root, [edit]).plausible


def test_a_charge_of_unknown_terms_may_be_left_out_beside_one_that_allows_less() -> None:
    """The three years may have been passed for the section whose terms no table has."""
    cited = {"s": section("ITECH-67B"), "t": section("BNS-351(2)")}
    passed = figure("duration", 3, "years", context="imprisonment")
    root = on("2025-02-12", "", n=passed, **cited)
    left_out = [edit for edit in propose(root) if edit.fact_id == "s"]
    assert left_out
    assert all(LawfulValidator().judge(root, [edit]).plausible for edit in left_out)


def test_two_edits_of_one_fact_are_refused_and_not_applied() -> None:
    root = sheet("", s=section("IPC-302"))
    edits = [
        Edit("s", "Section", "replace", section("IPC-302"), section(new))
        for new in ("IPC-304-I", "IPC-304-II")
    ]
    assert LawfulValidator().judge(root, edits).rule == "edits.compatible"


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_keeps_a_lawful_what_if_and_few_are_refused(name: str) -> None:
    root, asked = example(name), propose(example(name))
    verdicts = {edit: LawfulValidator().judge(root, [edit]) for edit in asked}
    kept = {edit.fact_id for edit, verdict in verdicts.items() if verdict.plausible}
    assert kept >= {fact.fact_id for fact in root.facts}
    no = [verdict for verdict in verdicts.values() if not verdict.plausible]
    assert len(no) <= 0.08 * len(asked)
    assert all(verdict.provision and verdict.rule in dict(RULES) for verdict in no)
    assert all(LawfulValidator().judge(root, [null]).plausible for null in propose_nulls(root))
