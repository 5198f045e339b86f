"""The lines of the law: which run through a figure, and what lies on the other side of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled
from perturbation_cases import figure, on, party, section, sheet

from countercase.fact_types.lines import Line, across, is_above, lines_of, quantity_tier
from countercase.fact_types.numerical import FACT_TYPE
from countercase.facts.model import FactSheet, NumericalKind, NumericalValue
from countercase.io import read_table


def crossed(root: FactSheet, fact_id: str = "n") -> list[tuple[float, str]]:
    """The figures across each line with the law that draws it, in the order of the edits."""
    found = []
    for edit in FACT_TYPE.what_ifs(root, root.fact(fact_id)):
        if edit.operation == "cross":
            assert isinstance(edit.after, NumericalValue)
            found.append((edit.after.value, edit.provision))
    return found


@labelled("lines_crossed")
def test_a_figure_is_moved_just_across_the_line(
    cited: str, kind: NumericalKind, value: float, unit: str, context: str, moved: float, law: str
) -> None:
    told = NumericalValue(kind, value, unit, context)
    assert (moved, law) in crossed(sheet("", s=section(cited), n=told))


def test_possession_of_land_of_the_government_has_thirty_years() -> None:
    held = figure("duration", 31, context="adverse possession")
    root = sheet("", s=section("LIM-27"), n=held, p=party("State", "respondent"))
    assert crossed(root) == [(29, "Limitation Act, 1963, art. 112")]


@pytest.mark.parametrize(("side", "asked"), [("Tenant", True), ("Individual", False)])
def test_a_licence_of_a_tenant_may_be_a_lease(side: str, asked: bool) -> None:
    term = figure("duration", 11, "months", "licence")
    root = sheet("", s=section("TPA-106"), n=term, p=party(side, "respondent"))
    assert ((13, "TPA-107") in crossed(root)) == asked


@pytest.mark.parametrize(("age", "asked"), [(44, set()), (19, {17}), (9, {19, 17, 13, 6})])
def test_a_grown_person_is_not_supposed_to_be_a_child_and_a_child_may_be_of_every_age(
    age: float, asked: set[float]
) -> None:
    """The lines of an accused of murder: 18 (tried as a child), 16, 12 and 7 (no offence)."""
    root = on("2020-01-01", "", s=section("IPC-302"), n=figure("age", age, context="accused"))
    assert {value for value, _ in crossed(root)} == asked


def test_both_tiers_of_a_drug_are_crossed_the_nearer_first() -> None:
    root = sheet("", s=section("NDPS-20"), n=figure("quantity", 1.25, "kg", "charas"))
    assert crossed(root) == [(0.9, "NDPS-2(viia)"), (0.09, "NDPS-2(xxiiia)")]


@pytest.mark.parametrize(
    ("cited", "value"),
    [
        ("IPC-302", figure("age", 42, context="deceased")),
        ("IPC-379", figure("quantity", 1.25, "kg", "charas")),
        ("IPC-376", figure("duration", 7, context="imprisonment")),
        ("IPC-447", figure("duration", 14, context="adverse possession")),
        ("POCSO-4", NumericalValue("age", 4, "months", "child")),
    ],
)
def test_a_line_that_nothing_in_the_case_brings_in_is_not_crossed(
    cited: str, value: NumericalValue
) -> None:
    assert crossed(sheet("", s=section(cited), n=value)) == []


def test_a_line_may_be_a_share_of_another_figure() -> None:
    """Ten per cent of an income of 62 lakh are 6.2 lakh; a step beyond them is 6.82 lakh."""
    root = sheet(
        "",
        s=section("PCA-13(1)(e)"),
        n=figure("amount", 540000, context="excess"),
        m=figure("amount", 6200000, context="known income"),
    )
    law = "Krishnanand Agnihotri v. State of M.P., (1977) 1 SCC 816"
    assert crossed(root)[0] == (682000, law)


def test_half_of_the_longest_term_frees_an_undertrial() -> None:
    """Cheating carries seven years at most: half of it are 42 months."""
    in_jail = figure("duration", 40, "months", context="custody")
    root = sheet("", s=section("IPC-420"), m=section("CrPC-436A"), n=in_jail)
    assert crossed(root) == [(43, "CrPC-436A")]


def test_a_range_becomes_one_figure_beyond_the_line() -> None:
    value = NumericalValue("age", 16, "years", "girl", 17)
    root = sheet("", n=value, s=section("POCSO-4"))
    moved = [e.after for e in FACT_TYPE.what_ifs(root, root.fact("n")) if e.operation == "cross"]
    assert {(v.value, v.upper) for v in moved if isinstance(v, NumericalValue)} == {
        (15, None),
        (19, None),
    }


@pytest.mark.parametrize(
    ("grams", "tier"),
    [(99, "small"), (100, "intermediate"), (1000, "intermediate"), (1001, "commercial")],
)
def test_tiers_of_charas(grams: float, tier: str) -> None:
    value = figure("quantity", grams, "g", "charas")
    assert quantity_tier(sheet("", s=section("NDPS-20"), n=value), value) == tier


def test_the_table_draws_sound_lines() -> None:
    for row in read_table("law/lines", Line):
        assert (row.line > 0) is not bool(row.of)
        assert row.reason.endswith(".")
        on_line = NumericalValue(row.kind, row.line, row.unit)
        assert is_above(row, on_line) is row.upper


@given(st.sampled_from(read_table("law/lines", Line)), st.floats(0.5, 500))
def test_across_is_always_on_the_other_side(row: Line, value: float) -> None:
    before = NumericalValue(row.kind, round(value, 2), row.unit)
    moved = across(row, before)
    if moved is not None:
        assert is_above(row, NumericalValue(row.kind, moved, row.unit)) != is_above(row, before)


class TestTheDay:
    """A line is one of the law as it stood."""

    @pytest.mark.parametrize(
        ("date", "age", "laws"),
        [
            ("2011", 20, {"Criminal Law (Amendment) Act, 2013, s. 9"}),
            ("2014", 17, {"IPC-375", "IPC-376(2)(i)"}),
            ("2020", 19, {"IPC-375", "IPC-376(3)"}),
            ("", 19, {"IPC-375", "IPC-376(3)"}),
        ],
    )
    def test_the_age_of_consent(self, date: str, age: float, laws: set[str]) -> None:
        root = on(date, "", s=section("IPC-376"), n=figure("age", age, context="prosecutrix"))
        assert laws <= {law for _, law in crossed(root)}
        other = {"Criminal Law (Amendment) Act, 2013, s. 9", "IPC-375"} - laws
        assert not other & {law for _, law in crossed(root)}

    @pytest.mark.parametrize(
        ("date", "cited", "drawn"),
        [
            ("2018", "IPC-302", True),
            ("2018", "IPC-392", False),
            ("2025", "BNS-103(1)", True),
            ("1994", "IPC-302", False),
        ],
    )
    def test_only_a_heinous_offence_under_the_act_of_2015_has_the_line_of_sixteen(
        self, date: str, cited: str, drawn: bool
    ) -> None:
        root = on(date, "", s=section(cited), n=figure("age", 17, context="accused"))
        assert ("JJA-15" in {law for _, law in crossed(root)}) is drawn

    def test_a_demand_has_thirty_days_since_2003(self) -> None:
        days = figure("duration", 20, "days", "from return to notice")
        for date, beyond in (("2019", 31), ("2001", 14)):
            assert beyond in {v for v, _ in crossed(on(date, "", s=section("NIA-138"), n=days))}


@pytest.mark.parametrize(
    ("cited", "months", "expected"),
    [
        ("IPC-406", 34, {37}),
        ("IPC-323", 10, {13}),
        ("IPC-420", 34, set()),
        ("BNS-316(2)", 34, set()),
        ("IPC-290", 5, {7}),
    ],
)
def test_the_time_for_cognizance_follows_the_maximum(
    cited: str, months: float, expected: set[float]
) -> None:
    procedure = section("BNSS-514" if cited.startswith("BNS") else "CrPC-468")
    late = figure("duration", months, "months", "incident to complaint")
    root = sheet("", s=section(cited), t=procedure, n=late)
    assert {value for value, _ in crossed(root)} == expected


@pytest.mark.parametrize(
    ("cited", "days"), [("IPC-302", 89), ("IPC-376", 89), ("IPC-420", 59), ("IPC-307", 89)]
)
def test_default_bail_follows_the_least_punishment(cited: str, days: float) -> None:
    held = figure("duration", 95, "days", "in custody")
    root = sheet("", s=section(cited), t=section("CrPC-167(2)"), n=held)
    assert crossed(root) == [(days, "CrPC-167(2)")]


def test_a_boy_who_is_taken_away_is_a_child_below_eighteen_and_no_accused() -> None:
    boy = figure("age", 17, context="boy")
    laws = {
        row.provision for row in lines_of(on("2024-09", "", s=section("BNS-137(2)"), n=boy), boy)
    }
    assert "BNS-137(1)(b)" in laws and "JJA-2(12)" not in laws


def test_seven_years_of_marriage_draw_no_line_for_cruelty_to_a_living_wife() -> None:
    married = figure("duration", 5, context="since marriage")
    assert crossed(on("2019", "", s=section("IPC-498A"), n=married)) == []
    assert crossed(on("2019", "", s=section("IPC-304B"), n=married)) == [(8, "IPC-304B")]
