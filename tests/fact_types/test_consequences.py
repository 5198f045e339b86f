"""Consequences: what the law draws from a figure, a provision or a party changes with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from labelled_rows import labelled
from perturbation_cases import evidence, figure, on, party, section, sheet

from countercase.fact_types import numerical
from countercase.fact_types import party as parties
from countercase.fact_types import section as sections
from countercase.fact_types.consequences import Following
from countercase.fact_types.lines import Line, quantity_tier
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue, SectionValue
from countercase.io import read_table
from countercase.law.provisions import Tier, clause_for, tier_of

HEROIN = sheet(
    "", q=figure("quantity", 300, "g", "heroin"), s=section("NDPS-21(c)"), b=section("NDPS-37")
)


def across(root: FactSheet, fact_id: str, provision: str) -> Edit:
    """The edit that moves a figure across a line."""
    edits = numerical.FACT_TYPE.what_ifs(root, root.fact(fact_id))
    return next(e for e in edits if e.operation == "cross" and e.rule == f"line: {provision}")


def cited_after(root: FactSheet, edit: Edit) -> list[str]:
    return [str(value) for _, value in apply_edits(root, [edit]).valued(SectionValue)]


def test_a_quantity_takes_its_clause_and_the_bar_to_bail_along() -> None:
    edit = across(HEROIN, "q", "NDPS-2(viia)")
    assert cited_after(HEROIN, edit) == ["NDPS-21(b)"]
    assert edit.fact_ids == ("q", "s", "b")


def test_a_clause_takes_its_quantity_along() -> None:
    edits = sections.FACT_TYPE.what_ifs(HEROIN, HEROIN.fact("s"))
    edit = next(e for e in edits if e.perturbed_value == "NDPS-21(b)")
    after = apply_edits(HEROIN, [edit])
    seized = after.fact("q").value
    assert isinstance(seized, NumericalValue)
    assert quantity_tier(after, seized) == "intermediate"


def test_what_follows_belongs_to_the_one_edit() -> None:
    edit = across(HEROIN, "q", "NDPS-2(viia)")
    other = sections.FACT_TYPE.what_ifs(HEROIN, HEROIN.fact("s"))[0]
    assert not compatible([edit, other])
    assert apply_edits(HEROIN, []) == HEROIN


def test_a_clause_stays_while_another_quantity_of_its_tier_does() -> None:
    root = sheet(
        "",
        q=figure("quantity", 300, "g", "heroin"),
        o=figure("quantity", 3, "kg", "charas"),
        s=section("NDPS-21(c)"),
        b=section("NDPS-37"),
    )
    assert across(root, "q", "NDPS-2(viia)").consequences == ()


MARRIED = figure("duration", 6, context="since marriage")


@labelled("provisions_across_lines")
def test_a_figure_across_a_line_takes_the_provision_along(
    cited: str,
    kind: NumericalKind,
    value: float,
    unit: str,
    context: str,
    line: str,
    after: list[str],
) -> None:
    root = sheet("", n=NumericalValue(kind, value, unit, context), s=section(cited))
    assert cited_after(root, across(root, "n", line)) == after


def test_a_provision_that_is_cited_already_is_not_put_in_again() -> None:
    root = on(
        "2019", "", n=MARRIED, s=section("IPC-304B"), t=section("IPC-306"), v=section("IEA-113B")
    )
    after = cited_after(root, across(root, "n", "IPC-304B"))
    assert len(set(after)) == len(after)
    assert "IPC-306" in after
    assert not {"IPC-304B", "IEA-113B"} & {*after}


@pytest.mark.parametrize(("date", "expected"), [("2024-09", "BNS-64"), ("2022", "IPC-376")])
def test_what_follows_is_read_in_the_code_of_the_day(date: str, expected: str) -> None:
    root = on(date, "", n=figure("age", 17, context="victim"), s=section("POCSO-4"))
    assert cited_after(root, across(root, "n", "POCSO-2(1)(d)")) == [expected]


def test_at_nineteen_nothing_of_a_childs_law_stays() -> None:
    root = on(
        "2019",
        "",
        n=figure("age", 16, context="accused"),
        s=section("JJA-15"),
        t=section("IPC-302"),
        u=section("IPC-83"),
    )
    assert cited_after(root, across(root, "n", "JJA-2(12)")) == ["IPC-302"]


@pytest.mark.parametrize(("other", "expected"), [(17, ["IPC-376(1)"]), (14, ["IPC-376(3)"])])
def test_an_age_passes_a_line_where_no_other_item_keeps_the_person_below_it(
    other: int, expected: list[str]
) -> None:
    ages = {f"n{age}": figure("age", age, context="victim") for age in (15, other)}
    root = on("2021", "", **ages, s=section("IPC-376(3)"))
    assert cited_after(root, across(root, "n15", "IPC-376(3)")) == expected


def test_an_estimate_of_an_age_gives_way_to_the_age_that_is_supposed() -> None:
    ages = {
        "register": figure("age", 17, context="victim"),
        "bones": replace(figure("age", 17, context="victim"), upper=19.0),
    }
    root = on("2015", "", **ages, s=section("POCSO-4"))
    assert cited_after(root, across(root, "register", "POCSO-2(1)(d)")) == ["IPC-376"]
    assert cited_after(root, across(root, "bones", "POCSO-2(1)(d)")) == ["POCSO-4"]


@pytest.mark.parametrize(("goes", "falls"), [("PCA-13(1)(d)", "PCA-13(2)"), ("IPC-300", "IPC-302")])
def test_what_punishes_an_offence_falls_with_what_defines_it(goes: str, falls: str) -> None:
    root = on("2011", "", s=section(goes), t=section(falls), u=section("IPC-323"))
    edits = sections.FACT_TYPE.what_ifs(root, root.fact("s"))
    edit = next(edit for edit in edits if edit.operation == "remove")
    assert cited_after(root, edit) == ["IPC-323"]


MINOR = replace(party("Minor"), role="accused")


def test_one_who_passes_eighteen_is_a_minor_no_more() -> None:
    root = sheet("", p=MINOR, n=figure("age", 16, context="accused"), s=section("IPC-302"))
    after = apply_edits(root, [across(root, "n", "JJA-2(12)")])
    assert after.fact("p").value == replace(MINOR, party_type="Individual")


def test_a_minor_who_becomes_an_adult_takes_his_age_along() -> None:
    root = sheet("", p=MINOR, n=figure("age", 16, context="accused"), s=section("IPC-302"))
    edits = parties.FACT_TYPE.what_ifs(root, root.fact("p"))
    grown = next(e for e in edits if e.operation == "replace")
    age = apply_edits(root, [grown]).fact("n").value
    assert isinstance(age, NumericalValue) and age.value >= 18


def test_the_age_of_somebody_else_makes_nobody_of_full_age() -> None:
    root = sheet("", p=MINOR, n=figure("age", 16, context="girl"), s=section("POCSO-4"))
    for edit in numerical.FACT_TYPE.what_ifs(root, root.fact("n")):
        assert "p" not in edit.fact_ids


def test_a_sentence_beyond_the_new_charge_falls_with_the_old_one() -> None:
    """Seven years were passed for rape; assault on modesty carries five at most."""
    root = on("2015", "", s=section("IPC-376"), n=figure("duration", 7, context="imprisonment"))
    edits = sections.FACT_TYPE.what_ifs(root, root.fact("s"))
    lesser = next(e for e in edits if e.perturbed_value == "IPC-354")
    assert "n" in lesser.fact_ids
    assert not apply_edits(root, [lesser]).of_type("Numerical")


def test_every_line_and_clause_of_the_tables_is_known() -> None:
    drawn = {row.provision for row in read_table("law/lines", Line)}
    for row in read_table("law/consequences", Following):
        assert row.line in drawn
        assert row.cited != row.becomes
        assert row.reason.endswith(".")
    for tier in read_table("law/ndps_tiers", Tier):
        assert tier_of(tier.provision) == tier.tier
        assert clause_for(tier.provision, tier.tier) == tier.provision


def test_a_row_brings_in_the_presumption_of_the_new_charge_in_the_code_of_the_day() -> None:
    """Within seven years abetment of a wife's suicide may be presumed from cruelty (113A, 117 BSA)."""
    for charge, presumption, new in (
        ("IPC-304B", "IEA-113A", "IPC-306"),
        ("BNS-80", "BSA-117", "BNS-108"),
    ):
        root = sheet("", s=section(charge))
        edit = next(
            e for e in sections.FACT_TYPE.what_ifs(root, root.fact("s")) if str(e.after) == new
        )
        assert cited_after(root, edit) == [new, presumption]


