"""Figures: what they measure, the lines of the law through them, and what the tables of both hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perturbation_cases import edits_of, figure, on, section, sheet

from countercase.fact_types.catalogue import WhatIf
from countercase.fact_types.lines import Line, across, is_above, quantity_tier
from countercase.fact_types.measures import measure_of
from countercase.fact_types.numerical import FACT_TYPE
from countercase.facts.area_of_law import names_of
from countercase.facts.edits import apply_edits
from countercase.facts.model import NumericalKind, NumericalValue
from countercase.io import read_table


@pytest.mark.parametrize(
    ("grams", "tier"),
    [(99, "small"), (100, "intermediate"), (1000, "intermediate"), (1001, "commercial")],
)
def test_tiers_of_charas(grams: float, tier: str) -> None:
    value = figure("quantity", grams, "g", "charas")
    assert quantity_tier(sheet("", s=section("NDPS-20"), n=value), value) == tier


LINES = read_table("law/lines", Line)


def test_the_table_draws_sound_lines() -> None:
    for row in LINES:
        assert (row.line > 0) is not bool(row.of)
        assert row.reason.endswith(".")
        assert is_above(row, NumericalValue(row.kind, row.line, row.unit)) is row.upper


@given(st.sampled_from(LINES), st.floats(0.5, 500))
def test_across_is_always_on_the_other_side(row: Line, value: float) -> None:
    before = NumericalValue(row.kind, round(value, 2), row.unit)
    moved = across(row, before)
    if moved is not None:
        assert is_above(row, NumericalValue(row.kind, moved, row.unit)) != is_above(row, before)


@pytest.mark.parametrize(
    ("kind", "context", "cited", "measure"),
    [
        ("duration", "delay in FIR", "IPC-302", "report delay"),
        ("duration", "first marriage", "IPC-302", "since marriage"),
        ("duration", "first instalment", "IPC-302", None),
        ("duration", "report of the surveyor", "CPA-2", None),  # no report of an offence
        ("duration", "stay of sixty days, as compensation for delay", "IPC-302", None),
        ("duration", "absence as a member of the tenancy", "IDA-25F", "absence"),
        ("amount", "taxi fare", "IPC-302", None),
        ("amount", "tax", "IPC-302", "tax"),
    ],
)
def test_what_a_figure_measures_is_told_by_whole_words_of_the_head_of_its_label(
    kind: NumericalKind, context: str, cited: str, measure: str | None
) -> None:
    found = measure_of(figure(kind, 6, context=context), frozenset(names_of(cited)))
    assert (found and found.name) == measure


def test_what_two_dates_fix_stays() -> None:
    stated = figure("duration", 14, "days", "suspension")
    value = replace(stated, begins="2015-02-24", ends="2015-03-10")
    after = [edit.after for edit in edits_of(sheet("", n=value), "n")]
    assert not any(isinstance(value, NumericalValue) for value in after)


def test_a_period_that_the_case_does_not_state_is_supposed_beyond_its_line() -> None:
    root = on("2020", "", s=section("NIA-138"), t=section("NIA-142"))
    late = next(e for e in FACT_TYPE.additions(root) if e.rule == "notice after thirty days")
    assert (late.operation, late.before, late.provision) == ("add", None, "NIA-138(b)")
    added = apply_edits(root, [late]).fact(late.fact_id)
    assert "after the 30 days that the law gives" in FACT_TYPE.state(root, added)


def test_what_is_added_measures_what_the_table_knows() -> None:
    for row in read_table("law/what_ifs", WhatIf):
        if row.fact_type == "Numerical" and row.operation == "add":
            [context] = row.of
            kind = "amount" if row.becomes.endswith("INR") else "duration"
            value = figure(kind, 1, row.becomes.split()[-1], context)
            cited = frozenset(n for name in row.cited for n in names_of(name))
            assert any(measure_of(value, frozenset({n})) for n in cited), row.name


@pytest.mark.parametrize(
    ("cited", "kind", "number", "unit"),
    [
        ("DRC-25B", "duration", 15, "days"),
        ("UAPA-43D", "duration", 180, "days"),
        ("PMLA-45", "amount", 10_000_000, "INR"),
    ],
)
def test_a_line_of_the_law_is_not_supposed_otherwise(
    cited: str, kind: NumericalKind, number: float, unit: str
) -> None:
    line, other = (
        edits_of(on("2020", "", s=section(cited), n=figure(kind, value, unit, "")), "n")
        for value in (number, number / 3)
    )
    assert [edit.supposition.endswith("were left out of account.") for edit in line] == [True]
    assert other[-1].supposition.endswith("were not known.")
