"""The CPU runtime of prepared models: OpenVINO, one text a request, one thread a request.

A text's result depends on nothing but the text: each is encoded alone, unpadded, at its own
length, and by a single thread, so neither the batch nor the number of threads can change the
order of additions. Threads work on different texts at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.embedded.word_pieces import Ids
from countercase.errors import ModelError
from countercase.locks import locked

Vectors = NDArray[np.float32]


class Runtime(Protocol):
    """Something that computes one output row per input."""

    def run(
        self, inputs: Sequence[tuple[Ids, Ids]], done: Callable[[int], None] | None = None
    ) -> list[Vectors]:
        """One output of shape (1, ...) per input, in the order of the inputs."""
        ...


@cache
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
    """A prepared model, compiled for this processor on first use; `threads` 0: one per core."""

    def __init__(self, path: Path, precision: str, threads: int = 0) -> None:
        self._path, self._precision = path, precision
        self._threads = threads or len(os.sched_getaffinity(0))
        self._requests: SimpleQueue[Any] | None = None

    def _free(self) -> SimpleQueue[Any]:
        """The idle requests, one a thread; the model is compiled when they are first asked for."""
        if self._requests is None:
            import openvino as ov

            core = ov.Core()
            try:
                with locked("models", "waiting for models that are being prepared", shared=True):
                    model = core.read_model(self._path)
                compiled = core.compile_model(
                    model,
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
            self._requests = SimpleQueue()
            requests = [compiled.create_infer_request() for _ in range(self._threads)]
            _touch(requests[0])
            for request in requests:
                self._requests.put(request)
        return self._requests

    def run(
        self, inputs: Sequence[tuple[Ids, Ids]], done: Callable[[int], None] | None = None
    ) -> list[Vectors]:
        """One output row per input; `done` is called with the number finished so far.

        Requests are synchronous, each in a thread of ours: with callbacks from the runtime's own
        threads, its queue could wait for the interpreter while the interpreter waited for it.
        """
        free = self._free()

        def infer(at: int) -> tuple[int, Vectors]:
            request = free.get()
            try:
                request.infer(list(inputs[at]))
                row: Vectors = request.get_output_tensor(0).data.copy()
            finally:
                free.put(request)
            return at, row

        results: dict[int, Vectors] = {}
        pool = ThreadPoolExecutor(self._threads)
        try:
            futures = [pool.submit(infer, at) for at in _longest_first(inputs)]
            for finished, future in enumerate(as_completed(futures), start=1):
                at, row = future.result()
                results[at] = row
                if done is not None:
                    done(finished)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return [results[at] for at in range(len(inputs))]


def _touch(request: Any) -> None:
    """Read and write tensors once before threads do.

    The runtime's Python layer makes its table of types when a tensor is first touched. Two threads
    that do so at once can lock each other out for good: one holds the table and waits for the
    interpreter, the other holds the interpreter and waits for the table.
    """
    ids = np.asarray([[101, 102]], dtype=np.int64)
    request.infer([ids, np.zeros_like(ids)])
    request.get_output_tensor(0).data.copy()


def _longest_first(inputs: Sequence[tuple[Ids, Ids]]) -> Iterable[int]:
    """Long texts first, so that no thread is left alone with one at the end."""
    return sorted(range(len(inputs)), key=lambda at: (-inputs[at][0].shape[1], at))
