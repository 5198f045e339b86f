"""Exact search beside the plain product of the same matrix and vectors, in one run.

    python benchmarks/search.py [--chunks 100000 1000000] [--systems plain ours]
                                [--turns 5] [--folder DIR] [--json FILE]

Chunks are random unit vectors of 384 numbers, in judgments of 27 chunks on average (those of AILA
have about 24); the matrix is a file that every system maps. The vectors: 12 segments; these and 84
edits of them, each at a cosine of .95 to its segment (the median over the tree of an example), as
forty states ask for; and 96 that have nothing to do with each other. The systems: the plain float32
product by numpy, which finds no case's best; `faiss.IndexFlatIP`, which finds the best 100 chunks
and no case's best; and this code.

Each system runs in its own process. The systems take turns, so that other work on the machine meets
all of them; times are medians of the turns. Memory is the peak of the process less what it held
before it read the matrix, mapped pages included.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH = 384
CASE = 27
COSINE = 0.95
ROW_BYTES = 24
"""Of a segment's score, its z and its chunk for one case."""
Vectors = NDArray[np.float32]
Answer = tuple[NDArray[Any], ...]


def unit(rng: np.random.Generator, rows: int) -> Vectors:
    raw = rng.standard_normal((rows, WIDTH), dtype=np.float32)
    vectors: Vectors = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return vectors


def questions() -> dict[str, Vectors]:
    """The vectors that are searched for, by name."""
    rng = np.random.default_rng(12)
    segments, others = unit(rng, 12), unit(rng, 84)
    edits = COSINE * segments[np.arange(84) % 12] + (1 - COSINE**2) ** 0.5 * others
    edits /= np.linalg.norm(edits, axis=1, keepdims=True)
    return {
        "12 segments": segments,
        "40 states": np.concatenate([segments, edits]).astype(np.float32),
        "96 unrelated": unit(rng, 96),
    }


def write_corpus(folder: Path, chunks: int) -> None:
    """Lay down `chunks.npy` and `starts.npy`, in pieces, so that no size needs memory."""
    rng = np.random.default_rng(chunks)
    matrix = np.lib.format.open_memmap(
        folder / "chunks.npy", mode="w+", dtype=np.float32, shape=(chunks, WIDTH)
    )
    for start in range(0, chunks, 65_536):
        matrix[start : start + 65_536] = unit(rng, min(65_536, chunks - start))
    matrix.flush()
    starts = np.concatenate([[0], np.cumsum(rng.geometric(1 / CASE, size=chunks))])
    np.save(folder / "starts.npy", np.append(starts[starts < chunks], chunks))


def opened(system: str, folder: Path) -> Callable[[Vectors], Answer]:
    """A system that is ready to search the corpus of a folder."""
    matrix = np.load(folder / "chunks.npy", mmap_mode="r")
    starts = np.load(folder / "starts.npy")
    if system == "plain":
        return lambda vectors: (vectors @ matrix.T,)
    if system == "faiss":
        import faiss

        index = faiss.IndexFlatIP(WIDTH)
        index.add(matrix)
        return lambda vectors: tuple(index.search(vectors, 100))
    from countercase.retrieval.dense import dense_rows

    def rows(vectors: Vectors) -> Answer:
        return tuple(
            part for row in dense_rows(vectors, matrix, starts) for part in (row.cosine, row.chunk)
        )

    return rows


def memory(name: str) -> int:
    """Bytes of this process by their name in /proc: VmHWM, the peak, or VmRSS."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"/proc/self/status has no {name}; this benchmark needs Linux")


def serve(system: str, folder: Path) -> None:
    """Search for each name of questions that comes in, and answer with what it took."""
    vectors = questions()
    if system not in ("plain", "faiss"):
        import countercase.retrieval.dense  # noqa: F401
    before = memory("VmRSS")
    search = opened(system, folder)
    for line in sys.stdin:
        began, cpu = time.perf_counter(), time.process_time()
        answer = search(vectors[line.strip()])
        took = [time.perf_counter() - began, time.process_time() - cpu]
        peak = memory("VmHWM") - before
        del answer
        reply = {"wall": took[0], "cpu": took[1], "bytes": peak}
        print(json.dumps(reply), flush=True)


class System:
    """A process that searches one corpus."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--serve", name, "--folder", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, question: str) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended without an answer; its error is above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        self._process.communicate()


