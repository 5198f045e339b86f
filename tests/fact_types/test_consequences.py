"""Consequences: what the law draws from a figure or a tier goes along, within the one edit."""

from __future__ import annotations

import pytest
from perturbation_cases import figure, narrative_after, party, section, sheet

from countercase.counterfactual.proposals import candidates, propose, reason
from countercase.counterfactual.states import State
from countercase.counterfactual.validators import RuleValidator
from countercase.explanation.labels import edit_label
from countercase.fact_types.consequences import Following
from countercase.fact_types.lines import Line, quantity_tier
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet, NumericalValue, SectionValue
from countercase.io import read_table
from countercase.law.citations import provisions_in
from countercase.law.provisions import Tier, clause_for, tier_of
from countercase.reports.tree_json import edit_document

HEROIN = sheet(
    "They found {q|300 grams} of heroin. He was charged under {s|section 21(c)} of the NDPS Act.",
    q=figure("quantity", 300, "g", "heroin"),
    s=section("NDPS-21(c)"),
)
MARRIED = (
    "They married {n|six years} before she hanged herself for dowry. He was tried under "
    "{s|section 304B} of the Indian Penal Code."
)


def edit_of(root: FactSheet, fact_id: str, at: int = 0) -> Edit:
    return [edit for edit in propose(root) if edit.fact_id == fact_id][at]


def cited_after(root: FactSheet, edit: Edit) -> list[str]:
    after = apply_edits(root, [edit])
    values = [fact.value for fact in after.facts]
    return [value.provision for value in values if isinstance(value, SectionValue)]


def test_a_quantity_takes_its_clause_along() -> None:
    edit = edit_of(HEROIN, "q")
    assert narrative_after(HEROIN, edit) == (
        "They found 225 grams of heroin. He was charged under section 21(b) of the NDPS Act."
    )
    assert cited_after(HEROIN, edit) == ["NDPS-21(b)"]
    assert edit.rule == "numerical.line_and_what_follows"
    assert edit.provision == "NDPS-2(viia)"
    assert [each.provision for each in edit.consequences] == ["NDPS-21(b)"]


def test_a_clause_takes_its_quantity_along() -> None:
    edit = next(e for e in propose(HEROIN) if e.perturbed_value == "NDPS-21(b)")
    assert edit.rule == "section.neighbour_and_quantity"
    after = apply_edits(HEROIN, [edit])
    seized = after.fact("q").value
    assert isinstance(seized, NumericalValue)
    assert quantity_tier(after, seized) == "intermediate"
    assert "section 21(b) of the NDPS Act" in narrative_after(HEROIN, edit)


def test_what_follows_is_no_edit_of_its_own_and_is_undone_with_it() -> None:
    edit = edit_of(HEROIN, "q")
    assert edit.fact_ids == ("q", "s")
    assert not compatible([edit, edit_of(HEROIN, "s")])
    assert State.of([edit]).fact_ids == {"q", "s"}
    assert apply_edits(HEROIN, []) == HEROIN


def test_either_way_is_plausible() -> None:
    for edit in propose(HEROIN):
        assert RuleValidator().judge(HEROIN, [edit]).plausible, edit_label(edit)
        assert reason(edit).endswith(".")


def test_its_label_and_its_document_name_what_follows() -> None:
    edit = edit_of(HEROIN, "q")
    assert edit_label(edit) == (
        "300 grams → 225 grams (heroin), and with it section 21(c) NDPS Act → section 21(b) NDPS Act"
    )
    assert edit_document(edit, HEROIN)["consequences"] == [
        {
            "fact_id": "s",
            "fact_type": "Section",
            "original_value": "NDPS-21(c)",
            "perturbed_value": "NDPS-21(b)",
            "provision": "NDPS-21(b)",
        }
    ]
    plain = sheet("He died.", s=section("IPC-302"))
    assert "consequences" not in edit_document(edit_of(plain, "s"), plain)


def test_the_same_words_with_another_consequence_are_another_edit() -> None:
    bare = sheet(
        "They found {q|300 grams} of heroin.",
        q=figure("quantity", 300, "g", "heroin"),
        s=section("NDPS-21(c)"),
    )
    other = sheet(
        "They found {q|300 grams} of heroin.",
        q=figure("quantity", 300, "g", "heroin"),
        s=section("NDPS-21"),
    )
    assert edit_of(bare, "q").edit_id != edit_of(other, "q").edit_id
    assert edit_of(other, "q").consequences == ()


def test_a_clause_stays_while_another_quantity_of_its_tier_does() -> None:
    root = sheet(
        "",
        q=figure("quantity", 300, "g", "heroin"),
        o=figure("quantity", 3, "kg", "charas"),
        s=section("NDPS-21(c)"),
    )
    assert edit_of(root, "q").consequences == ()


