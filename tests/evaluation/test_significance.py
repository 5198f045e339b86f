"""Randomisation test, Holm's correction and bootstrap intervals, by hand."""

from __future__ import annotations

import pytest

from countercase.counterfactual.null_floor import holm
from countercase.evaluation.statistics import bootstrap_interval, randomisation_test


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        # all 8 assignments: only + + + and - - - reach 3
        ([1.0, 1.0, 1.0], 2 / 8),
        # the observed sum is 0, and every sum is at least that far from 0
        ([0.5, -0.5], 1.0),
        # 4 + 1 - 2 = 3: 7, 5, 3 and their opposites, of 8
        ([4.0, 1.0, -2.0], 6 / 8),
        ([0.0, 0.0], 1.0),
        ([5.0], 1.0),
        # queries without a difference take no part in the count
        ([1.0] * 12 + [0.0] * 40, 2 / 4096),
    ],
)
def test_p_counts_the_assignments_that_reach_the_observed_one(
    differences: list[float], p: float
) -> None:
    assert randomisation_test(differences, [0.0] * len(differences)) == pytest.approx(p)


def test_the_drawn_test_is_never_zero_and_repeats_with_its_seed() -> None:
    first, second = [1.0] * 30, [0.0] * 30
    assert randomisation_test(first, second, resamples=999) == 1 / 1000
    uneven = [at % 7 / 7 for at in range(30)], [at % 5 / 5 for at in range(30)]
    one = randomisation_test(*uneven, seed=1)
    assert one == randomisation_test(*uneven, seed=1) != randomisation_test(*uneven, seed=2)
    assert one == randomisation_test(*uneven[::-1], seed=1)  # and no system is the first


@pytest.mark.parametrize(
    ("given_", "adjusted"),
    [
        # .005 × 4 = .02; .01 × 3 = .03; .03 × 2 = .06; .04 × 1 = .04, raised to the .06 before it
        ({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005},
         {"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02}),
        ({"a": 0.6, "b": 0.7}, {"a": 1.0, "b": 1.0}),
        ({}, {}),
    ],
)  # fmt: skip
def test_holm_by_hand(given_: dict[str, float], adjusted: dict[str, float]) -> None:
    assert holm(given_) == pytest.approx(adjusted)
    assert list(holm(given_)) == list(adjusted)


def test_equal_values_leave_no_doubt_and_one_value_says_nothing_of_others() -> None:
    # means of two draws from 0 and 1: 0, .5, .5, 1, a quarter of them at each end
    assert bootstrap_interval([0.0, 1.0]) == (0.0, 1.0)
    assert bootstrap_interval([0.25] * 5) == (0.25, 0.25)
    assert bootstrap_interval([0.25]) == (None, None)
    assert bootstrap_interval([]) == (None, None)


def test_an_interval_repeats_with_its_seed_and_holds_the_mean() -> None:
    values = [at % 7 / 7 for at in range(60)]
    found = bootstrap_interval(values, 1)
    assert found == bootstrap_interval(values, 1) != bootstrap_interval(values, 2)
    assert found is not None and found[0] < 3 / 7 < found[1]
