"""How well rankings find what was judged relevant, and how sure the differences between them are.

Every run is scored per query by `metrics`; means come with bootstrap intervals, and each compared
run is tested against one baseline, measure by measure, with the p-values of a measure adjusted
together (see `significance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from countercase.config import Settings
from countercase.errors import InputError
from countercase.evaluation.metrics import (
    Judged,
    PerQuery,
    mean,
    measure_titles,
    measures_per_query,
)
from countercase.evaluation.report import Measure, Run, Section
from countercase.evaluation.retrieval.systems import available_systems, full_system
from countercase.evaluation.retrieval.tables import (
    ablation_table,
    adjusted_table,
    difference_plots,
    difference_table,
    grounds_table,
    group_tables,
    means_plot,
    means_table,
)
from countercase.evaluation.statistics import bootstrap_interval, holm, randomisation_test

STAGE_TITLES: Final = {
    "dpr": "DPR",
    "chroma": "Chroma",
    "lexical": "lexical",
    "fused": "fused",
    "mmr": "MMR",
    "rerank": "cross-encoder alone",
    "final": "final",
    "no-mmr": "without MMR",
    "classic": "classic reading",
}
"""The pipeline's rankings for people."""

ABLATION_ONLY: Final = ("no-mmr", "classic")
"""Rankings that are no stage of the pipeline."""


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
    """Which runs are shown as stages, and which are held against which.

    Args:
        stages: title by name of a run, for the table of means.
        ablations: title by name of a run, each tested against the baseline.
        baseline: the name of a run, or empty for no tests.
        baseline_title: its title beside the ablations.
        title: of the table that holds them against it.
    """

    stages: Mapping[str, str]
    ablations: Mapping[str, str] = field(default_factory=dict)
    baseline: str = ""
    baseline_title: str = ""
    title: str = "Ablations"


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


def pipeline_comparison(settings: Settings, systems: Sequence[str]) -> Comparison:
    """Stages and ablations of our own pipeline, as far as `systems` were ranked."""
    full = full_system(settings)
    known = [name for name in available_systems(settings) if name in systems]
    if full not in known:
        return Comparison({name: STAGE_TITLES[name] for name in known})
    return Comparison(
        {name: STAGE_TITLES[name] for name in known if name not in ABLATION_ONLY},
        {name: _ablation(name, settings) for name in known if name not in (full, "rerank")},
        full,
        "full",
    )


def _ablation(name: str, settings: Settings) -> str:
    """What a ranking is called as the pipeline without something."""
    if name in settings.RANKERS:
        return f"{STAGE_TITLES[name]} only"
    if name == "mmr":
        return "without the cross-encoder"
    return "fused only" if name == "fused" else STAGE_TITLES[name]


def run_comparison(names: Sequence[str]) -> Comparison:
    """Runs from files: all are shown, and all but the first are held against the first."""
    listed = {name: name for name in names}
    if len(names) < 2:
        return Comparison(listed)
    others = {name: name for name in names[1:]}
    return Comparison(listed, others, names[0], names[0], f"Against {names[0]}")


def evaluate_runs(
    labels: Labels,
    runs: Mapping[str, Run],
    comparison: Comparison,
    k: int = 10,
    relevant_from: int = 1,
    seed: int = 0,
    known_documents: frozenset[str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> Section:
    """Score runs against judgements.

    Args:
        k: the K of MRR@K, NDCG@K and Recall@K.
        relevant_from: the grade from which a document counts as relevant.
        seed: of the tests and intervals.
        known_documents: ids of the corpus, to count judged documents that it lacks.
        details: what else is to be kept: settings, models, the corpus.

    Raises:
        InputError: no query was judged, or nothing is relevant to any of them.
    """
    if not labels.judged:
        raise InputError("no query has judgements; check that query ids agree between the files")
    grades = [grade for row in labels.judged.values() for grade in row.values()]
    if not any(grade >= relevant_from for grade in grades):
        raise InputError(f"no judgement reaches grade {relevant_from}; lower --relevant-from")
    titles = measure_titles(k)
    shown = [*dict.fromkeys([*comparison.stages, *comparison.ablations])]
    values = {
        name: measures_per_query(labels.judged, runs[name], k, relevant_from) for name in shown
    }
    differences = {
        key: _differences(values, comparison, key, seed) for key in titles if comparison.baseline
    }
    main_key = f"ndcg_graded@{k}"
    measures = tuple(
        _measure(name, key, title, comparison, values, seed)
        for name in shown
        for key, title in titles.items()
    )
    tables = [
        means_table(comparison.stages, values, titles, "Stages" if comparison.ablations else "Runs")
    ]
    plots = [means_plot(comparison, measures, titles[main_key], main_key)]
    if comparison.baseline:
        tables += [
            ablation_table(comparison, values, differences[main_key], titles, main_key),
            adjusted_table(comparison, differences, titles),
        ]
        plots += difference_plots(comparison, values, main_key, titles[main_key])
    tables += group_tables(labels.groups, comparison, values, titles, main_key)
    tables += [
        grounds_table(labels.judged, runs, shown, relevant_from, known_documents),
        difference_table(comparison, values, main_key, titles[main_key]),
    ]
    return Section(
        name="retrieval",
        title="Retrieval",
        measures=measures,
        tables=tuple(tables),
        plots=tuple(plots),
        details={
            **(details or {}),
            "k": k,
            "relevant_from": relevant_from,
            "seed": seed,
            "baseline": comparison.baseline or None,
            "differences": {
                key: {name: vars(one) for name, one in row.items()}
                for key, row in differences.items()
            },
            "queries": {
                query: {name: {key: values[name][key][query] for key in titles} for name in shown}
                for query in labels.judged
            },
        },
        runs={name: runs[name] for name in shown},
    )


def _measure(
    name: str,
    key: str,
    title: str,
    comparison: Comparison,
    values: Mapping[str, PerQuery],
    seed: int,
) -> Measure:
    listed = list(values[name][key].values())
    low, high = bootstrap_interval(listed, seed) or (None, None)
    shown = comparison.stages.get(name) or comparison.ablations[name]
    return Measure(
        key=f"retrieval.{name}.{key}",
        title=f"{title}, {shown}",
        value=mean(values[name][key]),
        n=len(listed),
        low=low,
        high=high,
    )


def _differences(
    values: Mapping[str, PerQuery], comparison: Comparison, key: str, seed: int
) -> dict[str, Difference]:
    base = list(values[comparison.baseline][key].values())
    others = {name: list(values[name][key].values()) for name in comparison.ablations}
    p_values = {name: randomisation_test(base, other, seed) for name, other in others.items()}
    adjusted = holm(p_values)
    found = {}
    for name, other in others.items():
        each = [one - two for one, two in zip(base, other, strict=True)]
        low, high = bootstrap_interval(each, seed) or (None, None)
        found[name] = Difference(
            mean=sum(each) / len(each),
            low=low,
            high=high,
            p=p_values[name],
            adjusted=adjusted[name],
            wins=sum(one > 1e-12 for one in each),
            ties=sum(abs(one) <= 1e-12 for one in each),
            losses=sum(one < -1e-12 for one in each),
        )
    return found
