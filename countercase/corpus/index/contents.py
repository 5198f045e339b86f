"""Everything of a corpus in one canonical order: judgments by id, chunks by number.

It is derived from the store's collections alone, so that an index built again, or in another
order, or in several runs, gives the same bytes.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.provision_terms import provision_terms
from countercase.corpus.index.store import CorpusStore, case_of
from countercase.corpus.index.stored import chunk_sums, compare

SECTIONS: Final = ("", "header", "facts", "arguments", "analysis", "holding", "order")
FIELDS: Final = ("case", "number", "start", "end", "section", "page", "paragraph", "at", "after")
Vectors = NDArray[np.float32]


@dataclass
class CorpusContents:
    """A corpus in memory: judgments by id, chunks by judgment and number.

    Attributes:
        rows: metadata of each judgment as plain values.
        table: int64, shape (chunks, fields), columns as in `FIELDS`.
        raws: the chunks' texts as UTF-8; empty where they stay on disk.
    """

    case_ids: list[str]
    rows: list[dict[str, Any]]
    table: NDArray[np.int64]
    raws: list[bytes]
    sentence: Vectors
    passage: Vectors | None
    case_vectors: Vectors

    def place_texts(self) -> None:
        """Write into the table where each chunk's text begins and ends among all texts."""
        at = np.cumsum([0, *(len(raw) for raw in self.raws)])
        self.table[:, FIELDS.index("at")] = at[:-1]
        self.table[:, FIELDS.index("after")] = at[1:]

    def provision_terms(self) -> list[tuple[str, ...]]:
        """The provision terms of each judgment."""
        return [provision_terms(row["provisions"]) for row in self.rows]

    def case_texts(self) -> Iterator[list[str]]:
        """The chunk texts of each judgment."""
        cases = self.table[:, FIELDS.index("case")]
        bounds = np.searchsorted(cases, np.arange(len(self.case_ids) + 1))
        for left, right in itertools.pairwise(bounds):
            yield [raw.decode() for raw in self.raws[left:right]]

    def checksum(self) -> str:
        """sha256 over ids, texts and vectors."""
        digest = hashlib.sha256("\n".join(self.case_ids).encode())
        for raw in self.raws:
            digest.update(raw)
        digest.update(np.ascontiguousarray(self.sentence).data)
        if self.passage is not None:
            digest.update(np.ascontiguousarray(self.passage).data)
        return digest.hexdigest()


def table_row(case: int, chunk: Mapping[str, Any]) -> list[int]:
    """A chunk's row of the table, where its text stands left open."""
    section = SECTIONS.index(chunk["section"]) if chunk["section"] in SECTIONS else 0
    places = [int(chunk[name]) for name in ("number", "start", "end")]
    return [case, *places, section, int(chunk["page"]), int(chunk["paragraph"]), 0, 0]


def contents_of(store: CorpusStore) -> CorpusContents:
    """Everything of the complete judgments in a store; chunks of others are left out.

    Raises:
        DamagedStoreError: what it holds of a judgment is not what was written.
    """
    marks = store.complete_cases()
    case_ids = sorted(marks)
    place = {case_id: at for at, case_id in enumerate(case_ids)}
    sums: dict[str, list[str]] = {case_id: [] for case_id in case_ids}
    unreadable: set[str] = set()
    keys: list[tuple[int, int]] = []
    table: list[list[int]] = []
    raws: list[bytes] = []
    blocks: list[Vectors] = []
    ids: list[str] = []
    for page in store.chunk_pages():
        vectors = np.asarray(page["embeddings"], dtype=np.float32)
        complete = []
        for at, (chunk, own_sum) in enumerate(zip(page["ids"], chunk_sums(page), strict=True)):
            case_id = case_of(chunk)
            if case_id not in place:
                continue
            sums[case_id].append(own_sum)
            try:
                places = table_row(place[case_id], page["metadatas"][at])
                raw = page["documents"][at].encode()
            except (KeyError, TypeError, ValueError, AttributeError):
                unreadable.add(case_id)
                continue
            keys.append((places[0], places[1]))
            table.append(places)
            raws.append(raw)
            ids.append(chunk)
            complete.append(at)
        blocks.append(vectors[complete])
    order = sorted(range(len(keys)), key=keys.__getitem__)
    sentence = np.concatenate(blocks)[order] if blocks else np.zeros((0, 0), dtype=np.float32)
    passage = _passages(store, [ids[at] for at in order], sums)
    compare(store.corpus, marks, sums, unreadable)
    array = np.asarray([table[at] for at in order], dtype=np.int64).reshape(-1, len(FIELDS))
    return CorpusContents(
        case_ids=case_ids,
        rows=[json.loads(str(marks[case_id]["metadata"])) for case_id in case_ids],
        table=array,
        raws=[raws[at] for at in order],
        sentence=sentence,
        passage=passage,
        case_vectors=case_vectors(sentence, array[:, 0], len(case_ids)),
    )


def _passages(store: CorpusStore, ids: list[str], sums: Mapping[str, list[str]]) -> Vectors | None:
    """The passage vectors of `ids`; their checksums join those of their judgments."""
    if store.passages is None:
        return None
    place = {chunk: at for at, chunk in enumerate(ids)}
    rows: Vectors | None = None
    for page in store.passage_pages():
        vectors = np.asarray(page["embeddings"], dtype=np.float32)
        if rows is None:
            rows = np.zeros((len(ids), vectors.shape[1]), dtype=np.float32)
        for at, (chunk, own_sum) in enumerate(zip(page["ids"], chunk_sums(page), strict=True)):
            if chunk in place:
                rows[place[chunk]] = vectors[at]
                sums[case_of(chunk)].append(own_sum)
    return rows


def case_vectors(sentence: Vectors, cases: NDArray[np.int64], count: int) -> Vectors:
    """The unit mean of each case's chunk vectors, shape (count, width)."""
    if not len(sentence):
        return np.zeros((count, 0), dtype=np.float32)
    bounds = np.searchsorted(cases, np.arange(count))
    sums = np.add.reduceat(sentence.astype(np.float64), bounds, axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(norms == 0, 1, norms)).astype(np.float32)
