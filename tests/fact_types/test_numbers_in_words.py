"""Numerical edits are written like the mentions that they change, and read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perturbation_cases import (
    assert_others_untouched,
    figure,
    narrative_after,
    party,
    section,
    sheet,
)

from countercase.counterfactual.proposals import propose_nulls
from countercase.fact_types.numerical import propose
from countercase.fact_types.rewriting import in_order, restate
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet, NumericalValue
from countercase.text.numbers import find_figure, in_words, read_number, write_like


def times(root: FactSheet, factor: float) -> Edit:
    """The figure `n` multiplied, in the manner of its mentions."""
    fact = root.fact("n")
    assert isinstance(fact.value, NumericalValue)
    after = replace(fact.value, value=float(f"{fact.value.value * factor:.12g}"))
    words = in_order(restate(root, fact, fact.value, after))
    assert words is not None
    return Edit("n", "Numerical", str(fact.value), str(after), "test", "", after, words)


@pytest.mark.parametrize(
    ("marked", "value", "after"),
    [
        ("a {n|17-year-old} girl", figure("age", 17, context="girl"), "a 19-year-old girl"),
        ("an {n|18-year-old} girl", figure("age", 18, context="girl"), "a 17-year-old girl"),
        (
            "a {n|seventeen-year-old} girl",
            figure("age", 17, context="girl"),
            "a nineteen-year-old girl",
        ),
        (
            "{n|aged about 16 years} then",
            figure("age", 16, context="girl"),
            "aged about 19 years then",
        ),
        ("{n|aged sixteen} then", figure("age", 16, context="girl"), "aged nineteen then"),
        ("at the {n|age of 16} then", figure("age", 16, context="girl"), "at the age of 19 then"),
        ("{n|aged nine months} then", figure("age", 0.75, context="girl"), "aged 19 years then"),
    ],
)
def test_ages_keep_their_manner(marked: str, value: NumericalValue, after: str) -> None:
    root = sheet(marked, n=value, s=section("POCSO-4"))
    assert narrative_after(root, propose(root)[0]) == after


@pytest.mark.parametrize(
    ("marked", "value", "after"),
    [
        ("{n|Rs. 5.5 lakh}", 550000, "Rs. 55 lakh"),
        ("{n|Rs. 50 lakh}", 5000000, "Rs. 5 crore"),
        ("{n|Rs 5,00,000/-} paid", 500000, "Rs 50,00,000/- paid"),
        ("{n|Rs. 25000}", 25000, "Rs. 250000"),
        ("{n|₹ 25,000}", 25000, "₹ 2,50,000"),
        ("{n|rupees fifty thousand}", 50000, "rupees five lakh"),
        ("{n|five lakh rupees}", 500000, "fifty lakh rupees"),
        ("{n|Rs.10 lacs}", 1000000, "Rs.1 crore"),
        ("{n|INR 2 crore}", 20000000, "INR 20 crore"),
        ("{n|Rs. 2,000.00}", 2000, "Rs. 20,000.00"),
    ],
)
def test_amounts_keep_their_manner(marked: str, value: float, after: str) -> None:
    root = sheet(marked, n=figure("amount", value))
    assert narrative_after(root, times(root, 10)) == after


@pytest.mark.parametrize(
    ("marked", "value", "factor", "after"),
    [
        ("{n|two and a half years}", figure("duration", 2.5), 2, "five years"),
        ("{n|one year}", figure("duration", 1), 2, "two years"),
        ("{n|one year}", figure("duration", 1), 0.5, "half a year"),
        ("{n|2 days}", figure("duration", 2, "days"), 0.5, "1 day"),
        ("{n|half an hour}", figure("duration", 0.5, "hours"), 2, "one hour"),
        ("{n|2 acres} of land", figure("quantity", 2, "acre"), 10, "20 acres of land"),
        ("{n|250 gms}", figure("quantity", 250, "g"), 10, "2,500 gms"),
        ("{n|1 kg 200 grams}", figure("quantity", 1.2, "kg"), 10, "12 kg"),
    ],
)
def test_durations_and_quantities_keep_their_manner(
    marked: str, value: NumericalValue, factor: float, after: str
) -> None:
    root = sheet(marked, n=value)
    assert narrative_after(root, times(root, factor)) == after


@pytest.mark.parametrize(
    ("marked", "value", "after"),
    [
        ("Rs. {n|40k} paid", figure("amount", 40000), "Rs. 400k paid"),
        ("{n|Rs 3 cr}. paid", figure("amount", 3e7), "Rs 30 cr. paid"),
        ("{n|2.5 lac/-} due", figure("amount", 250000), "25 lac/- due"),
        ("{n|3.6L} due", figure("amount", 360000), "36L due"),
    ],
)
def test_short_amounts_keep_their_manner(marked: str, value: NumericalValue, after: str) -> None:
    root = sheet(marked, n=value)
    assert narrative_after(root, times(root, 10)) == after


@pytest.mark.parametrize(
    ("marked", "value", "after"),
    [
        ("girl was {n|17 yr 3 months} then", 17.25, "girl was 19 years of age then"),
        ("a {n|17 yr 3 month old} girl", 17.25, "a 19-year-old girl"),
        ("girl {n|aged 17 yr 3 mths} left", 17.25, "girl aged 19 years left"),
        ("girl ({n|16}) left", 16, "girl (19) left"),
        ("victim {n|F/16} left", 16, "victim F/19 left"),
        ("girl is {n|16 yrs} now", 16, "girl is 19 yrs now"),
    ],
)
def test_ages_of_juniors_are_rewritten(marked: str, value: float, after: str) -> None:
    root = sheet(marked, n=figure("age", value, context="girl"), s=section("POCSO-4"))
    assert narrative_after(root, propose(root)[0]) == after


def test_a_range_moves_as_a_whole_and_is_not_spelled_out() -> None:
    value = NumericalValue("age", 16, "years", "girl", 17)
    root = sheet("girl of {n|16-17 yrs} left", n=value, s=section("POCSO-4"))
    assert narrative_after(root, propose(root)[0]) == "girl of 19-20 yrs left"
    assert not [edit for edit in propose_nulls(root) if edit.rule == "null.figure_form"]


@pytest.mark.parametrize("words", ["Rs. {n|40k}", "{n|40k}", "{n|Rs. 40k}"])
def test_no_null_edit_spells_half_a_notation(words: str) -> None:
    root = sheet(f"He paid {words} to her.", n=figure("amount", 40000))
    (null,) = [edit for edit in propose_nulls(root) if edit.rule == "null.figure_form"]
    assert "40,000 to her" in narrative_after(root, null)


def test_an_ordinal_day_stays_ordinal() -> None:
    value = figure("duration", 95, "days", "custody")
    law = {"s": section("CrPC-167(2)"), "o": section("IPC-302")}
    root = sheet("Sheet on the {n|95th day} of custody.", n=value, **law)
    assert narrative_after(root, propose(root)[0]) == "Sheet on the 89th day of custody."
    assert not [edit for edit in propose_nulls(root) if edit.rule == "null.figure_form"]


def test_every_mention_changes_and_nothing_else() -> None:
    root = sheet(
        "The {p|appellant} met a girl {n|aged 17 years}. She was {n|seventeen}, and he "
        "{m|aged 30}. {s|Section 4} of the POCSO Act applies.",
        p=party("Individual"),
        n=figure("age", 17, context="girl"),
        m=figure("age", 30, context="accused"),
        s=section("POCSO-4"),
    )
    edit = propose(root)[0]
    after = narrative_after(root, edit)
    assert "aged 19 years. She was nineteen, and he aged 30." in after
    for each in propose(root):
        assert_others_untouched(root, each)


@given(st.integers(0, 99_99_99_999))
def test_words_read_back_as_the_number_they_were_written_for(number: int) -> None:
    words = in_words(number)
    assert words is not None
    assert read_number(words) == number


@given(
    st.sampled_from(["5,000", "12", "3.5 lakh", "2 crore", "seven", "40000", "9 thousand"]),
    st.integers(1, 10**8),
)
def test_what_is_written_like_a_figure_reads_back(text: str, value: int) -> None:
    old = read_number(text)
    assert old is not None
    found = find_figure(text, float(old))
    assert found is not None
    assert read_number(write_like(found, value)) == value


def test_a_year_of_days_in_words_is_not_a_figure_of_another_value() -> None:
    assert find_figure("aged 17 years", 16) is None
