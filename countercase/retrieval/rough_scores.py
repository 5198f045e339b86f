"""Rough scores of chunks, each kind with a proof of how far from the true ones they can lie.

The search scores every chunk roughly and only those in float64 that could be a case's best. Which
kind is used depends on the processor and the size, and changes the time and nothing else.
"""

from __future__ import annotations

from functools import cache
from threading import local
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.embedded.runtime import has_bf16

Vectors = NDArray[np.float32]

LARGE: Final = 1 << 23
"""Rough scores (chunks times vectors) from which the bfloat16 units repay their start, 0.1 s."""


class Rough(Protocol):
    """Rough scores with a proven bound."""

    def floor(self, best: Vectors) -> Vectors:
        """The least rough score of a chunk that may be a case's best, given the best rough one."""
        ...

    def scores(self, block: Vectors, out: Vectors) -> None:
        """Put rough scores of a block's chunks into `out`, shape (vectors, chunks)."""
        ...


class Float32:
    """Products in float32.

    The error of a sum of n products is at most γ = n·2⁻²⁴ / (1 − n·2⁻²⁴) times Σ|xᵢvᵢ| (Higham,
    "Accuracy and stability of numerical algorithms", 2nd ed., sec. 3.1), and Σ|xᵢvᵢ| ≤ ‖x‖‖v‖ = 1.
    Of two chunks whose true scores are s ≥ t the first has a rough score of at least s − γ, the
    second one of at most t + γ. So the best chunk, and one that equals it to `DECIMALS`, lies at
    most 2γ + 10⁻⁹ below the best rough score.
    """

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._margin = np.float32(2.0**-22 * vectors.shape[1] + 1e-6)

    def floor(self, best: Vectors) -> Vectors:
        """See `Rough`."""
        return best - self._margin

    def scores(self, block: Vectors, out: Vectors) -> None:
        """See `Rough`."""
        np.matmul(self._vectors, block.T, out=out)


class Bfloat16:
    """Products of bfloat16 numbers, summed in float32, where the processor has units for them.

    bfloat16 keeps 8 bits, so rounding changes a number x by at most 2⁻⁹|x|: for a unit chunk x the
    rounded x̂ has ‖x̂ − x‖ ≤ 2⁻⁹. The vectors are rounded here, so that e = ‖v̂ − v‖ is known. Then

        |x̂·v̂ − x·v| ≤ ‖x̂ − x‖‖v̂‖ + ‖x‖‖v̂ − v‖ ≤ 2⁻⁹(1 + e) + e

    by Cauchy and Schwarz. Products of two bfloat16 numbers are exact in float32 and their sum errs
    by γ as in `Float32`; a score may once more be rounded to bfloat16, by 2⁻⁹ of itself. With
    E = 2⁻⁹(1 + e) + e + 2γ the best rough score b thus stands for a true one of at least
    (b − E − 2⁻⁸|b|), and what may be as good has a rough score of at least b − 2E − 2⁻⁷|b|.
    """

    def __init__(self, vectors: Vectors, threads: int) -> None:
        rounded = _to_bfloat16(vectors)
        error = np.linalg.norm(vectors.astype(np.float64) - rounded, axis=1, keepdims=True)
        bound = 2.0**-9 * (1 + error) + error + 2 * vectors.shape[1] * 2.0**-24
        self._margin = (2 * bound * (1 + 2.0**-8) + 1e-6).astype(np.float32)
        self._vectors, self._product, self._own = rounded, _product(threads), local()
        # The runtime's tensors must be touched once before two threads do; see `runtime._touch`.
        self.scores(rounded[:1], np.empty((len(rounded), 1), dtype=np.float32))

    def floor(self, best: Vectors) -> Vectors:
        """See `Rough`."""
        floor: Vectors = best - self._margin - np.abs(best) * np.float32(2.0**-7)
        return floor

    def scores(self, block: Vectors, out: Vectors) -> None:
        """See `Rough`."""
        import openvino as ov

        if not hasattr(self._own, "request"):
            self._own.request = self._product.create_infer_request()
        request = self._own.request
        request.set_output_tensor(ov.Tensor(out, shared_memory=True))
        request.set_input_tensor(0, ov.Tensor(self._vectors, shared_memory=True))
        request.set_input_tensor(1, ov.Tensor(np.asarray(_Shared(block)), shared_memory=True))
        request.infer()


class _Shared:
    """The memory of an array, not marked as read-only.

    The runtime only reads its inputs, but takes no array of a mapped file as it is.
    """

    def __init__(self, array: Vectors) -> None:
        self._array = array  # the memory lives as long as this does
        address = array.__array_interface__["data"][0]
        self.__array_interface__ = {**array.__array_interface__, "data": (address, False)}


def _to_bfloat16(vectors: Vectors) -> Vectors:
    """The nearest bfloat16 numbers, as float32."""
    bits = np.ascontiguousarray(vectors).view(np.uint32)
    nearest = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(
        0xFFFF0000
    )
    rounded: Vectors = nearest.view(np.float32)
    return rounded


@cache
def _product(threads: int) -> Any:
    """The product of vectors and a block in bfloat16, compiled for this processor."""
    import openvino as ov
    from openvino import opset13 as op

    sides = [op.parameter([-1, -1], np.float32) for _ in range(2)]
    model = ov.Model([op.result(op.matmul(*sides, False, True))], sides, "product")
    return ov.Core().compile_model(
        model,
        "CPU",
        {
            "INFERENCE_PRECISION_HINT": "bf16",
            "NUM_STREAMS": threads,
            "INFERENCE_NUM_THREADS": threads,
        },
    )


def rough_scores(vectors: Vectors, chunks: int, threads: int) -> Rough:
    """What scores roughly; which of the two it is changes the time and nothing else."""
    if len(vectors) * chunks >= LARGE and has_bf16():
        return Bfloat16(vectors, threads)
    return Float32(vectors)
