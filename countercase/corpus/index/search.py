"""Exact search: for each vector the best chunk of every case, in one pass over the matrix.

The matrix is read block by block and never copied whole: it may be larger than memory. Neither the
blocks nor the batch of vectors nor the number of threads can reach the result: a score that another
order of additions might round to another number is summed anew in one order (`settle`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.apart import one_thread

Vectors = NDArray[np.float32]
Scores = NDArray[np.float64]
Places = NDArray[np.int64]

DECIMALS: Final = 9
"""Scores that agree to this many decimals are equal."""

BLOCK: Final = 2_048
"""Chunks scored together, about: whole cases."""

_NEAR: Final = 2 * 10.0**-DECIMALS
"""What lies no further below the best of its case may round to the same score."""


def best_chunks(vectors: Vectors, chunks: Vectors, starts: Places) -> tuple[Scores, Places]:
    """Find the best chunk of every case for each vector, and its score.

    Args:
        vectors: float32, shape (vectors, width), unit.
        chunks: float32, shape (chunks, width), unit, grouped by case; it may be memory-mapped.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1], at least one.

    Returns scores, float64, rounded to `DECIMALS`, and positions in `chunks`, each of shape
    (vectors, cases). Of chunks with equal scores it is the first.
    """
    wide = vectors.astype(np.float64)
    shape = (len(vectors), len(starts) - 1)
    scores, places = np.empty(shape), np.empty(shape, dtype=np.int64)

    def search_block(bounds_of_block: tuple[int, int]) -> None:
        first, after = bounds_of_block
        begin, end = int(starts[first]), int(starts[after])
        bounds, sizes = starts[first:after] - begin, np.diff(starts[first : after + 1])
        block = np.ascontiguousarray(chunks[begin:end]).astype(np.float64)
        products = wide @ block.T
        best = np.maximum.reduceat(products, bounds, axis=1)
        vector, row = np.nonzero(products >= np.repeat(best - _NEAR, sizes, axis=1))

        def alone(at: int) -> float:
            return float(np.einsum("ij,j->i", block[row[at]][None], wide[vector[at]])[0])

        settled = settle(products[vector, row], wide.shape[1], alone)
        case = np.repeat(np.arange(len(sizes)), sizes)
        at = _first_best(settled, vector * len(sizes) + case[row])
        part = (len(vectors), len(sizes))
        scores[:, first:after] = settled[at].reshape(part)
        places[:, first:after] = (row[at] + begin).reshape(part)

    with one_thread(), ThreadPoolExecutor() as pool:
        list(pool.map(search_block, _blocks(starts)))
    return scores, places


def _blocks(starts: Places) -> list[tuple[int, int]]:
    """Cut the cases into runs, first and after the last, of about `BLOCK` chunks each."""
    bounds = [0]
    while bounds[-1] < len(starts) - 1:
        after = int(np.searchsorted(starts, starts[bounds[-1]] + BLOCK, side="right")) - 1
        bounds.append(max(after, bounds[-1] + 1))
    return list(pairwise(bounds))


def _first_best(scores: Scores, owner: Places) -> Places:
    """Return where each owner's best score stands, the first of equals; `owner` ascends."""
    runs = np.flatnonzero(np.diff(owner, prepend=-1))
    best = np.maximum.reduceat(scores, runs)
    at_best = np.flatnonzero(scores == np.repeat(best, np.diff(runs, append=len(owner))))
    return at_best[np.diff(owner[at_best], prepend=-1) > 0]


def settle(scores: Scores, terms: int, alone: Callable[[int], float]) -> Scores:
    """Round scores to `DECIMALS`, as if each were summed alone and in one order.

    Two float64 sums of the n products of unit vectors differ by at most 2n·2⁻⁵³ (Higham, "Accuracy
    and stability of numerical algorithms", 2nd ed., sec. 3.1), 10⁻¹³ for 384, and round to two
    numbers only where a boundary lies between them. `terms` are n, or more where vectors are longer
    than 1; `alone` sums the score at a flat position in the one order that counts; 0 has no sign.
    """
    doubt = (terms + 4) * 2.0**-52 * 10.0**DECIMALS
    units = scores * 10.0**DECIMALS
    whole = np.rint(units) + 0.0
    result: Scores = whole / 10.0**DECIMALS
    for at in np.flatnonzero(np.abs(units - whole) > 0.5 - doubt).tolist():
        result.flat[at] = np.round(alone(at), DECIMALS) + 0.0
    return result
