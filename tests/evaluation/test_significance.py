"""Randomisation test, Holm's correction and bootstrap intervals, by hand and against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from countercase.counterfactual.null_floor import holm
from countercase.evaluation.statistics import bootstrap_interval, randomisation_test

quarters = st.integers(0, 8).map(lambda n: n / 8)
"""Values whose sums are exact, so that equal is equal."""


def paired(least: int, most: int) -> st.SearchStrategy[list[tuple[float, float]]]:
    return st.lists(st.tuples(quarters, quarters), min_size=least, max_size=most)


def exact_by_scipy(first: list[float], second: list[float]) -> float:
    found = stats.permutation_test(
        (np.array(first), np.array(second)),
        lambda one, two, axis: np.mean(one - two, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="two-sided",
    )
    return float(found.pvalue)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        # all 8 assignments: only + + + and - - - reach 3
        ([1.0, 1.0, 1.0], 2 / 8),
        # sums 4, 2, -2, -4: two of four reach 4
        ([3.0, 1.0], 2 / 4),
        # observed sum 2: 4, 2, -2, -4 all reach it
        ([3.0, -1.0], 4 / 4),
        # the observed sum is 0, and every sum is at least that far from 0
        ([0.5, -0.5], 1.0),
        # sums of ±1 ±2 ±4 are all different: 7 and -7 alone reach 7
        ([1.0, 2.0, 4.0], 2 / 8),
        # 1 + 2 - 4 = -1: every one of 7 5 3 1 -1 -3 -5 -7 reaches 1
        ([1.0, 2.0, -4.0], 1.0),
        # 4 + 1 - 2 = 3: 7, 5, 3 and their opposites, of 8
        ([4.0, 1.0, -2.0], 6 / 8),
        ([0.0, 0.0], 1.0),
        ([5.0], 1.0),
        ([1.0] * 12, 2 / 4096),
    ],
)
def test_p_counts_the_assignments_that_reach_the_observed_one(
    differences: list[float], p: float
) -> None:
    assert randomisation_test(differences, [0.0] * len(differences)) == pytest.approx(p)


@given(paired(2, 9))
@settings(max_examples=100, deadline=None)
def test_the_exact_test_is_scipys(pairs: list[tuple[float, float]]) -> None:
    first, second = [one for one, _ in pairs], [two for _, two in pairs]
    assert randomisation_test(first, second) == pytest.approx(exact_by_scipy(first, second))


def test_queries_without_a_difference_do_not_end_the_exact_count() -> None:
    differences = [1.0] * 12 + [0.0] * 40
    assert randomisation_test(differences, [0.0] * 52) == 2 / 4096


def test_the_drawn_test_comes_near_scipys_with_more_draws() -> None:
    draw = np.random.default_rng(7)
    second = draw.random(40)
    first = second + draw.normal(0.04, 0.15, 40)
    ours = randomisation_test(list(first), list(second), seed=3)
    theirs = stats.permutation_test(
        (first, second),
        lambda one, two, axis: np.mean(one - two, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=50_000,
        random_state=np.random.default_rng(11),
    ).pvalue
    assert 0.02 < theirs < 0.5
    assert ours == pytest.approx(theirs, abs=0.02)


def test_the_drawn_test_is_never_zero_and_repeats_with_its_seed() -> None:
    first, second = [1.0] * 30, [0.0] * 30
    assert randomisation_test(first, second, resamples=999) == 1 / 1000
    uneven = [at % 7 / 7 for at in range(30)], [at % 5 / 5 for at in range(30)]
    assert randomisation_test(*uneven, seed=1) == randomisation_test(*uneven, seed=1)
    assert randomisation_test(*uneven, seed=1) != randomisation_test(*uneven, seed=2)


@given(paired(1, 20), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_p_lies_in_0_to_1_and_does_not_ask_which_is_first(
    pairs: list[tuple[float, float]], seed: int
) -> None:
    first, second = [one for one, _ in pairs], [two for _, two in pairs]
    p = randomisation_test(first, second, seed, 200)
    assert 0 < p <= 1
    assert p == randomisation_test(second, first, seed, 200)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0, 2.0], [1.0, 2.0, 3.0])])
def test_nothing_or_unequal_lists_are_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError, match=r"nothing|shapes"):
        randomisation_test(first, second)


def test_holm_by_hand() -> None:
    # .005 × 4 = .02; .01 × 3 = .03; .03 × 2 = .06; .04 × 1 = .04, raised to the .06 before it
    adjusted = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert list(adjusted) == ["a", "b", "c", "d"]
    assert adjusted == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def test_holm_stops_at_1_and_leaves_a_single_one_as_it_is() -> None:
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}
    assert holm({"a": 0.04}) == {"a": 0.04}
    assert holm({}) == {}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_keeps_the_order_and_lies_between_none_and_bonferroni(p_values: list[float]) -> None:
    given_ = dict(enumerate(p_values))
    adjusted = holm(given_)
    for at, p in given_.items():
        assert p <= adjusted[at] <= min(1.0, p * len(p_values)) or adjusted[at] == max(
            min(1.0, (len(p_values) - place) * other)
            for place, other in enumerate(sorted(p_values))
            if other <= p
        )
        for other, q in given_.items():
            if p <= q:
                assert adjusted[at] <= adjusted[other]


def test_the_interval_of_two_values_reaches_from_one_to_the_other() -> None:
    # means of two draws from 0 and 1: 0, .5, .5, 1, a quarter of them at each end
    assert bootstrap_interval([0.0, 1.0]) == (0.0, 1.0)


def test_equal_values_leave_no_doubt_and_one_value_says_nothing_of_others() -> None:
    assert bootstrap_interval([0.25] * 5) == (0.25, 0.25)
    assert bootstrap_interval([0.25]) is None
    assert bootstrap_interval([]) is None


def test_the_interval_comes_near_scipys_and_repeats_with_its_seed() -> None:
    values = list(np.random.default_rng(5).beta(2, 3, 60))
    found = bootstrap_interval(values, seed=1)
    theirs = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert found is not None
    assert found == pytest.approx((theirs.low, theirs.high), abs=0.004)
    assert found == bootstrap_interval(values, seed=1)
    assert found != bootstrap_interval(values, seed=2)
    narrow = bootstrap_interval(values, seed=1, level=0.5)
    assert narrow is not None
    assert found[0] < narrow[0] < narrow[1] < found[1]
