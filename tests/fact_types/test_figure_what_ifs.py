"""What-ifs of figures: values across a line of the law, and others where none is known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from perturbation_cases import edits_of, figure, on, section, sheet

from countercase.fact_types.catalogue import WhatIf
from countercase.fact_types.measures import measure_of
from countercase.fact_types.numerical import FACT_TYPE
from countercase.facts.area_of_law import names_of
from countercase.facts.edits import apply_edits
from countercase.facts.model import FactSheet, NumericalValue
from countercase.io import read_table


def moved_to(root: FactSheet, fact_id: str) -> set[float]:
    """The figures to which a figure is moved across a line."""
    after = [edit.after for edit in edits_of(root, fact_id) if edit.operation == "cross"]
    return {value.value for value in after if isinstance(value, NumericalValue)}


class TestAges:
    def test_a_grown_accused_is_never_supposed_to_be_a_small_child(self) -> None:
        for age in (20, 29, 46, 60):
            root = on("2020", "", s=section("IPC-302"), n=figure("age", age, context="accused"))
            assert all(years >= 17 for years in moved_to(root, "n"))

    @pytest.mark.parametrize(
        "cited", ["PCA-13(1)(e)", "NIA-138", "IPC-304B", "IPC-409", "IPC-376(2)(f)", "BNS-64(2)(k)"]
    )
    def test_an_offence_that_no_child_commits_asks_nothing_of_the_age(self, cited: str) -> None:
        root = on("2020", "", s=section(cited), n=figure("age", 24, context="accused"))
        assert "cross" not in {edit.operation for edit in edits_of(root, "n")}

    def test_the_multiplier_of_a_worker_is_never_that_of_a_child(self) -> None:
        """The table of Sarla Verma (2009) begins at fifteen; below it nothing is settled."""
        root = on("2015", "", s=section("MVA-166"), n=figure("age", 17, context="deceased"))
        assert all(number >= 18 for number in moved_to(root, "n"))

    def test_the_consent_of_a_girl_is_no_question_of_outraging_modesty(self) -> None:
        root = on("2015", "", s=section("IPC-354"), n=figure("age", 17, context="prosecutrix"))
        assert "cross" not in {edit.operation for edit in edits_of(root, "n")}


def values_of(root: FactSheet, fact_id: str) -> set[float]:
    """The other values of a figure, whether they cross a line or not."""
    after = (edit.after for edit in edits_of(root, fact_id))
    return {value.value for value in after if isinstance(value, NumericalValue)}


class TestMeasures:
    """What a figure measures is told by whole words of the head of its label."""

    @pytest.mark.parametrize(
        ("context", "cited", "measure"),
        [
            ("delay in FIR", "IPC-302", "report delay"),
            ("first marriage", "IPC-302", "since marriage"),
            ("first instalment", "IPC-302", None),
            ("report of the surveyor", "CPA-2", None),  # a report of an offence is none of this
            ("stay of sixty days, as compensation for delay", "IPC-302", None),
            ("absence as a member of the tenancy", "IDA-25F", "absence"),
        ],
    )
    def test_of_a_length_of_time(self, context: str, cited: str, measure: str | None) -> None:
        found = measure_of(figure("duration", 6, "days", context), frozenset(names_of(cited)))
        assert (found and found.name) == measure

    @pytest.mark.parametrize(("context", "measure"), [("taxi fare", None), ("tax", "tax")])
    def test_of_an_amount(self, context: str, measure: str | None) -> None:
        found = measure_of(figure("amount", 6_000, context=context), frozenset())
        assert (found and found.name) == measure


class TestFiguresWithoutALine:
    """A figure whose measure is known has other values, and none that could not be."""

    @pytest.mark.parametrize(
        ("value", "others"),
        [
            (figure("duration", 30, "days", "delay of appeal"), {6, 90}),
            (figure("duration", 1, "days", "suspension"), {3}),  # a fifth of a day is no figure
            (figure("duration", 39, "years", "work"), {8}),  # nobody works for 117 years
            (figure("duration", 2, "years", "enquiry"), {0.5, 6}),
            (figure("amount", 45_000, context="loan"), {9_000, 200_000}),
            (figure("count", 6, "injuries"), {2, 20}),
            (figure("age", 53, context="client"), set()),  # others' ages bound it
            (figure("duration", 20, "days", "stay"), set()),  # a length of time of unknown meaning
            (figure("quantity", 40, "acre", "land"), {20, 80}),
            (figure("count", 6, "cases", "pending cases"), {3, 10}),
            (figure("count", 1, "witnesses"), set()),  # those who are named are counted
        ],
    )
    def test_a_much_smaller_and_a_much_greater_one(
        self, value: NumericalValue, others: set[float]
    ) -> None:
        assert values_of(sheet("", n=value), "n") == others

    def test_a_sum_does_not_pass_another_sum_of_the_case(self) -> None:
        """A part would exceed its total: a nearer value, or a smaller part, is possible."""
        total = figure("amount", 2_200_000, context="price")
        root = sheet("", n=figure("amount", 700_000, context="loan"), t=total)
        assert values_of(root, "n") == {100_000, 2_000_000}

    def test_a_service_is_no_longer_than_the_life_of_the_man(self) -> None:
        """Sixteen years three times are 48; a man of 41 has served some 28 at most."""
        age = figure("age", 41, context="petitioner")
        root = sheet("", n=figure("duration", 16, "years", "absence"), a=age)
        assert values_of(root, "n") == {3, 28}

    def test_two_sums_of_one_label_are_not_moved(self) -> None:
        root = sheet("", n=figure("amount", 305_000, context="income"),
                     m=figure("amount", 890_000, context="income"))  # fmt: skip
        assert values_of(root, "n") == set()

    def test_less_than_a_year_is_said_in_months(self) -> None:
        root = sheet("", n=figure("duration", 2, "years", "enquiry"))
        told = {edit.supposition for edit in edits_of(root, "n")}
        assert any("6 months" in supposition for supposition in told)

    def test_what_two_dates_fix_stays(self) -> None:
        value = replace(figure("duration", 14, "days", "suspension"),
                        begins="2015-02-24", ends="2015-03-10")  # fmt: skip
        assert values_of(sheet("", n=value), "n") == set()

    @pytest.mark.parametrize(
        ("label", "clause"),
        [
            ("compensation", "the compensation were Rs. 1,00,000"),
            ("compensation claimed", "the compensation claimed were Rs. 1,00,000"),
            ("back wages claimed", "the back wages claimed were Rs. 1,00,000"),
        ],
    )
    def test_a_label_that_says_more_than_its_measure_is_said(self, label: str, clause: str) -> None:
        root = sheet("", n=figure("amount", 500_000, context=label))
        assert f"Suppose {clause}." in {edit.supposition for edit in edits_of(root, "n")}

    @pytest.mark.parametrize(
        "label",
        ["cost of a truckload under the awards", "rate per acre claimed", "for each claimant"],
    )
    def test_the_head_of_a_label_tells_what_is_measured(self, label: str) -> None:
        """What no row measures is asked for half and double of it, not for a fifth."""
        root = sheet("", n=figure("amount", 500_000, context=label))
        assert values_of(root, "n") == {200_000, 1_000_000}

    def test_what_measures_nothing_known_is_told_by_the_words_around_it(self) -> None:
        root = sheet("He paid {n|9 lakh} in 3 trips.", n=figure("amount", 900_000))
        told = {edit.supposition for edit in edits_of(root, "n")}
        words = "the sum of Rs. 9,00,000 (“… He paid 9 lakh in 3 trips. …”) were"
        assert {f"Suppose {words} Rs. 4,00,000.", f"Suppose {words} not known."} <= told

    def test_a_line_on_one_side_leaves_the_other_to_another_value(self) -> None:
        root = sheet("", n=figure("duration", 60, "days", "delay of appeal"), s=section("CCA-13"))
        dated = replace(root, occurred_on="2025")
        assert values_of(dated, "n") == {61, 10}

    def test_what_the_law_itself_gives_has_no_other_value(self) -> None:
        root = sheet("", n=figure("duration", 7, context="maximum punishment"))
        assert values_of(root, "n") == set()

    def test_blows_are_one_or_many_in_a_homicide(self) -> None:
        root = sheet("", n=figure("count", 3, "blows"), s=section("IPC-302"))
        assert values_of(root, "n") == {1, 10}


class TestAdditions:
    """A matter that does not state a period is asked what would follow beyond its line."""

    def test_a_period_that_the_case_does_not_state_is_supposed_beyond_its_line(self) -> None:
        root = on("2020", "", s=section("NIA-138"), t=section("NIA-142"))
        late = next(e for e in FACT_TYPE.additions(root) if e.rule == "notice after thirty days")
        assert (late.operation, late.before, late.provision) == ("add", None, "NIA-138(b)")
        assert {change.fact_id for change in late.consequences} == {"s", "t"}
        added = apply_edits(root, [late]).fact(late.fact_id)
        assert "after the 30 days that the law gives" in FACT_TYPE.state(root, added)

    def test_a_period_that_the_case_states_is_moved_and_not_added(self) -> None:
        told = figure("duration", 20, "days", "dishonour to notice")
        root = on("2020", "", s=section("NIA-138"), n=told)
        assert "notice after thirty days" not in {e.rule for e in FACT_TYPE.additions(root)}

    def test_what_is_added_measures_what_the_table_knows(self) -> None:
        for row in read_table("law/what_ifs", WhatIf):
            if row.fact_type == "Numerical" and row.operation == "add":
                [context] = row.of
                kind = "amount" if row.becomes.endswith("INR") else "duration"
                value = figure(kind, 1, row.becomes.split()[-1], context)
                cited = frozenset(n for name in row.cited for n in names_of(name))
                assert any(measure_of(value, frozenset({n})) for n in cited), row.name


class TestFiguresOfTheLaw:
    @pytest.mark.parametrize(
        ("cited", "told"),
        [("DRC-25B", (15, "days")), ("UAPA-43D", (180, "days")), ("PMLA-45", (10_000_000, "INR"))],
    )
    def test_a_line_of_the_law_is_not_supposed_otherwise(
        self, cited: str, told: tuple[float, str]
    ) -> None:
        number, unit = told
        kind = "amount" if unit == "INR" else "duration"
        root = on("2020", "", s=section(cited), n=figure(kind, number, unit, ""))
        [left_out] = edits_of(root, "n")
        assert left_out.supposition.endswith("were left out of account.")
        other = on("2020", "", s=section(cited), n=figure(kind, number / 3, unit, ""))
        assert edits_of(other, "n")[-1].supposition.endswith("were not known.")
