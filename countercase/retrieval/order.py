"""Ranks that two runs agree on: rounded scores, ties broken by case id."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

DECIMALS: Final = 9
"""Scores that differ by less than this many decimals are equal."""

Scores = NDArray[np.float64]
Ranks = NDArray[np.int64]


def best_first(scores: Scores, allowed: NDArray[np.bool_] | None = None) -> Ranks:
    """Positions in descending order of rounded score; equal scores in order of position.

    Cases are stored sorted by id, so the position is the tie-break by id.
    """
    places = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
    rounded = np.round(scores[places], DECIMALS)
    return places[np.lexsort((places, -rounded))].astype(np.int64)


def ranks(order: Ranks, size: int) -> Ranks:
    """Rank from 1 of each position; 0 for positions that are not in `order`."""
    result = np.zeros(size, dtype=np.int64)
    result[order] = np.arange(1, len(order) + 1)
    return result
