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
    """What runs in one retrieval, among which channels; `settings` have the stages asked for."""

    settings: RetrievalSettings
    channels: Channels
    top_k: int

    @property
    def rankers(self) -> tuple[str, ...]:
        """The rankers that are fused."""
        return self.settings.rankers


def plan_of(stages: Stages, settings: RetrievalSettings, channels: Channels, top_k: int) -> Plan:
    """Return the stages asked for, the others as the settings have them."""
    asked = {
        "rankers": stages.rankers,
        "query_reading": stages.reading,
        "use_mmr": stages.mmr,
        "use_reranker": stages.reranker,
        "weights": stages.weights and {**settings.weights, **stages.weights},
        "contrast_weight": 0.0 if stages.contrast is False else None,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    return Plan(settings.model_copy(update=given), channels, top_k)
