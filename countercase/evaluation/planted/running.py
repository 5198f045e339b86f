"""A world opened with given models: its corpus indexed, its cases analysed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from countercase.config import Settings
from countercase.corpus.beir import read_beir_corpus
from countercase.corpus.index import build_index
from countercase.counterfactual.analysis import Analysis, analyze_sheet
from countercase.counterfactual.states import Renderer
from countercase.encoders.suite import Encoders
from countercase.evaluation.planted.model import World
from countercase.facts.model import FactSheet
from countercase.retrieval.hybrid import HybridRetriever

Analyze: TypeAlias = Callable[[FactSheet], Analysis]
OpenWorld: TypeAlias = Callable[[World], Analyze]


def opener(encoders: Encoders, settings: Settings) -> OpenWorld:
    """Opens worlds with these models and settings; each is indexed as a corpus of its own name.

    What it opens raises CorpusIndexError, StoreError or ModelError where that fails.
    """

    def open_world(world: World) -> Analyze:
        snapshot, _ = build_index(
            read_beir_corpus(world.corpus), f"planted-{world.name}", encoders, settings.CHUNK_PIECES
        )
        retriever = HybridRetriever(snapshot, encoders, settings)

        def analyze(sheet: FactSheet) -> Analysis:
            renderer = Renderer(sheet, encoders.count, settings.SEGMENT_PIECES)
            return analyze_sheet(sheet, retriever, renderer)

        return analyze

    return open_world
