"""The lexical index of a corpus: BM25 over words and word pairs, and the provisions cited.

BM25 (Robertson and Zaragoza 2009) adds over terms, so a narrative's score is the sum of its
segments' scores. Word pairs that stand in one judgment only are left out: they cannot rank two
judgments against each other beyond what their words do.

Provisions are terms of their own, in normal form, so that `u/s 302/34 IPC` meets `Section 302 read
with Section 34 of the Indian Penal Code`, and `BNS 103` meets `IPC 302`. Each counts once a case,
weighted by its rarity, the less the more provisions the case cites.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.text.words import words

K1: Final = 1.5
B: Final = 0.75
STEM: Final = 5
"""Letters of a word that stand for it where its endings do not matter."""
Ids = NDArray[np.int64]


_ARRAYS: Final = ("data", "indices", "indptr")
"""The scores of BM25 as a sparse matrix: values, cases, and where each term begins."""


class Lexicon:
    """Scores of all cases for a text; cases in the order in which they were added."""

    def __init__(
        self, scores: Mapping[str, Any], vocabulary: dict[str, int], pairs: Ids, cases: int
    ) -> None:
        self._scores, self._vocabulary, self._pairs, self._cases = scores, vocabulary, pairs, cases

    def scores(self, text: str) -> NDArray[np.float64]:
        """BM25 of every case for one segment, shape (cases,)."""
        ids = self._ids(text)
        if not len(ids):
            return np.zeros(self._cases)
        total: NDArray[np.float64] = np.zeros(self._cases)
        terms, counts = np.unique(ids, return_counts=True)
        values, cases, ends = (self._scores[name] for name in _ARRAYS)
        for term, count in zip(terms, counts, strict=True):
            own = slice(ends[term], ends[term + 1])
            total[cases[own]] += float(count) * values[own].astype(np.float64)
        return total

    def idf(self, word: str) -> float:
        """ln(1 + (N − n + ½) / (n + ½)), n of the N cases having the word, as BM25 weighs it."""
        at = self._vocabulary.get(word)
        ends = self._scores["indptr"]
        having = 0 if at is None else int(ends[at + 1]) - int(ends[at])
        return math.log1p((self._cases - having + 0.5) / (having + 0.5))

    @cached_property
    def stems(self) -> dict[str, int]:
        """For each stem (first letters) the cases that have its commonest word."""
        counts = np.diff(np.asarray(self._scores["indptr"]))
        cases: dict[str, int] = {}
        for word, at in self._vocabulary.items():
            cases[word[:STEM]] = max(cases.get(word[:STEM], 0), int(counts[at]))
        return cases

    def _ids(self, text: str) -> Ids:
        known = [self._vocabulary.get(word, -1) for word in words(text)]
        ids = np.asarray(known, dtype=np.int64)
        pairs = _pairs_of(ids, self._pairs) + len(self._vocabulary)
        return np.concatenate([ids[ids >= 0], pairs])

    def save(self, folder: Path) -> None:
        """Write the index to `folder`; arrays as `.npy`, words as JSON."""
        for name in _ARRAYS:
            np.save(folder / f"{name}.csc.index.npy", self._scores[name])
        np.save(folder / "pairs.npy", self._pairs)
        listed = sorted(self._vocabulary, key=self._vocabulary.__getitem__)
        (folder / "words.json").write_text(json.dumps(listed), encoding="utf-8")


def build_lexicon(cases: Iterable[Sequence[str]]) -> Lexicon:
    """Return the index of cases, each given as its chunks in order; pairs do not cross chunks."""
    import bm25s

    first_seen: dict[str, int] = {}
    texts: list[list[Ids]] = []
    for chunks in cases:
        rows = []
        for chunk in chunks:
            ids = [first_seen.setdefault(word, len(first_seen)) for word in words(chunk)]
            rows.append(np.asarray(ids, dtype=np.int64))
        texts.append(rows)
    ordered = sorted(first_seen)
    vocabulary = {word: at for at, word in enumerate(ordered)}
    renumber = np.empty(len(ordered), dtype=np.int64)
    for word, old in first_seen.items():
        renumber[old] = vocabulary[word]
    texts = [[renumber[row] for row in rows] for rows in texts]
    pairs = _common_pairs(texts)
    corpus: list[list[int]] = []
    for rows in texts:
        terms: list[int] = []
        for row in rows:
            terms += row.tolist()
            terms += (_pairs_of(row, pairs) + len(vocabulary)).tolist()
        corpus.append(terms)
    engine = bm25s.BM25(k1=K1, b=B, method="lucene")
    names = vocabulary | {f"\x1f{at}": at + len(vocabulary) for at in range(len(pairs))}
    engine.index((corpus, names), show_progress=False)
    return Lexicon(engine.scores, vocabulary, pairs, len(corpus))


def load_lexicon(folder: Path, cases: int) -> Lexicon:
    """Return the index of so many cases that `Lexicon.save` wrote, memory-mapped."""
    scores = {name: np.load(folder / f"{name}.csc.index.npy", mmap_mode="r") for name in _ARRAYS}
    listed = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    pairs = np.load(folder / "pairs.npy", allow_pickle=False)
    return Lexicon(scores, {word: at for at, word in enumerate(listed)}, pairs, cases)


def _pair_keys(ids: Ids) -> Ids:
    """One number for each neighbouring pair of known words, in order."""
    left, right = ids[:-1], ids[1:]
    keep = (left >= 0) & (right >= 0)
    keys: Ids = (left[keep] << 32) | right[keep]
    return keys


def _pairs_of(ids: Ids, pairs: Ids) -> Ids:
    """Return the positions among `pairs` of the neighbouring pairs of words, in order."""
    keys = _pair_keys(ids)
    at = np.minimum(np.searchsorted(pairs, keys), max(len(pairs) - 1, 0))
    hit = pairs[at] == keys if len(pairs) else np.zeros(len(keys), dtype=bool)
    return np.asarray(at[hit], dtype=np.int64)


def _common_pairs(texts: Sequence[Sequence[Ids]]) -> Ids:
    """Sorted keys of the pairs that stand in at least two cases."""
    once = np.zeros(0, dtype=np.int64)
    twice = np.zeros(0, dtype=np.int64)
    block: list[Ids] = []
    for at, rows in enumerate(texts):
        keys = [_pair_keys(row) for row in rows]
        block.append(np.unique(np.concatenate(keys)) if keys else once[:0])
        if len(block) == 256 or at == len(texts) - 1:
            keys_of_block, counts = np.unique(np.concatenate(block), return_counts=True)
            again = np.isin(keys_of_block, once, assume_unique=True)
            twice = np.union1d(twice, keys_of_block[(counts > 1) | again])
            once = np.union1d(once, keys_of_block)
            block = []
    return twice
