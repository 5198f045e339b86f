"""Read everything of a corpus from Chroma, in canonical order."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.snapshot import FIELDS, SECTIONS, Vectors
from countercase.corpus.store import CorpusStore


@dataclass
class Gathered:
    """A corpus in memory: judgments by id, chunks by judgment and number.

    Attributes:
        table: int64, shape (chunks, fields), columns as in `snapshot.FIELDS`.
        raws: the chunks' texts as UTF-8.
    """

    case_ids: list[str]
    rows: list[dict[str, Any]]
    table: NDArray[np.int64]
    raws: list[bytes]
    sentence: Vectors
    passage: Vectors | None
    case_vectors: Vectors

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


def gather(store: CorpusStore) -> Gathered:
    """Everything of the complete judgments of a corpus; chunks of others are left out."""
    marks = store.complete_cases()
    case_ids = sorted(marks)
    place = {case_id: at for at, case_id in enumerate(case_ids)}
    keys: list[tuple[int, int]] = []
    table: list[list[int]] = []
    raws: list[bytes] = []
    blocks: list[Vectors] = []
    ids: list[str] = []
    for page in store.chunk_pages():
        vectors = np.asarray(page["embeddings"], dtype=np.float32)
        kept = []
        for at, row in enumerate(page["metadatas"]):
            if row["case_id"] not in place:
                continue
            case = place[row["case_id"]]
            keys.append((case, row["number"]))
            section = SECTIONS.index(row["section"]) if row["section"] in SECTIONS else 0
            table.append(
                [case, row["number"], row["start"], row["end"], section, row["page"],
                 row["paragraph"], 0, 0]
            )  # fmt: skip
            raws.append(page["documents"][at].encode())
            ids.append(page["ids"][at])
            kept.append(at)
        blocks.append(vectors[kept])
    order = sorted(range(len(keys)), key=keys.__getitem__)
    sentence = np.concatenate(blocks)[order] if blocks else np.zeros((0, 0), dtype=np.float32)
    passage = _passages(store, [ids[at] for at in order])
    array = np.asarray([table[at] for at in order], dtype=np.int64).reshape(-1, len(FIELDS))
    return Gathered(
        case_ids=case_ids,
        rows=[json.loads(str(marks[case_id]["metadata"])) for case_id in case_ids],
        table=array,
        raws=[raws[at] for at in order],
        sentence=sentence,
        passage=passage,
        case_vectors=case_vectors(sentence, array[:, 0], len(case_ids)),
    )


def _passages(store: CorpusStore, ids: list[str]) -> Vectors | None:
    if store.passages is None:
        return None
    place = {chunk: at for at, chunk in enumerate(ids)}
    rows: Vectors | None = None
    for page in store.passage_pages():
        vectors = np.asarray(page["embeddings"], dtype=np.float32)
        if rows is None:
            rows = np.zeros((len(ids), vectors.shape[1]), dtype=np.float32)
        for at, chunk in enumerate(page["ids"]):
            if chunk in place:
                rows[place[chunk]] = vectors[at]
    return rows


def case_vectors(sentence: Vectors, cases: NDArray[np.int64], count: int) -> Vectors:
    """The unit mean of each case's chunk vectors, shape (count, width)."""
    if not len(sentence):
        return np.zeros((count, 0), dtype=np.float32)
    bounds = np.searchsorted(cases, np.arange(count))
    sums = np.add.reduceat(sentence.astype(np.float64), bounds, axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(norms == 0, 1, norms)).astype(np.float32)
