"""What-ifs of figures: values across a line of the law, and others where none is known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from perturbation_cases import edits_of, figure, on, section, sheet

from countercase.facts.model import FactSheet, NumericalValue


def moved_to(root: FactSheet, fact_id: str) -> set[float]:
    """The figures to which a figure is moved across a line."""
    after = [edit.after for edit in edits_of(root, fact_id) if edit.operation == "cross"]
    return {value.value for value in after if isinstance(value, NumericalValue)}


class TestAges:
    def test_a_grown_accused_is_never_supposed_to_be_a_small_child(self) -> None:
        for age in (20, 29, 46, 60):
            root = on("2020", "", s=section("IPC-302"), n=figure("age", age, context="accused"))
            assert all(years >= 17 for years in moved_to(root, "n"))

    @pytest.mark.parametrize("cited", ["PCA-13(1)(e)", "NIA-138", "IPC-304B", "IPC-409"])
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


class TestFiguresWithoutALine:
    """A figure has another value on each side, and none that could not be."""

    @pytest.mark.parametrize(
        ("value", "others"),
        [
            (figure("duration", 30, "days", "delay of appeal"), {6, 90}),
            (figure("duration", 1, "days", "stay"), {3}),  # a fifth of a day is no figure
            (figure("duration", 39, "years", "work"), {8}),  # nobody works for 117 years
            (figure("amount", 45_000, context="loan"), {4_000, 400_000}),
            (figure("count", 1, "witnesses"), {3}),
            (figure("count", 6, "blows"), {2, 20}),
            (figure("age", 53, context="client"), set()),  # others' ages bound it
        ],
    )
    def test_a_much_smaller_and_a_much_greater_one(
        self, value: NumericalValue, others: set[float]
    ) -> None:
        assert values_of(sheet("", n=value), "n") == others

    def test_a_sum_does_not_pass_another_sum_of_the_case(self) -> None:
        """A part would exceed its total: 70 of 22 lakhs; a smaller part is possible."""
        total = figure("amount", 2_200_000, context="price")
        root = sheet("", n=figure("amount", 700_000, context="instalment"), t=total)
        assert values_of(root, "n") == {70_000}

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
