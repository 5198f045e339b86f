"""The lexical indexes of a corpus: words and word pairs, the provisions cited, runs of words quoted.

*Words* (`Lexicon`). BM25 (Robertson and Zaragoza 2009) adds over terms, so a narrative's score is the
sum of its segments' scores. Word pairs that stand in one judgment only rank nothing and are left out.

*Provisions* (`CitingCases`) are terms in normal form, so that `u/s 302/34 IPC` meets `Section 302 read with
Section 34 of the Indian Penal Code`. Sections of the BNS, BNSS and BSA count as those of the IPC, CrPC and
Evidence Act that they took the place of, and a sub-section also as its section. Each counts once a case,
weighted by its rarity, the less the more provisions the case cites.

*Quotations* (`Quotations`). A run is `RUN` words of `text.words` in a row, some fifteen as they are written:
word n-grams did more for prior cases in Indian courts than any other lexical term (Joshi et al.,
U-CREAT, ACL 2023). A run that more than `MOST_SHARING` judgments have is a formula and is left out.
`score = Σ over the runs of the text that the case has of idf · 2.2 / (1 + 1.2 · (¼ + ¾ length / mean))`:
BM25 with k₁ = 1.2 of terms that a case has once.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from countercase.errors import InputError
from countercase.law.citations import provisions_in
from countercase.law.provisions import predecessors
from countercase.text.words import words

K1: Final = 1.5
B: Final = 0.75
STEM: Final = 5
"""Letters of a word that stand for it where its endings do not matter."""
Ids = NDArray[np.int64]

_ARRAYS: Final = ("data", "indices", "indptr")
"""The scores of BM25 as a sparse matrix: values, cases, and where each term begins."""


def rarity(cases: int, having: int) -> float:
    """Return ln(1 + (N − n + ½) / (n + ½)), n of the N cases having a term, as BM25 does."""
    return math.log1p((cases - having + 0.5) / (having + 0.5))


class Lexicon:
    """Scores of all cases for a text; cases in the order in which they were added."""

    def __init__(
        self, scores: Mapping[str, Any], vocabulary: dict[str, int], pairs: Ids, cases: int
    ) -> None:
        self._scores, self._vocabulary, self._pairs, self._cases = scores, vocabulary, pairs, cases

    def scores(self, text: str) -> NDArray[np.float64]:
        """BM25 of every case for one segment, shape (cases,)."""
        total: NDArray[np.float64] = np.zeros(self._cases)
        terms, counts = np.unique(self._ids(text), return_counts=True)
        values, cases, ends = (self._scores[name] for name in _ARRAYS)
        for term, count in zip(terms, counts, strict=True):
            own = slice(ends[term], ends[term + 1])
            total[cases[own]] += float(count) * values[own].astype(np.float64)
        return total

    def idf(self, word: str) -> float:
        """Return the `rarity` of a word."""
        at = self._vocabulary.get(word)
        return rarity(self._cases, 0 if at is None else int(self._having[at]))

    @cached_property
    def _having(self) -> Ids:
        """How many cases have each term."""
        having: Ids = np.diff(self._scores["indptr"])
        return having

    @cached_property
    def stems(self) -> dict[str, int]:
        """For each stem (first letters) the cases that have its commonest word."""
        cases: dict[str, int] = {}
        for word, at in self._vocabulary.items():
            cases[word[:STEM]] = max(cases.get(word[:STEM], 0), int(self._having[at]))
        return cases

    def _ids(self, text: str) -> Ids:
        known = [self._vocabulary.get(word, -1) for word in words(text)]
        ids = np.asarray(known, dtype=np.int64)
        pairs = _pairs_of(ids, self._pairs) + len(self._vocabulary)
        return np.concatenate([ids[ids >= 0], pairs])

    def save(self, folder: Path) -> None:
        """Write the index into the new `folder`; arrays as `.npy`, words as JSON."""
        folder.mkdir()
        for name in _ARRAYS:
            np.save(folder / f"{name}.csc.index.npy", self._scores[name])
        np.save(folder / "pairs.npy", self._pairs)
        (folder / "words.json").write_text(json.dumps(list(self._vocabulary)), encoding="utf-8")


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
    if not first_seen:
        raise InputError("no word in any text of the corpus; give texts of judgments")
    vocabulary = {word: at for at, word in enumerate(sorted(first_seen))}
    renumber = np.asarray([vocabulary[word] for word in first_seen], dtype=np.int64)
    texts = [[renumber[row] for row in rows] for rows in texts]
    pairs = _common_pairs(texts)

    def terms_of(row: Ids) -> list[int]:
        return [*row.tolist(), *(_pairs_of(row, pairs) + len(vocabulary)).tolist()]

    corpus = [[term for row in rows for term in terms_of(row)] for rows in texts]
    engine = bm25s.BM25(k1=K1, b=B, method="lucene")
    names = vocabulary | {f"\x1f{at}": at + len(vocabulary) for at in range(len(pairs))}
    engine.index((corpus, names), show_progress=False)
    return Lexicon(engine.scores, vocabulary, pairs, len(corpus))


def load_lexicon(folder: Path, cases: int) -> Lexicon:
    """Return the index that `Lexicon.save` wrote for `cases` cases, memory-mapped."""
    scores = {name: np.load(folder / f"{name}.csc.index.npy", mmap_mode="r") for name in _ARRAYS}
    listed = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    pairs = np.load(folder / "pairs.npy", allow_pickle=False)
    return Lexicon(scores, {word: at for at, word in enumerate(listed)}, pairs, cases)


def _pair_keys(ids: Ids) -> Ids:
    """Return one number for each neighbouring pair of known words, in order."""
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
    none = np.zeros(0, dtype=np.int64)
    of_cases = [np.unique(np.concatenate([none, *map(_pair_keys, rows)])) for rows in texts]
    keys, cases = np.unique(np.concatenate(of_cases), return_counts=True)
    return np.asarray(keys[cases > 1])


_SECTION: Final = re.compile(r"^([^-]+-[^-(]+)")


def provision_terms(provisions: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct terms of some provisions, sorted: each provision and its section."""
    terms: set[str] = set()
    for provision in provisions:
        try:
            known = predecessors(provision) or (provision,)
        except InputError:  # in a form of a corpus's own (a tariff item, say): it matches itself
            known = (provision,)
        terms.update(known)
        terms.update(section[1] for it in known if (section := _SECTION.match(it)))
    return tuple(sorted(terms))


