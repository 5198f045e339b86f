"""How well rankings find what was judged relevant, and how sure the differences between them are.

What is compared: the stages and ablations of our own pipeline, or runs of others. Every run is
scored per query by `metrics`; means come with bootstrap intervals, and each compared run is tested
against one baseline, measure by measure, with the p-values of a measure adjusted together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from countercase.config import RetrievalSettings
from countercase.counterfactual.null_floor import holm
from countercase.errors import InputError
from countercase.evaluation.metrics import Judged, measure_titles, measures_per_query
from countercase.evaluation.report import Cell, Run, Section
from countercase.evaluation.retrieval.systems import available_systems, full_system
from countercase.evaluation.sets import Labels
from countercase.evaluation.statistics import group_by, mean_estimate, randomisation_test


@dataclass(frozen=True)
class Comparison:
    """Which runs, by name and title, are shown as stages, and which are compared with which.

    Args:
        ablations: each tested against the baseline.
        baseline: the name of a run, or empty for no tests.
        title: of the table that compares the ablations with it.
    """

    stages: Mapping[str, str]
    ablations: Mapping[str, str] = field(default_factory=dict)
    baseline: str = ""
    baseline_title: str = ""
    title: str = "Ablations"

    @property
    def titles(self) -> dict[str, str]:
        """Title by name of every run, stages first; that of a stage where a run is both."""
        return {**self.stages, **self.ablations, **self.stages}


def pipeline_comparison(settings: RetrievalSettings, systems: Sequence[str]) -> Comparison:
    """Return the stages and ablations of our own pipeline, as far as `systems` were ranked."""
    full = full_system(settings)
    known = [it for it in available_systems(settings).values() if it.name in systems]
    if full not in systems:
        return Comparison({it.name: it.title for it in known})
    stages = {it.name: it.title for it in known if it.is_stage}
    ablations = {it.name: it.ablation for it in known if it.ablation and it.name != full}
    return Comparison(stages, ablations, full, "full")


def run_comparison(names: Sequence[str]) -> Comparison:
    """Show all runs from files, and compare all but the first with the first."""
    first, others = names[0], {name: name for name in names[1:]}
    if not others:
        return Comparison({first: first})
    return Comparison({first: first, **others}, others, first, first, f"Against {first}")


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
    """Score runs against judgements, with the K of MRR@K, NDCG@K and Recall@K.

    Args:
        relevant_from: the grade from which a document counts as relevant.
        known_documents: ids of the corpus, to count judged documents that it lacks.
    """
    judged, names = labels.judged, comparison.titles
    if not judged:
        raise InputError("no query has judgements; check that query ids agree between the files")
    if not any(grade >= relevant_from for row in judged.values() for grade in row.values()):
        raise InputError(f"no judgement reaches grade {relevant_from}; count lower grades too")
    found = Section("retrieval", "Retrieval", runs={name: runs[name] for name in names})
    values = {n: measures_per_query(judged, run, k, relevant_from) for n, run in found.runs.items()}
    titles, main, heights = measure_titles(k), f"ndcg_graded@{k}", []
    for name, own in values.items():
        for key, row in own.items():
            mean = mean_estimate(list(row.values()), seed)
            words = {"name": name, "measure": key, "title": titles[key], "run": names[name]}
            found.add_measure("retrieval.{name}.{measure}", mean, **words)
            if key == main:
                heights.append(mean.cells)
    compared = [name for name in (comparison.baseline, *comparison.ablations) if name]
    differences = {
        key: compare_systems({name: list(values[name][key].values()) for name in compared}, seed)
        for key in (titles if compared else ())
    }
    columns, ablations = list(titles.values()), comparison.ablations

    def means(name: str) -> Iterable[Cell]:
        return (math.fsum(row.values()) / len(row) for row in values[name].values())

    of_stages = ((title, *means(name)) for name, title in comparison.stages.items())
    found.add_table("retrieval.means", of_stages, columns, title="Stages" if ablations else "Runs")
    if comparison.baseline:
        lost: list[tuple[Cell, ...]] = [
            (comparison.baseline_title, *means(comparison.baseline), *(None,) * 6)
        ]
        sure = []
        for name, title in ablations.items():
            lead = differences[main][name]
            ends = (lead[key] for key in ("mean", "low", "high", "p", "adjusted"))
            count = f"{lead['wins']}/{lead['ties']}/{lead['losses']}"
            lost.append((title, *means(name), *ends, count))
            sure.append((title, *(differences[key][name]["adjusted"] for key in titles)))
        words = {"title": comparison.title, "main": titles[main]}
        found.add_table("retrieval.ablations", lost, columns, **words)
        found.add_table("retrieval.sure", sure, columns)
    by_run = {name: own[main] for name, own in values.items()}
    for label, group_of in labels.groups.items():
        members = group_by(filter(group_of.__contains__, judged), group_of.__getitem__)
        rows = list[tuple[Cell, ...]]()
        for group, asked in sorted(members.items()):
            scores = (fmean(by_run[it][query] for query in asked) for it in comparison.stages)
            rows.append((group, len(asked), *scores))
        stages = list(comparison.stages.values())
        found.add_table("retrieval.groups", rows, stages, main=titles[main], label=label)
    grounds = _count_grounds(found.runs, judged, relevant_from, known_documents)
    found.add_table("retrieval.grounds", grounds)
    note = "With 95% bootstrap intervals." if all(low is not None for _, low, _ in heights) else ""
    found.add_bars(
        f"{titles[main]} per ranking", "ranking", titles[main],
        list({**names, **comparison.ablations}.values()), {titles[main]: heights}, note,
    )  # fmt: skip
    _add_queries(found, comparison, by_run, titles[main])
    found.details = {
        **(details or {}),
        "k": k,
        "relevant_from": relevant_from,
        "seed": seed,
        "baseline": comparison.baseline or None,
        "differences": differences,
        "queries": {
            query: {name: {key: own[key][query] for key in own} for name, own in values.items()}
            for query in judged
        },
    }
    return found


def compare_systems(
    values: Mapping[str, Sequence[float]], seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Test each further system against the first, the baseline, on one measure, case by case.

    By system: by how much the baseline is better, p of the paired randomisation test, also adjusted by
    Holm's method, and the cases that the baseline won, tied and lost.
    """
    base, *_ = values.values()
    others = dict(list(values.items())[1:])
    p = {name: randomisation_test(base, row, seed) for name, row in others.items()}
    adjusted, found = holm(p), {}
    for name, row in others.items():
        leads = [ours - theirs for ours, theirs in zip(base, row, strict=True)]
        wins, losses = (sum(sign * lead > 1e-12 for lead in leads) for sign in (1, -1))
        mean, low, high = mean_estimate(leads, seed).cells
        found[name] = {
            "mean": mean, "low": low, "high": high, "p": p[name], "adjusted": adjusted[name],
            "wins": wins, "ties": len(leads) - wins - losses, "losses": losses,
        }  # fmt: skip
    return found


