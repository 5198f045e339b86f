"""Systems that retrieve passages for a query: TF-IDF, BM25, the sentence encoder, and our hybrid.

A window is a run of words of a document, half of each in the next, as a passage to be retrieved.
The first three systems are baselines in the form in which they are usually published.

In the hybrid each document has a head (its name and first words) that all its windows share: whose
a contract is stands there, the answer somewhere below. A clause of a query that asks (it ends in a
question mark) is looked for in the windows, any other in the heads; in both where all clauses ask,
or none does. Every clause adds how far its match stands out from the corpus. The lexical channel
(BM25) and the dense one (sentence vectors; the best chunk of a window) are fused by RRF with the
same weight; the cross-encoder may vote as a further ranker on the best windows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings, Settings
from countercase.corpus.documents import Document
from countercase.corpus.index.lexical import build_lexicon
from countercase.corpus.index.preparation import chunk_text
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.base import Encoders, open_encoders
from countercase.errors import InputError
from countercase.evaluation.benchmarks.passages import read_benchmark
from countercase.evaluation.retrieval.systems import first_pieces
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS, DenseRow, Scores, best_first, ranks
from countercase.retrieval.dense import dense_rows, stand_out
from countercase.retrieval.fusion import best_fused, reciprocal_rank_fusion, with_votes
from countercase.retrieval.votes import CrossEncoderReranker
from countercase.text.sentences import sentence_spans
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

HEAD_WORDS: Final = 50
"""Words of a document's opening that its head holds beside its name."""
PARTS: Final = ("lexical", "dense", "heads", "roles")
"""Parts that can be left out: a channel, the heads, telling clauses that ask from those that name."""

_Rows: TypeAlias = dict[str, tuple[DenseRow, DenseRow]]
"""Dense row of each clause over the windows, and over the heads."""


@dataclass(frozen=True)
class Window:
    """A run of words of one document: its range in the text, and its words with blanks between."""

    document: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class WindowedCorpus:
    """Documents by title or file name, cut into windows that stand in their order."""

    names: tuple[str, ...]
    texts: tuple[str, ...]
    windows: tuple[Window, ...]


def cut_windows(
    documents: Iterable[Document], size: int = 500, stride: int = 250
) -> WindowedCorpus:
    """Cut documents into windows of `size` words, one every `stride` words, until one reaches the end."""
    if size < 1 or not 1 <= stride <= size:
        hint = "both must be at least 1, and the stride no longer than the window"
        raise InputError(f"windows of {size} words every {stride}: {hint}")
    names, texts, windows = [], [], []
    for position, document in enumerate(documents):
        names.append(document.title or document.doc_id.rstrip("/").rsplit("/", 1)[-1])
        texts.append(document.text)
        spans = [match.span() for match in re.finditer(r"\S+", document.text)]
        for first in range(0, max(len(spans) - size + stride, 1), stride):
            part = spans[first : first + size]
            words = [document.text[start:end] for start, end in part]
            windows.append(Window(position, part[0][0], part[-1][1], " ".join(words)))
    return WindowedCorpus(tuple(names), tuple(texts), tuple(windows))


def retrieve_for_benchmark(
    corpus: Path, benchmark: Path, window: int, stride: int, limit: int | None = None, **how: Any
) -> tuple[list[dict[str, Any]], int]:
    """Return the queries of a benchmark with the passages found, for JSON, and how many there are."""
    queries = [test.query for test in read_benchmark(benchmark, limit)]
    windows = cut_windows(read_corpus(corpus), window, stride)
    rows = zip(queries, retrieve_passages(corpus=windows, queries=queries, **how), strict=True)
    predictions = [{"query": query, "retrieved_passages": texts} for query, texts in rows]
    return predictions, len(windows.windows)


