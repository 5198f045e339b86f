"""Indexing beside the bare encoder, in one run: chunks a second, and the peak of memory.

    python benchmarks/indexing.py --corpus PATH [--judgments N]
    python benchmarks/indexing.py --corpus PATH --judgments 300 --engines plain processes ray

The bare encoder gets the same chunks, already cut, and writes nothing; indexing reads, cuts, labels,
encodes, writes to Chroma and lays down the snapshot. Neither uses the cache.

With `--engines` the same judgments are indexed by each engine in turn: wall seconds, and processor
seconds of all processes that it started, Ray's own among them. `plain` has a thread a core, the
others have a process of one thread a core. The indexes must have the same checksum.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event, Thread

from countercase.config import load_settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.corpus.index.preparation import Workers, chunk_text
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.engines.engine import choose_engine
from countercase.io import cache_root

TICKS = os.sysconf("SC_CLK_TCK")


class ProcessorTime(Thread):
    """Processor seconds of this process and all below it, as they come and go."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._ended = Event()
        self._seen: dict[str, float] = {}

    def run(self) -> None:
        while not self._ended.wait(0.2):
            self._look()

    def seconds(self) -> float:
        self._ended.set()
        self.join()
        self._look()
        return sum(self._seen.values())

    def _look(self) -> None:
        parents: dict[str, str] = {}
        used: dict[str, float] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            parents[path.parent.name] = fields[1]
            used[path.parent.name] = (int(fields[11]) + int(fields[12])) / TICKS
        for name in parents:
            above: str | None = name
            while above is not None and above != str(os.getpid()):
                above = parents.get(above)
            if above is not None:
                self._seen[name] = used[name]


@contextmanager
def home_of_its_own() -> Iterator[None]:
    """An empty home with the prepared models of the user's."""
    home, before = cache_root(), os.environ.get("COUNTERCASE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "models").symlink_to(home / "models")
        os.environ["COUNTERCASE_HOME"] = folder
        try:
            yield
        finally:
            del os.environ["COUNTERCASE_HOME"]
            if before is not None:
                os.environ["COUNTERCASE_HOME"] = before


def by_engines(
    names: Sequence[str], documents: Sequence[Document], encoders: EmbeddedEncoders, pieces: int
) -> None:
    """Index the documents by each engine and print what it took."""
    cores = len(os.sched_getaffinity(0))
    first: tuple[float, float, str] | None = None
    for name in names:
        engine = choose_engine(name, None if name == "plain" else cores)
        opened = partial(EmbeddedEncoders, EncoderOptions(threads=1))
        workers = None if name == "plain" else Workers(engine, opened)
        with home_of_its_own():
            watch = ProcessorTime()
            watch.start()
            before = time.process_time()
            began = time.perf_counter()
            _, report = build_index(documents, "measured", encoders, pieces, workers=workers)
            wall = time.perf_counter() - began
            used = watch.seconds() - before
        first = first or (wall, used, report.checksum)
        if report.checksum != first[2]:
            raise SystemExit(f"{name}: another index than {names[0]}")
        print(
            f"{name:10} {report.chunks} chunks  wall {wall:6.1f} s ({wall / first[0]:.2f})  "
            f"processor {used:6.1f} s ({used / first[1]:.2f})",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--judgments", type=int, default=120)
    parser.add_argument("--engines", nargs="+", default=())
    arguments = parser.parse_args()
    settings = load_settings()
    encoders = EmbeddedEncoders(EncoderOptions(**settings.encoding()))
    encoders.encode("sentence", ["warm"])
    documents = list(islice(read_corpus(arguments.corpus), arguments.judgments))
    if arguments.engines:
        by_engines(arguments.engines, documents, encoders, settings.CHUNK_PIECES)
        return
    texts = [
        chunk.text
        for document in documents
        for chunk in chunk_text(document.text, encoders.counts, settings.CHUNK_PIECES)
    ]

    def bare(part: list[str]) -> float:
        began = time.perf_counter()
        encoders.encode("sentence", part)
        return time.perf_counter() - began

    # Half before and half after, since other work on the machine comes and goes.
    half = len(texts) // 2
    seconds = bare(texts[:half])
    with home_of_its_own():
        began = time.perf_counter()
        _, report = build_index(documents, "measured", encoders, settings.CHUNK_PIECES)
        indexing = time.perf_counter() - began
    seconds += bare(texts[half:])
    rates = (len(texts) / seconds, report.chunks / indexing)
    print(f"{len(documents)} judgments, {report.chunks} chunks")
    print(f"bare encoder   {rates[0]:7.1f} chunks/s")
    print(f"indexing       {rates[1]:7.1f} chunks/s = {rates[1] / rates[0]:.0%} of it")
    print(f"peak memory    {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
