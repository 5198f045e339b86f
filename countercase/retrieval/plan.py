"""The plan of one retrieval, and a state between its two halves."""

from __future__ import annotations

from dataclasses import dataclass

from countercase.config import RetrievalSettings
from countercase.retrieval.base import Ranks, Scores, Stages
from countercase.retrieval.channels import Channels


@dataclass(frozen=True)
class Fused:
    """A state after fusion and MMR: everything that the cross-encoder does not decide.

    Attributes:
        stages: per stage, rank and score of every case (rank 0: not ranked).
        pool: positions of the cases to rerank, in MMR order.
        read: positions of the segments that the cross-encoder reads.
    """

    stages: dict[str, tuple[Ranks, Scores]]
    pool: tuple[int, ...]
    read: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """What runs in one retrieval: the stages asked for, the settings where nothing is asked."""

    channels: Channels
    rankers: tuple[str, ...]
    weights: tuple[float, ...]
    whole: bool
    mmr: bool
    reranker: bool
    contrast: float
    top_k: int


def plan_of(
    stages: Stages, settings: RetrievalSettings, channels: Channels, top_k: int, points: bool
) -> Plan:
    """Return the stages asked for, as the settings have them; contrast needs `points` of decisions."""
    reranker = settings.use_reranker if stages.reranker is None else stages.reranker
    contrast = stages.contrast is not False and reranker and points
    given = stages.weights or {}
    rankers = settings.rankers if stages.rankers is None else stages.rankers
    return Plan(
        channels=channels,
        rankers=rankers,
        weights=tuple(given.get(name, settings.weight_of(name)) for name in rankers),
        whole=(stages.reading or settings.query_reading) == "whole",
        mmr=settings.use_mmr if stages.mmr is None else stages.mmr,
        reranker=reranker,
        contrast=settings.contrast_weight if contrast else 0.0,
        top_k=top_k,
    )
