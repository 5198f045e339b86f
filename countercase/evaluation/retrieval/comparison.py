"""What is compared in the retrieval evaluation: labels, stages, ablations, runs of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from countercase.config import RetrievalSettings
from countercase.evaluation.metrics import Judged, PerQuery
from countercase.evaluation.retrieval.systems import available_systems, full_system
from countercase.evaluation.statistics import bootstrap_interval, holm, randomisation_test

STAGE_TITLES: Final = {
    "dpr": "DPR",
    "chroma": "Chroma",
    "mmr": "MMR",
    "rerank": "cross-encoder alone",
    "no-mmr": "without MMR",
    "classic": "classic reading",
}
"""The pipeline's rankings for people; others go by their names."""

ABLATION_ONLY: Final = ("no-mmr", "classic")
"""Rankings that are not a stage of the pipeline."""

_TIE: Final = 1e-12


@dataclass(frozen=True)
class Labels:
    """What was asked and what was judged.

    Args:
        queries: text by query id; empty where only the judgements are known.
        groups: by name of a grouping (`area`), query id -> group.
    """

    judged: Judged
    queries: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def first(self, limit: int | None) -> Labels:
        """The first `limit` queries, in their order, with their judgements."""
        chosen = [name for name in self.queries or self.judged if name in self.judged][:limit]
        return Labels(
            {name: self.judged[name] for name in chosen},
            {name: self.queries[name] for name in chosen if name in self.queries},
            self.groups,
        )


@dataclass(frozen=True)
class Comparison:
    """Which runs are shown as stages, and which are compared with which.

    Args:
        stages: title by name of a run, for the table of means.
        ablations: title by name of a run, each tested against the baseline.
        baseline: the name of a run, or empty for no tests.
        baseline_title: its title beside the ablations.
        title: of the table that compares them with it.
    """

    stages: Mapping[str, str]
    ablations: Mapping[str, str] = field(default_factory=dict)
    baseline: str = ""
    baseline_title: str = ""
    title: str = "Ablations"

    @property
    def titles(self) -> dict[str, str]:
        """Title by name of every run; that of a stage where a run is both."""
        return {**self.stages, **{n: t for n, t in self.ablations.items() if n not in self.stages}}


def pipeline_comparison(settings: RetrievalSettings, systems: Sequence[str]) -> Comparison:
    """Stages and ablations of our own pipeline, as far as `systems` were ranked."""
    full = full_system(settings)
    known = [name for name in available_systems(settings) if name in systems]
    titles = {name: STAGE_TITLES.get(name, name) for name in known}
    if full not in known:
        return Comparison(titles)
    ablations = {}
    for name in known:
        if name in settings.rankers or name == "fused":
            ablations[name] = f"{titles[name]} only"
        elif name not in (full, "rerank"):
            ablations[name] = "without the cross-encoder" if name == "mmr" else titles[name]
    ablations.pop(full, None)
    stages = {name: title for name, title in titles.items() if name not in ABLATION_ONLY}
    return Comparison(stages, ablations, full, "full")


def run_comparison(names: Sequence[str]) -> Comparison:
    """Runs from files: all are shown, and all but the first are compared with the first."""
    listed = {name: name for name in names}
    if len(names) < 2:
        return Comparison(listed)
    others = {name: name for name in names[1:]}
    return Comparison(listed, others, names[0], names[0], f"Against {names[0]}")


@dataclass(frozen=True)
class Difference:
    """A run against the baseline on one measure: baseline − run, so above 0 the baseline wins.

    Args:
        p: of the two-sided randomisation test; `adjusted` by Holm over the runs compared.
    """

    mean: float
    low: float | None
    high: float | None
    p: float
    adjusted: float
    wins: int
    ties: int
    losses: int


def differences(
    values: Mapping[str, PerQuery], comparison: Comparison, measure: str, seed: int
) -> dict[str, Difference]:
    """Every ablation against the baseline on one measure, by its name.

    Args:
        values: by name of a run, measure -> query id -> value.
    """
    base = list(values[comparison.baseline][measure].values())
    others = {name: list(values[name][measure].values()) for name in comparison.ablations}
    p_values = {name: randomisation_test(base, other, seed) for name, other in others.items()}
    adjusted = holm(p_values)
    compared = {}
    for name, other in others.items():
        leads = [ours - theirs for ours, theirs in zip(base, other, strict=True)]
        low, high = bootstrap_interval(leads, seed) or (None, None)
        wins, losses = (sum(sign * lead > _TIE for lead in leads) for sign in (1, -1))
        ties = len(leads) - wins - losses
        mean = sum(leads) / len(leads)
        compared[name] = Difference(
            mean, low, high, p_values[name], adjusted[name], wins, ties, losses
        )
    return compared
