"""A logistic model with named features, stored as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from countercase.errors import ModelError

DECIMALS: Final = 6
"""A salience is rounded, so that the last bits of a sum reach no ranking."""


@dataclass(frozen=True)
class Salience:
    """How much something weighs, and why.

    Attributes:
        value: 0 to 1, the model's probability that a court would turn on it.
        reasons: named features that are present, with what each adds to the log-odds, the largest
            in size first.
    """

    value: float
    reasons: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class LogisticModel:
    """Weights of named features, and the log-odds where none is present."""

    bias: float
    weights: Mapping[str, float]

    def salience(self, features: Mapping[str, float]) -> Salience:
        """Return the probability of 1 given `features`; those that the model does not know add nothing."""
        parts = [
            (name, self.weights[name] * value)
            for name, value in sorted(features.items())
            if value and name in self.weights
        ]
        total = self.bias + sum(part for _, part in parts)
        parts.sort(key=lambda part: (-abs(part[1]), part[0]))
        reasons = tuple((name, round(part, DECIMALS)) for name, part in parts)
        return Salience(probability(total), reasons)


def probability(log_odds: float) -> float:
    """1 / (1 + exp(−log-odds)), rounded."""
    return round(1 / (1 + math.exp(-max(-500.0, log_odds))), DECIMALS)


@cache
def read_model(name: str) -> LogisticModel:
    """Return the shipped model `name`: `facts`; ModelError where its file is missing or damaged."""
    file = files(__package__) / f"{name}.json"
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        return LogisticModel(float(row["bias"]), dict(row["weights"]))
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{file}: not readable ({error}); install countercase again") from error
