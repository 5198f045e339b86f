"""Which words of a narrative are money, how much, and for what."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.fact_types.numerical.figures import find_amounts
from countercase.facts.model import NumericalValue
from countercase.text.numbers import format_amount, format_lakh


def _amounts(text: str) -> list[tuple[float, str]]:
    found = find_amounts(text)
    for item in found:
        assert isinstance(item.value, NumericalValue)
        assert (item.value.kind, item.value.unit) == ("amount", "INR")
    return [(item.value.value, text[item.span.start : item.span.end]) for item in found]  # type: ignore[union-attr]


def _ranges(text: str) -> list[tuple[float, float | None]]:
    return [(item.value.value, item.value.upper) for item in find_amounts(text)]


def test_a_range_is_one_amount_and_a_change_is_two() -> None:
    assert _amounts("He took Rs. 100/- to 150/- from each.") == [(100, "Rs. 100/- to 150/-")]
    assert _ranges("He took 2-3 lakh and earns 9-10k.") == [(200000, 300000), (9000, 10000)]
    assert _ranges("A vendor earning 500-600 daily.") == [(500, 600)]
    assert _amounts("It went from Rs. 300 to Rs. 400.") == [(300, "Rs. 300"), (400, "Rs. 400")]
    assert _ranges("about Rs. 5 to 6 lakh") == [(500000, 600000)]


@labelled("amounts_of_notes")
def test_sums_as_juniors_write_them(text: str, value: float) -> None:
    assert [amount for amount, _ in _amounts(text)] == [value]


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


@labelled("amount_contexts")
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


def test_a_sum_for_each_needs_no_currency_word_and_a_count_of_things_is_none() -> None:
    assert _amounts("The heirs got 15 lakhs each.") == [(1500000, "15 lakhs")]
    assert _amounts("The mill burnt two lakh bricks.") == []
    assert _amounts("A town of less than one lakh. It has no mill.") == []


@labelled("amounts")
def test_every_way_of_writing_a_sum(text: str, read: list[tuple[float, str]]) -> None:
    assert _amounts(text) == read


def test_comp_is_compensation() -> None:
    sums = [str(item.value) for item in find_amounts("Trial ct convicted, comp 6 lakh.")]
    assert sums == ["600000 INR (compensation)"]