def test_a_presumption_that_gives_way_is_not_brought_in_twice() -> None:
    root = sheet("", s=section("BNS-80"), p=section("BSA-118"))
    edit = sections.FACT_TYPE.what_ifs(root, root.fact("s"))[0]
    assert cited_after(root, edit) == ["BNS-108", "BSA-117"]


def test_murder_left_out_leaves_the_lesser_homicide() -> None:
    root = sheet("", s=section("IPC-302"), t=section("IPC-304-II"), d=section("IPC-300"))
    edit = sections.FACT_TYPE.what_ifs(root, root.fact("s"))[-1]
    assert cited_after(root, edit) == ["IPC-304-II", "IPC-300"]


def test_a_sentence_that_no_charge_allowed_before_does_not_fall_with_one() -> None:
    term = figure("duration", 2, context="sentence of another accused")
    root = sheet("", s=section("IPC-149"), t=section("IPC-302"), n=term)
    edit = sections.FACT_TYPE.what_ifs(root, root.fact("s"))[-1]
    assert edit.fact_ids == ("s",)


def swapped(root: FactSheet, becomes: str) -> Edit:
    """The edit that exchanges the charge `s` of a sheet."""
    edits = sections.FACT_TYPE.what_ifs(root, root.fact("s"))
    return next(edit for edit in edits if edit.perturbed_value == becomes)


