"""A session: settings, models and one corpus, opened once and asked often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from countercase.config import Settings
from countercase.corpus.index.build import build_index, index_folder, open_index
from countercase.corpus.index.snapshot import Manifest, Snapshot
from countercase.counterfactual.analysis import Analysis, Phase, analyze_sheet
from countercase.counterfactual.states import Renderer
from countercase.counterfactual.validators import Validator
from countercase.encoders.embedded.suite import Encoders, open_cache, open_encoders
from countercase.encoders.embedded.weights import ROLES
from countercase.errors import CorpusIndexError, InputError
from countercase.explanation.change import explain_changes
from countercase.explanation.model import ChangeExplanation, PrecedentExplanation
from countercase.explanation.precedent import explain_precedents
from countercase.facts.model import FactSheet, FactType
from countercase.facts.segments import root_ranges
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import Progress
from countercase.retrieval.base import Filters, Query, Ranking
from countercase.retrieval.hybrid import HybridRetriever

CASEBOOK = "casebook"
"""The corpus that ships with the package."""


@dataclass(frozen=True)
class Result:
    """An analysis with its explanations and what it was made with."""

    analysis: Analysis
    precedents: tuple[PrecedentExplanation, ...]
    changes: tuple[ChangeExplanation, ...]
    manifest: Manifest
    models: dict[str, str]
    settings: Settings


class Session:
    """Models and a corpus, opened."""

    def __init__(self, settings: Settings, encoders: Encoders, snapshot: Snapshot) -> None:
        self.settings, self.encoders, self.snapshot = settings, encoders, snapshot

    @cached_property
    def retriever(self) -> HybridRetriever:
        """The retriever over this corpus, with these models and settings."""
        return HybridRetriever(self.snapshot, self.encoders, self.settings.retrieval())

    @property
    def models(self) -> dict[str, str]:
        """The fingerprint of the model of each role."""
        return {role: self.encoders.fingerprint(role) for role in ROLES}

    def analyze(
        self,
        sheet: FactSheet,
        types: Sequence[FactType] = FACT_TYPES,
        filters: Filters | None = None,
        validator: Validator | None = None,
        phase: Phase | None = None,
        report: Progress | None = None,
    ) -> Result:
        """Measure which facts of a case move its precedents, and explain it."""
        renderer = Renderer(sheet, self.encoders.count, self.settings.SEGMENT_PIECES)
        analysis = analyze_sheet(
            sheet, self.retriever, renderer, self.settings, types, filters, validator, phase, report
        )
        return Result(
            analysis=analysis,
            precedents=explain_precedents(analysis, self.retriever, renderer, self.encoders),
            changes=explain_changes(analysis, self.retriever, renderer, self.encoders),
            manifest=self.snapshot.manifest,
            models=self.models,
            settings=self.settings,
        )

    def query(self, text: str) -> Query:
        """A text as segments, without reading facts out of it."""
        ranges = root_ranges(text, self.encoders.count, self.settings.SEGMENT_PIECES)
        segments = tuple(text[span.start : span.end] for span in ranges)
        if not segments:
            raise InputError("the query is empty")
        return Query(segments)

    def search(
        self, text: str, filters: Filters | None = None, report: Progress | None = None
    ) -> Ranking:
        """The precedents of a text."""
        [ranking] = self.retriever.retrieve(
            [self.query(text)], top_k=self.settings.TOP_K, filters=filters, progress=report
        )
        return ranking


def open_session(
    settings: Settings,
    corpus: str = CASEBOOK,
    chroma_host: str | None = None,
    models: str = "embedded",
    progress: Progress | None = None,
) -> Session:
    """Open the models and an index; the casebook is indexed on first use.

    Args:
        models: `embedded`, or `hub` for the public models.

    Raises:
        ModelError: a model is missing, damaged or cannot be loaded.
        CorpusIndexError: the corpus has no finished index, or one of other models.
    """
    tell = progress or (lambda what, done, of: None)
    encoders: Any
    if models == "hub":
        from countercase.encoders.hub import HubEncoders

        encoders = HubEncoders(settings, open_cache())
    else:
        encoders = open_encoders(settings, lambda role: tell(f"preparing the {role} model", 0, 0))
    try:
        snapshot = open_index(corpus, encoders, settings.CHUNK_PIECES)
    except CorpusIndexError:
        if corpus != CASEBOOK:
            raise
        return Session(settings, encoders, _index_casebook(settings, encoders, tell, chroma_host))
    if corpus == CASEBOOK and not _casebook_is_current(snapshot):
        snapshot = _index_casebook(settings, encoders, tell, chroma_host)
    return Session(settings, encoders, snapshot)


def _casebook_is_current(snapshot: Snapshot) -> bool:
    """Whether the index was made from the records that this version ships."""
    from countercase.corpus.casebook import casebook_digest

    stamp = index_folder(CASEBOOK) / "records.sha256"
    return stamp.is_file() and stamp.read_text() == casebook_digest()


def _index_casebook(
    settings: Settings, encoders: Encoders, tell: Progress, chroma_host: str | None
) -> Snapshot:
    from countercase.corpus.casebook import casebook_digest, load_casebook

    documents = load_casebook()
    snapshot, _ = build_index(
        documents,
        CASEBOOK,
        encoders,
        settings.CHUNK_PIECES,
        total=len(documents),
        host=chroma_host,
        progress=lambda state: tell("indexing the casebook", state.documents, state.of or 0),
    )
    (index_folder(CASEBOOK) / "records.sha256").write_text(casebook_digest())
    return snapshot
