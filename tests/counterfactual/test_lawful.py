"""One place refuses, on the sheet, after the consequences, and gives the provision."""

from __future__ import annotations

import pytest
from example_cases import NAMES, example
from perturbation_cases import figure, on, party, section, sheet

from countercase.counterfactual.lawful import RULES, LawfulValidator
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.validators import Verdict
from countercase.facts.edits import Change, Edit
from countercase.facts.model import FactSheet, FactValue


def judged(root: FactSheet, **values: FactValue | None) -> Verdict:
    """The verdict on one edit that gives the facts named these values."""
    changes = []
    for name, after in values.items():
        fact = root.fact(name)
        changes.append(Change(name, fact.fact_type, "replace", fact.value, after))
    first, *others = changes
    edit = Edit(
        first.fact_id, first.fact_type, first.operation, first.before, first.after,
        consequences=tuple(others),
    )  # fmt: skip
    return LawfulValidator().judge(root, [edit])


def refused(root: FactSheet, **values: FactValue | None) -> tuple[str, str]:
    """The rule that refuses an edit, and its provision."""
    verdict = judged(root, **values)
    assert not verdict.plausible
    assert verdict.reason.endswith(".")
    return verdict.rule, verdict.provision


def test_the_case_as_it_is_is_plausible() -> None:
    root = sheet("", s=section("IPC-302"))
    verdict = LawfulValidator().judge(root, [])
    assert (verdict.plausible, verdict.rule, verdict.provision) == (True, "rules", "")


@pytest.mark.parametrize("age", [-1, 111])
def test_nobody_has_an_impossible_age(age: float) -> None:
    rule, law = refused(sheet("", n=figure("age", 30)), n=figure("age", age))
    assert rule == "figure.possible" and law


@pytest.mark.parametrize("age", [0, 110])
def test_the_ends_of_life_are_possible(age: float) -> None:
    assert judged(sheet("", n=figure("age", 30)), n=figure("age", age)).plausible


def test_nothing_measures_zero() -> None:
    root = sheet("", n=figure("amount", 30))
    assert refused(root, n=figure("amount", 0))[0] == "figure.possible"


CHARAS = sheet("", s=section("NDPS-20(b)(ii)(C)"), n=figure("quantity", 1.25, "kg", "charas"))


def test_the_clause_fits_the_quantity() -> None:
    """More than a kilogram of charas is commercial; 900 g is intermediate, clause (B)."""
    lighter, clause = figure("quantity", 0.9, "kg", "charas"), section("NDPS-20(b)(ii)(B)")
    assert refused(CHARAS, n=lighter) == ("quantity.clause", "NDPS-20(b)(ii)(C)")
    assert refused(CHARAS, s=clause) == ("quantity.clause", "NDPS-20(b)(ii)(B)")
    assert judged(CHARAS, n=lighter, s=clause).plausible  # after its consequence
    assert judged(CHARAS, n=figure("quantity", 12.5, "kg", "charas")).plausible


def test_a_section_without_clauses_fits_any_quantity() -> None:
    root = sheet("", s=section("NDPS-20"), n=figure("quantity", 1.25, "kg", "charas"))
    assert judged(root, n=figure("quantity", 0.05, "kg", "charas")).plausible


def test_a_minor_holds_no_office() -> None:
    root = sheet("", p=party("Public servant"), r=party("State", "respondent"), s=section("PCA-7"))
    assert refused(root, p=party("Minor")) == ("minor.tried", "JJA-2(12)")
    killing = sheet("", p=party("Individual"), r=party("State", "respondent"), s=section("IPC-302"))
    assert judged(killing, p=party("Minor")).plausible


def test_one_of_thirty_is_no_minor_and_the_age_of_somebody_else_does_not_matter() -> None:
    charge, own = section("IPC-302"), figure("age", 30, context="appellant")
    root = sheet("", p=party("Individual"), n=own, s=charge)
    rule, law = refused(root, p=party("Minor"))
    assert rule == "minor.tried" and "Majority Act" in law
    assert judged(root, p=party("Minor"), n=figure("age", 17, context="appellant")).plausible
    dead = figure("age", 30, context="deceased")
    other = sheet("", p=party("Individual"), n=dead, s=charge)
    assert judged(other, p=party("Minor")).plausible


def test_a_provision_must_be_law_on_the_day() -> None:
    old = on("2015-07-02", "", s=section("IPC-302"))
    assert refused(old, s=section("BNS-103")) == ("law.in_force", "BNS-103")
    new = on("2024-08-19", "", s=section("BNS-103"))
    assert refused(new, s=section("IPC-302")) == ("law.in_force", "IPC-302")
    assert judged(new, s=section("BNS-105")).plausible
    assert judged(sheet("", s=section("IPC-302")), s=section("BNS-103")).plausible  # no date


def test_an_offence_after_the_repeal_is_offered_in_the_code_in_force_though_the_other_is_cited() -> (
    None
):
    root = on("2025-02-12", "", s=section("IPC-302"))
    offered = [edit for edit in propose(root) if edit.operation == "replace"]
    assert "BNS-105" in {edit.perturbed_value for edit in offered}
    assert all(edit.perturbed_value.startswith("BNS-") for edit in offered)
    assert all(LawfulValidator().judge(root, [edit]).plausible for edit in offered)


def test_a_sentence_fits_the_offence() -> None:
    """Section 379 IPC allows three years."""
    root = sheet("", s=section("IPC-379"), n=figure("duration", 2, context="imprisonment"))
    assert refused(root, n=figure("duration", 5, context="imprisonment")) == (
        "sentence.terms", "IPC-379",
    )  # fmt: skip
    assert judged(root, n=figure("duration", 3, context="imprisonment")).plausible


def test_two_offences_that_exclude_each_other_are_not_both_charged() -> None:
    root = sheet("", a=section("IPC-302"), b=section("IPC-324"))
    assert refused(root, b=section("IPC-304A"))[0] == "charges.exclusive"
    assert judged(root, a=section("IPC-304A")).plausible


def test_what_was_odd_from_the_beginning_is_not_the_edits_fault() -> None:
    odd = sheet("", n=figure("age", 130), p=party("Individual"), s=section("IPC-302"))
    assert judged(odd, s=None).plausible


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


@pytest.mark.parametrize(
    ("value", "cited", "becomes", "law"),
    [
        (figure("duration", 9, context="since marriage"), "IPC-306", "IPC-304B", "IPC-304B"),
        (figure("age", 15, context="girl"), "POCSO-4", "IPC-376AB", "IPC-376AB"),
    ],
)
def test_a_charge_that_a_figure_of_the_case_excludes_is_refused(
    value: FactValue, cited: str, becomes: str, law: str
) -> None:
    root = on("2019-01-01", "", s=section(cited), n=value)
    assert refused(root, s=section(becomes)) == ("figure.charge", law)


def test_two_figures_on_both_sides_of_a_line_exclude_nothing() -> None:
    ages = {"n": figure("age", 15, context="girl"), "m": figure("age", 11, context="girl")}
    root = on("2019-01-01", "", s=section("IPC-376(3)"), **ages)
    assert judged(root, s=section("IPC-376AB")).plausible