def fallen(edit: Edit) -> set[str]:
    """The facts that fall with an edit."""
    return {change.fact_id for change in edit.consequences if change.after is None}


SENTENCE = figure("duration", 12, context="imprisonment")


@pytest.mark.parametrize(
    ("context", "years", "falls"),
    [
        ("imprisonment", 12, True),
        ("imprisonment", 9, False),
        ("sentence under section 450", 12, False),
        ("minimum sentence", 12, False),
        ("imprisonment undergone", 12, False),
    ],
)
def test_a_sentence_falls_where_no_offence_left_allows_it(
    context: str, years: float, falls: bool
) -> None:
    passed = replace(SENTENCE, value=years, context=context)
    root = sheet("", s=section("IPC-304B"), b=section("IPC-498A"), n=passed)
    assert ("n" in fallen(swapped(root, "IPC-306"))) is falls


@pytest.mark.parametrize(
    ("kept", "context", "falls"),
    [
        ("IPC-302", "sentence under section 304B", True),
        ("IPC-302", "sentence under section 302", False),
        ("IPC-302", "period under section 304B(2)", True),
        ("IPC-302", "maximum sentence", False),
        ("CrPC-374", "maximum sentence", True),
        ("CrPC-374", "sentence under section 120B", False),
    ],
)
def test_a_figure_of_a_section_falls_with_its_section(kept: str, context: str, falls: bool) -> None:
    root = sheet("", s=section("IPC-304B"), b=section(kept), n=replace(SENTENCE, context=context))
    left_out = next(e for e in sections.FACT_TYPE.what_ifs(root, root.fact("s")) if not e.after)
    assert ("n" in fallen(left_out)) is falls


def test_a_fine_falls_where_the_new_clause_does_not_allow_it() -> None:
    for rupees, falls in ((200_000, True), (100_000, False)):
        fine = figure("amount", rupees, "INR", "fine")
        assert (
            "n" in fallen(swapped(sheet("", s=section("NDPS-15(c)"), n=fine), "NDPS-15(b)"))
        ) is falls


def test_nothing_falls_where_the_terms_of_a_charge_that_is_left_are_not_known() -> None:
    root = sheet("", s=section("IPC-304B"), b=section("IPC-120B"), n=SENTENCE)
    assert fallen(swapped(root, "IPC-306")) == set()


