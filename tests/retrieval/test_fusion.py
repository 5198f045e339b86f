"""RRF, MMR and what stands out: known answers, bounds, and an oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from countercase.retrieval.base import best_first, ranks
from countercase.retrieval.dense import stand_out
from countercase.retrieval.fusion import (
    below_the_pool,
    maximal_marginal_relevance,
    reciprocal_rank_fusion,
    scaled,
    with_votes,
)


def test_rrf_by_hand_and_with_weights() -> None:
    fused = reciprocal_rank_fusion([np.array([1, 2, 0]), np.array([3, 1, 2])], k=20)
    assert fused == pytest.approx([1 / 21 + 1 / 23, 1 / 22 + 1 / 21, 1 / 22])
    fused = reciprocal_rank_fusion([np.array([1, 2]), np.array([2, 1])], 20, [0.3, 1.0])
    assert fused == pytest.approx([0.3 / 21 + 1 / 22, 0.3 / 22 + 1 / 21])


def test_votes_are_added_to_the_cases_of_the_pool_alone() -> None:
    fused = np.array([0.5, 0.4, 0.3])
    listed, scores = with_votes([1, 2], fused, np.array([0.9, 0.1, 0.3]))
    assert scores == pytest.approx([0.0, 0.5, 0.6])
    assert listed.tolist() == [0, 2, 1]


def test_below_the_pool_come_the_others_as_fused() -> None:
    fused, listed = np.array([0.5, 0.4, 0.3, 0.0]), np.array([1, 2, 3, 0])
    voted = np.array([0.0, 0.0, 0.9, 0.0])
    order = below_the_pool("abcd", [2], listed, fused, voted, 5)
    assert order == (("c", 0.9), ("a", 0.5), ("b", 0.4))  # d is not ranked at all
    assert below_the_pool("abcd", [2], listed, fused, voted, 2) == order[:2]


@given(
    arrays(np.float64, st.integers(1, 8), elements=st.floats(0, 1)),
    st.floats(0, 1),
    st.integers(0, 2**32 - 1),
)
def test_mmr_against_its_definition(relevance: np.ndarray, lam: float, seed: int) -> None:
    raw = np.abs(np.random.default_rng(seed).normal(size=(len(relevance), 3))) + 0.01
    vectors = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    chosen = maximal_marginal_relevance(relevance, vectors, len(relevance), lam)
    taken: list[int] = []
    for at, score in chosen:
        left = [i for i in range(len(relevance)) if i not in taken]
        values = {
            i: lam * relevance[i]
            - (1 - lam)
            * max((float(vectors[i].astype(float) @ vectors[j].astype(float)) for j in taken), default=0)
            for i in left
        }  # fmt: skip
        assert values[at] == pytest.approx(max(values.values()), abs=1e-6)
        assert score == pytest.approx(values[at], abs=1e-6)
        taken.append(at)
    assert sorted(taken) == list(range(len(relevance)))


def test_scores_are_scaled_to_zero_and_one_and_ties_go_to_the_smaller_case_id() -> None:
    assert scaled(np.array([2.0, 4.0, 3.0])) == pytest.approx([0, 1, 0.5])
    assert scaled(np.array([2.0, 2.0])) == pytest.approx([1, 1])
    order = best_first(np.array([0.5, 0.7, 0.7 + 1e-12, 0.5]))
    assert order.tolist() == [1, 2, 0, 3]
    assert ranks(order, 5).tolist() == [3, 1, 2, 4, 0]


def test_standing_out_keeps_the_order_and_counts_little_below() -> None:
    scores = np.array([0.1] * 50 + [0.2, 0.3, 0.9])
    strength = stand_out(scores, 2.0)
    assert (np.diff(strength[[0, 50, 51, 52]]) > 0).all()
    assert strength[0] < 0.01
    z = (0.9 - scores.mean()) / scores.std()
    assert strength[52] == pytest.approx(z - 2.0, abs=1e-3)
    # Nothing stands out of a flat corpus.
    assert stand_out(np.full(5, 0.4), 2.0).tolist() == [0] * 5
