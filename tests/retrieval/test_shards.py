"""Search in shards on Ray: the same bytes as here, also when an actor is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from engine_work import KilledOnce, Squares
from made_corpus import judgments
from ray_cluster import cluster, needs_ray

from countercase.corpus.index.build import build_index, index_folder, index_in_memory
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.engines.engine import Engine
from countercase.engines.pools import ATTEMPTS, Actors
from countercase.errors import CorpusIndexError, InputError, StoreError
from countercase.retrieval import shards
from countercase.retrieval.base import DenseRow, Query
from countercase.retrieval.dense import exact_search
from countercase.retrieval.hybrid import HybridRetriever
from countercase.retrieval.shards import ShardedSearch, searched_by, shards_of

SUBJECTS = ("murder by knife", "a bounced cheque", "land and rent", "dowry", "heroin", "pensions")
DOCUMENTS = judgments(SUBJECTS, (2, 6, 10))
QUERY = Query(("The accused struck him with a knife.", "He had not paid the rent of the land."))


@pytest.fixture(scope="module")
def snapshot(encoders: EmbeddedEncoders) -> Snapshot:
    return build_index(DOCUMENTS, "sharded", encoders, 24)[0]


@pytest.fixture(scope="module")
def vectors(encoders: EmbeddedEncoders) -> Any:
    return encoders.encode("sentence", [*QUERY.segments, "heroin was found", "a pension"])


@pytest.fixture(scope="module")
def address(home: Path, snapshot: Snapshot) -> Iterator[str]:
    """One Ray for all tests of this module."""
    with cluster(4) as found:
        yield found


def test_shards_are_cut_between_judgments_and_leave_nothing_out(snapshot: Snapshot) -> None:
    starts = snapshot.starts
    assert len(starts) == 7
    for count in (1, 2, 4, 6, 50):
        parts = shards_of(snapshot, count)
        assert 1 <= len(parts) <= min(count, 6)
        cuts = [part.starts for part in parts]
        assert [cut[-1] for cut in cuts[:-1]] == [cut[0] for cut in cuts[1:]]
        assert np.array_equal(np.unique(np.concatenate(cuts)), starts)
    longest = max(part.starts[-1] - part.starts[0] for part in shards_of(snapshot, 2))
    assert longest <= starts[-1] / 2 + np.diff(starts).max()


def test_a_corpus_in_memory_has_no_shards_and_one_of_another_index_refuses(
    snapshot: Snapshot, encoders: EmbeddedEncoders
) -> None:
    with pytest.raises(CorpusIndexError, match="index it first"):
        shards_of(index_in_memory(DOCUMENTS[:2], encoders, 24), 2)
    [part] = shards_of(snapshot, 1)
    other = shards.Shard(part.corpus, "of another", part.starts)
    with pytest.raises(CorpusIndexError, match="has another index"):
        other(("sentence", snapshot.sentence[:1]))


def is_same(found: list[DenseRow], expected: list[DenseRow]) -> bool:
    """Compare rows byte by byte."""
    return all(
        getattr(a, name).tobytes() == getattr(b, name).tobytes()
        for a, b in zip(found, expected, strict=True)
        for name in ("cosine", "chunk", "z")
    )


@pytest.mark.parametrize("answer_bytes", [1, 300, 1 << 24])
def test_shards_put_together_are_the_search_of_the_whole(
    answer_bytes: int, snapshot: Snapshot, vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "ANSWER_BYTES", answer_bytes)
    expected = exact_search(snapshot, "sentence", vectors, None)
    for count in (1, 2, 4):
        parts = shards_of(snapshot, count)
        # What actors answer, without Ray.
        local: Any = SimpleNamespace(ask=lambda asked, parts=parts: [part(asked) for part in parts])
        search = ShardedSearch(local, len(snapshot.case_ids))
        assert is_same(search("sentence", vectors, None), expected)


@needs_ray
@pytest.mark.parametrize("count", [1, 3])
def test_rankings_in_shards_are_those_of_here(
    count: int, address: str, snapshot: Snapshot, encoders: EmbeddedEncoders
) -> None:
    expected = HybridRetriever(snapshot, encoders).retrieve([QUERY], top_k=6)
    retriever = HybridRetriever(snapshot, encoders)
    exact = retriever.channels.search
    with searched_by(retriever, Engine("ray", count, address)):
        assert retriever.retrieve([QUERY], top_k=6) == expected
        assert isinstance(retriever.channels.search, ShardedSearch)
    assert retriever.channels.search is exact


def kill_one(folder: Path) -> None:
    """Kill the process of one actor by its id, as soon as it has begun to answer."""
    while not (begun := sorted(folder.glob("pid-*"))):
        time.sleep(0.01)
    os.kill(int(begun[0].name.removeprefix("pid-")), signal.SIGKILL)


@needs_ray
def test_an_actor_killed_in_the_middle_of_a_search_is_started_again(
    address: str, snapshot: Snapshot, vectors: Any, tmp_path: Path
) -> None:
    from shard_work import Waiting

    parts = [
        Waiting(part.corpus, part.checksum, part.starts, tmp_path)
        for part in shards_of(snapshot, 2)
    ]
    expected = exact_search(snapshot, "sentence", vectors, None)
    killer = Thread(target=kill_one, args=(tmp_path,))
    killer.start()
    with Actors(parts, address) as actors:
        search = ShardedSearch(actors, len(snapshot.case_ids))
        assert is_same(search("sentence", vectors, None), expected)
        killer.join(10)
        assert len(list(tmp_path.glob("pid-*"))) == 3
        assert is_same(search("sentence", vectors, None), expected)


@needs_ray
def test_an_actor_that_always_dies_one_that_refuses_and_one_too_many_are_errors(
    address: str, tmp_path: Path
) -> None:
    parts = [Squares(tmp_path), KilledOnce(tmp_path, victim=3, always=True)]
    with Actors(parts, address) as actors:
        assert actors.ask(2) == [4, 4]
        with pytest.raises(StoreError, match=f"{ATTEMPTS} workers ended at it"):
            actors.ask(3)
        assert actors.ask(5) == [25, 25]
        with pytest.raises(InputError, match="three is no number"):
            actors.ask("three")
    with pytest.raises(StoreError, match=r"has room for \d workers at once"):
        Actors([Squares(tmp_path)] * 9, address)


@needs_ray
def test_an_index_made_anew_meanwhile_is_never_mixed_in(
    address: str, snapshot: Snapshot, encoders: EmbeddedEncoders, vectors: Any
) -> None:
    build_index(DOCUMENTS, "renewed", encoders, 24)
    old = Snapshot.open(index_folder("renewed") / "snapshot")
    build_index(DOCUMENTS[1:], "renewed", encoders, 24)
    with (
        Actors(shards_of(old, 2), address) as actors,
        pytest.raises(CorpusIndexError, match="or it was indexed anew meanwhile"),
    ):
        ShardedSearch(actors, len(old.case_ids))("sentence", vectors, None)
