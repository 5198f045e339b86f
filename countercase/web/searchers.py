"""What the service searches: an indexed corpus with all channels, or documents by words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, Field

from countercase.retrieval.base import RankedCase
from countercase.retrieval.lexical import WordHit, WordIndex
from countercase.session import Session


class Hit(BaseModel):
    """One result."""

    id: Annotated[str, Field(description="The document's id in its corpus.")]
    rank: Annotated[int, Field(ge=1, description="From 1.")]
    score: Annotated[float, Field(description="Higher is better; see `rankers` of /health.")]
    title: str = ""
    text: Annotated[str, Field(description="The document's text.")]
    metadata: Annotated[
        dict[str, Any],
        Field(description="What the corpus says about it: court, date, charges, ..."),
    ] = {}


class Searcher(Protocol):
    """A corpus that can be searched, with the channels that rank it; called by one request at a time."""

    corpus: str
    documents: int
    rankers: tuple[str, ...]

    def search(self, queries: Sequence[str], top_k: int) -> list[list[Hit]]:
        """Return the best documents of each query, each as if it were sent alone."""


class SessionSearcher:
    """An index of `countercase index` or the casebook, ranked as `countercase search` does."""

    def __init__(self, session: Session) -> None:
        self._session, snapshot = session, session.snapshot
        self.corpus, self.documents = snapshot.manifest.corpus, len(snapshot.case_ids)
        self.rankers = session.settings.RANKERS

    def search(self, queries: Sequence[str], top_k: int) -> list[list[Hit]]:
        """Return the rankings, one query after the other."""
        session, found = self._session, []
        for query in map(session.query, queries):
            [ranking] = session.retriever.retrieve([query], top_k=top_k)
            found.append([self._hit(result) for result in ranking.results])
        return found

    def _hit(self, result: RankedCase) -> Hit:
        snapshot = self._session.snapshot
        metadata = asdict(snapshot.metadata[result.case])
        return Hit(
            id=result.case_id, rank=result.rank, score=result.score, title=metadata.pop("title"),
            text=snapshot.case_text(result.case), metadata=metadata,
        )  # fmt: skip


class WordSearcher:
    """Documents ranked by words alone, with the metadata that their corpus gives."""

    def __init__(self, name: str, index: WordIndex) -> None:
        self.corpus, self.documents = name, len(index.documents)
        self.rankers: tuple[str, ...] = ("lexical",)
        self._index = index

    def search(self, queries: Sequence[str], top_k: int) -> list[list[Hit]]:
        """Return the rankings."""
        return [[self._hit(hit) for hit in self._index.search(text, top_k)] for text in queries]

    @staticmethod
    def _hit(hit: WordHit) -> Hit:
        document = hit.document
        return Hit(
            id=document.doc_id, rank=hit.rank, score=hit.score, title=document.title,
            text=document.text, metadata=dict(document.metadata),
        )  # fmt: skip
