"""Mean rank displacement: worked by hand, bounded, symmetric."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.counterfactual.displacement import displacement
from countercase.errors import InputError

TOP = st.lists(st.sampled_from("ABCDEFGHIJKLMNOP"), unique=True, max_size=10)


def test_two_neighbours_that_change_places() -> None:
    change = displacement(["A", "B", "C"], ["B", "A", "C"], 3)
    assert change.by_case == {"A": 1, "B": 1, "C": 0}
    assert change.mean == pytest.approx(2 / 3)


def test_a_case_that_drops_out_has_rank_k_plus_one() -> None:
    change = displacement(["A", "B", "C"], ["A", "B", "D"], 3)
    # C: |3 − 4| = 1; D: |4 − 3| = 1; union of four cases
    assert change.by_case == {"A": 0, "B": 0, "C": 1, "D": 1}
    assert change.mean == pytest.approx(2 / 4)
    assert change.dropped == ("C",)
    assert change.new == ("D",)


def test_k_counts_and_not_the_length_of_the_list() -> None:
    change = displacement(["A"], [], 10)
    assert change.by_case == {"A": 10}


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
    assert displacement("ABCXX", "ABDYY", 3) == displacement("ABC", "ABD", 3)
    assert displacement([str(n) for n in range(20)], []).by_case.keys() == {
        str(n) for n in range(10)
    }


@pytest.mark.parametrize(
    ("ids", "k", "message"), [("AAB", 10, "an id twice"), ("AB", 0, "at least one place")]
)
def test_what_is_no_ranking_is_refused(ids: str, k: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        displacement(ids, "A", k)
