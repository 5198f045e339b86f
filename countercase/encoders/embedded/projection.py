"""What the two DPR towers add to the base model: a centre and a matrix each.

The mean pooled vectors of a model that never saw judgments lie in a narrow cone, which makes every
judgment look like every other. Each tower moves the centre of that cone to the origin, turns and
stretches the space by a trained matrix, and takes the result to unit length (whitening, Su et al.
2021; trained further as two towers, Karpukhin et al. 2020). One reading of a text serves all three
bi-encoders.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.errors import ModelError

Tower: TypeAlias = Literal["question", "passage"]


@dataclass(frozen=True)
class Projection:
    """One tower's addition to the base model: shapes (width,) and (width, width)."""

    centre: NDArray[np.float64]
    matrix: NDArray[np.float64]

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit vectors of this tower, shape of `vectors`.

        Each row is computed by itself and in float64, so that it is the same in any company.
        """
        rows = [
            np.einsum("i,ij->j", row.astype(np.float64) - self.centre, self.matrix)
            for row in vectors
        ]
        turned = np.stack(rows) if rows else np.zeros(vectors.shape)
        length = np.sqrt(np.einsum("ij,ij->i", turned, turned))[:, None]
        unit: NDArray[np.float32] = (turned / np.maximum(length, 1e-12)).astype(np.float32)
        return unit


def read_projection(path: Path, tower: Tower) -> Projection:
    """The addition of one tower from the file of both.

    Raises:
        ModelError: the file does not hold it.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(path)
        centre, matrix = tensors[f"{tower}.centre"], tensors[f"{tower}.matrix"]
    except KeyError as error:
        raise ModelError(f"{path}: holds no {error}; install countercase again") from error
    except SafetensorError as error:
        raise ModelError(f"{path}: {error}; install countercase again") from error
    return Projection(centre.astype(np.float64), matrix.astype(np.float64))
