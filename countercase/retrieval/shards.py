"""Exact search over shards of an index: each actor on Ray holds a run of judgments.

A shard is cut between judgments, so the best chunk of a judgment is found whole in one of them, by
the same `best_chunks` that searches here; the shards' answers put side by side are the answer of
the whole. Ties are broken where they always are, by case id, when cases are ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from countercase.corpus.index.build import index_folder
from countercase.corpus.index.search import Places, Scores, Vectors, best_chunks
from countercase.corpus.index.snapshot import Snapshot, check_files, opening, read_manifest
from countercase.encoders.base import Role
from countercase.engines.engine import Engine
from countercase.engines.pools import Actors, Sendable
from countercase.errors import ConfigError, CorpusIndexError
from countercase.retrieval.base import DenseRow
from countercase.retrieval.dense import rows_of
from countercase.retrieval.hybrid import HybridRetriever

ANSWER_BYTES: Final = 1 << 24
"""Bytes of one shard's answer to one question; more vectors are asked for in several."""

Question = tuple[Role, Vectors]
"""The model that read the chunks, and vectors of shape (vectors, width)."""

Answer = tuple[Scores, Places]
"""Scores and positions as `best_chunks` gives them."""


@dataclass(frozen=True)
class Shard(Sendable):
    """A run of judgments of an index, memory-mapped where the search is done.

    It has the checksum of the index where the work is given out, and where the judgments' chunks
    begin in the whole and the last one's end.
    """

    corpus: str
    checksum: str
    starts: Places

    @cached_property
    def matrices(self) -> dict[Role, Vectors]:
        """The vectors of the index by model; CorpusIndexError where that here is not the same."""
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
            roles: tuple[Role, ...] = ("sentence", "passage")
            return {
                role: np.load(folder / f"{role}.npy", mmap_mode="r")
                for role in roles
                if f"{role}.npy" in manifest.files
            }

    def __call__(self, question: Question) -> Answer:
        """Return the best chunk of each judgment; see `best_chunks`."""
        role, vectors = question
        first, after = int(self.starts[0]), int(self.starts[-1])
        matrix = self.matrices.get(role, self.matrices["sentence"])
        scores, places = best_chunks(vectors, matrix[first:after], self.starts - first)
        return scores, places + first


@dataclass(frozen=True)
class ShardedSearch:
    """A `Search` by actors that hold the shards of an index with `cases` judgments, in their order."""

    actors: Actors[Question, Answer]
    cases: int

    def __call__(self, role: Role, vectors: Vectors, offset: Scores | None) -> list[DenseRow]:
        """See `Search`."""
        rows, at_once = list[DenseRow](), max(1, ANSWER_BYTES // (16 * self.cases))
        for at in range(0, len(vectors), at_once):
            answers = self.actors.ask((role, vectors[at : at + at_once]))
            scores, places = (np.concatenate(parts, axis=1) for parts in zip(*answers, strict=True))
            rows += rows_of(scores, places, offset)
        return rows


def shards_of(snapshot: Snapshot, count: int) -> list[Shard]:
    """Cut an index between judgments into at most `count` like shards; CorpusIndexError if in memory."""
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

    ConfigError where Ray is not installed or Chroma is searched; StoreError where Ray cannot start.
    """
    if engine.name != "ray":
        yield
        return
    if retriever.settings.search == "chroma":
        raise ConfigError("SEARCH = 'chroma' looks candidates up in Chroma; take --engine plain")
    shards = shards_of(retriever.snapshot, engine.workers)
    with Actors(shards, engine.address) as actors:
        search = ShardedSearch(actors, retriever.channels.size)
        with retriever.channels.search_with(search):
            yield
