"""Our hybrid over windows: clauses of the query, heads of the documents, two channels, RRF.

Contracts of a kind say the same things in the same words; what tells them apart is whose they are,
and that stands in the title and the opening, while the answer stands somewhere below. A window cut
from the middle has lost it. So each document has a head (its title or file name, and its first
words) that all its windows share, and a query is read clause by clause: a clause that asks (it ends
in a question mark) is looked for in the windows, any other says where to look and is looked for in
the heads. The clauses of a query that only asks, or only names, are looked for in both.

Every clause adds how far its match stands out from the corpus, as in case retrieval; a head is
compared with the heads of all documents, a window with all windows. The lexical channel (BM25 over
words and word pairs) and the dense one (sentence vectors; the best chunk of a window) are fused
with reciprocal rank fusion, both with the same weight. Where the cross-encoder reads, it votes as a
further ranker on the best chunks of the fused head, with RERANK_WEIGHT.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.config import Settings
from countercase.corpus.index.chunking import chunk_text
from countercase.corpus.index.lexicon import Lexicon, build_lexicon
from countercase.encoders.base import Encoders
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
"""Of each clause: what it says of every window, and of every head."""

_POSSESSIVE: Final = re.compile(r"['’]s\b", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r";\s+")


@dataclass(frozen=True)
class HybridParts:
    """Which parts of the hybrid run.

    Args:
        heads: whether documents have heads; without, all clauses are looked for in the windows.
        roles: whether clauses that ask and clauses that name are told apart.
        cross_encoder: whether the cross-encoder votes.
    """

    lexical: bool = True
    dense: bool = True
    heads: bool = True
    roles: bool = True
    cross_encoder: bool = False


@dataclass(frozen=True)
class _Vectors:
    """What the dense channel compares with.

    Args:
        chunks: the chunks of every window in order; where windows overlap a chunk is in both.
        starts: shape (windows + 1,), where each window's chunks begin.
        passages: shape (chunks, width).
        heads: shape (documents, width).
    """

    chunks: tuple[str, ...]
    starts: NDArray[np.int64]
    passages: NDArray[np.float32]
    heads: NDArray[np.float32]


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
        settings: RRF_K, STANDOUT_Z, SEGMENT_PIECES (the size of a chunk), and of the
            cross-encoder RERANK_POOL and RERANK_WEIGHT.
    """

    def __init__(
        self,
        corpus: WindowedCorpus,
        encoders: Encoders,
        settings: Settings,
        parts: HybridParts | None = None,
        report: Progress | None = None,
    ) -> None:
        self._corpus, self._encoders, self._settings = corpus, encoders, settings
        self._parts = parts or HybridParts()
        if not (self._parts.lexical or self._parts.dense):
            raise ValueError("a hybrid needs its lexical channel, its dense one, or both")
        self._report = report or (lambda what, done, of: None)
        self._owners = corpus.owners
        heads = [_head(*pair) for pair in zip(corpus.names, corpus.texts, strict=True)]
        self._window_words = _lexicon([window.text for window in corpus.windows])
        self._head_words = _lexicon(heads)
        self._vectors: _Vectors | None = None
        if self._parts.dense or self._parts.cross_encoder:
            chunks, starts = _chunks_of_windows(corpus, encoders, settings)
            self._vectors = _Vectors(
                tuple(chunks),
                starts,
                self._encode(chunks, "encoding the passages"),
                self._encode(heads, "encoding the titles"),
            )
        self._reranker = CrossEncoderReranker(encoders)

    def rank(self, queries: Sequence[str], k: int) -> list[list[int]]:
        """Positions of the k best windows of each query, best first."""
        clauses = [clauses_of(query) for query in queries]
        rows = self._dense_rows([clause for found in clauses for clause in found])
        fused = [self._fused(found, rows) for found in clauses]
        if self._vectors is not None and self._parts.cross_encoder:
            fused = self._voted(self._vectors.chunks, clauses, rows, fused)
        return [[int(at) for at in best_fused(scores)[:k]] for scores in fused]

    def _dense_rows(self, clauses: Sequence[str]) -> _Rows:
        """What each clause says of every window, and of every head."""
        if self._vectors is None:
            return {}
        every = list(dict.fromkeys(clauses))
        asked = self._encode(every, "encoding the queries")
        known = self._vectors
        inner = dense_rows(asked, known.passages, known.starts)
        outer = dense_rows(asked, known.heads, np.arange(len(known.heads) + 1))
        return dict(zip(every, zip(inner, outer, strict=True), strict=True))

    def _fused(self, clauses: Sequence[str], rows: _Rows) -> Scores:
        lists = []
        if self._parts.lexical:
            lists.append(self._ranks(clauses, self._lexical))
        if self._parts.dense:
            lists.append(self._ranks(clauses, lambda one: self._dense(rows[one])))
        return reciprocal_rank_fusion(lists, self._settings.RRF_K)

    def _dense(self, rows: tuple[DenseRow, DenseRow]) -> tuple[Scores, Scores]:
        standout = self._settings.STANDOUT_Z
        return rows[0].strength(standout), rows[1].strength(standout)

    def _lexical(self, clause: str) -> tuple[Scores, Scores]:
        text, standout = _plain(clause), self._settings.STANDOUT_Z
        return (
            stand_out(np.round(self._window_words.scores(text), DECIMALS), standout),
            stand_out(np.round(self._head_words.scores(text), DECIMALS), standout),
        )

    def _ranks(
        self, clauses: Sequence[str], strengths: Callable[[str], tuple[Scores, Scores]]
    ) -> Ranks:
        """Ranks of the windows in one channel; 0 for all where no clause tells them apart.

        Args:
            strengths: how far the windows, and the heads, stand out for a clause.
        """
        naming, asking = self._read_as(clauses)
        total = np.zeros(len(self._owners))
        for clause in clauses:
            inner, outer = strengths(clause)
            outer = outer[self._owners]
            if clause not in naming or not self._parts.heads:
                total += inner
            if clause not in asking and self._parts.heads:
                total += outer
        return ranks(best_first(total, total > 0), len(total))

    def _read_as(self, clauses: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
        """The clauses that name and those that ask; none of either where all are of one kind."""
        asking = frozenset(clause for clause in clauses if clause.rstrip(" \"'”’").endswith("?"))
        naming = frozenset(clauses) - asking
        if self._parts.roles and asking and naming:
            return naming, asking
        return frozenset(), frozenset()

    def _voted(
        self,
        chunks: Sequence[str],
        clauses: Sequence[Sequence[str]],
        rows: _Rows,
        fused: Sequence[Scores],
    ) -> list[Scores]:
        """The fused scores with the cross-encoder's vote on the best chunks of the head."""
        pools = [best_fused(scores)[: self._settings.RERANK_POOL] for scores in fused]
        read = [sorted(self._read_as(found)[1]) or list(found) for found in clauses]
        pairs = [
            [[(one, chunks[rows[one][0].chunk[window]]) for one in asked] for window in pool]
            for asked, pool in zip(read, pools, strict=True)
        ]
        self._reranker.load(
            [pair for query in pairs for window in query for pair in window],
            self._report,
        )
        voted = []
        for pool, query, scores in zip(pools, pairs, fused, strict=True):
            worth = np.zeros(len(scores))
            worth[pool] = [
                sum(self._reranker.contribution(self._reranker.score(*pair)) for pair in window)
                for window in query
            ]
            listed = ranks(best_first(worth, np.isin(np.arange(len(worth)), pool)), len(worth))
            votes = reciprocal_rank_fusion(
                [listed], self._settings.RRF_K, [self._settings.RERANK_WEIGHT]
            )
            voted.append(np.where(listed > 0, scores + votes, scores - 1.0))
        return voted

    def _encode(self, texts: Sequence[str], what: str) -> NDArray[np.float32]:
        return self._encoders.encode(
            "sentence", texts, lambda _, done, of: self._report(what, done, of)
        )


def _head(name: str, text: str) -> str:
    return f"{readable_name(name)}. {' '.join(text.split(maxsplit=HEAD_WORDS)[:HEAD_WORDS])}"


def _plain(text: str) -> str:
    """A text for the lexical channel: `Smith's` is to meet `Smith`."""
    return _POSSESSIVE.sub("", text)


def _lexicon(texts: Sequence[str]) -> Lexicon:
    return build_lexicon([[_plain(text)] for text in texts])


def _chunks_of_windows(
    corpus: WindowedCorpus, encoders: Encoders, settings: Settings
) -> tuple[list[str], NDArray[np.int64]]:
    """The chunks of every window in order, and where each window's begin, shape (windows + 1,).

    Documents are chunked whole. A window has the chunks of which at least half lies in it; where
    windows overlap a chunk is in both. A window that is shorter than the chunks is its own.
    """
    known = [chunk_text(text, encoders.counts, settings.SEGMENT_PIECES) for text in corpus.texts]
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
