"""The rules of plausibility: what no case can be, and that only edits are blamed for it."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, figure, party, section, sheet

from countercase.counterfactual.plausibility import RULES
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.validators import RuleValidator, Verdict
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import FactSheet, FactTypeName, FactValue

KILLED = "He was killed at night."


def change(
    root: FactSheet, fact_id: str, value: FactValue | None, *words: tuple[int, int, str]
) -> Edit:
    """An edit of one fact of the sheet, or of a new one."""
    known = {fact.fact_id: fact for fact in root.facts}
    kind: FactTypeName = known[fact_id].fact_type if fact_id in known else "Evidence"
    return Edit(
        fact_id=fact_id,
        fact_type=kind,
        original_value=str(known[fact_id].value) if fact_id in known else "",
        perturbed_value="" if value is None else str(value),
        rule="test",
        provision="IPC-302",
        new_value=value,
        replacements=tuple(Replacement(*w) for w in words),
    )


def judged(root: FactSheet, **values: FactValue | None) -> Verdict:
    edits = [change(root, name.replace("__", ":"), value) for name, value in values.items()]
    return RuleValidator().judge(root, edits)


def rejected(root: FactSheet, **values: FactValue | None) -> str:
    verdict = judged(root, **values)
    assert not verdict.plausible
    assert verdict.reason.endswith(".")
    return verdict.rule


def test_the_case_as_it_is_is_plausible() -> None:
    root = sheet(KILLED, s=section("IPC-302"))
    assert RuleValidator().judge(root, []) == Verdict(
        True, "No rule of law speaks against it.", "rules"
    )


@pytest.mark.parametrize("age", [-1, 111])
def test_nobody_has_an_impossible_age(age: float) -> None:
    root = sheet("", n=figure("age", 30))
    assert rejected(root, n=figure("age", age)) == "figure.possible"


@pytest.mark.parametrize("age", [0, 110])
def test_the_ends_of_life_are_possible(age: float) -> None:
    assert judged(sheet("", n=figure("age", 30)), n=figure("age", age)).plausible


def test_nothing_measures_nought() -> None:
    root = sheet("", n=figure("amount", 30))
    assert rejected(root, n=figure("amount", 0)) == "figure.possible"


def test_a_year_has_its_days() -> None:
    root = sheet("", n=figure("duration", 268, "days", "worked in the year before"))
    assert rejected(root, n=figure("duration", 536, "days", "worked in the year before")) == (
        "figure.possible"
    )


def test_a_minor_cannot_be_a_public_servant() -> None:
    root = sheet(
        "",
        p=party("Public servant"),
        r=party("State", "respondent"),
        n=figure("age", 30, context="accused"),
        s=section("PCA-7"),
    )
    verdict = judged(root, n=figure("age", 17, context="accused"))
    assert verdict.rule == "party.age"
    assert "section 3 of the Indian Majority Act" in verdict.reason
    assert judged(root, n=figure("age", 61, context="accused")).plausible


def test_one_of_thirty_cannot_be_a_minor_but_one_of_seventeen_can() -> None:
    root = sheet("", p=party("Individual"), n=figure("age", 30, context="appellant"))
    assert rejected(root, p=party("Minor")) == "party.age"
    assert judged(root, p=party("Minor"), n=figure("age", 17, context="appellant")).plausible


def test_the_age_of_somebody_else_does_not_matter() -> None:
    root = sheet("", p=party("Individual"), n=figure("age", 30, context="deceased"))
    assert judged(root, p=party("Minor")).plausible


def test_a_company_has_no_age() -> None:
    root = sheet("", p=party("Individual"), n=figure("age", 30, context="appellant"))
    assert rejected(root, p=party("Corporation")) == "party.no_age"


def test_a_company_does_not_wound() -> None:
    root = sheet("", p=party("Individual"), r=party("State", "respondent"), s=section("IPC-324"))
    assert rejected(root, p=party("Corporation")) == "party.body"


def test_a_company_may_cheat() -> None:
    root = sheet("", p=party("Individual"), r=party("State", "respondent"), s=section("IPC-420"))
    assert judged(root, p=party("Corporation")).plausible


def test_a_company_holds_no_civil_post() -> None:
    root = sheet(
        "", p=party("Public servant"), r=party("State", "respondent"), s=section("CONST-311")
    )
    assert rejected(root, p=party("Corporation")) == "party.office"


def test_the_union_does_not_sue_itself() -> None:
    root = sheet("", p=party("Union of India"), r=party("State", "respondent"))
    assert rejected(root, r=party("Union of India", "respondent")) == "party.one_union"


def test_a_dowry_death_lies_within_seven_years_of_marriage() -> None:
    root = sheet(
        "She died of burns.",
        s=section("IPC-304B"),
        n=figure("duration", 6, context="since marriage"),
    )
    verdict = judged(root, n=figure("duration", 8, context="since marriage"))
    assert verdict.rule == "section.dowry_death"
    assert "Section 304B" in verdict.reason
    assert "8 years" in verdict.reason
    assert rejected(root, n=figure("duration", 96, "months", "since marriage")) == (
        "section.dowry_death"
    )
    assert judged(root, n=figure("duration", 7, context="since marriage")).plausible
    assert judged(
        root, n=figure("duration", 8, context="since marriage"), s=section("IPC-306")
    ).plausible


def test_the_new_code_is_held_to_the_same_line() -> None:
    root = sheet(
        "She died of burns.", s=section("BNS-80"), n=figure("duration", 6, context="since marriage")
    )
    assert rejected(root, n=figure("duration", 8, context="since marriage")) == (
        "section.dowry_death"
    )


def test_murder_needs_a_death() -> None:
    root = sheet("He was stabbed in the arm.", s=section("IPC-307"))
    assert rejected(root, s=section("IPC-302")) == "section.death"
    assert rejected(root, s=section("BNS-103(1)")) == "section.death"
    assert judged(sheet(KILLED, s=section("IPC-307")), s=section("IPC-302")).plausible


def test_taking_the_autopsy_away_does_not_revive_the_deceased() -> None:
    text = "The post-mortem report came."
    root = sheet(text, s=section("IPC-302"), e=evidence("medical"))
    gone = change(root, "e", None, (0, len(text), ""))
    assert RuleValidator().judge(root, [gone]).plausible


def test_a_case_without_narrative_is_not_asked_for_a_death() -> None:
    assert judged(sheet("", s=section("IPC-307")), s=section("IPC-302")).plausible


def test_abetted_suicide_needs_a_suicide() -> None:
    root = sheet("He was shot dead.", s=section("IPC-302"))
    assert rejected(root, s=section("IPC-306")) == "section.suicide"
    assert judged(sheet("She died of burns.", s=section("IPC-302")), s=section("IPC-306")).plausible


def test_the_living_make_no_dying_declaration() -> None:
    root = sheet("He was stabbed in the arm.", s=section("IPC-307"))
    assert rejected(root, evidence__dying_declaration__added=evidence("dying_declaration")) == (
        "evidence.dying_declaration"
    )


def test_the_tier_agrees_with_the_quantity() -> None:
    root = sheet(
        "", s=section("NDPS-20(b)(ii)(C)"), n=figure("quantity", 1.25, "kg", "charas seized")
    )
    verdict = judged(root, n=figure("quantity", 0.9, "kg", "charas seized"))
    assert verdict.rule == "section.quantity"
    assert "intermediate" in verdict.reason
    assert rejected(root, s=section("NDPS-20(b)(ii)(A)")) == "section.quantity"
    assert judged(
        root,
        n=figure("quantity", 0.9, "kg", "charas seized"),
        s=section("NDPS-20(b)(ii)(B)"),
    ).plausible
    assert judged(root, n=figure("quantity", 12.5, "kg", "charas seized")).plausible


def test_a_section_without_tiers_goes_with_any_quantity() -> None:
    root = sheet("", s=section("NDPS-20"), n=figure("quantity", 1.25, "kg", "charas"))
    assert judged(root, n=figure("quantity", 0.05, "kg", "charas")).plausible


def test_two_provisions_that_exclude_each_other_cannot_both_be_brought_in() -> None:
    root = sheet(KILLED, a=section("IPC-302"), b=section("IPC-307"))
    assert rejected(root, b=section("IPC-304-I")) == "section.exclusive"
    assert judged(root, a=section("IPC-304-II"), b=section("IPC-324")).plausible


def test_one_provision_cannot_be_cited_by_two_facts() -> None:
    root = sheet("", a=section("IPC-323"), b=section("IPC-324"))
    assert rejected(root, a=section("IPC-324")) == "section.twice"


def test_what_was_odd_from_the_beginning_is_not_the_edits_fault() -> None:
    root = sheet(KILLED, a=section("IPC-302"), b=section("IPC-304-I"), e=evidence("motive"))
    assert judged(root, e=None).plausible


def test_evidence_may_all_be_taken_away() -> None:
    root = sheet(KILLED, s=section("IPC-302"), e=evidence("motive"), f=evidence("recovery"))
    assert judged(root, e=None, f=None).plausible


def test_something_must_be_left_of_the_case() -> None:
    assert rejected(sheet("x", e=evidence("motive")), e=None) == "edits.something_left"


def test_edits_that_collide_are_rejected_and_not_applied() -> None:
    root = sheet("He ran far.", e=evidence("motive"), f=evidence("recovery"))
    edits = [change(root, "e", None, (0, 6, "")), change(root, "f", None, (3, 9, ""))]
    verdict = RuleValidator().judge(root, edits)
    assert (verdict.plausible, verdict.rule) == (False, "edits.compatible")


def test_null_edits_are_plausible() -> None:
    root = sheet(
        "She was killed by {p|the constable} and {s|section 302} IPC applies. A {e|confession} was "
        "made.",
        p=party("Public servant"),
        s=section("IPC-302"),
        e=evidence("confession"),
    )
    for edit in propose_nulls(root):
        assert RuleValidator().judge(root, [edit]).plausible


def test_most_of_what_is_proposed_for_an_ordinary_case_is_plausible() -> None:
    root = sheet(
        "The {p|appellant}, {n|aged 24 years}, was convicted under {s|section 302} IPC at the "
        "instance of the {r|State of Goa}. The deceased made a {e|dying declaration}.",
        p=party("Individual"),
        r=party("State", "respondent"),
        n=figure("age", 24, context="appellant"),
        s=section("IPC-302"),
        e=evidence("dying_declaration"),
    )
    edits = propose(root)
    verdicts = [RuleValidator().judge(root, [edit]) for edit in edits]
    assert sum(v.plausible for v in verdicts) >= 0.8 * len(edits)


def test_every_rule_has_a_name_of_its_own() -> None:
    assert len({name for name, _ in RULES}) == len(RULES)
