"""What the service searches: an indexed corpus with all channels, or documents by words alone.

Beside the corpus that is served all others of this home can be searched. Another one is opened when
it is first asked for, with the models of the server.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from countercase.corpus.casebook.records import PRIVATE, private_records
from countercase.corpus.index.build import index_folder, known_corpora, open_corpus
from countercase.corpus.index.preparation import models_of
from countercase.corpus.index.snapshot import read_manifest
from countercase.corpus.judgment.metadata import Metadata
from countercase.corpus.judgment.treatment import marked
from countercase.errors import CorpusIndexError, InputError
from countercase.explanation.quotes import Quoter
from countercase.law.in_force import Period
from countercase.retrieval.lexical import WordIndex
from countercase.session import Session


class Hit(BaseModel):
    """One result."""

    id: Annotated[str, Field(description="The document's id in its corpus.")]
    rank: Annotated[int, Field(ge=1, description="From 1.")]
    score: Annotated[float, Field(description="Higher is better; see `rankers` of /health.")]
    title: str = ""
    text: Annotated[str, Field(description="The document's text.")]
    metadata: dict[str, Any] = Field({}, description="What the corpus says of it: court, date, ...")


@dataclass
class Searcher:
    """A corpus that can be searched, with the channels that rank it; called by one request at a time."""

    corpus: str
    documents: int
    rankers: tuple[str, ...]
    search: Callable[[str, int], list[Hit]]


def serve_session(session: Session) -> Searcher:
    """Return the search of an index or the casebook, which ranks as `countercase search` does."""
    corpus = session.snapshot

    def find(query: str, top_k: int) -> list[Hit]:
        [ranking] = session.retriever.retrieve([session.query(query)], top_k=top_k)
        hits = []
        for it in ranking.results:
            known, text = asdict(corpus.metadata[it.case]), corpus.case_text(it.case)
            told = {"id": it.case_id, "title": known.pop("title"), "text": text, "metadata": known}
            hits.append(Hit(rank=it.rank, score=it.score, **told))
        return hits

    return Searcher(corpus.manifest.corpus, len(corpus.case_ids), session.settings.RANKERS, find)


def serve_words(name: str, index: WordIndex) -> Searcher:
    """Return the search of documents by words alone, with the metadata that their corpus gives."""

    def find(query: str, top_k: int) -> list[Hit]:
        return [
            Hit(rank=rank, score=score, **vars(document) | {"id": document.doc_id})
            for rank, (document, score) in enumerate(index.search(query, top_k), start=1)
        ]

    return Searcher(name, len(index.documents), ("lexical",), find)


MOST_OPEN: Final = 2
"""Corpora beside the one that is served that are held open; the longest unused is closed."""

KEPT_BYTES: Final = 360_000_000
"""Bytes of scores and readings of segments that may be held, over all corpora, between two turns."""


@dataclass(frozen=True)
class Choice:
    """A corpus to choose, with its count of decisions and why it cannot be searched, if so."""

    name: str
    cases: int
    problem: str = ""


class OpenCorpus:
    """A corpus with its session, and what pages look up in it."""

    def __init__(self, session: Session) -> None:
        self.session, self.snapshot = session, session.snapshot
        self.name = self.snapshot.manifest.corpus

    @cached_property
    def quoter(self) -> Quoter:
        """Titles, and what its decisions turned on."""
        return Quoter(self.snapshot, self.session.encoders)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each decision stands."""
        return {name: at for at, name in enumerate(self.snapshot.case_ids)}

    def metadata_of(self, case_id: str) -> Metadata:
        """Return what is known of a decision; 404 where the corpus does not hold it."""
        if case_id not in self.positions:
            raise HTTPException(404, "The corpus holds no such decision.")
        return self.snapshot.metadata[self.positions[case_id]]

    def title_of(self, case_id: str, when: Period | None = None) -> str:
        """Return the title of a decision, or its id; bad law on these days (None: now) is marked."""
        metadata = self.metadata_of(case_id)
        return marked(metadata.title or case_id, metadata.treatment, when)

    def text_of(self, case_id: str) -> str:
        """Return the text of a decision that the corpus holds."""
        return self.snapshot.case_text(self.positions[case_id])


class Corpora:
    """The corpora of a server, the `session`'s by default; safe to share between threads.

    `closed` is told of a corpus that is closed, so that nothing else keeps it in memory.
    """

    def __init__(self, session: Session, closed: Callable[[OpenCorpus], None]) -> None:
        self.served, self._closed = OpenCorpus(session), closed
        self._others, self._lock = OrderedDict[str, OpenCorpus](), threading.Lock()

    def choices(self) -> list[Choice]:
        """Return all corpora of this home, the one that is served first."""
        served, session = self.served.snapshot.manifest, self.served.session
        own = (models_of(session.encoders), session.settings.CHUNK_PIECES)
        choices = [Choice(served.corpus, served.cases)]
        for name in _known():
            if name == PRIVATE != served.corpus:  # indexed when it is opened
                choices.append(Choice(name, len(private_records())))
            elif name != served.corpus:
                try:
                    made = read_manifest(index_folder(name) / "snapshot")
                except CorpusIndexError:
                    choices.append(Choice(name, 0, "its index is damaged or of another version"))
                else:
                    fits = (made.models, made.chunk_pieces) == own
                    problem = "" if fits else "indexed with other models"
                    choices.append(Choice(name, made.cases, problem))
        return choices

    def get(self, name: str = "") -> OpenCorpus:
        """Return a corpus by its name, "" for that which is served; an `InputError` for another name.

        A `CorpusIndexError` is raised where its index is damaged, or was made with other models.
        """
        if name in ("", self.served.name):
            return self.served
        if name not in _known():
            known = ", ".join(choice.name for choice in self.choices())
            raise InputError(f"no corpus of this name is indexed here (known: {known})")
        with self._lock:
            if name not in self._others:
                settings, encoders = self.served.session.settings, self.served.session.encoders
                snapshot = open_corpus(name, encoders, settings.CHUNK_PIECES)
                self._others[name] = OpenCorpus(Session(settings, encoders, snapshot))
            self._others.move_to_end(name)
            if len(self._others) > MOST_OPEN:
                self._closed(self._others.popitem(last=False)[1])
            return self._others[name]

    def opened(self) -> list[OpenCorpus]:
        """Return the corpora that are open."""
        with self._lock:
            return [self.served, *self._others.values()]

    def trim(self) -> None:
        """Empty the caches where they hold more than they may; call it on one's turn."""
        retrievers = [corpus.session.retriever for corpus in self.opened()]
        if sum(retriever.cached_bytes for retriever in retrievers) > KEPT_BYTES:
            for retriever in retrievers:
                retriever.forget()


def _known() -> list[str]:
    """Return the corpora that are indexed here, and the private casebook where there is one."""
    return sorted(set(known_corpora()) - {PRIVATE} | ({PRIVATE} if private_records() else set()))
