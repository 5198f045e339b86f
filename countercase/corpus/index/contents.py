"""Everything of a corpus in one canonical order: judgments by id, chunks by number.

An index built again, or in another order, or in several runs, gives the same bytes.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.lexical import provision_terms

SECTIONS: Final = ("", "header", "facts", "arguments", "analysis", "holding", "order")
FIELDS: Final = ("case", "number", "start", "end", "section", "page", "paragraph", "at", "after")
CASE, AT, AFTER = (FIELDS.index(name) for name in ("case", "at", "after"))
Vectors = NDArray[np.float32]
Table = NDArray[np.int64]


@dataclass
class CaseContents:
    """One judgment as an index holds it.

    Attributes:
        digest: names the judgment and all that its contents depend on beside it.
        row: its metadata as plain values.
        table: int64, shape (chunks, fields), columns as in `FIELDS`; `case`, `at` and `after` are
            those of a corpus, and not yet known.
        raws: the chunks' texts as UTF-8.
        sentence, passage: vectors of the chunks, shape (chunks, width); no `passage` where the
            passage tower is the sentence encoder.
    """

    digest: str
    row: dict[str, Any]
    table: Table
    raws: list[bytes]
    sentence: Vectors
    passage: Vectors | None = None


@dataclass(frozen=True)
class CorpusContents:
    """A corpus in memory: judgments by id, chunks by judgment and number.

    Attributes:
        digests, rows: of each judgment; see `CaseContents`.
        table: int64, shape (chunks, fields), columns as in `FIELDS`.
        raws: the chunks' texts; empty where they stay on disk.
        case_vectors: unit means of the judgments' sentence vectors, shape (judgments, width).
    """

    case_ids: list[str]
    digests: list[str]
    rows: list[dict[str, Any]]
    table: Table
    raws: list[bytes]
    sentence: Vectors
    passage: Vectors | None
    case_vectors: Vectors

    @classmethod
    def of(cls, cases: Mapping[str, CaseContents]) -> CorpusContents:
        """Put judgments together, given by id; at least one."""
        case_ids = sorted(cases)
        parts = [cases[case_id] for case_id in case_ids]
        table = np.concatenate([part.table for part in parts])
        table[:, CASE] = np.repeat(np.arange(len(parts)), [len(part.table) for part in parts])
        raws = [raw for part in parts for raw in part.raws]
        ends = np.cumsum([0, *map(len, raws)])
        table[:, AT], table[:, AFTER] = ends[:-1], ends[1:]
        sentence = np.concatenate([part.sentence for part in parts])
        passages = [part.passage for part in parts if part.passage is not None]
        return cls(
            case_ids=case_ids,
            digests=[part.digest for part in parts],
            rows=[part.row for part in parts],
            table=table,
            raws=raws,
            sentence=sentence,
            passage=np.concatenate(passages) if passages else None,
            case_vectors=_case_vectors(sentence, table[:, CASE], len(parts)),
        )

    @property
    def starts(self) -> Table:
        """Shape (judgments + 1,): the chunks of judgment i are starts[i]:starts[i + 1]."""
        return np.searchsorted(self.table[:, CASE], np.arange(len(self.case_ids) + 1))

    def provision_terms(self) -> list[tuple[str, ...]]:
        """Return the provision terms of each judgment."""
        return [provision_terms(row["provisions"]) for row in self.rows]

    def case_texts(self) -> Iterator[list[str]]:
        """Yield the chunk texts of each judgment."""
        for left, right in itertools.pairwise(self.starts):
            yield [raw.decode() for raw in self.raws[left:right]]

    def checksum(self) -> str:
        """Return sha256 over ids, texts and vectors."""
        digest = hashlib.sha256("\n".join(self.case_ids).encode())
        for raw in self.raws:
            digest.update(raw)
        digest.update(np.ascontiguousarray(self.sentence).data)
        if self.passage is not None:
            digest.update(np.ascontiguousarray(self.passage).data)
        return digest.hexdigest()


def _case_vectors(sentence: Vectors, cases: Table, count: int) -> Vectors:
    """Return the unit mean of each case's chunk vectors, shape (count, width)."""
    bounds = np.searchsorted(cases, np.arange(count))
    sums = np.add.reduceat(sentence.astype(np.float64), bounds, axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(norms == 0, 1, norms)).astype(np.float32)