class CitingCases:
    """For each provision term, the cases that cite it, given the terms of each case in order."""

    def __init__(self, terms: Sequence[Sequence[str]]) -> None:
        self._terms = [tuple(listed) for listed in terms]
        self._cases: dict[str, list[int]] = {}
        for case, listed in enumerate(self._terms):
            for term in listed:
                self._cases.setdefault(term, []).append(case)
        sizes = np.asarray([len(listed) for listed in self._terms], dtype=np.float64)
        usual = 1.0 + (sizes.mean() if len(sizes) else 0.0)
        self._share: NDArray[np.float64] = np.sqrt(usual / (1.0 + sizes))

    def scores(self, text: str) -> NDArray[np.float64]:
        """Return the score of every case for the provisions that `text` cites, shape (cases,).

        It is Σ over the terms of idf · √((1 + mean) / (1 + terms of the case)), the mean over the
        corpus, so that scores are of one size in corpora of long judgments and of short records.
        """
        total: NDArray[np.float64] = np.zeros(len(self._terms))
        for term in self.known_terms(text):
            cases = self._cases[term]
            total[cases] += rarity(len(self._terms), len(cases)) * self._share[cases]
        return total

    def cases(self, terms: Iterable[str]) -> int:
        """Return how many cases have one of these terms."""
        return len({case for term in terms for case in self._cases.get(term, ())})

    def save(self, path: Path) -> None:
        """Write the terms as JSON."""
        path.write_text(json.dumps(self._terms), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return what `save` wrote."""
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def known_terms(self, text: str) -> tuple[str, ...]:
        """Return the provision terms of `text` that some case cites."""
        return tuple(term for term in provision_terms(provisions_in(text)) if term in self._cases)


RUN: Final = 8
MOST_SHARING: Final = 10
_K1_OF_RUNS: Final = 1.2
_MIX: Final = (np.uint64(6364136223846793005), np.uint64(0xBF58476D1CE4E5B9))
"""Odd constants of a linear congruential step and of a finaliser (Knuth; Steele et al. 2014)."""

Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class Quotations:
    """The runs of a corpus: sorted numbers, the case of each, distinct runs of each case."""

    keys: Keys
    cases: NDArray[np.int32]
    lengths: NDArray[np.int64]

    def scores(self, text: str) -> NDArray[np.float64]:
        """Return the score of every case, shape (cases,); 0 where it shares no run."""
        size = len(self.lengths)
        total: NDArray[np.float64] = np.zeros(size)
        runs = run_keys(text)
        first, after = (np.searchsorted(self.keys, runs, side) for side in ("left", "right"))
        for start, end in zip(first.tolist(), after.tolist(), strict=True):
            if end > start:
                total[self.cases[start:end]] += rarity(size, end - start)
        if total.any():
            share = self.lengths / self.lengths.mean()
            total *= (_K1_OF_RUNS + 1) / (1 + _K1_OF_RUNS * (1 - B + B * share))
        return total

    def save(self, folder: Path) -> None:
        """Write the three arrays into `folder`."""
        folder.mkdir()
        for name in ("keys", "cases", "lengths"):
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return what `save` wrote, memory-mapped."""
        names = ("keys", "cases", "lengths")
        return cls(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in names))


def quotations_of(cases: Iterable[Sequence[str]]) -> Quotations:
    """Return the runs of cases, each given as its chunks in order; a run may cross chunks."""
    found = [run_keys("\n".join(chunks)) for chunks in cases]
    lengths = np.asarray([len(keys) for keys in found], dtype=np.int64)
    keys = np.concatenate([*found, np.zeros(0, dtype=np.uint64)])
    owners = np.repeat(np.arange(len(found), dtype=np.int32), lengths)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    _, sharing = np.unique(keys, return_counts=True)
    kept = np.repeat(sharing <= MOST_SHARING, sharing)
    return Quotations(keys[kept], owners[kept], lengths)


def run_keys(text: str) -> Keys:
    """Return a number for each distinct run of words of a text, sorted; the same on every machine."""
    numbers = np.asarray([_number(word) for word in words(text)], dtype=np.uint64)
    if len(numbers) < RUN:
        return np.zeros(0, dtype=np.uint64)
    runs = len(numbers) - RUN + 1
    keys = np.zeros(runs, dtype=np.uint64)
    step, finish = _MIX
    for at in range(RUN):
        keys = keys * step + numbers[at : at + runs]
    keys = (keys ^ (keys >> np.uint64(29))) * finish
    return np.unique(keys ^ (keys >> np.uint64(32)))


@lru_cache(maxsize=500_000)
def _number(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