def test_the_bar_to_bail_goes_with_the_clause_unless_another_offence_carries_it() -> None:
    for other, falls in (("NDPS-29", True), ("NDPS-27A", False)):
        root = sheet("", s=section("NDPS-21(c)"), b=section("NDPS-37"), o=section(other))
        assert ("b" in fallen(swapped(root, "NDPS-21(b)"))) is falls


def test_consumption_leaves_the_prohibition_of_the_act() -> None:
    root = sheet("", s=section("NDPS-20"), b=section("NDPS-8"), o=section("NDPS-37"))
    assert fallen(swapped(root, "NDPS-27")) == {"o"}


def test_an_age_in_months_makes_a_minor_of_full_age() -> None:
    root = on(
        "2024-08-01",
        "",
        p=replace(party("Minor"), role="accused"),
        n=figure("age", 209, "months", "accused"),
        s=section("BNS-103(1)"),
        j=section("JJA-15"),
    )
    edit = across(root, "n", "JJA-2(12)")
    assert fallen(edit) == {"j"}
    assert apply_edits(root, [edit]).fact("p").value.party_type == "Individual"  # type: ignore[union-attr]


def test_a_disputed_age_is_a_question_of_its_own() -> None:
    ages = {"n": figure("age", 17, context="accused"), "m": figure("age", 20, context="accused")}
    root = on("2024-08-01", "", s=section("BNS-103(1)"), **ages)
    edits = numerical.FACT_TYPE.what_ifs(root, root.fact("n"))
    [disputed] = [edit for edit in edits if edit.rule == "disputed age"]
    assert disputed.supposition == "Suppose the accused were 20 years old, and not 17 years."
    alone = on("2024-08-01", "", s=section("BNS-103(1)"), n=ages["n"])
    edits = numerical.FACT_TYPE.what_ifs(alone, alone.fact("n"))
    assert "disputed age" not in {edit.rule for edit in edits}


def test_a_private_person_needs_no_sanction_and_is_no_public_servant() -> None:
    root = on(
        "2020-01-01",
        "",
        p=replace(party("Public servant"), role="accused"),
        s=section("PCA-7"),
        b=section("PCA-19"),
        e=evidence("sanction", "the sanction order"),
    )
    [edit] = [
        e for e in parties.FACT_TYPE.what_ifs(root, root.fact("p")) if e.operation == "replace"
    ]
    assert fallen(edit) == {"s", "b", "e"}


@pytest.mark.parametrize(
    ("charged", "age", "becomes"),
    [("BNS-64(1)", 15, ["BNS-65(1)"]), ("BNS-137(2)", 19, []), ("IPC-363", 19, [])],
)
def test_the_charge_follows_the_age_of_the_girl(charged: str, age: int, becomes: list[str]) -> None:
    root = sheet("", s=section(charged), n=figure("age", 17, context="girl victim"))
    edits = numerical.FACT_TYPE.what_ifs(root, root.fact("n"))
    moved = [e for e in edits if isinstance(e.after, NumericalValue) and e.after.value == age]
    assert [cited_after(root, edit) for edit in moved] == [becomes]


def test_a_child_below_sixteen_is_not_sent_to_be_tried_as_an_adult() -> None:
    provisions = [section(p) for p in ("BNS-103(1)", "JJA-15", "JJA-18(3)", "JJA-19")]
    root = on(
        "2025",
        "",
        n=figure("age", 17, context="accused"),
        **{f"s{n}": provision for n, provision in enumerate(provisions)},
    )
    assert cited_after(root, across(root, "n", "JJA-15")) == [
        "BNS-103(1)",
        "JJA-14",
        "JJA-18(1)",
    ]


@pytest.mark.parametrize(("other", "left"), [((), False), (("BNS-64(1)",), True)])
def test_a_child_is_assessed_for_a_heinous_offence_alone(
    other: tuple[str, ...], left: bool
) -> None:
    """A minimum of seven years makes an offence heinous: murder, and rape; not homicide."""
    others = {f"o{n}": section(provision) for n, provision in enumerate(other)}
    root = on("2025", "", s=section("BNS-103(1)"), j=section("JJA-15"), **others)
    edits = sections.FACT_TYPE.what_ifs(root, root.fact("s"))
    assert {"JJA-15" in cited_after(root, edit) for edit in edits} == {left}
