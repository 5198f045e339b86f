"""Windows of documents, and our hybrid over them: clauses, heads, two channels, RRF.

A window is a run of words of a document, half of each in the next, as a passage to be retrieved.
Contracts of one type say the same things in the same words; whose they are stands in the title and
the opening, the answer somewhere below. So each document has a head (its name and first words) that
all its windows share. A clause of a query that asks (it ends in a question mark) is looked for in
the windows, any other in the heads; in both where all clauses ask, or none does.

Every clause adds how far its match stands out from the corpus. The lexical channel (BM25) and the
dense one (sentence vectors; the best chunk of a window) are fused by RRF with the same weight; the
cross-encoder may vote as a further ranker on the best windows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.corpus.index.lexical import build_lexicon
from countercase.corpus.index.preparation import chunk_text
from countercase.encoders.base import Encoders
from countercase.errors import InputError
from countercase.io import Progress
from countercase.retrieval.base import DECIMALS, DenseRow, Scores, best_first, ranks
from countercase.retrieval.dense import dense_rows, stand_out
from countercase.retrieval.fusion import best_fused, reciprocal_rank_fusion, with_votes
from countercase.retrieval.votes import CrossEncoderReranker
from countercase.text.sentences import sentence_spans

WINDOW_WORDS: Final = 500
STRIDE_WORDS: Final = 250
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
    documents: Iterable[Document], size: int = WINDOW_WORDS, stride: int = STRIDE_WORDS
) -> WindowedCorpus:
    """Cut documents into windows of `size` words, each beginning `stride` words after the last.

    The last window of a document is the first one that reaches its end; it may be shorter.
    """
    if size < 1 or not 1 <= stride <= size:
        raise InputError(
            f"windows of {size} words every {stride}: both must be at least 1, and the stride no "
            "longer than the window"
        )
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


def readable_name(name: str) -> str:
    """Return a title as it stands; blanks replace hyphens and underscores of a file's name."""
    return name if " " in name.strip() else re.sub(r"[_\-]+", " ", name).strip()


def clauses_of(query: str) -> list[str]:
    """Return the sentences of a query, cut at semicolons too."""
    sentences = [query[start:end] for start, end in sentence_spans(query)]
    parts = [part.strip() for text in sentences for part in re.split(r";\s+", text)]
    return [part for part in parts if part.strip(" ;")]


class PassageHybrid:
    """Rankings of windows, with the settings of RRF, of `stand_out` and of the cross-encoder.

    Args:
        without: the `PARTS` that are left out.
        cross_encoder: whether the cross-encoder votes.
    """

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
        self._encoders, self._settings = encoders, settings
        self._has_heads, self._has_roles = "heads" not in without, "roles" not in without
        self._cross_encoder, self._progress = cross_encoder, progress
        self._owners = np.asarray([window.document for window in corpus.windows], dtype=np.int64)
        heads = [
            f"{readable_name(name)}. {' '.join(text.split(maxsplit=HEAD_WORDS)[:HEAD_WORDS])}"
            for name, text in zip(corpus.names, corpus.texts, strict=True)
        ]
        windows = [window.text for window in corpus.windows]
        plain = ([[_plain(text)] for text in texts] for texts in (windows, heads))
        self._lexicons = [build_lexicon(texts) for texts in plain]
        self._has_vectors = "dense" in self._channels or cross_encoder
        if self._has_vectors:
            self._chunks, self._starts = _chunk_windows(corpus, encoders, chunk_pieces)
            self._chunk_vectors = encoders.encode("sentence", self._chunks, progress)
            self._head_vectors = encoders.encode("sentence", heads, progress)
        self._reranker = CrossEncoderReranker[str](encoders, self._settings.reranker, str)

    def rank(self, queries: Sequence[str], k: int) -> list[list[int]]:
        """Return positions of the k best windows of each query, best first."""
        clauses = [clauses_of(query) for query in queries]
        rows = self._dense_rows([clause for listed in clauses for clause in listed])
        fused = [self._fuse(listed, rows) for listed in clauses]
        if self._cross_encoder:
            fused = self._add_votes(clauses, rows, fused)
        return [best_fused(scores)[:k].tolist() for scores in fused]

    def _dense_rows(self, clauses: Sequence[str]) -> _Rows:
        if not self._has_vectors:
            return {}
        unique = list(dict.fromkeys(clauses))
        vectors = self._encoders.encode("sentence", unique, self._progress)
        over_windows = dense_rows(vectors, self._chunk_vectors, self._starts)
        over_heads = dense_rows(vectors, self._head_vectors, np.arange(len(self._head_vectors) + 1))
        return dict(zip(unique, zip(over_windows, over_heads, strict=True), strict=True))

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
    """Return the chunks of every window in order, and where each window's begin.

    Documents are chunked whole. A window has the chunks of which at least half lies in it; where
    windows overlap a chunk is in both. A window that is shorter than the chunks is its own.
    """
    known = [chunk_text(text, encoders.counts, pieces) for text in corpus.texts]
    chunks: list[str] = []
    starts = [0]
    for window in corpus.windows:
        held = []
        for chunk in known[window.document]:
            common = min(chunk.end, window.end) - max(chunk.start, window.start)
            if 2 * common >= chunk.end - chunk.start:
                held.append(" ".join(chunk.text.split()))
        chunks += held or [window.text]
        starts.append(len(chunks))
    return chunks, np.asarray(starts, dtype=np.int64)
