"""Thresholds, the area under the curve, and the order of importance, by hand."""

from __future__ import annotations

import pytest
from labelled_cases import case
from scipy.stats import spearmanr

from countercase.evaluation.counterfactual.labels import SWEEP, CaseReading, CaseResult, sweep
from countercase.evaluation.statistics import Pairs, pooled_correlation, rank_correlation, rate

# Rates, the sweep, the AUC


def test_a_share_has_a_wilson_interval_and_of_nothing_none() -> None:
    assert rate(5, 10).cells == pytest.approx((0.5, 0.2366, 0.7634), abs=5e-5)
    assert rate(0, 0).cells == (None, None, None)


def test_a_value_on_the_threshold_is_not_above_it() -> None:
    points = sweep([1.0, 1.5, 2.0], [1.0, 1.5, 2.0])
    assert [point.threshold for point in points] == list(SWEEP)
    at = {point.threshold: point for point in points}
    assert (at[1.5].high, at[1.5].low) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


# Importance


def order(sensitivities: list[float], ranks: list[int]) -> Pairs:
    """Sensitivities and importance: rank 1 is the most important."""
    return tuple(sensitivities), tuple(-rank for rank in ranks)


def test_types_that_were_not_measured_or_not_ranked_are_left_out() -> None:
    moved = {"Section": 2.0, "Evidence": None, "Numerical": 0.5, "PartyType": 1.0}
    ranks = {"Section": 1, "Evidence": 2, "Numerical": 3}
    result = CaseResult(case(expert_importance_ranking=ranks), CaseReading("made-case", moved, ()))
    assert result.order == ((2.0, 0.5), (-1, -3))


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
    sides = (30, 20, 10, 0.3, 0.2, 0.1), (-1, -2, -3, -1, -2, -3)
    assert (across.value, across.n) == (pytest.approx(spearmanr(*sides).statistic), 6)
    assert across.value is not None and across.value < 0.6


def test_rho_of_a_case_by_hand() -> None:
    """Of the six pairings of three pairs two are as far from 0: the one order and the other."""
    found = rank_correlation([1.0, 2.0, 3.0], [-3, -2, -1])
    assert (found.value, found.n, found.p) == (pytest.approx(1.0), 3, pytest.approx(2 / 6))
    tied = rank_correlation([1.0, 1.0, 3.0, 2.0], [4, 3, 1, 2])
    assert tied.value == pytest.approx(spearmanr([1, 1, 3, 2], [4, 3, 1, 2]).statistic)


@pytest.mark.parametrize("pairs", [([1.0, 2.0], [2, 1]), ([1.0, 1.0, 1.0], [1, 2, 3])])
def test_two_pairs_or_values_that_are_all_alike_have_no_correlation(pairs: Pairs) -> None:
    assert rank_correlation(*pairs).value is None
    assert pooled_correlation([pairs]).value is None
