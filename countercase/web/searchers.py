"""What the service searches: an indexed corpus with all channels, or documents by words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, Protocol

from countercase.web.models import Hit

if TYPE_CHECKING:
    from countercase.retrieval.base import Query
    from countercase.retrieval.lexical import WordIndex
    from countercase.session import Session

KEPT_SCORES: Final = 15_000_000
"""Scores of segments for cases that the retriever may hold: a server runs for long."""


class Searcher(Protocol):
    """A corpus that can be searched; called by one request at a time."""

    @property
    def corpus(self) -> str:
        """Its name."""
        ...

    @property
    def documents(self) -> int:
        """How many it holds."""
        ...

    @property
    def rankers(self) -> Sequence[str]:
        """The channels that rank it."""
        ...

    def search(self, queries: Sequence[str], top_k: int) -> list[list[Hit]]:
        """The best documents of each query, each as if it were sent alone."""
        ...


class SessionSearcher:
    """An index of `countercase index` or the casebook, ranked as `countercase search` does."""

    def __init__(self, session: Session) -> None:
        self._session = session
        # Open everything now and not with the first search: the index may be rebuilt while this
        # one is served, and what is open stays as it was.
        snapshot = session.snapshot
        _ = snapshot.lexicon, snapshot.citing, snapshot.text(0)

    @property
    def corpus(self) -> str:
        """The corpus's name."""
        return self._session.snapshot.manifest.corpus

    @property
    def documents(self) -> int:
        """Judgments of the corpus."""
        return len(self._session.snapshot.case_ids)

    @property
    def rankers(self) -> Sequence[str]:
        """The channels that are fused."""
        return self._session.settings.RANKERS

    def search(self, queries: Sequence[str], top_k: int) -> list[list[Hit]]:
        """The rankings, one query after the other, so that a large batch needs no more memory."""
        asked = [self._session.query(text) for text in queries]
        return [self._hits(query, top_k) for query in asked]

    def _hits(self, query: Query, top_k: int) -> list[Hit]:
        snapshot = self._session.snapshot
        retriever = self._session.retriever
        if retriever.cached_scores > KEPT_SCORES:
            retriever.forget()
        [ranking] = retriever.retrieve([query], top_k=top_k)
        hits = []
        for result in ranking.results:
            metadata = asdict(snapshot.metadata[result.case])
            hits.append(
                Hit(
                    id=result.case_id,
                    rank=result.rank,
                    score=result.score,
                    title=metadata.pop("title"),
                    text=snapshot.case_text(result.case),
                    metadata=metadata,
                )
            )
        return hits


class WordSearcher:
    """Documents ranked by words alone, with the metadata that their corpus gives."""

    def __init__(self, name: str, index: WordIndex) -> None:
        self._name, self._index = name, index

    @property
    def corpus(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def documents(self) -> int:
        """Documents of the corpus."""
        return len(self._index.documents)

    @property
    def rankers(self) -> Sequence[str]:
        """The lexical channel."""
        return ("lexical",)

    def search(self, queries: Sequence[str], top_k: int) -> list[list[Hit]]:
        """The rankings."""
        return [
            [
                Hit(
                    id=hit.document.doc_id,
                    rank=hit.rank,
                    score=hit.score,
                    title=hit.document.title,
                    text=hit.document.text,
                    metadata=dict(hit.document.metadata),
                )
                for hit in self._index.search(text, top_k)
            ]
            for text in queries
        ]
