"""Prepared models: made once of weights and adapters, and run by OpenVINO on the CPU.

The files of a model lie in the cache under the fingerprint of what they were made of, with their sizes
and checksums, written beside and moved into place; a damaged model is prepared anew.

A text's result depends on nothing but the text: each is encoded alone, unpadded and by a single
thread, so that no batch can change the order of additions. Threads work on different texts at once.
"""

from __future__ import annotations

import json
import os
import shutil
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import numpy as np
from tokenizers import Tokenizer

from countercase.encoders.apart import Ids as Ids
from countercase.encoders.base import Role, Vectors
from countercase.encoders.embedded import weights
from countercase.errors import ModelError, StoreError
from countercase.integrity import Checked, DamageWarning, damage, seal, sums_of, unsealed
from countercase.io import Progress, cache_root, make_folder, tell
from countercase.locks import locked

SUMS: Final = "files.json"
"""Size and checksum of the other files of a prepared model, and of itself."""


def prepared_file(recipe: weights.Recipe) -> Path:
    """Where the prepared model of a recipe lies, whether or not it is there yet."""
    return cache_root() / "models" / weights.model_fingerprint(recipe, "f32") / "model.xml"


def problem_of(recipe: weights.Recipe, checked: Checked | None = None) -> str:
    """Say what is wrong with a prepared model; without `checked` every byte of it is read."""
    folder = prepared_file(recipe).parent
    try:
        return damage(folder, unsealed((folder / SUMS).read_bytes()), checked)
    except FileNotFoundError:
        return f"{folder / SUMS}: missing"
    except OSError as error:
        return f"{folder / SUMS}: cannot be read ({error.strerror})"
    except (ValueError, TypeError) as error:
        return f"{folder / SUMS}: damaged ({error})"


def prepare(
    roles: Iterable[Role], progress: Progress | None = None, again: bool = False
) -> dict[str, Path]:
    """Prepare what is missing or damaged (or all, `again`) among `roles`; returns the file of each.

    Of `cross` it is that of pairs. A `DamageWarning` names what was damaged. ModelError where
    weights are missing or damaged; StoreError where the cache cannot be written.
    """
    listed, files = weights.recipes(), dict[str, Path]()
    for role in roles:
        for part in reversed(weights.parts(listed[role])):
            anew = again and prepared_file(part) not in files.values()
            files[role] = prepare_one(part, progress, anew)
    return files


def prepare_one(
    recipe: weights.Recipe, progress: Progress | None = None, again: bool = False
) -> Path:
    """Prepare one model if it is missing or damaged; returns its file. See `prepare`."""
    file = prepared_file(recipe)
    checked = Checked(file.parent)
    if again or problem_of(recipe, checked):
        with locked("models", "waiting for models that are being prepared", progress):
            problem = problem_of(recipe)  # another run may have prepared it by now
            if problem and file.parent.exists():
                warnings.warn(f"{problem}; preparing it anew", DamageWarning, stacklevel=1)
            if again or problem:
                tell(progress, f"preparing the {recipe.role} model", 0, 0)
                _convert(recipe, file)
    checked.save()
    return file


