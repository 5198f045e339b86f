"""Indexing beside the bare encoder, in one run: chunks a second, and the peak of memory.

    python benchmarks/indexing.py --corpus PATH [--judgments N]

The bare encoder gets the same chunks, already cut, and writes nothing; indexing reads, cuts, labels,
encodes, writes to Chroma and lays down the snapshot. Neither uses the cache.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from itertools import islice
from pathlib import Path

from countercase.config import load_settings
from countercase.corpus.index.build import build_index
from countercase.corpus.index.chunking import chunk_text
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded.suite import EmbeddedEncoders


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--judgments", type=int, default=120)
    arguments = parser.parse_args()
    settings = load_settings()
    encoders = EmbeddedEncoders(EncoderOptions(**settings.encoding()))
    encoders.encode("sentence", ["warm"])
    documents = list(islice(read_corpus(arguments.corpus), arguments.judgments))
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
    home = os.environ.get("COUNTERCASE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COUNTERCASE_HOME"] = folder
        began = time.perf_counter()
        _, report = build_index(documents, "measured", encoders, settings.CHUNK_PIECES)
        indexing = time.perf_counter() - began
        if home is None:
            del os.environ["COUNTERCASE_HOME"]
        else:
            os.environ["COUNTERCASE_HOME"] = home
    seconds += bare(texts[half:])
    rates = (len(texts) / seconds, report.chunks / indexing)
    print(f"{len(documents)} judgments, {report.chunks} chunks")
    print(f"bare encoder   {rates[0]:7.1f} chunks/s")
    print(f"indexing       {rates[1]:7.1f} chunks/s = {rates[1] / rates[0]:.0%} of it")
    print(f"peak memory    {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
