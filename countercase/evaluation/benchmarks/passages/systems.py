"""Systems that retrieve windows for a query: TF-IDF, BM25, the sentence encoder, and our hybrid.

The first three are baselines in the form in which they are usually published, so that figures can
be compared; the fourth is in `hybrid.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.embedded.suite import Done, Encoders
from countercase.retrieval.base import DECIMALS, best_first
from countercase.text.words import STOP_WORDS

System = Literal["tfidf", "bm25", "sbert", "hybrid"]
SYSTEMS: Final[tuple[System, ...]] = get_args(System)
Table: TypeAlias = NDArray[np.float64]
"""Scores of windows for queries, shape (queries, windows)."""

FEATURES: Final = 5_000
K1: Final = 1.5
B: Final = 0.75
IDF_FLOOR: Final = 0.25
SENTENCE_PIECES: Final = 254
"""Word pieces that the sentence encoder reads as published: 256 with the two special ones."""

_MODALS: Final = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will"})
"""Function words elsewhere; in a contract they say what is owed and what is allowed."""
_BREAKS: Final = re.compile(r"[\s()\[\]{}<>\"“”‘’'`;:!?@#$%&]+")


def tfidf_scores(windows: Sequence[str], queries: Sequence[str]) -> Table:
    """Cosine of TF-IDF vectors over the 5,000 most frequent words and word pairs.

    English stop words are left out (Salton and Buckley 1988; the weights are scikit-learn's).
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        max_features=FEATURES, ngram_range=(1, 2), stop_words="english", lowercase=True
    )
    held = vectorizer.fit_transform(windows)
    scores: Table = (vectorizer.transform(queries) @ held.T).toarray()
    return np.round(scores, DECIMALS)


def bm25_tokens(text: str) -> list[str]:
    """Words of letters and digits alone, lower-cased, without function words.

    A compound with a hyphen or a slash is one word that is not of letters and digits alone, and is
    left out, as word tokenizers of the Penn Treebank kind have it.
    """
    parts = (part.strip(".,") for part in _BREAKS.split(text.lower()))
    return [part for part in parts if part.isalnum() and part not in STOP_WORDS - _MODALS]


def bm25_scores(windows: Sequence[str], queries: Sequence[str]) -> Table:
    """Okapi BM25 with k1 = 1.5 and b = .75; every occurrence of a word in the query counts.

    A word in more than half of the windows has a negative idf; it is given a quarter of the mean
    idf instead (the floor of the `rank_bm25` package; Robertson and Zaragoza 2009 for the rest).
    """
    counts = [Counter(bm25_tokens(window)) for window in windows]
    lengths = np.asarray([sum(count.values()) for count in counts], dtype=np.float64)
    if not lengths.any():
        return np.zeros((len(queries), len(windows)))
    spread = K1 * (1 - B + B * lengths / lengths.mean())
    held = Counter(word for count in counts for word in count)
    idf = {
        word: float(np.log(len(windows) - number + 0.5) - np.log(number + 0.5))
        for word, number in held.items()
    }
    floor = IDF_FLOOR * sum(idf.values()) / len(idf)
    scores = np.zeros((len(queries), len(windows)))
    for row, query in zip(scores, queries, strict=True):
        for word in bm25_tokens(query):
            if word not in idf:
                continue
            often = np.asarray([count[word] for count in counts], dtype=np.float64)
            weight = idf[word] if idf[word] >= 0 else floor
            row += weight * often * (K1 + 1) / (often + spread)
    return np.round(scores, DECIMALS)


def sentence_scores(
    windows: Sequence[str], queries: Sequence[str], encoders: Encoders, done: Done | None = None
) -> Table:
    """Cosine of sentence vectors, one a window, of its first 256 word pieces.

    A window of 500 words has some 650; the rest is not read, as in sentence-transformers.
    """
    held = encoders.encode("sentence", [first_pieces(text, encoders) for text in windows], done)
    asked = encoders.encode("sentence", [first_pieces(text, encoders) for text in queries])
    scores: Table = np.einsum("ik,jk->ij", asked.astype(np.float64), held.astype(np.float64))
    return scores.round(DECIMALS)


def first_pieces(text: str, encoders: Encoders, limit: int = SENTENCE_PIECES) -> str:
    """The first words of `text` that have no more than `limit` word pieces together."""
    words = text.split()
    sizes = np.cumsum(encoders.counts(words)) if words else np.zeros(0)
    return " ".join(words[: int(np.searchsorted(sizes, limit, side="right"))])


def best_windows(scores: Table, k: int) -> list[list[int]]:
    """Positions of the k best windows of each query, best first; ties in order of position."""
    return [[int(at) for at in best_first(row)[:k]] for row in scores]
