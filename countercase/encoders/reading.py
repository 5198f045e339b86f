"""What a cross-encoder that reads texts apart keeps of one text.

States are kept as signed bytes with one scale a piece: 127 steps from 0 to the largest number of the
state. Products of such states are whole numbers below 2^24, which float32 holds exactly, so that no
order of additions, batch or number of threads can change a score.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

STEPS: Final = 127
MOST_WIDTH: Final = 2**24 // STEPS**2
"""The widest state whose products float32 holds exactly."""
_ONE_AT_A_TIME: Final = Lock()


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


@contextmanager
def one_thread() -> Iterator[None]:
    """Let each product be computed by one thread: the library's own would wait for each other.

    Their number belongs to the process, so one caller at a time may set it.
    """
    with _ONE_AT_A_TIME, _blas().limit(limits=1):
        yield


@dataclass(frozen=True)
class Reading:
    """A text as the cross-encoder reads it alone.

    Args:
        states: int8, shape (pieces, width): unit states in steps of their scale.
        scales: float32, shape (pieces,).
        weights: float32, shape (pieces,): how much a piece counts; 0 for the marks of both ends.
        mean: float32, shape (width,): the unit mean of the states before they were cut to steps.
    """

    states: NDArray[np.int8]
    scales: NDArray[np.float32]
    weights: NDArray[np.float32]
    mean: NDArray[np.float32]

    @cached_property
    def steps(self) -> NDArray[np.float32]:
        """The states of the pieces that count, as whole numbers."""
        return self.states[self.weights > 0].astype(np.float32)

    def packed(self) -> bytes:
        """Return the reading as bytes; see `unpacked`."""
        numbers = np.concatenate([self.mean, self.scales, self.weights]).astype("<f4")
        return numbers.tobytes() + self.states.tobytes()


def reading_of(states: NDArray[np.float32], weights: NDArray[np.float32]) -> Reading:
    """Return the reading of states as the model gives them, shape (pieces, width), with their weights."""
    exact = states.astype(np.float64)
    mean = exact.mean(axis=0)
    unit = exact / np.maximum(np.sqrt((exact**2).sum(axis=1)), 1e-12)[:, None]
    scales = (np.abs(unit).max(axis=1) / STEPS).astype(np.float32)
    steps = np.rint(unit / np.maximum(scales, 1e-12)[:, None].astype(np.float64))
    return Reading(
        np.clip(steps, -STEPS, STEPS).astype(np.int8),
        scales,
        weights.astype(np.float32),
        (mean / max(float(np.sqrt((mean**2).sum())), 1e-12)).astype(np.float32),
    )


def unpacked(raw: bytes | memoryview, width: int) -> Reading | None:
    """Return the reading in `raw`; None where its length fits no reading of this width."""
    pieces, rest = divmod(len(raw) - 4 * width, width + 8)
    if pieces < 1 or rest:
        return None
    numbers = np.frombuffer(raw, dtype="<f4", count=width + 2 * pieces).astype(np.float32)
    states = np.frombuffer(raw, dtype=np.int8, offset=4 * len(numbers)).reshape(pieces, width)
    mean, scales, weights = np.split(numbers, [width, width + pieces])
    return Reading(states, scales, weights, mean) if np.isfinite(numbers).all() else None
