"""Exact case-by-case search: against brute force, and the same in any batch."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countercase.retrieval.dense import dense_rows, stand_out


def unit(rng: np.random.Generator, rows: int, width: int = 16) -> np.ndarray:
    raw = rng.normal(size=(rows, width))
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 6), min_size=2, max_size=12))
def test_best_chunk_of_every_case_by_brute_force(seed: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chunks, vectors = unit(rng, int(starts[-1])), unit(rng, 3)
    for vector, row in zip(vectors, dense_rows(vectors, chunks, starts), strict=True):
        scores = chunks.astype(np.float64) @ vector.astype(np.float64)
        for case, (left, right) in enumerate(pairwise(starts)):
            assert row.chunk[case] == left + int(np.argmax(scores[left:right]))
            assert row.cosine[case] == pytest.approx(scores[left:right].max(), abs=1e-9)


def test_standing_out_keeps_the_order_and_counts_little_below() -> None:
    scores = np.array([0.1] * 50 + [0.2, 0.3, 0.9])
    strength = stand_out(scores, 2.0)
    assert (np.diff(strength[[0, 50, 51, 52]]) > 0).all()
    assert strength[0] < 0.01
    z = (0.9 - scores.mean()) / scores.std()
    assert strength[52] == pytest.approx(z - 2.0, abs=1e-3)


def test_nothing_stands_out_of_a_flat_corpus() -> None:
    assert stand_out(np.full(5, 0.4), 2.0).tolist() == [0] * 5
