"""How near each judgment is to everything: what its best chunk scores for questions at large."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

SAMPLED_QUESTIONS: Final = 256
"""Chunks, spread evenly over the corpus, that are asked as questions to measure hubness."""

_ROWS_AT_ONCE: Final = 16_384
_MARGIN: Final = 1e-4
"""Float32 cosines this close to a case's best are computed again in float64."""
_DECIMALS: Final = 9


def sampled_chunks(count: int) -> NDArray[np.int64]:
    """Positions of the chunks that are asked as questions: all of a small corpus."""
    return np.unique(np.linspace(0, count - 1, min(SAMPLED_QUESTIONS, count)).astype(np.int64))


def hubness(
    questions: NDArray[np.float32],
    owners: NDArray[np.int64],
    chunks: NDArray[np.float32],
    starts: NDArray[np.int64],
) -> Scores:
    """Mean best score of each case over `questions`, its own ones left out; shape (cases,).

    The more chunks a judgment has, and the more they say what every judgment says, the higher the
    best of them scores for any question: the judgment is a hub (Radovanovic, Nanopoulos and
    Ivanovic 2010). A share of this mean is taken off its scores, as BM25 takes off a share of the
    length, and as cross-domain similarity local scaling does in translation (Conneau et al. 2018,
    sec. 2.3).

    Args:
        questions: shape (sampled, width), unit.
        owners: the case that each question was taken from, shape (sampled,).
        chunks: shape (chunks, width), unit, grouped by case.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
    """
    best = _best_of_cases(questions, chunks, starts)
    others = owners[:, None] != np.arange(best.shape[1])
    counted = others.sum(axis=0)
    total = np.sort(np.where(others, best, 0.0), axis=0).sum(axis=0)
    mean: Scores = np.round(total / np.maximum(counted, 1), _DECIMALS)
    # A case that no other case asks has nothing to compare with; it gets what the others have.
    mean[counted == 0] = mean[counted > 0].mean() if (counted > 0).any() else 0.0
    return mean


def _best_of_cases(
    questions: NDArray[np.float32], chunks: NDArray[np.float32], starts: NDArray[np.int64]
) -> Scores:
    """The best cosine of each case for each question, exact; shape (questions, cases)."""
    cases = len(starts) - 1
    best = np.empty((len(questions), cases))
    first = 0
    while first < cases:  # whole cases, about _ROWS_AT_ONCE chunks of them
        last = int(np.searchsorted(starts, starts[first] + _ROWS_AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), cases)
        block = np.ascontiguousarray(chunks[starts[first] : starts[last]])
        inner = starts[first:last] - starts[first]
        rough = questions @ block.T
        top = np.maximum.reduceat(rough, inner, axis=1)
        owner = np.repeat(np.arange(last - first), np.diff(starts[first : last + 1]))
        asked, near = np.nonzero(rough >= top[:, owner] - _MARGIN)
        exact = np.einsum(
            "ij,ij->i", block[near].astype(np.float64), questions[asked].astype(np.float64)
        )
        part = np.full((len(questions), last - first), -np.inf)
        np.maximum.at(part, (asked, owner[near]), np.round(exact, _DECIMALS))
        best[:, first:last] = part
        first = last
    return best
