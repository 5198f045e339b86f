"""Exact search: for each vector the best chunk of every case, in one pass over the matrix.

The matrix is read once for all vectors, block by block, and never copied whole: it may be
memory-mapped and larger than memory. In each block every chunk gets a rough score. Chunks whose
rough score lies so near the best of their case that they could be the best are scored again in
float64, and only those. How near is near enough is proved in `rough_scores`.

Blocks are shared out among threads. Neither their number, nor the blocks, nor the batch of vectors
can reach the result: a float64 score that another order of additions might round to another
number is summed anew in the one order that counts (`_settled`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from threading import Lock, local
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.retrieval.base import DECIMALS, Scores
from countercase.retrieval.rough_scores import Rough, Vectors, rough_scores

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]

Search: TypeAlias = Callable[[Vectors, Vectors, Places], tuple[Scores, Places]]
"""`best_chunks`, or what gives the same: of vectors, chunks and starts."""

BLOCK: Final = 2_048
"""Chunks scored together: their rough scores for a hundred vectors stay in the caches."""

ALIKE: Final = 0.8
"""Vectors with this cosine mostly agree on the best chunk, and share its exact scoring."""

ROWS: Final = 128
"""Rows scored together in float64: few enough for the caches of a core."""

_ONE_AT_A_TIME: Final = Lock()


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def best_chunks(
    vectors: Vectors, chunks: Vectors, starts: Places, threads: int = 0
) -> tuple[Scores, Places]:
    """The best chunk of every case for each vector, and its score.

    Args:
        vectors: float32, shape (vectors, width), unit.
        chunks: float32, shape (chunks, width), unit, grouped by case; it may be memory-mapped.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1], at least one.
        threads: blocks searched at once; 0 for one per core. The result is the same for all.

    Returns:
        Scores, float64, rounded to `DECIMALS`, and positions in `chunks`, each of shape
        (vectors, cases). Of chunks with equal scores it is the first.
    """
    threads = threads or len(os.sched_getaffinity(0))
    order, groups = alike_together(vectors)
    pieces = _pieces(starts)
    rough = rough_scores(vectors[order], len(chunks), threads)
    search = _Search(vectors, order, groups, chunks, pieces, rough)
    blocks = _blocks(pieces)
    if len(blocks) == 1:
        search.block(*blocks[0])
    else:
        # Each thread multiplies alone: the library's own threads would wait for each other. Their
        # number belongs to the process, so one search at a time may set it.
        with _ONE_AT_A_TIME, _blas().limit(limits=1), ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(search.block, *block) for block in blocks]:
                done.result()
    return _whole_cases(search.score, search.chunk, pieces, starts)


def alike_together(vectors: Vectors) -> tuple[Places, list[slice]]:
    """An order of the vectors in which those that are alike stand together, and where they do."""
    left = np.arange(len(vectors))
    order: list[int] = []
    groups: list[slice] = []
    while len(left):
        alike = vectors[left] @ vectors[left[0]] >= ALIKE
        alike[0] = True
        groups.append(slice(len(order), len(order) + int(alike.sum())))
        order += left[alike].tolist()
        left = left[~alike]
    return np.asarray(order, dtype=np.int64), groups


def _pieces(starts: Places) -> Places:
    """The cases' bounds; a case longer than a block is cut into pieces."""
    bounds: list[Places] = [
        np.arange(starts[case], starts[case + 1], BLOCK)[1:]
        for case in np.flatnonzero(np.diff(starts) > BLOCK)
    ]
    return np.sort(np.concatenate([starts, *bounds])).astype(np.int64)


def _blocks(pieces: Places) -> list[tuple[int, int]]:
    """Runs of pieces, first and after the last, of at most `BLOCK` chunks each."""
    blocks = [0]
    while blocks[-1] < len(pieces) - 1:
        after = int(np.searchsorted(pieces, pieces[blocks[-1]] + BLOCK, side="right")) - 1
        blocks.append(after)
    return list(pairwise(blocks))


def _whole_cases(
    score: Scores, chunk: Places, pieces: Places, starts: Places
) -> tuple[Scores, Places]:
    """Results by piece as results by case; of equal pieces the first."""
    if len(pieces) == len(starts):
        return score, chunk
    cases = np.searchsorted(starts, pieces[:-1], side="right") - 1
    owner = (np.arange(len(score))[:, None] * (len(starts) - 1) + cases).ravel()
    first = _first_best(score.ravel(), owner)
    shape = (len(score), len(starts) - 1)
    return score.ravel()[first].reshape(shape), chunk.ravel()[first].reshape(shape)


def _first_best(scores: Scores, owner: Places) -> Places:
    """Where each owner's best score stands, the first of equals; `owner` ascends."""
    runs = np.flatnonzero(np.diff(owner, prepend=-1))
    best = np.maximum.reduceat(scores, runs)
    at_best = np.flatnonzero(scores == np.repeat(best, np.diff(runs, append=len(owner))))
    return at_best[np.diff(owner[at_best], prepend=-1) > 0]