@pytest.mark.parametrize(
    ("marked", "cited", "value", "after"),
    [
        (MARRIED, "IPC-304B", figure("duration", 6, context="since marriage"), "IPC-306"),
        (
            MARRIED.replace("hanged herself", "died"),
            "IPC-304B",
            figure("duration", 6, context="since marriage"),
            "IPC-498A",
        ),
        (MARRIED, "BNS-80", figure("duration", 6, context="since marriage"), "BNS-108"),
        (MARRIED, "IPC-306", figure("duration", 8, context="since marriage"), "IPC-304B"),
        ("{n|17} {s|x}", "POCSO-4", figure("age", 17, context="girl"), "IPC-376"),
        ("{n|17} {s|x}", "POCSO-8", figure("age", 17, context="girl"), "IPC-354"),
    ],
)
def test_a_figure_across_a_line_takes_the_provision_along(
    marked: str, cited: str, value: NumericalValue, after: str
) -> None:
    root = sheet(marked, n=value, s=section(cited))
    drawn = [cited_after(root, e) for e in propose(root) if e.fact_id == "n" and e.consequences]
    assert [after] in drawn


def test_a_child_below_twelve_makes_the_assault_aggravated() -> None:
    root = sheet("", n=figure("age", 13, context="girl"), s=section("POCSO-4"))
    edit = next(e for e in propose(root) if e.provision == "POCSO-5(m)")
    assert cited_after(root, edit) == ["POCSO-6"]


def test_narrative_and_sheet_agree_on_what_follows() -> None:
    root = sheet(MARRIED, n=figure("duration", 6, context="since marriage"), s=section("IPC-304B"))
    edit = edit_of(root, "n")
    assert "eight years" in narrative_after(root, edit)
    assert provisions_in(narrative_after(root, edit)) == ("IPC-306",)


def test_a_provision_that_is_cited_already_is_not_put_in_again() -> None:
    root = sheet(
        "She was hanged for dowry {n|six years} after her marriage.",
        n=figure("duration", 6, context="since marriage"),
        s=section("IPC-304B"),
        t=section("IPC-306"),
    )
    assert sorted(cited_after(root, edit_of(root, "n"))) == ["IPC-306", "IPC-498A"]


def test_no_sentence_rises_where_the_charge_falls() -> None:
    root = sheet(
        "Charged under {s|section 10} of the POCSO Act. The High Court found {t|section 6} and "
        "sentenced him to imprisonment for {n|ten years}.",
        s=section("POCSO-10"),
        t=section("POCSO-6"),
        n=figure("duration", 10, "years", "imprisonment"),
    )
    lesser = next(e for e in propose(root) if e.perturbed_value == "POCSO-8")
    assert "twenty" not in narrative_after(root, lesser)


def test_one_who_passes_eighteen_is_a_minor_no_more() -> None:
    root = sheet(
        "The appellant, {p|a minor}, was {n|16 years} old and was tried under {s|section 302} IPC.",
        p=party("Minor"),
        n=figure("age", 16, context="appellant"),
        s=section("IPC-302"),
    )
    edit = next(e for e in propose(root) if e.provision == "JJA-2(12)")
    assert narrative_after(root, edit) == (
        "The appellant, a person of full age, was 19 years old and was tried under section 302 IPC."
    )
    assert apply_edits(root, [edit]).fact("p").value == party("Individual")
    assert RuleValidator().judge(root, [edit]).plausible


def test_the_age_of_somebody_else_makes_nobody_of_full_age() -> None:
    root = sheet(
        "",
        p=party("Minor"),
        n=figure("age", 16, context="girl"),
        s=section("POCSO-4"),
    )
    edit = edit_of(root, "n")
    assert [each.fact_id for each in edit.consequences] == ["s"]


def test_every_line_and_clause_of_the_tables_is_known() -> None:
    drawn = {row.provision for row in read_table("law/lines", Line)}
    for row in read_table("law/consequences", Following):
        assert row.line in drawn
        assert row.cited != row.becomes
        assert row.reason.endswith(".")
    for tier in read_table("law/ndps_tiers", Tier):
        assert tier_of(tier.provision) == tier.tier
        assert clause_for(tier.provision, tier.tier) == tier.provision


def test_a_fact_that_another_edit_added_keeps_its_place() -> None:
    root = sheet(
        "They found {q|300 grams} of heroin.",
        s=section("NDPS-21(c)"),
        q=figure("quantity", 300, "g", "heroin"),
    )
    added = next(e for e in candidates(root, ["Evidence"]) if e.rule == "evidence.add")
    both = apply_edits(root, [added, edit_of(root, "q")])
    assert [fact.fact_id for fact in both.facts] == ["s", "q", added.fact_id]
