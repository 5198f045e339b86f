"""Mean rank displacement: worked by hand, bounded, symmetric."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.counterfactual.displacement import mean_rank_displacement

TOP = st.lists(st.sampled_from("ABCDEFGHIJKLMNOP"), unique=True, max_size=10)


def test_the_same_list_does_not_move() -> None:
    assert mean_rank_displacement("ABC", "ABC", 10).mean == 0


def test_two_neighbours_that_change_places() -> None:
    change = mean_rank_displacement(["A", "B", "C"], ["B", "A", "C"], 3)
    assert change.by_case == {"A": 1, "B": 1, "C": 0}
    assert change.mean == pytest.approx(2 / 3)


def test_a_case_that_drops_out_has_rank_k_plus_one() -> None:
    change = mean_rank_displacement(["A", "B", "C"], ["A", "B", "D"], 3)
    # C: |3 − 4| = 1; D: |4 − 3| = 1; union of four cases
    assert change.by_case == {"A": 0, "B": 0, "C": 1, "D": 1}
    assert change.mean == pytest.approx(2 / 4)
    assert change.dropped == ("C",)
    assert change.new == ("D",)


def test_k_counts_and_not_the_length_of_the_list() -> None:
    change = mean_rank_displacement(["A"], [], 10)
    assert change.by_case == {"A": 10}


def test_disjoint_lists_of_length_k() -> None:
    # ranks 1..3 against 4 on both sides: (3 + 2 + 1) * 2 / 6
    assert mean_rank_displacement("ABC", "DEF", 3).mean == 2


@given(TOP, TOP)
def test_bounds_and_symmetry(left: list[str], right: list[str]) -> None:
    there = mean_rank_displacement(left, right, 10)
    back = mean_rank_displacement(right, left, 10)
    assert 0 <= there.mean <= 11
    assert there.mean == pytest.approx(back.mean)
    assert there.by_case == back.by_case
    assert there.dropped == back.new
    assert set(there.by_case) == {*left, *right}
    assert (there.mean == 0) == (left == right)


@pytest.mark.parametrize(("listed", "k"), [("AAB", 10), ("ABCD", 3)])
def test_what_is_no_top_k_list_is_refused(listed: str, k: int) -> None:
    with pytest.raises(ValueError, match="not a top-"):
        mean_rank_displacement(listed, "A", k)
