"""Our hybrid over windows: clauses of the query, heads of the documents, two channels, RRF.

Contracts of one type say the same things in the same words; what tells them apart is whose they
are, and that stands in the title and the opening, while the answer stands somewhere below. A
window cut from the middle has lost it. So each document has a head (its title or file name, and
its first words) that all its windows share, and a query is read clause by clause: a clause that
asks (it ends in a question mark) is looked for in the windows, any other says where to look and is
looked for in the heads. The clauses of a query that only asks, or only names, are looked for in
both.

Every clause adds how far its match stands out from the corpus, as in case retrieval; a head is
compared with the heads of all documents, a window with all windows. The lexical channel (BM25 over
words and word pairs) and the dense one (sentence vectors; the best chunk of a window) are fused
with reciprocal rank fusion, both with the same weight. Where the cross-encoder reads, it votes as a
further ranker on the best chunks of the best windows, with `rerank_weight`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings
from countercase.corpus.index.chunking import chunk_text
from countercase.corpus.index.lexicon import Lexicon, build_lexicon
from countercase.encoders.base import Encoders
from countercase.errors import InputError
from countercase.evaluation.benchmarks.passages.windows import WindowedCorpus, readable_name
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS, Ranks, Scores, best_first, ranks
from countercase.retrieval.dense import DenseRow, dense_rows, stand_out
from countercase.retrieval.reranker import CrossEncoderReranker
from countercase.retrieval.rrf import best_fused, reciprocal_rank_fusion
from countercase.text.sentences import sentence_spans

HEAD_WORDS: Final = 50
"""Words of a document's opening that its head holds beside its name."""

_Rows: TypeAlias = dict[str, tuple[DenseRow, DenseRow]]
"""Dense row of each clause over the windows, and over the heads."""

_POSSESSIVE: Final = re.compile(r"['’]s\b", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r";\s+")


@dataclass(frozen=True)
class HybridParts:
    """Which parts of the hybrid run.

    Args:
        heads: whether documents have heads; without, all clauses are looked for in the windows.
        roles: whether clauses that ask and clauses that name are told apart.
        cross_encoder: whether the cross-encoder votes.

    Raises:
        InputError: there is neither a lexical nor a dense channel.
    """

    lexical: bool = True
    dense: bool = True
    heads: bool = True
    roles: bool = True
    cross_encoder: bool = False

    def __post_init__(self) -> None:
        if not (self.lexical or self.dense):
            raise InputError(
                "without lexical and dense nothing is left to search with; keep one of them"
            )


def clauses_of(query: str) -> list[str]:
    """The sentences of a query, cut at semicolons too."""
    parts = [
        part.strip()
        for start, end in sentence_spans(query)
        for part in _CLAUSE_END.split(query[start:end])
    ]
    return [part for part in parts if part.strip(" ;")]