def retrieve_passages(
    system: System,
    corpus: WindowedCorpus,
    queries: Sequence[str],
    k: int,
    settings: Settings,
    without: Collection[str] = (),
    cross_encoder: bool = False,
    models: str = "embedded",
    progress: Progress | None = None,
) -> list[list[str]]:
    """Return the texts of the k best windows of each query, best first; see also `PassageHybrid`."""
    texts = [window.text for window in corpus.windows]
    if system in ("tfidf", "bm25"):
        score = tfidf_scores if system == "tfidf" else bm25_scores
        best = best_windows(score(texts, queries), k)
    else:
        encoders = open_encoders(models, **settings.encoding(), progress=progress)
        if system == "sbert":
            best = best_windows(sentence_scores(texts, queries, encoders, progress), k)
        else:
            options = (settings.retrieval(), without, cross_encoder, settings.SEGMENT_PIECES)
            best = PassageHybrid(corpus, encoders, *options, progress).rank(queries, k)
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

    A compound with a hyphen or a slash is left out, as tokenizers of the Penn Treebank kind have it.
    """
    parts = (part.strip(".,") for part in _BREAKS.split(text.lower()))
    return [part for part in parts if part.isalnum() and part not in STOP_WORDS - _MODALS]


def bm25_scores(windows: Sequence[str], queries: Sequence[str]) -> Table:
    """Compute Okapi BM25 (Robertson and Zaragoza 2009); each occurrence of a word in a query counts.

    A word in more than half of the windows has a negative idf; it is given a quarter of the mean
    idf instead (the floor of the `rank_bm25` package).
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
    """Compute the cosine of sentence vectors, one a window, of its first 256 word pieces."""
    passages, asked = (
        encoders.encode("sentence", [first_pieces(text, encoders) for text in texts], progress)
        for texts in (windows, queries)
    )
    scores: Table = np.einsum("ik,jk->ij", asked.astype(np.float64), passages.astype(np.float64))
    return scores.round(DECIMALS)


def best_windows(scores: Table, k: int) -> list[list[int]]:
    """Return positions of the k best windows of each query; ties in order of position."""
    return [best_first(row)[:k].tolist() for row in scores]


# Our hybrid


def readable_name(name: str) -> str:
    """Return a title as it stands; blanks replace hyphens and underscores of a file's name."""
    return name if " " in name.strip() else re.sub(r"[_\-]+", " ", name).strip()


def clauses_of(query: str) -> list[str]:
    """Return the sentences of a query, cut at semicolons too."""
    sentences = [query[start:end] for start, end in sentence_spans(query)]
    parts = [part.strip() for text in sentences for part in re.split(r";\s+", text)]
    return [part for part in parts if part.strip(" ;")]


