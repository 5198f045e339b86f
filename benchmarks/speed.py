"""Texts and pairs a second: torch in float32, and the runtime that ships; and how far they differ.

    python benchmarks/speed.py [--texts 96] [--json FILE]

Texts are passages of the casebook cut to 64, 128 and 256 word pieces. Torch reads them one by one and
in batches of 16, on all cores; the runtime reads one text a request. Only ratios of one run
mean anything on a shared machine. Then: the largest difference of a score, the share of top 10
lists that differ between the two, and whether a score is the same to the bit alone and in any batch.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from countercase.config import load_settings
from countercase.corpus.casebook import load_casebook
from countercase.encoders.base import Role
from countercase.encoders.embedded import graphs, weights
from countercase.encoders.embedded.prepare import prepare
from countercase.encoders.embedded.runtime import OpenVinoRuntime, precision_of
from countercase.encoders.embedded.word_pieces import Ids, WordPieces

LENGTHS = (64, 128, 256)
BATCH = 16
TOP = 10
Input = tuple[Ids, Ids]


def texts_of(count: int) -> list[str]:
    """Long texts of the casebook."""
    documents = load_casebook()
    return [document.text for document in documents[:: max(1, len(documents) // count)]][:count]


def cut(inputs: list[Input], length: int) -> list[Input]:
    return [(ids[:, :length], types[:, :length]) for ids, types in inputs]


def torch_run(module: torch.nn.Module, inputs: list[Input], batch: int) -> NDArray[np.float32]:
    """Outputs of a module for inputs of one length."""
    rows = []
    with torch.inference_mode():
        for start in range(0, len(inputs), batch):
            part = inputs[start : start + batch]
            ids = torch.from_numpy(np.concatenate([one for one, _ in part]))
            types = torch.from_numpy(np.concatenate([one for _, one in part]))
            rows.append(module(ids, types).numpy())
    return np.concatenate(rows)


def timed(work: Callable[[], Any], items: int) -> tuple[float, Any]:
    """Items a second and the result; the work is done once before."""
    work()
    began = time.perf_counter()
    result = work()
    return items / (time.perf_counter() - began), result


def speeds(role: Role, inputs: list[Input], threads: int) -> dict[str, Any]:
    """Speed and agreement of one model at each length."""
    module = graphs.build(weights.recipes()[role])
    precision = precision_of(load_settings().PRECISION)
    runtime = OpenVinoRuntime(prepare([role])[role], precision, threads)
    found: dict[str, Any] = {"precision": precision}
    for length in LENGTHS:
        own = [one for one in cut(inputs, length) if one[0].shape[1] == length]
        alone, expected = timed(partial(torch_run, module, own, 1), len(own))
        together, _ = timed(partial(torch_run, module, own, BATCH), len(own))
        shipped, rows = timed(partial(runtime.run, own), len(own))
        given = np.stack([row.reshape(-1) for row in rows])
        one_by_one = np.stack([runtime.run([one])[0].reshape(-1) for one in own[:16]])
        found[str(length)] = {
            "texts": len(own),
            "torch_alone": round(alone, 1),
            "torch_batched": round(together, 1),
            "runtime": round(shipped, 1),
            "ratio": round(shipped / max(alone, together), 2),
            "difference": float(np.abs(given - expected.reshape(len(own), -1)).max()),
            "same_to_the_bit": bool(np.array_equal(one_by_one, given[:16])),
            **lists(expected.reshape(len(own), -1), given),
        }
    return found


def lists(expected: NDArray[np.float32], given: NDArray[np.float32]) -> dict[str, float]:
    """Share of top 10 lists that differ: each text asked against all others, or all pairs ranked."""
    if expected.shape[1] == 1:
        best = [set(np.argsort(-scores[:, 0], kind="stable")[:TOP]) for scores in (expected, given)]
        return {"lists_changed": float(best[0] != best[1])}
    changed = 0
    largest = 0.0
    for at in range(len(expected)):
        scores = [matrix @ matrix[at] for matrix in (expected, given)]
        tops = [np.argsort(-one, kind="stable")[1 : TOP + 1] for one in scores]
        changed += set(tops[0].tolist()) != set(tops[1].tolist())
        largest = max(largest, float(np.abs(scores[0] - scores[1]).max()))
    return {"lists_changed": round(changed / len(expected), 3), "cosine_difference": largest}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--texts", type=int, default=96)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    threads = os.cpu_count() or 1
    torch.set_num_threads(threads)
    pieces = WordPieces(weights.tokenizer_file())
    texts = texts_of(given.texts)
    singles = [pieces.single(text) for text in texts]
    pairs = [
        pieces.pair(" ".join(text.split()[:24]), other, max(LENGTHS))
        for text, other in zip(texts, texts[1:] + texts[:1], strict=True)
    ]
    report = {
        "sentence": speeds("sentence", singles, threads),
        "cross": speeds("cross", pairs, threads),
    }
    for role, found in report.items():
        print(f"{role} ({found.pop('precision')}, {threads} threads)")
        for length, values in found.items():
            print(f"  {length:>4}", "  ".join(f"{key} {value}" for key, value in values.items()))
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
