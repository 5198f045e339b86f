"""Mean rank displacement: worked by hand, bounded, symmetric."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.counterfactual.displacement import displacement
from countercase.errors import InputError

TOP = st.lists(st.sampled_from("ABCDEFGHIJKLMNOP"), unique=True, max_size=10)


@pytest.mark.parametrize(
    ("before", "after", "k", "by_case"),
    [
        ("ABC", "BAC", 3, {"A": 1, "B": 1, "C": 0}),
        ("ABC", "ABD", 3, {"A": 0, "B": 0, "C": 1, "D": 1}),  # out of three is rank four
        ("A", "", 10, {"A": 10}),  # k counts and not the length of the list
    ],
)
def test_a_case_that_drops_out_has_rank_k_plus_one(
    before: str, after: str, k: int, by_case: dict[str, int]
) -> None:
    change = displacement([*before], [*after], k)
    assert change.by_case == by_case
    assert change.mean == pytest.approx(sum(by_case.values()) / len(by_case))
    assert (change.dropped, change.new) == (
        tuple(sorted({*before} - {*after})), tuple(sorted({*after} - {*before})),
    )  # fmt: skip


@given(st.integers(1, 20))
def test_two_lists_with_nothing_in_common_are_half_of_k_plus_1_apart(k: int) -> None:
    left, right = [f"a{i}" for i in range(k)], [f"b{i}" for i in range(k)]
    assert displacement(left, right, k).mean == pytest.approx((k + 1) / 2)


@given(TOP, TOP)
def test_bounds_and_symmetry(left: list[str], right: list[str]) -> None:
    there = displacement(left, right, 10)
    back = displacement(right, left, 10)
    assert 0 <= there.mean <= 11
    assert there.mean == pytest.approx(back.mean)
    assert there.by_case == back.by_case
    assert there.dropped == back.new
    assert set(there.by_case) == {*left, *right}
    assert (there.mean == 0) == (left == right)


def test_only_the_first_k_ids_count() -> None:
    assert displacement([*"ABCXX"], [*"ABDYY"], 3) == displacement([*"ABC"], [*"ABD"], 3)
    assert displacement([str(n) for n in range(20)], []).by_case.keys() == {
        str(n) for n in range(10)
    }


@pytest.mark.parametrize(
    ("ids", "k", "message"),
    [("AAB", 10, "an id twice"), ("AB", 0, "k must be a whole number from 1 to")],
)
def test_what_is_no_ranking_is_refused(ids: str, k: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        displacement([*ids], ["A"], k)
