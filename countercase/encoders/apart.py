"""The cross-encoder, each text read once and alone.

Its gates between the two texts are nearly closed (`graphs.PairHead`); here they are closed: a pair is one
reading of each text, and the comparison that `graphs.PairHead` makes of their states. n segments
against m chunks cost n + m readings, where reading jointly takes n times m.

States are kept as signed bytes with one scale a piece. Products of such states are whole numbers below
2^24, which float32 holds exactly, so that no order of additions, batch or thread can change a score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import pairwise
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.cache import Report, VectorCache, compute_missing, key_of
from countercase.errors import ModelError
from countercase.io import Progress

Ids = NDArray[np.int64]
States = NDArray[np.float32]

SPECIAL = (101, 102)
"""Word pieces that mark the ends of a text; they take no part in the comparison."""

NOTHING = -1.0
"""The cosine of a piece with a text that has no pieces."""

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
    """Let one caller at a time compute, each product by one thread: those of the library would wait."""
    with _ONE_AT_A_TIME, _blas().limit(limits=1):
        yield


@dataclass(frozen=True)
class Reading:
    """A text as the cross-encoder reads it alone.

    The unit states, int8, shape (pieces, width), in steps of their scale; scales and weights of the
    pieces, float32, shape (pieces,), the weights 0 for the marks of both ends; and the unit mean of
    the states before they were cut to steps, float32, shape (width,).
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
    states_in_steps = np.clip(steps, -STEPS, STEPS).astype(np.int8)
    unit_mean = (mean / max(float(np.sqrt((mean**2).sum())), 1e-12)).astype(np.float32)
    return Reading(states_in_steps, scales, weights.astype(np.float32), unit_mean)


def unpacked(raw: bytes | memoryview, width: int) -> Reading | None:
    """Return the reading in `raw`; None where its length fits no reading of this width."""
    pieces, rest = divmod(len(raw) - 4 * width, width + 8)
    if pieces < 1 or rest:
        return None
    numbers = np.frombuffer(raw, dtype="<f4", count=width + 2 * pieces).astype(np.float32)
    states = np.frombuffer(raw, dtype=np.int8, offset=4 * len(numbers)).reshape(pieces, width)
    mean, scales, weights = np.split(numbers, [width, width + pieces])
    return Reading(states, scales, weights, mean) if np.isfinite(numbers).all() else None


@dataclass(frozen=True)
class Comparison:
    """The trained numbers of `graphs.PairHead`.

    The weight of the means' cosine and of the word agreement, shape (); the logarithm of the weight
    of each word piece, (vocabulary,); and the small network over the product of the means: (hidden,
    width), (hidden,), (1, hidden), (1,).
    """

    mean_scale: NDArray[np.float64]
    word_scale: NDArray[np.float64]
    word_weight: NDArray[np.float64]
    dense: NDArray[np.float64]
    dense_bias: NDArray[np.float64]
    out: NDArray[np.float64]
    out_bias: NDArray[np.float64]

    def weights(self, ids: Ids) -> NDArray[np.float32]:
        """Return the weight of each piece, shape of `ids`; 0 for the marks of both ends."""
        marks = np.isin(ids, SPECIAL)
        return np.where(marks, 0.0, np.exp(self.word_weight[ids])).astype(np.float32)

    def scores(self, firsts: Sequence[Reading], second: Reading) -> NDArray[np.float64]:
        """Score of each of `firsts` with `second`, shape (len(firsts),)."""
        product = np.stack([first.mean for first in firsts]).astype(np.float64) * second.mean
        # Each sum is taken along a row of its own: no other text can reach its last bits.
        inner = np.einsum("ni,ji->nj", product * product.shape[1], self.dense)
        learned = (np.tanh(inner + self.dense_bias) * self.out).sum(axis=1) + self.out_bias
        of_means = self.mean_scale * product.sum(axis=1) + learned
        scores: NDArray[np.float64] = of_means + self.word_scale * agreement(firsts, second)
        return scores


def agreement(firsts: Sequence[Reading], second: Reading) -> NDArray[np.float64]:
    """Word by word: the weighted mean over a text's pieces of the best cosine in `second`.

    ColBERT (Khattab and Zaharia 2020, sec. 3.2), each piece of the first text with a weight.
    """
    states, answers = np.concatenate([first.steps for first in firsts]), second.steps
    scales = np.concatenate([first.scales[first.weights > 0] for first in firsts])
    weights = np.concatenate([it.weights[it.weights > 0] for it in firsts]).astype(np.float64)
    cosines = np.full(len(states), NOTHING)
    if len(answers):
        # Whole numbers, so that the product is exact.
        near = answers @ states.T
        near *= second.scales[second.weights > 0][:, None]
        cosines = near.max(axis=0).astype(np.float64) * scales
    cosines *= weights
    ends = np.cumsum([0, *(len(first.steps) for first in firsts)]).tolist()
    own = [slice(*ends_of_one) for ends_of_one in pairwise(ends)]
    return np.array([cosines[it].sum() / max(weights[it].sum(), 1e-6) for it in own])


@dataclass(eq=False)
class ApartReader:
    """A cross-encoder that reads each text alone and compares two by a small product.

    The same `name` means the same readings. `states` gives the ids of the pieces of each text, and
    their states as the model gives them, shape (pieces, width), which depend on nothing but the
    text. ModelError where they are too wide to be compared exactly.
    """

    name: str
    width: int
    comparison: Comparison
    states: Callable[[Sequence[str], Report], Iterable[tuple[Ids, States]]]
    cache: VectorCache | None
    computed: int = 0

    def __post_init__(self) -> None:
        if self.width > MOST_WIDTH:
            raise ModelError(f"states of width {self.width} are too wide to be compared exactly")

    def read(
        self, texts: Sequence[str], progress: Progress | None = None, keep: bool = True
    ) -> list[Reading]:
        """Return one reading per text, which depends on nothing else; the cache may `keep` them."""

        def compute(items: Sequence[str], report: Report) -> Iterator[Reading]:
            for ids, states in self.states(items, report):
                yield reading_of(states, self.comparison.weights(ids))

        readings, computed = compute_missing(
            self.cache if keep else None, [key_of(self.name, text) for text in texts], texts,
            compute, partial(unpacked, width=self.width), Reading.packed, "reading", progress,
        )  # fmt: skip
        self.computed += computed
        return readings

    def compare(
        self, groups: Sequence[tuple[Sequence[Reading], Reading]]
    ) -> list[NDArray[np.float64]]:
        """Per group the score of each first text with the second one, shape (first texts,)."""
        with one_thread():
            return [self.comparison.scores(firsts, second) for firsts, second in groups]
