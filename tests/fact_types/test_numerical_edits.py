"""Numerical edits: across the line that the law draws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perturbation_cases import figure, narrative_after, section, sheet

from countercase.counterfactual.proposals import propose_nulls
from countercase.fact_types import numerical as family
from countercase.fact_types.lines import Line, across, is_above, quantity_tier
from countercase.fact_types.numerical import propose
from countercase.facts.edits import apply_edits
from countercase.facts.model import FactSheet, NumericalValue
from countercase.io import read_table


def proposed(root: FactSheet) -> list[tuple[float, str]]:
    """The new figures and the law, in order."""
    found = []
    for edit in propose(root):
        assert isinstance(edit.new_value, NumericalValue)
        found.append((edit.new_value.value, edit.provision))
    return found


def lines(root: FactSheet) -> list[tuple[float, str]]:
    return [(value, law) for value, law in proposed(root) if law != "no legal line"]


@pytest.mark.parametrize(
    ("cited", "value", "expected"),
    [
        ("POCSO-4", figure("age", 17, context="prosecutrix"), (19, "POCSO-2(1)(d)")),
        ("POCSO-4", figure("age", 18, context="prosecutrix"), (17, "POCSO-2(1)(d)")),
        ("IPC-376", figure("age", 15, context="prosecutrix"), (19, "IPC-375")),
        ("IPC-302", figure("age", 6, context="accused"), (19, "JJA-2(12)")),
        ("BNS-103(1)", figure("age", 22, context="accused"), (17, "JJA-2(12)")),
        ("MVA-166", figure("age", 34, context="deceased"), (30, "MVA-168")),
        ("IPC-304B", figure("duration", 6, context="since marriage"), (8, "IPC-304B")),
        ("BNS-80", figure("duration", 7, context="since marriage"), (8, "IPC-304B")),
        ("IPC-304B", figure("duration", 9, context="since marriage"), (6, "IPC-304B")),
        ("IPC-304B", figure("duration", 60, "months", "since marriage"), (85, "IPC-304B")),
        ("NIA-138", figure("duration", 20, "days", "notice of demand"), (31, "NIA-138")),
        ("NIA-138", figure("duration", 25, "days", "complaint after notice"), (31, "NIA-142(b)")),
        ("IDA-25F", figure("duration", 268, "days", "worked"), (239, "IDA-25B")),
        ("IDA-25F", figure("duration", 200, "days", "worked"), (241, "IDA-25B")),
        (
            "LIM-27",
            figure("duration", 12, context="adverse possession"),
            (11, "Limitation Act, 1963, art. 65"),
        ),
        ("TPA-106", figure("duration", 11, "months", "lease"), (13, "TPA-107")),
        (
            "NIA-138",
            figure("duration", 96, "days", "from the date of the cheque to its presentation"),
            (89, "NIA-138(a)"),
        ),
        ("DPA-6", figure("duration", 82, "days", "after the wedding"), (93, "DPA-6")),
        ("HMA-13B(1)", figure("duration", 13, "months", "living apart"), (11, "HMA-13B(1)")),
        ("IBC-43", figure("duration", 14, "months", "before commencement"), (11, "IBC-43(4)")),
        ("IBC-7", figure("duration", 38, "months", "default to filing"), (35, "LIM-137")),
        (
            "SCST-14A",
            figure("duration", 97, "days", "from judgment to appeal"),
            (89, "SCST-14A(3)"),
        ),
        ("BNS-103(2)", figure("count", 5, "accused", "men who struck"), (4, "BNS-103(2)")),
        ("ITECH-67B", figure("age", 17, context="girl"), (19, "ITECH-67B")),
        ("NDPS-20", figure("quantity", 1.25, "kg", "charas"), (0.9, "NDPS-2(viia)")),
        ("NDPS-20", figure("quantity", 0.5, "kg", "charas"), (1.1, "NDPS-2(viia)")),
        ("NDPS-20", figure("quantity", 15, "kg", "ganja"), (22, "NDPS-2(viia)")),
        ("NDPS-21", figure("quantity", 300, "g", "heroin"), (225, "NDPS-2(viia)")),
        ("NDPS-21", figure("quantity", 300, "g", "morphine"), (225, "NDPS-2(viia)")),
        ("NDPS-18", figure("quantity", 3, "kg", "opium"), (2.25, "NDPS-2(viia)")),
        ("NDPS-21", figure("quantity", 50, "g", "cocaine"), (110, "NDPS-2(viia)")),
        ("LAA-18", figure("duration", 40, "days", "award to application"), (43, "LAA-18(2)")),
        ("LAA-18", figure("duration", 7, "months", "award to application"), (5, "LAA-18(2)")),
        ("CEA-11A", figure("duration", 25, "months", "clearance to notice"), (23, "CEA-11A")),
        ("NSA-3", figure("duration", 14, "days", "making to approval"), (11, "NSA-3(4)")),
    ],
)
def test_the_first_edit_lies_just_across_the_most_telling_line(
    cited: str, value: NumericalValue, expected: tuple[float, str]
) -> None:
    assert lines(sheet("", s=section(cited), n=value))[0] == expected


def test_an_age_near_several_lines_is_moved_across_each_but_not_more_than_three() -> None:
    root = sheet("", s=section("IPC-302"), n=figure("age", 11, context="accused"))
    assert lines(root) == [(19, "JJA-2(12)"), (17, "JJA-15")]


def test_both_tiers_of_a_drug_are_crossed() -> None:
    root = sheet("", s=section("NDPS-20"), n=figure("quantity", 1.25, "kg", "charas"))
    assert lines(root) == [(0.9, "NDPS-2(viia)"), (0.09, "NDPS-2(xxiiia)")]


def test_a_quantity_of_charas_outside_the_ndps_act_crosses_no_line() -> None:
    root = sheet("", s=section("IPC-379"), n=figure("quantity", 1.25, "kg", "charas"))
    assert lines(root) == []


@pytest.mark.parametrize(
    ("told", "cited", "value"),
    [
        (
            "He struck the deceased, {n|aged 42 years}.",
            "IPC-302",
            figure("age", 42, context="deceased"),
        ),
        (
            "The appellant, {n|aged 34 years}, ran.",
            "IPC-302",
            figure("age", 34, context="appellant"),
        ),
        ("The widow is {n|aged 58 years}.", "MVA-166", figure("age", 58, context="widow")),
        ("The girl was {n|aged 29 years}.", "IPC-376", figure("age", 29, context="prosecutrix")),
        (
            "He was in custody for {n|95 days}.",
            "IPC-420",
            figure("duration", 95, "days", "custody"),
        ),
        ("He was given {n|seven years}.", "IPC-376", figure("duration", 7, context="imprisonment")),
    ],
)
def test_a_line_that_nothing_in_the_case_brings_in_is_not_crossed(
    told: str, cited: str, value: NumericalValue
) -> None:
    assert lines(sheet(told, s=section(cited), n=value)) == []


@pytest.mark.parametrize(
    ("told", "cited", "value", "expected"),
    [
        (
            "The {n|19 years} old seller was called a minor.",
            "TPA-54",
            figure("age", 19, context="seller"),
            (17, "Indian Majority Act, 1875, s. 3"),
        ),
        (
            "The child is {n|17 years} old.",
            "CrPC-125",
            figure("age", 17, context="child"),
            (19, "Indian Majority Act, 1875, s. 3"),
        ),
        (
            "The accused, {n|27 years} old now, claims that he was a juvenile.",
            "IPC-302",
            figure("age", 27, context="accused"),
            (17, "JJA-2(12)"),
        ),
        (
            "He is no senior citizen, being {n|aged 58} years.",
            "CONST-14",
            figure("age", 58, context="teacher"),
            (61, "Maintenance and Welfare of Parents and Senior Citizens Act, 2007, s. 2(h)"),
        ),
        (
            "No charge-sheet was filed for {n|95 days}.",
            "IPC-420",
            figure("duration", 95, "days", "custody"),
            (59, "CrPC-167(2)"),
        ),
    ],
)
def test_words_beside_the_figure_or_a_provision_bring_a_line_in(
    told: str, cited: str, value: NumericalValue, expected: tuple[float, str]
) -> None:
    assert expected in lines(sheet(told, s=section(cited), n=value))


def test_what_is_said_of_another_figure_brings_nothing_in() -> None:
    root = sheet(
        "The accused was a juvenile of {n|17 years}. The victim was {m|42 years} old.",
        s=section("IPC-302"),
        n=figure("age", 17, context="accused"),
        m=figure("age", 42, context="victim"),
    )
    assert {edit.fact_id for edit in propose(root)} == {"n"}


def test_a_bound_is_no_age_to_move() -> None:
    said = "She was raped at home. The victim was then {m|below eleven}."
    root = sheet(said, s=section("POCSO-4"), m=figure("age", 11, context="victim"))
    assert propose(root) == []


def test_a_figure_without_a_line_has_no_edit() -> None:
    root = sheet("", n=figure("amount", 50000, context="loan"), m=figure("duration", 4))
    assert propose(root) == []


def test_a_fifth_more_of_a_figure_without_a_line_is_a_null_edit() -> None:
    root = sheet(
        "They lent {m|Rs. 50,000}. They were {n|four years} married.",
        s=section("IPC-304B"),
        n=figure("duration", 4, context="since marriage"),
        m=figure("amount", 50000, context="loan"),
    )
    assert proposed(root) == [(8, "IPC-304B")]
    larger = [edit for edit in propose_nulls(root) if edit.rule == "null.scale"]
    assert [(e.fact_id, str(e.new_value)) for e in larger] == [("m", "60000 INR (loan)")]
    assert all(edit.null and not edit.provision for edit in larger)


def test_a_figure_that_two_dates_repeat_is_not_changed() -> None:
    """From 12 May 2010 to 12 May 2014 are four years, whatever the next sentence says."""
    married = "Married on 12 May 2010, she died on 12 May 2014, {n|four years} after."
    cited = {"s": section("IPC-304B"), "n": figure("duration", 4, context="since marriage")}
    assert proposed(sheet(married, **cited)) == []
    assert proposed(sheet(married.replace("2014", "2017"), **cited)) == [(8, "IPC-304B")]


def test_what_is_concluded_from_a_figure_goes_with_it() -> None:
    root = sheet(
        "The complaint came {n|25 days} after that, so all the dates are in order.",
        s=section("NIA-138"),
        n=figure("duration", 25, "days", context="complaint after notice"),
    )
    assert narrative_after(root, propose(root)[0]) == "The complaint came 31 days after that."


def test_a_line_may_be_a_share_of_another_figure() -> None:
    """Ten per cent of an income of 62 lakh are 6.2 lakh; a step beyond them is 6.82 lakh."""
    root = sheet(
        "",
        s=section("PCA-13(1)(e)"),
        n=figure("amount", 540000, context="excess"),
        m=figure("amount", 6200000, context="known income"),
    )
    law = "Krishnanand Agnihotri v. State of M.P., (1977) 1 SCC 816"
    assert proposed(root) == [(682000, law), (4860000, law)]
    assert family.reason(propose(root)[0]).startswith("An excess of no more than ten per cent")


def test_half_of_the_longest_term_frees_an_undertrial() -> None:
    """Cheating carries seven years at most: half of it are 42 months."""
    in_jail = figure("duration", 40, "months", context="custody")
    root = sheet("", s=section("IPC-420"), m=section("CrPC-436A"), n=in_jail)
    assert proposed(root) == [(43, "CrPC-436A")]


def test_the_age_of_a_baby_is_not_moved_to_a_grown_age() -> None:
    baby = NumericalValue("age", 4, "months", "child")
    assert lines(sheet("baby of {n|4 months}", n=baby, s=section("POCSO-4"))) == []


def test_each_edit_says_why_the_line_is_there() -> None:
    root = sheet("", s=section("IPC-376"), n=figure("age", 15, context="prosecutrix"))
    by_value = {
        e.new_value.value: e for e in propose(root) if isinstance(e.new_value, NumericalValue)
    }
    assert family.reason(by_value[17]).startswith("Since April 2018")
    assert family.reason(by_value[19]).startswith("Since February 2013")


def test_the_table_draws_sound_lines() -> None:
    for row in read_table("law/lines", Line):
        assert row.kind in ("age", "amount", "count", "duration", "quantity")
        assert (row.line > 0) is not bool(row.of)
        assert row.reason.endswith(".")
        on_line = NumericalValue(row.kind, row.line, row.unit)
        assert is_above(row, on_line) is row.upper
        moved = across(row, on_line)
        if moved is not None:
            assert is_above(row, NumericalValue(row.kind, moved, row.unit)) is not row.upper


@given(st.sampled_from(read_table("law/lines", Line)), st.floats(0.5, 500))
def test_across_is_always_on_the_other_side(row: Line, value: float) -> None:
    before = NumericalValue(row.kind, round(value, 2), row.unit)
    moved = across(row, before)
    if moved is not None:
        assert is_above(row, NumericalValue(row.kind, moved, row.unit)) != is_above(row, before)


@pytest.mark.parametrize(
    ("grams", "tier"),
    [(99, "small"), (100, "intermediate"), (1000, "intermediate"), (1001, "commercial")],
)
def test_tiers_of_charas(grams: float, tier: str) -> None:
    value = figure("quantity", grams, "g", "charas")
    assert quantity_tier(sheet("", s=section("NDPS-20"), n=value), value) == tier


def test_edits_of_one_figure_differ() -> None:
    root = sheet("", s=section("IPC-302"), n=figure("age", 11, context="accused"))
    assert len({edit.edit_id for edit in propose(root)}) == len(propose(root))
    assert all(apply_edits(root, [e]).fact("n").value == e.new_value for e in propose(root))
