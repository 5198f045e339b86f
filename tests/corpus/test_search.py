"""Exact search: the same bytes as scoring every segment alone and copying the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from countercase.corpus.index import search
from countercase.corpus.index.search import best_chunks

WIDTH = 384
SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=25)
SEEDS = st.integers(0, 2**32 - 1)


def unit(rng: np.random.Generator, rows: int, width: int = WIDTH) -> np.ndarray:
    raw = rng.normal(size=(rows, width))
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


def oracle(
    vector: np.ndarray, chunks: np.ndarray, starts: np.ndarray, decimals: int = 9
) -> tuple[np.ndarray, np.ndarray]:
    """The search of one vector as the first version did it: float32, then near ones in float64."""
    rough = chunks @ vector
    best = np.maximum.reduceat(rough, starts[:-1])
    near = np.flatnonzero(rough >= np.repeat(best, np.diff(starts)) - 1e-4)
    exact = np.round(
        np.einsum("ij,j->i", chunks[near].astype(np.float64), vector.astype(np.float64)), decimals
    )
    owner = np.searchsorted(starts, near, side="right") - 1
    order = np.lexsort((near, -exact, owner))
    first = order[np.unique(owner[order], return_index=True)[1]]
    return exact[first], near[first]


def assert_as_the_oracle(
    vectors: np.ndarray, chunks: np.ndarray, starts: np.ndarray, threads: int = 1, decimals: int = 9
) -> None:
    with threadpool_limits(threads, "blas"):
        scores, places = best_chunks(vectors, chunks, starts)
    for vector, score, place in zip(vectors, scores, places, strict=True):
        exact, chunk = oracle(vector, chunks, starts, decimals)
        assert score.tobytes() == exact.tobytes()
        assert place.tolist() == chunk.tolist()


def alike(rng: np.random.Generator, count: int) -> np.ndarray:
    """Vectors of which each second one is close to the one before, as edited segments are."""
    vectors = unit(rng, count)
    vectors[1::2] = vectors[: count - 1 : 2] + 0.2 * vectors[1::2]
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / norms).astype(np.float32)


@pytest.mark.parametrize("block", [4, 16, 1000])
def test_the_same_bytes_as_one_by_one(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A block of four is shorter than many cases, which then are a block of their own.
    monkeypatch.setattr(search, "BLOCK", block)

    @settings(max_examples=25)
    @given(SEEDS, SIZES, st.integers(1, 9), st.integers(1, 3))
    def check(seed: int, sizes: list[int], count: int, threads: int) -> None:
        rng = np.random.default_rng(seed)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        chunks = unit(rng, int(starts[-1]))
        assert_as_the_oracle(alike(rng, count), chunks, starts, threads)

    check()


@settings(max_examples=25)
@given(SEEDS, SIZES)
def test_equal_and_orthogonal_chunks(seed: int, sizes: list[int]) -> None:
    # Axes and their opposites: scores of 1, of 0 with both signs, and ties in every case.
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    axes = np.concatenate([np.eye(4, 8), -np.eye(4, 8)]).astype(np.float32)
    chunks, vectors = axes[rng.integers(0, 8, starts[-1])], axes[rng.integers(0, 8, 3)]
    assert_as_the_oracle(vectors, chunks, starts)


@pytest.mark.parametrize("decimals", [9, 13])
def test_scores_on_a_rounding_boundary_are_summed_in_the_one_order(
    decimals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Chunks that differ in the last bits of float32, so that their scores are 1e-9 apart and less.
    # To 13 decimals every score lies near a boundary, and each is summed in that order.
    monkeypatch.setattr(search, "DECIMALS", decimals)
    rng = np.random.default_rng(3)
    chunks = np.repeat(unit(rng, 8), 40, axis=0)
    for row in chunks:
        row[rng.integers(0, WIDTH, 5)] *= 1 + 2.0**-22
    assert_as_the_oracle(unit(rng, 6), chunks, np.arange(0, 321, 40), 2, decimals)