class PassageHybrid:
    """Rankings of windows.

    Args:
        corpus: the windows and their documents.
        settings: `rrf_k`, `standout_z`, and of the cross-encoder `rerank_pool` and
            `rerank_weight` count.
        chunk_pieces: most word pieces of a chunk.
    """

    def __init__(
        self,
        corpus: WindowedCorpus,
        encoders: Encoders,
        settings: RetrievalSettings | None = None,
        parts: HybridParts | None = None,
        chunk_pieces: int = 128,
        progress: Progress | None = None,
    ) -> None:
        self._encoders, self._settings = encoders, settings or RetrievalSettings()
        self._parts = parts or HybridParts()
        self._progress = progress or (lambda what, done, of: None)
        self._owners = corpus.owners
        heads = [_head(*pair) for pair in zip(corpus.names, corpus.texts, strict=True)]
        self._window_words = _lexicon([window.text for window in corpus.windows])
        self._head_words = _lexicon(heads)
        self._has_vectors = self._parts.dense or self._parts.cross_encoder
        if self._has_vectors:
            # The chunks of every window in order; where windows overlap a chunk is in both.
            self._chunks, self._starts = _chunks_of_windows(corpus, encoders, chunk_pieces)
            self._chunk_vectors = self._encode(self._chunks, "encoding the passages")
            self._head_vectors = self._encode(heads, "encoding the titles")
        self._reranker = CrossEncoderReranker(encoders)

    def rank(self, queries: Sequence[str], k: int) -> list[list[int]]:
        """Positions of the k best windows of each query, best first."""
        clauses = [clauses_of(query) for query in queries]
        rows = self._dense_rows([clause for listed in clauses for clause in listed])
        fused = [self._fused(listed, rows) for listed in clauses]
        if self._parts.cross_encoder:
            fused = self._voted(clauses, rows, fused)
        return [best_fused(scores)[:k].tolist() for scores in fused]

    def _dense_rows(self, clauses: Sequence[str]) -> _Rows:
        if not self._has_vectors:
            return {}
        unique = list(dict.fromkeys(clauses))
        vectors = self._encode(unique, "encoding the queries")
        over_windows = dense_rows(vectors, self._chunk_vectors, self._starts)
        each_head = np.arange(len(self._head_vectors) + 1)
        over_heads = dense_rows(vectors, self._head_vectors, each_head)
        return dict(zip(unique, zip(over_windows, over_heads, strict=True), strict=True))

    def _fused(self, clauses: Sequence[str], rows: _Rows) -> Scores:
        standout = self._settings.standout_z

        def dense(clause: str) -> tuple[Scores, Scores]:
            over_windows, over_heads = rows[clause]
            return over_windows.strength(standout), over_heads.strength(standout)

        def lexical(clause: str) -> tuple[Scores, Scores]:
            text = _plain(clause)
            in_windows = np.round(self._window_words.scores(text), DECIMALS)
            in_heads = np.round(self._head_words.scores(text), DECIMALS)
            return stand_out(in_windows, standout), stand_out(in_heads, standout)

        channels = [lexical] * self._parts.lexical + [dense] * self._parts.dense
        lists = [self._ranks(clauses, channel) for channel in channels]
        return reciprocal_rank_fusion(lists, self._settings.rrf_k)

    def _ranks(
        self, clauses: Sequence[str], strengths: Callable[[str], tuple[Scores, Scores]]
    ) -> Ranks:
        """Ranks of the windows in one channel; 0 for all where no clause tells them apart.

        Args:
            strengths: how far the windows, and the heads, stand out for a clause.
        """
        naming, asking = self._roles(clauses)
        total = np.zeros(len(self._owners))
        for clause in clauses:
            of_window, of_head = strengths(clause)
            if clause not in naming or not self._parts.heads:
                total += of_window
            if clause not in asking and self._parts.heads:
                total += of_head[self._owners]
        return ranks(best_first(total, total > 0), len(total))

    def _roles(self, clauses: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
        """The clauses that name and those that ask; none of either where all have one role."""
        asking = frozenset(clause for clause in clauses if clause.rstrip(" \"'”’").endswith("?"))
        naming = frozenset(clauses) - asking
        if self._parts.roles and asking and naming:
            return naming, asking
        return frozenset(), frozenset()

    def _voted(
        self, clauses: Sequence[Sequence[str]], rows: _Rows, fused: Sequence[Scores]
    ) -> list[Scores]:
        """The fused scores with the cross-encoder's vote on the chunks of the best windows."""
        pools = [best_fused(scores)[: self._settings.rerank_pool] for scores in fused]
        read = [sorted(self._roles(listed)[1]) or listed for listed in clauses]
        pairs = [
            [[(clause, self._chunks[rows[clause][0].chunk[at]]) for clause in asked] for at in pool]
            for asked, pool in zip(read, pools, strict=True)
        ]
        self._reranker.load(
            [pair for query in pairs for window in query for pair in window], self._progress
        )
        voted = []
        for pool, query, scores in zip(pools, pairs, fused, strict=True):
            total = np.zeros(len(scores))
            total[pool] = [
                sum(self._reranker.contribution(self._reranker.score(*pair)) for pair in window)
                for window in query
            ]
            in_pool = np.isin(np.arange(len(total)), pool)
            ranked = ranks(best_first(total, in_pool), len(total))
            votes = reciprocal_rank_fusion(
                [ranked], self._settings.rrf_k, [self._settings.rerank_weight]
            )
            voted.append(np.where(in_pool, scores + votes, scores - 1.0))
        return voted

    def _encode(self, texts: Sequence[str], what: str) -> NDArray[np.float32]:
        return self._encoders.encode(
            "sentence", texts, lambda _, done, of: self._progress(what, done, of)
        )


def _head(name: str, text: str) -> str:
    return f"{readable_name(name)}. {' '.join(text.split(maxsplit=HEAD_WORDS)[:HEAD_WORDS])}"


def _plain(text: str) -> str:
    """A text for the lexical channel: `Smith's` is to meet `Smith`."""
    return _POSSESSIVE.sub("", text)


def _lexicon(texts: Sequence[str]) -> Lexicon:
    return build_lexicon([[_plain(text)] for text in texts])


def _chunks_of_windows(
    corpus: WindowedCorpus, encoders: Encoders, pieces: int
) -> tuple[list[str], NDArray[np.int64]]:
    """The chunks of every window in order, and where each window's begin, shape (windows + 1,).

    Documents are chunked whole. A window has the chunks of which at least half lies in it; where
    windows overlap a chunk is in both. A window that is shorter than the chunks is its own.
    """
    known = [chunk_text(text, encoders.counts, pieces) for text in corpus.texts]
    chunks: list[str] = []
    starts = [0]
    for window in corpus.windows:
        held = [
            " ".join(chunk.text.split())
            for chunk in known[window.document]
            if 2 * (min(chunk.end, window.end) - max(chunk.start, window.start))
            >= chunk.end - chunk.start
        ]
        chunks += held or [window.text]
        starts.append(len(chunks))
    return chunks, np.asarray(starts, dtype=np.int64)
