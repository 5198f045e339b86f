"""What Chroma holds of each judgment, checked: its mark carries a checksum of all its entries."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from countercase.corpus.index.store import CorpusStore, Row, case_of
from countercase.errors import DamagedStoreError


def chunk_sums(page: Mapping[str, Any]) -> list[str]:
    """A checksum of each entry of a page of chunks or of passage vectors."""
    import xxhash

    sums = []
    for at, vector in enumerate(np.asarray(page["embeddings"], dtype=np.float32)):
        beside = [page[name][at] for name in ("documents", "metadatas") if page.get(name)]
        text = json.dumps([page["ids"][at], *beside], sort_keys=True)
        sums.append(xxhash.xxh3_128(text.encode() + vector.tobytes()).hexdigest())
    return sums


def case_sum(case_id: str, mark: Row, sums: Iterable[str]) -> str:
    """A checksum of all that a store holds of a judgment: its mark and its entries, in any order."""
    import xxhash

    named = [case_id, mark.get("digest"), mark.get("metadata"), *sorted(sums)]
    return xxhash.xxh3_128(json.dumps(named).encode()).hexdigest()


def compare(
    corpus: str,
    marks: Mapping[str, Row],
    sums: Mapping[str, list[str]],
    unreadable: Collection[str] = (),
) -> None:
    """Compare the checksums of all judgments with those of their marks.

    Raises:
        DamagedStoreError: some differ, or are `unreadable`.
    """
    damaged = [
        case_id
        for case_id, mark in marks.items()
        if case_id in unreadable or case_sum(case_id, mark, sums[case_id]) != mark.get("stored")
    ]
    if damaged:
        raise DamagedStoreError(
            f"corpus {corpus}: Chroma's files are damaged or another program changed them: "
            f"{len(damaged)} judgments are not as they were written, {min(damaged)} among them; "
            f"run `countercase index PATH --corpus {corpus}` again, which adds these anew, or "
            f"remove it first with `countercase corpus remove {corpus}`",
            tuple(sorted(damaged)),
        )


class StoreWriter:
    """Writes one block to Chroma while the next one is encoded; the encoders never wait for it."""

    def __init__(self, store: CorpusStore) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._pending: Future[None] | None = None

    def write(self, chunks: Mapping[str, Any], cases: Mapping[str, Any]) -> None:
        """Write chunks, then the marks of their judgments."""
        self.wait()
        self._pending = self._pool.submit(self._both, chunks, cases)

    def _both(self, chunks: Mapping[str, Any], cases: Mapping[str, Any]) -> None:
        self._store.add_chunks(**chunks)
        # Chroma may change the last bit of a vector, so the checksum is of what it gives back.
        sums: dict[str, list[str]] = {case_id: [] for case_id in cases["ids"]}
        for page in self._store.entries(chunks["ids"]):
            for chunk, own_sum in zip(page["ids"], chunk_sums(page), strict=True):
                sums[case_of(chunk)].append(own_sum)
        marks = [
            {**mark, "stored": case_sum(case_id, mark, sums[case_id])}
            for case_id, mark in zip(cases["ids"], cases["rows"], strict=True)
        ]
        self._store.add_cases(cases["ids"], marks, cases["vectors"])

    def wait(self) -> None:
        """Return when the last block is written; its error, if any, is raised here."""
        if self._pending is not None:
            self._pending.result()
            self._pending = None
