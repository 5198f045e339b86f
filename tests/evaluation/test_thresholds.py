"""Thresholds, the area under the curve, and the order of importance; by hand and by oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_cases import case

from countercase.evaluation import statistics
from countercase.evaluation.counterfactual.labels import (
    SWEEP,
    CaseReading,
    CaseResult,
    sweep,
)
from countercase.evaluation.statistics import (
    Pairs,
    area_under_curve,
    pooled_correlation,
    rank_correlation,
    rate,
)

VALUES = st.lists(st.integers(0, 20).map(lambda n: n / 4), min_size=1, max_size=15)


# Rates, the sweep, the AUC


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 1, 0.2065, 1.0)],
)
def test_wilson_intervals(hits: int, n: int, low: float, high: float) -> None:
    assert rate(hits, n).cells[1:] == pytest.approx((low, high), abs=5e-5)


def test_a_share_of_nothing_is_not_known() -> None:
    assert rate(0, 0).cells == (None, None, None)


def test_a_value_on_the_threshold_is_not_above_it() -> None:
    at = {point.threshold: point for point in sweep([1.0, 1.5, 2.0], [1.0, 1.5, 2.0])}
    assert (at[1.5].high, at[1.5].low) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


@settings(deadline=None)
@given(VALUES, VALUES)
def test_the_sweep_falls_on_one_side_and_rises_on_the_other(
    high: list[float], low: list[float]
) -> None:
    points = sweep(high, low)
    assert [point.threshold for point in points] == list(SWEEP)
    highs = [point.high or 0.0 for point in points]
    lows = [point.low or 0.0 for point in points]
    assert highs == sorted(highs, reverse=True)
    assert lows == sorted(lows)


def test_area_worked_by_hand() -> None:
    """Of the four pairs 2 > 1, 2 < 3, 3 > 1, 3 = 3: two and a half."""
    assert area_under_curve([(True, 2), (False, 1), (True, 3), (False, 3)]) == 2.5 / 4
    assert area_under_curve([(False, 1.0)]) is None
    assert area_under_curve([(True, 1.0)]) is None
    assert area_under_curve([]) is None


# Importance


def order(sensitivities: list[float], ranks: list[int]) -> Pairs:
    """Sensitivities and importance: rank 1 is the most important."""
    return tuple(sensitivities), tuple(-rank for rank in ranks)


def test_types_that_were_not_measured_or_not_ranked_are_left_out() -> None:
    moved = {"Section": 2.0, "Evidence": None, "Numerical": 0.5, "PartyType": 1.0}
    ranks = {"Section": 1, "Evidence": 2, "Numerical": 3}
    result = CaseResult(case(expert_importance_ranking=ranks), CaseReading("made-case", moved, ()))
    assert result.order == ((2.0, 0.5), (-1, -3))


ORDERS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 20).map(lambda n: n / 4), st.integers(1, 4)),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
    max_size=8,
).map(lambda found: [order([v for v, _ in one], [r for _, r in one]) for one in found])


@settings(max_examples=30, deadline=None)
@given(ORDERS)
def test_pooled_correlation_is_that_of_scipy(orders: list[Pairs]) -> None:
    from scipy.stats import spearmanr

    values = [value for row, _ in orders for value in row]
    turned = [rank for _, row in orders for rank in row]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "CASE_RESAMPLES", 50)
        found = pooled_correlation(orders, times=19)
    if len(values) < 3 or len(set(values)) == 1 or len(set(turned)) == 1:
        assert found.value is None
        return
    assert found.value == pytest.approx(spearmanr(values, turned).statistic, abs=1e-9)
    assert found.n == len(values)
    assert found.p is not None
    assert 1 / 20 <= found.p <= 1


@settings(max_examples=30, deadline=None)
@given(ORDERS)
def test_rho_of_a_case_is_that_of_scipy(orders: list[Pairs]) -> None:
    from scipy.stats import permutation_test, spearmanr

    values, turned = orders[0]
    found = rank_correlation(values, turned)
    if len(turned) < 3 or len(set(values)) == 1 or len(set(turned)) == 1:
        assert found.value is None
        return
    assert found.value == pytest.approx(spearmanr(values, turned).statistic)
    exact = permutation_test(
        (values,),
        lambda drawn: abs(spearmanr(drawn, turned).statistic),
        permutation_type="pairings",
        alternative="greater",
        n_resamples=1_000,
    )
    assert found.p == pytest.approx(exact.pvalue)


def test_agreement_in_every_case_is_no_accident_and_a_shuffle_is_one() -> None:
    agreeing = [order([4.0 + k, 3.0, 2.0, 1.0], [1, 2, 3, 4]) for k in range(6)]
    found = pooled_correlation(agreeing, seed=1)
    assert found.value is not None and found.value > 0.9
    assert found.p is not None and found.p < 0.001
    assert found == pooled_correlation(agreeing, seed=1)
    ranks = ([1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1], [1, 3, 2], [3, 1, 2])
    mixed = pooled_correlation([order([3.0, 2.0, 1.0], list(one)) for one in ranks], seed=1)
    assert mixed.value == pytest.approx(0.0)
    assert mixed.p == 1.0


def test_only_the_order_inside_a_case_counts_where_that_is_asked() -> None:
    orders = [order([30.0, 20.0, 10.0], [1, 2, 3]), order([0.3, 0.2, 0.1], [1, 2, 3])]
    within, across = pooled_correlation(orders, within=True), pooled_correlation(orders)
    assert within.value == pytest.approx(1.0)
    assert across.value is not None
    assert across.value < 0.6
