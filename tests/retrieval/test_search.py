"""Exact search: the same bytes as scoring every segment alone and copying the whole matrix."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countercase.encoders.embedded.runtime import has_bf16
from countercase.retrieval import rough_scores, search
from countercase.retrieval.rough_scores import Bfloat16, Float32
from countercase.retrieval.search import alike_together, best_chunks

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
    vectors: np.ndarray,
    chunks: np.ndarray,
    starts: np.ndarray,
    threads: int = 1,
    decimals: int = 9,
) -> None:
    scores, places = best_chunks(vectors, chunks, starts, threads)
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


@pytest.fixture(params=["float32", "bfloat16"])
def rough(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both kinds of rough scores, whatever the size."""
    if request.param == "bfloat16" and not has_bf16():
        pytest.skip("the processor has no bfloat16 units; float32 is what it uses")
    monkeypatch.setattr(rough_scores, "LARGE", 0 if request.param == "bfloat16" else 1 << 60)
    return request.param


@pytest.mark.usefixtures("rough")
@pytest.mark.parametrize("block", [4, 16, 1000])
def test_the_same_bytes_as_one_by_one(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A block of four is shorter than many cases, which are then cut and put together again.
    monkeypatch.setattr(search, "BLOCK", block)

    @settings(max_examples=25, deadline=None)
    @given(SEEDS, SIZES, st.integers(1, 9), st.integers(1, 3))
    def check(seed: int, sizes: list[int], count: int, threads: int) -> None:
        rng = np.random.default_rng(seed)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        chunks = unit(rng, int(starts[-1]))
        assert_as_the_oracle(alike(rng, count), chunks, starts, threads)

    check()


@pytest.mark.usefixtures("rough")
@settings(max_examples=25, deadline=None)
@given(SEEDS, SIZES)
def test_equal_and_orthogonal_chunks(seed: int, sizes: list[int]) -> None:
    # Axes and their opposites: scores of 1, of 0 with both signs, and ties in every case.
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    axes = np.concatenate([np.eye(4, 8), -np.eye(4, 8)]).astype(np.float32)
    chunks, vectors = axes[rng.integers(0, 8, starts[-1])], axes[rng.integers(0, 8, 3)]
    assert_as_the_oracle(vectors, chunks, starts)


@pytest.mark.usefixtures("rough")
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


@pytest.mark.usefixtures("rough")
def test_a_memory_mapped_matrix_gives_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    chunks, vectors, starts = unit(rng, 5000), unit(rng, 5), np.arange(0, 5001, 25)
    np.save(tmp_path / "chunks.npy", chunks)
    mapped = np.load(tmp_path / "chunks.npy", mmap_mode="r")
    assert_as_the_oracle(vectors, mapped, starts, 2)


@pytest.mark.parametrize("kind", [Float32, Bfloat16])
@settings(max_examples=60, deadline=None)
@given(SEEDS, st.floats(-1, 1), st.sampled_from([1, 3, 64, 384, 768]))
def test_no_chunk_that_may_be_the_best_falls_below_the_floor(
    kind: type, seed: int, toward: float, width: int
) -> None:
    if kind is Bfloat16 and not has_bf16():
        pytest.skip("the processor has no bfloat16 units")
    rng = np.random.default_rng(seed)
    vectors, chunks = unit(rng, 2, width), unit(rng, 40, width)
    # From unrelated chunks to copies of the vector or of its opposite.
    chunks = (1 - abs(toward)) * chunks + toward * vectors[0]
    norms = np.linalg.norm(chunks.astype(np.float64), axis=1, keepdims=True)
    chunks = (chunks / np.where(norms == 0, 1, norms)).astype(np.float32)
    rough = Float32(vectors) if kind is Float32 else Bfloat16(vectors, 1)
    scores = np.empty((2, 40), dtype=np.float32)
    rough.scores(chunks, scores)
    exact = vectors.astype(np.float64) @ chunks.T.astype(np.float64)
    good = exact >= exact.max(axis=1, keepdims=True) - 1e-9
    floor = rough.floor(scores.max(axis=1, keepdims=True))
    assert (scores >= floor)[good].all()


def test_the_bound_is_not_empty() -> None:
    # It must leave out most chunks, or the rough scores would be for nothing.
    rng = np.random.default_rng(9)
    vectors, chunks = unit(rng, 8), unit(rng, 4000)
    for rough in [Float32(vectors), *([Bfloat16(vectors, 1)] if has_bf16() else [])]:
        scores = np.empty((8, 4000), dtype=np.float32)
        rough.scores(chunks, scores)
        best = np.maximum.reduceat(scores, np.arange(0, 4000, 25), axis=1)
        near = scores >= np.repeat(rough.floor(best), 25, axis=1)
        assert near.mean() < 2 / 25


def test_bfloat16_is_the_nearest() -> None:
    values = np.array([[1.0, 1 + 2.0**-9, 1 + 3 * 2.0**-9, -1 - 2.0**-8, 0.0]], dtype=np.float32)
    # Halfway cases go to the even neighbour: 1 + 2⁻⁸ lies halfway between 1 and 1 + 2⁻⁷.
    expected = [1.0, 1.0, 1 + 2.0**-7, -1.0, 0.0]
    assert rough_scores._to_bfloat16(values)[0].tolist() == expected


def test_blocks_hold_whole_cases_and_long_ones_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BLOCK", 4)
    pieces = search._pieces(np.array([0, 2, 3, 12, 13]))
    assert pieces.tolist() == [0, 2, 3, 7, 11, 12, 13]
    bounds = [(int(pieces[a]), int(pieces[b])) for a, b in search._blocks(pieces)]
    assert bounds == [(0, 3), (3, 7), (7, 11), (11, 13)]


def test_vectors_that_are_alike_stand_together() -> None:
    close = np.array([[1, 0], [0, 1], [0.9, 0.436], [0.1, 0.995]], dtype=np.float32)
    order, groups = alike_together(close)
    assert [order[group].tolist() for group in groups] == [[0, 2], [1, 3]]
