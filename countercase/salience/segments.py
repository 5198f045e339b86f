"""The salience of segments: does this sentence read like one that carries the charge?

A kernel machine over sentence vectors, fitted on sentences of Indian criminal facts that people
labelled with the charge that each carries (`training/salience_segments.py`). Its one named feature
is the charge of the sentences that a segment reads like.

Source: Boser, Guyon and Vapnik, "A training algorithm for optimal margin classifiers", COLT 1992.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.base import Encoders
from countercase.errors import ModelError
from countercase.salience.model import Salience, probability
from countercase.salience.points import encoded

NOT_A_CHARGE = "no charge"
DECIMALS = 6


@dataclass(frozen=True)
class KernelModel:
    """Support vectors with their coefficients.

    Attributes:
        vectors: unit, shape (support vectors, width).
        coefficients: shape (support vectors,); above 0 where the sentence carried a charge.
        charges: what each sentence carried, or `no charge`.
        sharpness: the g of exp(−g · squared distance).
        slope: of the margin in the log-odds.
    """

    vectors: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    charges: tuple[str, ...]
    bias: float
    sharpness: float
    slope: float

    def saliences(self, vectors: NDArray[np.float64]) -> tuple[Salience, ...]:
        """The salience of each row of unit vectors, each by itself."""
        return tuple(self._salience(vector) for vector in vectors)

    def _salience(self, vector: NDArray[np.float64]) -> Salience:
        cosine = np.einsum("ij,j->i", self.vectors, vector)
        parts = self.coefficients * np.exp(-2 * self.sharpness * (1 - cosine))
        value = probability(self.slope * (float(np.sort(parts).sum()) + self.bias))
        by_charge: dict[str, float] = {}
        for charge, part in zip(self.charges, parts.tolist(), strict=True):
            by_charge[charge] = by_charge.get(charge, 0.0) + part
        reads = max(sorted(by_charge), key=lambda charge: abs(by_charge[charge]))
        part = round(self.slope * by_charge[reads], DECIMALS)
        return Salience(value, ((f"reads like: {reads}", part),))


def segment_salience(texts: Sequence[str], encoders: Encoders) -> dict[str, Salience]:
    """How much each segment weighs, by text."""
    chosen = list(dict.fromkeys(texts))
    rows = shipped_kernel().saliences(encoded(encoders, chosen))
    return dict(zip(chosen, rows, strict=True))


@cache
def shipped_kernel() -> KernelModel:
    """The model of `segments.json` and `segments.safetensors`.

    Raises:
        ModelError: a file is missing or damaged.
    """
    from safetensors.numpy import load

    folder = files(__package__)
    try:
        row = json.loads((folder / "segments.json").read_text("utf-8"))
        arrays = load((folder / "segments.safetensors").read_bytes())
        return KernelModel(
            arrays["vectors"].astype(np.float64),
            arrays["coefficients"].astype(np.float64),
            tuple(row["charges"][at] for at in row["charge_of"]),
            row["bias"],
            row["sharpness"],
            row["slope"],
        )
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise ModelError(f"{folder}: not readable ({error}); install countercase again") from error
