"""Fit a logistic model over named features, and measure it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression


@dataclass(frozen=True)
class Fitted:
    """A fitted model, as `countercase.salience.facts.LogisticModel` reads it."""

    bias: float
    weights: dict[str, float]
    examples: int

    def log_odds(self, features: Mapping[str, float]) -> float:
        """The log-odds of 1."""
        known = (self.weights.get(name, 0.0) * value for name, value in sorted(features.items()))
        return self.bias + sum(known)

    def as_json(self, seed: int) -> dict[str, Any]:
        """What the model file holds."""
        return {
            "seed": seed,
            "examples": self.examples,
            "bias": round(self.bias, 6),
            "weights": {name: round(value, 6) for name, value in sorted(self.weights.items())},
        }


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[bool],
    strength: float,
    scarce: int = 0,
    seed: int = 0,
    weights: Sequence[float] | None = None,
) -> Fitted:
    """Logistic regression with an L2 penalty.

    Args:
        strength: inverse of the strength of the penalty.
        scarce: a feature of fewer rows than this is left out.
        weights: how much each row counts; all the same where None.
    """
    counts = Counter(name for row in rows for name, value in row.items() if value)
    names = sorted(name for name, count in counts.items() if count >= scarce)
    matrix = np.asarray([[row.get(name, 0.0) for name in names] for row in rows])
    model = LogisticRegression(C=strength, max_iter=5000, random_state=seed, tol=1e-8)
    model.fit(matrix, np.asarray(labels), sample_weight=weights)
    fitted = {n: float(w) for n, w in zip(names, model.coef_[0], strict=True)}
    return Fitted(float(model.intercept_[0]), fitted, len(rows))


def area_under_curve(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Share of pairs of a positive and a negative that the scores order rightly; ties half."""
    high, low = scores[labels], scores[~labels]
    if not len(high) or not len(low):
        return float("nan")
    above = (high[:, None] > low[None]).mean() + 0.5 * (high[:, None] == low[None]).mean()
    return float(above)
