"""Which judgments share a run of words with a text: who quotes a decision quotes what it is for.

A run is `RUN` words of `text.words` in a row, so some fifteen as they are written. Later judgments
find the earlier ones that they rest on by what they quote of them; word n-grams did more for prior
cases in Indian courts than any other lexical term (Joshi et al., U-CREAT, ACL 2023). A run that
more than `MOST_SHARING` judgments have is a formula of a statute or of the courts and is left out.

`score = Σ over the runs of the text that the case has of idf · 2.2 / (1 + 1.2 · (¼ + ¾ length / mean))`:
BM25 with k₁ = 1.2 of terms that a case has once.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from countercase.text.words import words

RUN: Final = 8
MOST_SHARING: Final = 10
_K1: Final = 1.2
_B: Final = 0.75
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
        """The score of every case, shape (cases,); 0 where it shares no run."""
        size = len(self.lengths)
        total: NDArray[np.float64] = np.zeros(size)
        runs = run_keys(text)
        first, after = (np.searchsorted(self.keys, runs, side) for side in ("left", "right"))
        for start, end in zip(first.tolist(), after.tolist(), strict=True):
            if end > start:
                having = end - start
                rarity = math.log1p((size - having + 0.5) / (having + 0.5))
                total[self.cases[start:end]] += rarity
        if total.any():
            share = self.lengths / self.lengths.mean()
            total *= (_K1 + 1) / (1 + _K1 * (1 - _B + _B * share))
        return total

    def save(self, folder: Path) -> None:
        """Write the three arrays into `folder`."""
        folder.mkdir()
        for name in ("keys", "cases", "lengths"):
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What `save` wrote, memory-mapped."""
        names = ("keys", "cases", "lengths")
        return cls(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in names))


def quotations_of(cases: Iterable[Sequence[str]]) -> Quotations:
    """The runs of cases, each given as its chunks in order; a run may cross chunks."""
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
    """A number for each distinct run of words of a text, sorted; the same on every machine."""
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
