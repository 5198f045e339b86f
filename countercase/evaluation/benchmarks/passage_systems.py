"""Systems that retrieve passages for a query: TF-IDF, BM25, the sentence encoder, and our hybrid.

A passage is a window: a run of words of a document, half of each in the next. The first three
systems are baselines in the form in which they are usually published, so that figures can be
compared; the fourth is in `passage_hybrid.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from countercase.config import Settings
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.base import Encoders, open_encoders
from countercase.evaluation.benchmarks import passage_hybrid as hybrid
from countercase.evaluation.benchmarks.passages import read_benchmark
from countercase.evaluation.retrieval.systems import first_pieces
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS, best_first
from countercase.text.words import STOP_WORDS

System = Literal["tfidf", "bm25", "sbert", "hybrid"]
SYSTEMS: Final[tuple[System, ...]] = get_args(System)
Table: TypeAlias = NDArray[np.float64]
"""Scores of windows for queries, shape (queries, windows)."""

K1: Final = 1.5
B: Final = 0.75
IDF_FLOOR: Final = 0.25

_MODALS: Final = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will"})
"""Function words elsewhere; in a contract they say what is owed and what is allowed."""
_BREAKS: Final = re.compile(r"[\s()\[\]{}<>\"“”‘’'`;:!?@#$%&]+")


def retrieve_for_benchmark(
    corpus: Path,
    benchmark: Path,
    system: System = "hybrid",
    *,
    settings: Settings,
    k: int = 10,
    window: int = hybrid.WINDOW_WORDS,
    stride: int = hybrid.STRIDE_WORDS,
    limit: int | None = None,
    **options: Any,
) -> tuple[list[dict[str, Any]], int]:
    """Retrieve the passages of documents that answer the queries of a benchmark (LegalBench-RAG).

    Args:
        corpus: see `read_corpus`.
        k: passages for each query.
        window, stride: words of a passage, and from the start of one to the next.
        options: see `retrieve_passages`.

    Returns:
        For JSON, each query with its passages, best first; and how many passages there are.
    """
    queries = [test.query for test in read_benchmark(benchmark, limit)]
    windows = hybrid.cut_windows(read_corpus(corpus), window, stride)
    passages = retrieve_passages(system, windows, queries, k, settings, **options)
    rows = zip(queries, passages, strict=True)
    predictions = [{"query": query, "retrieved_passages": texts} for query, texts in rows]
    return predictions, len(windows.windows)


def retrieve_passages(
    system: System,
    corpus: hybrid.WindowedCorpus,
    queries: Sequence[str],
    k: int,
    settings: Settings,
    without: Collection[str] = (),
    cross_encoder: bool = False,
    models: str = "embedded",
    progress: Progress | None = None,
) -> list[list[str]]:
    """Return the texts of the k best windows of each query, best first.

    Args:
        without, cross_encoder: of the hybrid, see `PassageHybrid`.
        models: see `open_encoders`; opened for `sbert` and `hybrid` alone.
    """
    texts = [window.text for window in corpus.windows]
    if system in ("tfidf", "bm25"):
        score = tfidf_scores if system == "tfidf" else bm25_scores
        best = best_windows(score(texts, queries), k)
    else:
        encoders = open_encoders(models, **settings.encoding(), progress=progress)
        pieces = settings.SEGMENT_PIECES
        if system == "sbert":
            best = best_windows(sentence_scores(texts, queries, encoders, progress), k)
        else:
            options = (settings.retrieval(), without, cross_encoder, pieces, progress)
            best = hybrid.PassageHybrid(corpus, encoders, *options).rank(queries, k)
    return [[texts[at] for at in places] for places in best]


def tfidf_scores(windows: Sequence[str], queries: Sequence[str]) -> Table:
    """Compute the cosine of TF-IDF vectors over the 5,000 most frequent words and word pairs.

    English stop words are left out (Salton and Buckley 1988; the weights are scikit-learn's).
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(max_features=5_000, ngram_range=(1, 2), stop_words="english")
    weights = vectorizer.fit_transform(windows)
    scores: Table = (vectorizer.transform(queries) @ weights.T).toarray()
    return np.round(scores, DECIMALS)


def bm25_tokens(text: str) -> list[str]:
    """Return words of letters and digits alone, lower-cased, without function words.

    A compound with a hyphen or a slash is one word that is not of letters and digits alone, and is
    left out, as word tokenizers of the Penn Treebank kind have it.
    """
    parts = (part.strip(".,") for part in _BREAKS.split(text.lower()))
    return [part for part in parts if part.isalnum() and part not in STOP_WORDS - _MODALS]


def bm25_scores(windows: Sequence[str], queries: Sequence[str]) -> Table:
    """Compute Okapi BM25 with k1 = 1.5 and b = .75; each occurrence of a word in a query counts.

    A word in more than half of the windows has a negative idf; it is given a quarter of the mean
    idf instead (the floor of the `rank_bm25` package; Robertson and Zaragoza 2009 for the rest).
    """
    from sklearn.feature_extraction.text import CountVectorizer

    tokens = [bm25_tokens(window) for window in windows]
    if not any(tokens):
        return np.zeros((len(queries), len(windows)))
    counter = CountVectorizer(analyzer=list)
    counts = counter.fit_transform(tokens).astype(np.float64)
    lengths = np.asarray([len(listed) for listed in tokens])
    spread = K1 * (1 - B + B * lengths / lengths.mean())
    held = counts.getnnz(axis=0)
    idf = np.log(len(windows) - held + 0.5) - np.log(held + 0.5)
    idf = np.where(idf < 0, IDF_FLOOR * idf.mean(), idf)
    counts.data *= (K1 + 1) / (counts.data + np.repeat(spread, counts.getnnz(axis=1)))
    asked = counter.transform([bm25_tokens(query) for query in queries]).multiply(idf)
    scores: Table = (asked @ counts.T).toarray()
    return np.round(scores, DECIMALS)


def sentence_scores(
    windows: Sequence[str],
    queries: Sequence[str],
    encoders: Encoders,
    progress: Progress | None = None,
) -> Table:
    """Compute the cosine of sentence vectors, one a window, of its first 256 word pieces.

    A window of 500 words has some 650; the rest is not read, as in sentence-transformers.
    """
    passages, asked = (
        encoders.encode("sentence", [first_pieces(text, encoders) for text in texts], progress)
        for texts in (windows, queries)
    )
    scores: Table = np.einsum("ik,jk->ij", asked.astype(np.float64), passages.astype(np.float64))
    return scores.round(DECIMALS)


def best_windows(scores: Table, k: int) -> list[list[int]]:
    """Return positions of the k best windows of each query; ties in order of position."""
    return [best_first(row)[:k].tolist() for row in scores]