def _convert(recipe: weights.Recipe, target: Path) -> None:
    import openvino as ov
    import torch

    from countercase.encoders.embedded import graphs

    example = torch.ones(1, 16, dtype=torch.long)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of shapes; the known answers check them
        model = ov.convert_model(
            graphs.build(recipe),
            example_input=(example, torch.zeros_like(example)),
            input=[ov.PartialShape([1, -1]), ov.PartialShape([1, -1])],
        )
    folder = make_folder(target.parent.parent)
    staging = folder / ".preparing"
    shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed; one prepares at a time
    try:
        staging.mkdir()
        ov.save_model(model, staging / target.name, compress_to_fp16=False)
        sums = seal(sums_of(staging))
        (staging / SUMS).write_text(json.dumps(sums, indent=1), encoding="utf-8")
        shutil.rmtree(target.parent, ignore_errors=True)
        staging.replace(target.parent)
    except (OSError, RuntimeError) as error:  # OpenVINO raises a RuntimeError of many lines
        why = getattr(error, "strerror", None) or " ".join(str(error).split())[:160]
        raise StoreError(
            f"{target.parent}: cannot be written ({why}); free some space, or "
            "set COUNTERCASE_HOME to a folder with room"
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


MOST_PIECES: Final = 512
"""The most word pieces, special ones included, that the base model reads."""


@cache
def open_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a `tokenizer.json`, read once; it neither pads nor cuts."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


class WordPieces:
    """The base model's tokenizer, of the file at `path`, one text at a time."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = open_tokenizer(path)
        self.count = lru_cache(maxsize=65_536)(lambda text: self.counts([text])[0])

    def counts(self, texts: list[str]) -> list[int]:
        """Return the number of word pieces of each text, special ones not counted."""
        encoded = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return [len(item.ids) for item in encoded]

    def single(self, text: str, limit: int | None = None) -> tuple[Ids, Ids]:
        """Return ids and token types of one text, each of shape (1, n); cut at `limit` and the model's."""
        most = min(MOST_PIECES, limit or MOST_PIECES)
        ids = self._tokenizer.encode(text).ids
        if len(ids) > most:
            ids = [*ids[: most - 1], ids[-1]]
        array = np.asarray([ids], dtype=np.int64)
        return array, np.zeros_like(array)

    def pair(self, first: str, second: str, limit: int) -> tuple[Ids, Ids]:
        """Return ids and token types of `[CLS] first [SEP] [CLS] second [SEP]`, each of shape (1, n).

        Each text has its own marks, as it would have alone. `second` is cut where the pair would
        pass `limit`; `first` is never cut below half of it.
        """
        a = self._tokenizer.encode(first, add_special_tokens=False).ids
        b = self._tokenizer.encode(second, add_special_tokens=False).ids
        room = min(limit, MOST_PIECES) - 4
        a = a[: max(room // 2, room - len(b))]
        b = b[: room - len(a)]
        cls, sep = (self._tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
        ids = np.asarray([[cls, *a, sep, cls, *b, sep]], dtype=np.int64)
        types = np.zeros_like(ids)
        types[0, len(a) + 2 :] = 1
        return ids, types


@cache
def has_bf16() -> bool:
    """Return whether the processor computes in bfloat16; the runtime, slow to open, is asked once."""
    checked = Checked(cache_root() / "models" / "processor")
    asked = [version("openvino"), _processor()]
    noted = checked.notes.get("bf16") or [False]
    if noted[:-1] != asked:
        import openvino as ov

        noted = [*asked, "BF16" in ov.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")]
        if _processor():
            checked.take_note("bf16", noted)
            checked.save()
    return bool(noted[-1])


def _processor() -> str:
    """Return what the first processor can do, as Linux lists it; empty where it does not."""
    path = Path("/proc/cpuinfo")
    listed = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return next((line for line in listed if line.startswith(("flags", "Features"))), "")


def precision_of(setting: str) -> str:
    """`bf16` or `f32`: the setting, or for `auto` what the processor has."""
    return setting if setting != "auto" else "bf16" if has_bf16() else "f32"


class OpenVinoRuntime:
    """A prepared model, compiled for this processor on first use; `threads` 0: one per core."""

    def __init__(self, path: Path, precision: str, threads: int = 0) -> None:
        self._path, self._precision = path, precision
        self._threads = threads or len(os.sched_getaffinity(0))

    @cached_property
    def _idle(self) -> SimpleQueue[Any]:
        """The idle requests, one a thread; the model is compiled when they are first asked for."""
        import openvino as ov

        core = ov.Core()
        options = {
            "INFERENCE_PRECISION_HINT": self._precision,
            "NUM_STREAMS": self._threads,
            "INFERENCE_NUM_THREADS": self._threads,
            "CPU_RUNTIME_CACHE_CAPACITY": 2000,
        }
        try:
            with locked("models", "waiting for models that are being prepared", shared=True):
                model = core.read_model(self._path)
            compiled = core.compile_model(model, "CPU", options)
        except RuntimeError as error:
            raise ModelError(
                f"{self._path}: cannot be loaded; `countercase models prepare --again` "
                "makes it anew"
            ) from error
        idle: SimpleQueue[Any] = SimpleQueue()
        for _ in range(self._threads):
            idle.put(compiled.create_infer_request())
        # The runtime's Python layer makes its table of types when a tensor is first touched. Two
        # threads that do so at once can lock each other out for good: one holds the table and waits
        # for the interpreter, the other the reverse. So one is touched before there are threads.
        _infer(idle, [np.array([[101, 102]], dtype=np.int64), np.zeros((1, 2), dtype=np.int64)])
        return idle

    def run(
        self, inputs: Sequence[tuple[Ids, Ids]], done: Callable[[int], None] | None = None
    ) -> list[Vectors]:
        """Return one output of shape (1, ...) per input; `done` is told the number finished so far.

        Requests are synchronous, each in a thread of ours: with callbacks from the runtime's own
        threads, its queue could wait for the interpreter while the interpreter waited for it.
        """
        idle, results = self._idle, dict[int, Vectors]()
        pool = ThreadPoolExecutor(self._threads)
        try:
            # Long texts first, so that no thread is left alone with one at the end.
            order = sorted(range(len(inputs)), key=lambda at: (-inputs[at][0].shape[1], at))
            futures = {pool.submit(_infer, idle, list(inputs[at])): at for at in order}
            for finished, future in enumerate(as_completed(futures), start=1):
                results[futures[future]] = future.result()
                if done is not None:
                    done(finished)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return [results[at] for at in range(len(inputs))]


def _infer(idle: SimpleQueue[Any], tensors: list[Ids]) -> Vectors:
    request = idle.get()
    try:
        request.infer(tensors)
        output: Vectors = request.get_output_tensor(0).data.copy()
    finally:
        idle.put(request)
    return output
