"""Exact search over shards of an index: each actor on Ray holds a run of judgments.

A shard is cut between judgments, so the best chunk of a judgment is found whole in one of them, by
the same `best_chunks` that searches here; the shards' answers put side by side are the answer of
the whole. Ties are broken where they always are, by case id, when cases are ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from countercase.corpus.index.build import index_folder
from countercase.corpus.index.snapshot import Snapshot, check_files, opening, read_manifest
from countercase.engines.engine import Engine
from countercase.engines.on_ray import Actors
from countercase.engines.work import Sendable
from countercase.errors import CorpusIndexError
from countercase.retrieval.base import Scores
from countercase.retrieval.hybrid import HybridRetriever
from countercase.retrieval.rough_scores import Vectors
from countercase.retrieval.search import Places, best_chunks

ANSWER_BYTES: Final = 1 << 24
"""Bytes of one shard's answer to one question; more vectors are asked for in several."""

Answer = tuple[Scores, Places]


@dataclass(frozen=True)
class Shard(Sendable):
    """A run of judgments of an index, memory-mapped where the search is done.

    Attributes:
        checksum: of the index where the work is given out.
        starts: where the judgments' chunks begin in the whole, and where the last one's end.
    """

    corpus: str
    checksum: str
    starts: Places

    @cached_property
    def matrices(self) -> dict[str, Vectors]:
        """The vectors of the whole index by file name, memory-mapped.

        Raises:
            CorpusIndexError: the index here is missing, damaged or another one.
        """
        folder = index_folder(self.corpus) / "snapshot"
        with opening(self.corpus):
            manifest = read_manifest(folder)
            if manifest.checksum != self.checksum:
                raise CorpusIndexError(
                    f"corpus {self.corpus!r}: this worker has another index than the machine that "
                    "gave out the work, or it was indexed anew meanwhile; make them the same and "
                    "run the same command again"
                )
            check_files(folder, manifest)
            names = [name for name in ("sentence.npy", "passage.npy") if name in manifest.files]
            return {name: np.load(folder / name, mmap_mode="r") for name in names}

    def __call__(self, question: tuple[str, Vectors]) -> Answer:
        """The best chunk of each judgment; see `best_chunks`.

        Args:
            question: the file of the chunks' vectors, and vectors of shape (vectors, width).
        """
        name, vectors = question
        first, after = int(self.starts[0]), int(self.starts[-1])
        chunks = self.matrices[name][first:after]
        scores, places = best_chunks(vectors, chunks, self.starts - first, threads=1)
        return scores, places + first


def search_shards(
    actors: Actors[tuple[str, Vectors], Answer], vectors: Vectors, chunks: Vectors, starts: Places
) -> Answer:
    """`best_chunks` of an index by actors that hold its shards, in their order.

    Args:
        chunks: the memory-mapped vectors of the index; their file says which are searched.
    """
    name = Path(str(getattr(chunks, "filename", ""))).name
    at_once = max(1, ANSWER_BYTES // (16 * len(starts)))
    parts = [
        actors.ask((name, vectors[at : at + at_once])) for at in range(0, len(vectors), at_once)
    ]
    scores, places = (
        np.concatenate([np.concatenate([own[which] for own in part], axis=1) for part in parts])
        for which in (0, 1)
    )
    return scores, places


def shards_of(snapshot: Snapshot, count: int) -> list[Shard]:
    """An index cut between judgments into at most `count` shards of about as many chunks each.

    Raises:
        CorpusIndexError: it is in memory, so that no other process can open it.
    """
    manifest, starts = snapshot.manifest, snapshot.starts
    if snapshot.folder is None:
        raise CorpusIndexError("a corpus in memory cannot be searched in shards; index it first")
    marks = np.linspace(0, starts[-1], count + 1)
    cuts = np.unique(np.searchsorted(starts, marks))
    return [
        Shard(manifest.corpus, manifest.checksum, starts[first : after + 1])
        for first, after in pairwise(cuts.tolist())
    ]


@contextmanager
def searched_by(retriever: HybridRetriever, engine: Engine) -> Iterator[None]:
    """Let a retriever search by as many shards as the engine has workers, where that is Ray.

    Raises:
        ConfigError: Ray is not installed.
        StoreError: Ray cannot be started or reached, or has no room.
    """
    if engine.name != "ray":
        yield
        return
    with Actors(shards_of(retriever.snapshot, engine.workers), engine.address) as actors:
        retriever.channels.search_with(partial(search_shards, actors))
        try:
            yield
        finally:
            retriever.channels.search_with(best_chunks)
