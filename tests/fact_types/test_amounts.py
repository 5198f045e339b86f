"""Which words of a narrative are money, how much, and for what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.fact_types.numerical.figures import find_amounts
from countercase.facts.model import NumericalValue
from countercase.text.numbers import format_amount, format_lakh


def _amounts(text: str) -> list[tuple[float, str]]:
    found = find_amounts(text)
    for item in found:
        assert isinstance(item.value, NumericalValue)
        assert (item.value.kind, item.value.unit) == ("amount", "INR")
    return [(item.value.value, text[item.span.start : item.span.end]) for item in found]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Rs. 5.5 lakh", 550000),
        ("Rs 5,00,000/-", 500000),
        ("Rs.10 lakhs", 1000000),
        ("Rs. 2 lakhs 50 thousand", 250000),
        ("INR 2 crore", 20000000),
        ("rupees fifty thousand", 50000),
        ("₹ 25,000", 25000),
        ("five lakh rupees", 500000),
        ("2000 rupees", 2000),
        ("Rs. 3, 44, 697.18p", 344697.18),
        ("Rs. 12, 000/-", 12000),
        ("Rs. 202-50 paise", 202.5),
        ("Rs. 744-50", 744.5),
        ("fifteen lakhs", 1500000),
        ("a lakh of rupees", 100000),
        ("half a crore", 5000000),
        ("Rs. 1,204-8-6", 1204.53125),
    ],
)
def test_every_way_of_writing_a_sum(text: str, value: float) -> None:
    sentence = f"He paid {text} to the agent."
    assert _amounts(sentence) == [(value, text)]


@pytest.mark.parametrize(
    "text",
    [
        "She had been married for seven years.",
        "He was convicted under Section 302 IPC on 12.3.1998.",
        "F.I.R. No. 276 of 2004 names the car HR-37-C-7937.",
        "They saw five lakh people at the fair.",
        "He was aged 25 and lived 40 km away.",
    ],
)
def test_years_sections_dates_and_numbers_are_no_money(text: str) -> None:
    assert _amounts(text) == []


def _ranges(text: str) -> list[tuple[float, float | None]]:
    return [(item.value.value, item.value.upper) for item in find_amounts(text)]


def test_a_range_is_one_amount_and_a_change_is_two() -> None:
    assert _amounts("He took Rs. 100/- to 150/- from each.") == [(100, "Rs. 100/- to 150/-")]
    assert _ranges("He took 2-3 lakh and earns 9-10k.") == [(200000, 300000), (9000, 10000)]
    assert _ranges("A vendor earning 500-600 daily.") == [(500, 600)]
    assert _amounts("It went from Rs. 300 to Rs. 400.") == [(300, "Rs. 300"), (400, "Rs. 400")]
    assert _ranges("about Rs. 5 to 6 lakh") == [(500000, 600000)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Rs 3 cr. paid", 3e7),
        ("gave 40k to him", 40000),
        ("loan of 2.5 lac/- taken", 250000),
        ("fees 3.6L told", 360000),
        ("cheque 1,25,000 returned", 125000),
        ("recovery 3,62,418/- proposed", 362418),
        ("adv 18 lac paid", 1.8e6),
        ("dhai lakh liya", 250000),
        ("rate 540/- per sq yd", 540),
        ("on 50 rupee paper", 50),
        ("on 100 rs stamp", 100),
        ("Hubby's salary 92k pm", 92000),
        ("i can pay 18000 in parts", 18000),
        ("he wants 2 cr.", 2e7),
        ("₹45,000 was taken", 45000),
    ],
)
def test_sums_as_juniors_write_them(text: str, value: float) -> None:
    assert [amount for amount, _ in _amounts(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "64,000 views in 4 days",
        "My no. 94178-20563, or 90340 11872.",
        "u/s 439 Cr.P.C. and S. 138 NI Act",
        "plot of 2,400 sq ft",
        "interest @ 9% and 20 per cent",
        "FIR 412/24, truck UP-14-GT-2290",
        "she gave 164 statement",
        "in 2019 he paid nothing",
        "the year of default is 2014 only",
        "sold 5 lakh shares",
        "Cr. 611/24 pending, AY 2014-15",
        "USD 5,000 sent",
    ],
)
def test_counts_numbers_and_percentages_are_no_money(text: str) -> None:
    assert _amounts(text) == []


def test_a_scale_of_pay_gives_its_ends() -> None:
    assert _ranges("The scale was Rs. 330-560 then.") == [(330, 560)]
    assert _ranges("The scale was Rs. 1800-100-2000 then.") == [(1800, 2000)]
    assert _ranges("A day's wage was Rs. 10-15 then.") == [(10, 15)]


def test_a_monthly_sum_has_no_paise() -> None:
    assert _amounts("He drew Rs. 360 p.m. till May.") == [(360, "Rs. 360")]


def test_a_full_stop_after_the_sum_is_not_part_of_it() -> None:
    assert _amounts("The fare was Rs. 2.50. He left.") == [(2.5, "Rs. 2.50")]


def test_goods_after_a_comma_are_not_more_money() -> None:
    assert _amounts("They took Rs. 500, 21 utensils and a watch.") == [(500, "Rs. 500")]


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("The Tribunal gave compensation of Rs. 4,00,000.", "compensation"),
        ("He asked for a bribe of Rs. 500 to pass the bill.", "bribe"),
        ("The cheque for Rs. 2,00,000 came back unpaid.", "cheque"),
        ("He earned a salary of Rs. 9,000 a month.", "salary"),
        ("Husband earns 35k.", "husband's earnings"),
        ("Compansation of Rs. 5,000 was denied.", "compensation"),
        ("Chq of 2 lac, adv 5 lac by NEFT", "cheque"),
        ("It says idle machinery Rs 61.4 lac.", "idle machinery"),
        ("Her in-laws wanted Rs. 50,000 more as dowry.", "dowry"),
    ],
)
def test_the_context_is_the_word_that_names_the_sum(text: str, context: str) -> None:
    assert find_amounts(text)[0].value.context == context


def test_the_next_sentence_does_not_name_the_sum() -> None:
    (found,) = find_amounts("They handed over Rs. 700. A cheque followed in May.")
    assert isinstance(found.value, NumericalValue)
    assert found.value.context == ""


@given(st.integers(1, 10**10))
def test_every_written_sum_is_read_back(value: int) -> None:
    for written in (format_amount(value), format_lakh(value)):
        assert _amounts(f"He took {written} in all.") == [(value, written)]


def test_a_scale_of_pay_and_a_date_are_no_annas() -> None:
    assert [value for value, _ in _amounts("He paid Rs. 60-4-80 a month.")] != [60.25]
    assert 80.25 not in [value for value, _ in _amounts("He paid Rs. 80-4-1958 or so.")]


def test_a_sum_for_each_needs_no_currency_word_and_a_count_of_things_is_none() -> None:
    assert _amounts("The heirs got 15 lakhs each.") == [(1500000, "15 lakhs")]
    assert _amounts("The mill burnt two lakh bricks.") == []
    assert _amounts("A town of less than one lakh. It has no mill.") == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Car demand five lakh but no letter.", [(500000, "five lakh")]),
        ("Debit note of 6.2 L was unsigned.", [(620000, "6.2 L")]),
        ("Last wages 17,850/month.", [(17850, "17,850")]),
        ("Company ne 75000 ka offer diya.", [(75000, "75000")]),
        ("Us ne 14 lakh 60 hazaar diye.", [(1460000, "14 lakh 60 hazaar")]),
    ],
)
def test_sums_in_words_in_lakhs_and_in_hindi(text: str, read: list[tuple[float, str]]) -> None:
    assert _amounts(text) == read


def test_comp_is_compensation() -> None:
    sums = [str(item.value) for item in find_amounts("Trial ct convicted, comp 6 lakh.")]
    assert sums == ["600000 INR (compensation)"]
