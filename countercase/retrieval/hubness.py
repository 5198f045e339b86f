"""How high a judgment scores whatever is asked, so that it can be taken off what it scores.

The more chunks a judgment has, and the more its chunks say what every judgment says, the higher
the best of them comes for any question: it is a hub (Radovanovic, Nanopoulos and Ivanovic 2010). The
mean best score over questions drawn from the corpus itself says how much of that there is; a share
of it is taken off, as BM25 takes off a share of the length, and as cross-domain similarity local
scaling does in translation (Conneau et al. 2018, sec. 2.3).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.retrieval.dense import dense_rows
from countercase.retrieval.order import DECIMALS, Scores

DRAWN: Final = 256
"""Questions that are drawn, evenly over the chunks of the corpus."""


def drawn_chunks(count: int) -> NDArray[np.int64]:
    """Positions of the chunks that are asked as questions: all of a small corpus."""
    return np.unique(np.linspace(0, count - 1, min(DRAWN, count)).astype(np.int64))


def hubness(
    questions: NDArray[np.float32],
    owners: NDArray[np.int64],
    chunks: NDArray[np.float32],
    starts: NDArray[np.int64],
) -> Scores:
    """Mean best score of each case over `questions`, its own ones left out; shape (cases,).

    Args:
        questions: shape (drawn, width), unit.
        owners: the case that each question was drawn from, shape (drawn,).
        chunks, starts: see `dense_rows`.
    """
    best = np.stack([row.cosine for row in dense_rows(questions, chunks, starts)])
    others = owners[:, None] != np.arange(best.shape[1])
    counted = others.sum(axis=0)
    total = np.sort(np.where(others, best, 0.0), axis=0).sum(axis=0)
    mean: Scores = np.round(total / np.maximum(counted, 1), DECIMALS)
    # A case that no other case asks has nothing to compare with; it gets what the others have.
    mean[counted == 0] = mean[counted > 0].mean() if (counted > 0).any() else 0.0
    return mean
