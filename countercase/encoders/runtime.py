"""The CPU runtime of prepared models: OpenVINO, one text a request, one thread a request.

A text's result depends on nothing but the text: each is encoded alone, unpadded, at its own
length, and by a single thread, so neither the batch nor the number of threads can change the
order of additions. Threads work on different texts at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.pieces import Ids
from countercase.errors import ModelError

Vectors = NDArray[np.float32]


class Runtime(Protocol):
    """Something that computes one output row per input."""

    def run(
        self, inputs: Sequence[tuple[Ids, Ids]], done: Callable[[int], None] | None = None
    ) -> list[Vectors]:
        """One output of shape (1, ...) per input, in the order of the inputs."""
        ...


def has_bf16() -> bool:
    """Whether the processor computes in bfloat16 natively."""
    import openvino as ov

    return "BF16" in ov.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")


def precision_of(setting: str) -> str:
    """`bf16` or `f32`: the setting, or for `auto` what the processor has."""
    if setting != "auto":
        return setting
    return "bf16" if has_bf16() else "f32"


class OpenVinoRuntime:
    """A prepared model, compiled for this processor on first use.

    Args:
        path: the `model.xml` of a prepared model.
        precision: `bf16` or `f32`.
        threads: requests worked on at once; 0 for one per core.
    """

    def __init__(self, path: Path, precision: str, threads: int = 0) -> None:
        self._path, self._precision = path, precision
        self._threads = threads or len(os.sched_getaffinity(0))
        self._compiled: Any = None

    def _queue(self) -> Any:
        import openvino as ov

        if self._compiled is None:
            core = ov.Core()
            try:
                self._compiled = core.compile_model(
                    core.read_model(self._path),
                    "CPU",
                    {
                        "INFERENCE_PRECISION_HINT": self._precision,
                        "NUM_STREAMS": self._threads,
                        "INFERENCE_NUM_THREADS": self._threads,
                        "CPU_RUNTIME_CACHE_CAPACITY": 2000,
                    },
                )
            except RuntimeError as error:
                raise ModelError(
                    f"{self._path}: cannot be loaded; `countercase models prepare --again` "
                    "makes it anew"
                ) from error
        return ov.AsyncInferQueue(self._compiled, self._threads)

    def run(
        self, inputs: Sequence[tuple[Ids, Ids]], done: Callable[[int], None] | None = None
    ) -> list[Vectors]:
        """One output row per input; `done` is called with the number finished so far."""
        results: list[Vectors | None] = [None] * len(inputs)
        finished = 0

        def keep(request: Any, at: int) -> None:
            nonlocal finished
            results[at] = request.get_output_tensor(0).data.copy()
            finished += 1
            if done is not None:
                done(finished)

        queue = self._queue()
        queue.set_callback(keep)
        for at in _longest_first(inputs):
            queue.start_async(list(inputs[at]), at)
        queue.wait_all()
        return [row for row in results if row is not None]


def _longest_first(inputs: Sequence[tuple[Ids, Ids]]) -> Iterable[int]:
    """Long texts first, so that no thread is left alone with one at the end."""
    return sorted(range(len(inputs)), key=lambda at: (-inputs[at][0].shape[1], at))