class PassageHybrid:
    """Rankings of windows, `without` some of the `PARTS`, with the cross-encoder's vote or not."""

    def __init__(
        self,
        corpus: WindowedCorpus,
        encoders: Encoders,
        settings: RetrievalSettings,
        without: Collection[str] = (),
        cross_encoder: bool = False,
        chunk_pieces: int = 128,
        progress: Progress | None = None,
    ) -> None:
        self._channels = [name for name in ("lexical", "dense") if name not in without]
        if not self._channels:
            hint = "keep one of them"
            raise InputError(f"without lexical and dense nothing is left to search with; {hint}")
        self._encoders, self._settings, self._progress = encoders, settings, progress
        self._has_heads, self._has_roles = "heads" not in without, "roles" not in without
        self._owners = np.asarray([window.document for window in corpus.windows], dtype=np.int64)
        heads = [
            f"{readable_name(name)}. {' '.join(text.split(maxsplit=HEAD_WORDS)[:HEAD_WORDS])}"
            for name, text in zip(corpus.names, corpus.texts, strict=True)
        ]
        windows = [window.text for window in corpus.windows]
        self._lexicons = [build_lexicon([[_plain(it)] for it in own]) for own in (windows, heads)]
        self._has_vectors = "dense" in self._channels or cross_encoder
        if self._has_vectors:
            self._chunks, self._starts = _chunk_windows(corpus, encoders, chunk_pieces)
            self._chunk_vectors = encoders.encode("sentence", self._chunks, progress)
            self._head_vectors = encoders.encode("sentence", heads, progress)
        self._reranker = CrossEncoderReranker[str](encoders, settings.reranker, str)
        self._votes = cross_encoder

    def rank(self, queries: Sequence[str], k: int) -> list[list[int]]:
        """Return positions of the k best windows of each query, best first."""
        clauses, rows = [clauses_of(query) for query in queries], _Rows()
        if self._has_vectors:
            unique = list(dict.fromkeys(clause for listed in clauses for clause in listed))
            vectors = self._encoders.encode("sentence", unique, self._progress)
            over_windows = dense_rows(vectors, self._chunk_vectors, self._starts)
            of_heads = np.arange(len(self._head_vectors) + 1)
            over_heads = dense_rows(vectors, self._head_vectors, of_heads)
            rows = dict(zip(unique, zip(over_windows, over_heads, strict=True), strict=True))
        fused = [self._fuse(listed, rows) for listed in clauses]
        if self._votes:
            fused = self._add_votes(clauses, rows, fused)
        return [best_fused(scores)[:k].tolist() for scores in fused]

    def _fuse(self, clauses: Sequence[str], rows: _Rows) -> Scores:
        """Fuse both channels; in one, all windows have rank 0 where no clause tells them apart."""
        naming, asking = self._find_roles(clauses)
        standout, lists = self._settings.standout_z, []
        for channel in self._channels:
            total = np.zeros(len(self._owners))
            for clause in clauses:
                if channel == "dense":
                    of_window, of_head = (row.strength(standout) for row in rows[clause])
                else:
                    found = (lexicon.scores(_plain(clause)) for lexicon in self._lexicons)
                    of_window, of_head = (stand_out(np.round(r, DECIMALS), standout) for r in found)
                if clause not in naming or not self._has_heads:
                    total += of_window
                if clause not in asking and self._has_heads:
                    total += of_head[self._owners]
            lists.append(ranks(best_first(total, total > 0), len(total)))
        return reciprocal_rank_fusion(lists, self._settings.rrf_k)

    def _find_roles(self, clauses: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the clauses that name and those that ask; neither where all have one role."""
        asking = frozenset(clause for clause in clauses if clause.rstrip(" \"'”’").endswith("?"))
        naming = frozenset(clauses) - asking
        has_both = self._has_roles and asking and naming
        return (naming, asking) if has_both else (frozenset(), frozenset())

    def _add_votes(
        self, clauses: Sequence[Sequence[str]], rows: _Rows, fused: Sequence[Scores]
    ) -> list[Scores]:
        """Add the cross-encoder's vote on the best chunks of the best windows."""
        pools = [best_fused(scores)[: self._settings.rerank_pool] for scores in fused]
        read = [sorted(self._find_roles(listed)[1]) or listed for listed in clauses]
        pairs = [
            [[(clause, self._chunks[rows[clause][0].chunk[at]]) for clause in asked] for at in pool]
            for asked, pool in zip(read, pools, strict=True)
        ]
        asked = ((clause, [it]) for query in pairs for own in query for clause, it in own)
        self._reranker.load(asked, self._progress)
        voted = []
        for pool, query, scores in zip(pools, pairs, fused, strict=True):
            in_pool = np.isin(np.arange(len(scores)), pool)
            total = np.zeros(len(scores))
            total[pool] = [sum(self._reranker.vote(*pair) for pair in own) for own in query]
            listed = self._settings.rrf_k + ranks(best_first(total, in_pool), len(total))
            _, with_vote = with_votes(pool.tolist(), scores, self._settings.rerank_weight / listed)
            voted.append(np.where(in_pool, with_vote, scores - 1.0))
        return voted


def _plain(text: str) -> str:
    """Return a text for the lexical channel: `Smith's` is to meet `Smith`."""
    return re.sub(r"['’]s\b", "", text, flags=re.IGNORECASE)


def _chunk_windows(
    corpus: WindowedCorpus, encoders: Encoders, pieces: int
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the chunks of which half or more lies in a window, and where each window's begin."""
    known = [chunk_text(text, encoders.counts, pieces) for text in corpus.texts]
    chunks: list[str] = []
    starts = [0]
    for window in corpus.windows:
        held = [
            " ".join(it.text.split())
            for it in known[window.document]
            if 2 * (min(it.end, window.end) - max(it.start, window.start)) >= it.end - it.start
        ]
        chunks += held or [window.text]
        starts.append(len(chunks))
    return chunks, np.asarray(starts, dtype=np.int64)