class _Space:
    """Arrays that one thread fills again for every block."""

    def __init__(self, vectors: int, block: int, width: int) -> None:
        self.rough: Vectors = np.empty((vectors, block), dtype=np.float32)
        self.near: Mask = np.empty((vectors, block), dtype=np.bool_)
        self.place: Places = np.empty(block, dtype=np.int64)
        self.narrow: Vectors = np.empty((ROWS, width), dtype=np.float32)
        self.wide: Scores = np.empty((ROWS, width))


class _Search:
    """One pass over the chunks.

    Attributes:
        score, chunk: what was found so far, shape (vectors, pieces).
    """

    def __init__(
        self,
        vectors: Vectors,
        order: Places,
        groups: Sequence[slice],
        chunks: Vectors,
        pieces: Places,
        rough: Rough,
    ) -> None:
        self._vectors, self._groups = vectors[order].astype(np.float64), groups
        self._columns = [np.ascontiguousarray(self._vectors[group].T) for group in groups]
        self._order, self._chunks, self._pieces, self._rough = order, chunks, pieces, rough
        shape = (len(vectors), len(pieces) - 1)
        self.score: Scores = np.empty(shape)
        self.chunk: Places = np.empty(shape, dtype=np.int64)
        self._own = local()

    def block(self, first: int, after: int) -> None:
        """Search the pieces `first` to `after`."""
        space = self._space()
        begin, end = int(self._pieces[first]), int(self._pieces[after])
        # Blocks of one size, so that the runtime prepares one product only.
        left = max(0, min(begin, len(self._chunks) - BLOCK))
        block = np.ascontiguousarray(self._chunks[left : left + BLOCK])
        self._rough.scores(block, space.rough)
        block, rough = block[begin - left : end - left], space.rough[:, begin - left : end - left]
        bounds, sizes = self._pieces[first:after] - begin, np.diff(self._pieces[first : after + 1])
        floor = self._rough.floor(np.maximum.reduceat(rough, bounds, axis=1))
        near = space.near[:, : end - begin]
        np.greater_equal(rough, np.repeat(floor, sizes, axis=1), out=near)
        vector, row = np.divmod(np.flatnonzero(near), end - begin)
        score = np.empty(len(row))
        cuts = np.searchsorted(vector, [0, *(group.stop for group in self._groups)])
        for group, columns, pairs in zip(
            self._groups, self._columns, map(slice, cuts, cuts[1:]), strict=False
        ):
            rows = np.flatnonzero(np.logical_or.reduce(near[group]))
            products = _products(block, rows, columns, space)
            space.place[rows] = np.arange(len(rows))
            score[pairs] = products[space.place[row[pairs]], vector[pairs] - group.start]
        score = _settled(score, vector, row, self._vectors, block)
        piece = np.repeat(np.arange(len(sizes)), sizes)
        best = _first_best(score, vector * len(sizes) + piece[row])
        shape = (len(self._vectors), len(sizes))
        self.score[self._order, first:after] = score[best].reshape(shape)
        self.chunk[self._order, first:after] = (row[best] + begin).reshape(shape)

    def _space(self) -> _Space:
        if not hasattr(self._own, "space"):
            block = min(BLOCK, len(self._chunks))
            self._own.space = _Space(len(self._vectors), block, self._chunks.shape[1])
        space: _Space = self._own.space
        return space


def _products(block: Vectors, rows: Places, columns: Scores, space: _Space) -> Scores:
    """Float64 products of some rows of a block with columns, shape (rows, columns)."""
    products: Scores = np.empty((len(rows), columns.shape[1]))
    for begin in range(0, len(rows), ROWS):
        part = rows[begin : begin + ROWS]
        narrow, wide = space.narrow[: len(part)], space.wide[: len(part)]
        np.take(block, part, axis=0, out=narrow, mode="clip")
        np.copyto(wide, narrow)
        np.matmul(wide, columns, out=products[begin : begin + ROWS])
    return products


def _settled(
    scores: Scores, vector: Places, row: Places, vectors: Scores, block: Vectors
) -> Scores:
    """Scores rounded to `DECIMALS`, as if each were summed alone and in one order.

    Two float64 sums of the n products of unit vectors differ by at most 2n·2⁻⁵³ (Higham, sec. 3.1),
    10⁻¹³ for 384. They round to two numbers only where a boundary, or 0 with its two signs, lies
    between them.
    """
    doubt = (block.shape[1] + 4) * 2.0**-52 * 10.0**DECIMALS
    units = scores * 10.0**DECIMALS
    whole = np.rint(units)
    unsure = (np.abs(units - whole) > 0.5 - doubt) | (whole == 0)
    result: Scores = whole / 10.0**DECIMALS
    for at in np.flatnonzero(unsure):
        alone = np.einsum("ij,j->i", block[row[at]][None].astype(float), vectors[vector[at]])
        result[at] = np.round(alone[0], DECIMALS)
    return result
