"""How well rankings find what was judged relevant, and how sure the differences between them are.

What is compared: the stages and ablations of our own pipeline, or runs of others. Every run is
scored per query by `metrics`; means come with bootstrap intervals, and each compared run is tested
against one baseline, measure by measure, with the p-values of a measure adjusted together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from statistics import fmean
from typing import Any, TypeAlias

from countercase.config import RetrievalSettings
from countercase.counterfactual.null_floor import holm
from countercase.errors import InputError
from countercase.evaluation.metrics import Judged, measure_titles, measures_per_query
from countercase.evaluation.report import Cell, Run, Section
from countercase.evaluation.retrieval.systems import available_systems, full_system
from countercase.evaluation.sets import Labels
from countercase.evaluation.statistics import Estimate, group_by, mean_estimate, randomisation_test

Differences: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""By measure and run, what `compare_systems` finds."""


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
    if not any(it.name == full for it in known):
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
        details: what else is to be kept: settings, models, the corpus.

    Raises:
        InputError: no query was judged, or nothing is relevant to any of them.
    """
    judged = labels.judged
    if not judged:
        raise InputError("no query has judgements; check that query ids agree between the files")
    if not any(grade >= relevant_from for row in judged.values() for grade in row.values()):
        raise InputError(f"no judgement reaches grade {relevant_from}; count lower grades too")
    titles, main = measure_titles(k), f"ndcg_graded@{k}"
    base, ablations, names = comparison.baseline, comparison.ablations, comparison.titles
    found = Section("retrieval", "Retrieval", runs={name: runs[name] for name in names})
    values = {n: measures_per_query(judged, run, k, relevant_from) for n, run in found.runs.items()}
    means = {
        (name, key): mean_estimate(list(values[name][key].values()), seed)
        for name, key in product(names, titles)
    }
    for (name, key), mean in means.items():
        words = {"name": name, "measure": key, "title": titles[key], "run": names[name]}
        found.add_measure("retrieval.{name}.{measure}", mean, **words)
    differences = {}
    for key in titles if base else ():
        rows = {name: list(values[name][key].values()) for name in (base, *ablations)}
        differences[key] = compare_systems(rows, base, seed)
    by_run = {name: per_query[main] for name, per_query in values.items()}
    _add_comparison(found, comparison, means, titles, main, differences)
    for label, group_of in labels.groups.items():
        members = group_by(filter(group_of.__contains__, judged), group_of.__getitem__)
        groups: list[tuple[Cell, ...]] = []
        for group, own in sorted(members.items()):
            of_group = (fmean(by_run[name][query] for query in own) for name in comparison.stages)
            groups.append((group, len(own), *of_group))
        stages = list(comparison.stages.values())
        found.add_table("retrieval.groups", groups, stages, main=titles[main], label=label)
    _add_grounds(found, judged, relevant_from, known_documents)
    heights = [means[name, main].cells for name in names]
    note = "With 95% bootstrap intervals."
    found.add_bars(
        f"{titles[main]} per ranking", "ranking", titles[main], [*{**names, **ablations}.values()],
        {titles[main]: heights}, note if all(low is not None for _, low, _ in heights) else "",
    )  # fmt: skip
    _add_queries(found, comparison, by_run, titles[main])
    found.details = {
        **(details or {}),
        "k": k,
        "relevant_from": relevant_from,
        "seed": seed,
        "baseline": base or None,
        "differences": differences,
        "queries": {
            query: {name: {key: own[key][query] for key in own} for name, own in values.items()}
            for query in judged
        },
    }
    return found


def _add_comparison(
    found: Section,
    comparison: Comparison,
    means: Mapping[tuple[str, str], Estimate],
    titles: Mapping[str, str],
    main: str,
    differences: Differences,
) -> None:
    """Show the means of every run, what each ablation loses, and how sure that is."""
    columns, ablations = list(titles.values()), comparison.ablations

    def row(name: str) -> list[float | None]:
        return [means[name, key].value for key in titles]

    rows = ((title, *row(name)) for name, title in comparison.stages.items())
    found.add_table("retrieval.means", rows, columns, title="Stages" if ablations else "Runs")
    if not comparison.baseline:
        return
    lost = [(comparison.baseline_title, *row(comparison.baseline), *(None,) * 6)]
    for name, title in ablations.items():
        own = differences[main][name]
        ends = (own[key] for key in ("mean", "low", "high", "p", "adjusted"))
        record = f"{own['wins']}/{own['ties']}/{own['losses']}"
        lost.append((title, *row(name), *ends, record))
    words = {"title": comparison.title, "main": titles[main]}
    found.add_table("retrieval.ablations", lost, columns, **words)
    sure = (
        (title, *(differences[key][name]["adjusted"] for key in titles))
        for name, title in ablations.items()
    )
    found.add_table("retrieval.sure", sure, columns)


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


def compare_systems(
    values: Mapping[str, Sequence[float]], baseline: str, seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Test each system against the baseline on one measure, case by case.

    Args:
        values: by system, its value for each case, the cases in one order.

    Returns:
        By system other than the baseline: the mean by which the baseline is better with its 95%
        interval, p of the paired randomisation test, p adjusted by Holm's method over the systems,
        and the cases that the baseline won, tied and lost.
    """
    base = values[baseline]
    others = {name: row for name, row in values.items() if name != baseline}
    p = {name: randomisation_test(base, row, seed) for name, row in others.items()}
    adjusted = holm(p)
    found = {}
    for name, row in others.items():
        leads = [ours - theirs for ours, theirs in zip(base, row, strict=True)]
        wins, losses = (sum(sign * lead > 1e-12 for lead in leads) for sign in (1, -1))
        _, low, high = mean_estimate(leads, seed).cells
        found[name] = {
            "mean": math.fsum(leads) / len(leads), "low": low, "high": high,
            "p": p[name], "adjusted": adjusted[name],
            "wins": wins, "ties": len(leads) - wins - losses, "losses": losses,
        }  # fmt: skip
    return found


def _add_grounds(
    found: Section, judged: Judged, relevant_from: int, known_documents: frozenset[str] | None
) -> None:
    """Show what the figures rest on, and what was missing."""
    relevant = [
        {it for it, grade in row.items() if grade >= relevant_from} for row in judged.values()
    ]
    rows = [
        ("queries judged", len(judged)),
        ("of them with nothing relevant (all measures 0)", relevant.count(set())),
        ("judgements", sum(map(len, judged.values()))),
        (f"of them relevant (grade {relevant_from} or more)", sum(map(len, relevant))),
    ]
    if known_documents is not None:
        missing = sum(len(documents - known_documents) for documents in relevant)
        rows.append(("relevant, but not in the corpus (never found)", missing))
    for name, run in found.runs.items():
        unranked = sum(not run.get(query) for query in judged)
        beside = len(run.keys() - judged.keys())
        if unranked:
            rows.append((f"queries without a ranking in {name} (all measures 0)", unranked))
        if beside:
            rows.append((f"queries of {name} that were not judged (left out)", beside))
    found.add_table("retrieval.grounds", rows)
