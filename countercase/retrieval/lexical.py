"""Ranking by words: BM25 over words and word pairs, the provisions that both texts cite, quotations.

`LexicalRanker` is a channel of the hybrid retriever. `WordIndex` ranks documents in memory by the
same scores without any model: for languages that the encoders do not know, Chinese above all, and
for a corpus that is to be searched at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.corpus.index.lexical import CitingCases, Lexicon, build_lexicon, provision_terms
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.errors import CorpusIndexError, InputError
from countercase.io import Progress
from countercase.law.citations import provisions_in
from countercase.retrieval.base import DECIMALS, Scores, best_first


class LexicalRanker:
    """BM25 of every case for each segment, whole judgments; a narrative's score is their sum."""

    name = "lexical"

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        self._lexicon, self._citing = corpus.lexicon, corpus.citing
        self._weight = settings.provision_weight

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> list[Scores]:
        """Return one row of shape (cases,) per segment."""
        asked = ((self._lexicon.scores(it), self._citing.scores(it)) for it in segments)
        return [np.round(words + self._weight * cited, DECIMALS) for words, cited in asked]


class QuotationRanker:
    """Runs of words that a narrative and a judgment share; few narratives have one."""

    name = "quotations"
    reads = "quoted"
    matches_only = True
    default_weight = 2.0

    def __init__(self, corpus: Snapshot, encoders: Encoders, settings: RetrievalSettings) -> None:
        self._quotations = corpus.quotations

    def rows(self, segments: Sequence[str], progress: Progress | None = None) -> list[Scores]:
        """Return one row of shape (cases,) per segment."""
        return [np.round(self._quotations.scores(segment), DECIMALS) for segment in segments]


class WordIndex:
    """Documents of a corpus, in any order, with their lexical index; CorpusIndexError if there is none.

    `provision_weight` is what a provision's term counts beside the words; `progress` is called with
    the documents read so far.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        provision_weight: float,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        read: list[Document] = []
        for document in documents:
            read.append(document)
            if progress is not None:
                progress(len(read))
        # In order of id, as in every index, so that equal scores are ranked by id.
        self.documents: tuple[Document, ...] = tuple(sorted(read, key=lambda it: it.doc_id))
        if not self.documents:
            raise CorpusIndexError("the corpus holds no document")
        self._weight = provision_weight

    @cached_property
    def _lexicon(self) -> Lexicon:
        return build_lexicon([[document.text] for document in self.documents])

    @cached_property
    def _citing(self) -> CitingCases:
        return CitingCases([provision_terms(provisions_in(it.text)) for it in self.documents])

    def prepare(self) -> None:
        """Build the index now and not with the first search."""
        self.scores("")

    def scores(self, text: str) -> Scores:
        """Return the score of every document, shape (documents,)."""
        return self._lexicon.scores(text) + self._weight * self._citing.scores(text)

    def search(self, text: str, top_k: int) -> list[tuple[Document, float]]:
        """Return the best `top_k` documents with a word of the text, and their scores, best first.

        InputError where the text is blank.
        """
        if not text.strip():
            raise InputError("the query is empty")
        scores = self.scores(text)
        order = best_first(scores, scores > 0)[:top_k]
        return [(self.documents[at], round(float(scores[at]), 9)) for at in order.tolist()]