def _add_queries(
    found: Section, comparison: Comparison, by_run: Mapping[str, Mapping[str, float]], main: str
) -> None:
    """Show by query the baseline and its lead over each ablation; without a baseline, every run."""
    base, ablations = comparison.baseline, comparison.ablations
    leads = {
        name: {query: value - by_run[name][query] for query, value in by_run[base].items()}
        for name in ablations
    }
    shown = {base: comparison.baseline_title} if base else comparison.stages
    columns = [*map(by_run.__getitem__, shown), *leads.values()]
    rows = zip(columns[0], *(column.values() for column in columns), strict=True)
    headings = [*shown.values(), *(f"− {title}" for title in ablations.values())]
    note = "Above 0 the first ranking is better."
    words = {"main": main, "note": note if ablations else ""}
    found.add_table("retrieval.queries", rows, headings, **words)
    for name, title in ablations.items():
        order = sorted(leads[name], key=lambda query: (-leads[name][query], query))
        found.add_bars(
            f"Query by query: {comparison.baseline_title} − {title}", "query",
            f"difference in {main}", order,
            {title: [(leads[name][query], None, None) for query in order]}, note,
        )  # fmt: skip


def _count_grounds(
    runs: Mapping[str, Run], judged: Judged, relevant_from: int, known: frozenset[str] | None
) -> Iterable[tuple[str, int]]:
    relevant = [
        {it for it, grade in row.items() if grade >= relevant_from} for row in judged.values()
    ]
    yield "queries judged", len(judged)
    yield "of them with nothing relevant (all measures 0)", relevant.count(set())
    yield "judgements", sum(map(len, judged.values()))
    yield f"of them relevant (grade {relevant_from} or more)", sum(map(len, relevant))
    if known is not None:
        missing = sum(len(documents - known) for documents in relevant)
        yield "relevant, but not in the corpus (never found)", missing
    for name, run in runs.items():
        if unranked := sum(not run.get(query) for query in judged):
            yield f"queries without a ranking in {name} (all measures 0)", unranked
        if beside := len(run.keys() - judged.keys()):
            yield f"queries of {name} that were not judged (left out)", beside