def measure(chunks: int, folder: Path, names: list[str], of: int) -> dict[str, Any]:
    """Medians over turns of every system for every set of questions at one size."""
    write_corpus(folder, chunks)
    systems = [System(name, folder) for name in names]
    found: dict[str, Any] = {}
    for question in questions():
        for system in systems:
            system.ask(question)
        turns = [{system.name: system.ask(question) for system in systems} for _ in range(of)]
        found[question] = {
            system.name: {
                "wall_ms": median(turn[system.name]["wall"] for turn in turns) * 1e3,
                "cpu_ms": median(turn[system.name]["cpu"] for turn in turns) * 1e3,
                "ratio": median(
                    turn[system.name]["wall"] / turn["plain"]["wall"] for turn in turns
                ),
                "cpu_ratio": median(
                    turn[system.name]["cpu"] / turn["plain"]["cpu"] for turn in turns
                ),
                "memory": turns[-1][system.name]["bytes"] / (chunks * WIDTH * 4),
            }
            for system in systems
        }
    for system in systems:
        system.close()
    return found


def show(chunks: int, found: dict[str, Any]) -> None:
    for question, systems in found.items():
        print(f"{chunks:,} chunks, {question}")
        for name, value in systems.items():
            print(
                f"  {name:6} {value['wall_ms']:9.0f} ms {value['cpu_ms']:9.0f} ms of processors"
                f"   {value['ratio']:5.2f} and {value['cpu_ratio']:5.2f} times the plain product"
                f"   memory {value['memory']:.2f} of the matrix"
            )


def fit(report: dict[str, Any]) -> None:
    """Fit processor time as a sum over chunks: reading, and products."""
    from scipy.optimize import nnls

    sets = {name: len(vectors) for name, vectors in questions().items()}
    facts, times = [], []
    for size, found in report.items():
        for name, systems in found.items():
            facts.append([1e6, int(size), int(size) * sets[name]])
            times.append(systems["ours"]["cpu_ms"] * 1e6)
    # Relative errors count, or the largest size would decide alone.
    weights = 1 / np.asarray(times)
    solution, _ = nnls(np.asarray(facts) * weights[:, None], np.ones(len(times)))
    modelled = np.asarray(facts) @ solution
    start, chunk, product = solution
    print(f"model of the processor time: {start:.0f} ms, and for each chunk {chunk:.1f} ns,")
    print(f"  {product:.2f} ns a vector;")
    print(f"  largest relative error {np.abs(modelled * weights - 1).max():.0%}")
    for larger in (10**7, 10**8):
        for name, vectors in sets.items():
            seconds = (start * 1e6 + larger * (chunk + product * vectors)) / 1e9
            rows = vectors * larger / CASE * ROW_BYTES / 1e9
            print(
                f"  {larger:,} chunks ({larger * WIDTH * 4 / 1e9:.0f} GB), {name}:"
                f" {seconds:.0f} s of processor time, rows of {rows:.1f} GB"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--chunks", type=int, nargs="+", default=[100_000, 1_000_000])
    names = ["plain", "faiss", "ours"]
    parser.add_argument("--systems", nargs="+", default=names, choices=names)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the matrices lie; a temporary folder")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.folder)
        return
    chosen = [name for name in names if name in given.systems or name == "ours"]
    if "faiss" in chosen and not importlib.util.find_spec("faiss"):
        print("faiss is missing and left out; pip install 'countercase[benchmarks]' brings it")
        chosen.remove("faiss")
    report: dict[str, Any] = {}
    for chunks in given.chunks:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            report[str(chunks)] = measure(chunks, Path(folder), chosen, given.turns)
        show(chunks, report[str(chunks)])
    for first, last in pairwise(report):
        for question in report[first]:
            ours = [report[size][question]["ours"]["cpu_ms"] for size in (first, last)]
            print(f"{question}: {last} chunks cost {ours[1] / ours[0]:.1f} times {first}")
    if len(report) > 1:
        fit(report)
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
