"""What a cross-encoder's score means: a scale and a shift, folded into the head.

Platt's logistic fit (Platt 1999) on development pairs, positives and negatives weighted alike, so
that above 0 reads "more likely relevant than not" and -5 reads "one chance in 150".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def platt(scores: NDArray[np.float64], relevant: NDArray[np.bool_]) -> tuple[float, float]:
    """Scale a and shift b for which sigmoid(a s + b) is the chance of being relevant.

    Newton's method on the weighted log-likelihood, with a small ridge on the scale.

    Raises:
        ValueError: all pairs are relevant, or none.
    """
    if relevant.all() or not relevant.any():
        raise ValueError("calibration needs relevant and other pairs")
    weight = np.where(relevant, 0.5 / relevant.sum(), 0.5 / (~relevant).sum())
    spread = float(scores.std()) or 1.0
    x = np.stack([(scores - scores.mean()) / spread, np.ones_like(scores)], axis=1)
    theta = np.zeros(2)
    ridge = np.diag([1e-4, 0.0])
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-x @ theta))
        slope = x.T @ (weight * (relevant - chance)) - ridge @ theta
        curve = (x * (weight * chance * (1 - chance))[:, None]).T @ x + ridge
        move = np.linalg.solve(curve, slope)
        theta += move
        if np.abs(move).max() < 1e-10:
            break
    scale = float(theta[0] / spread)
    return scale, float(theta[1] - scale * scores.mean())
