"""How well rankings find what was judged relevant, and how sure the differences between them are.

What is compared: the stages and ablations of our own pipeline, or runs of others. Every run is
scored per query by `metrics`; means come with bootstrap intervals, and each compared run is tested
against one baseline, measure by measure, with the p-values of a measure adjusted together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from countercase.config import RetrievalSettings
from countercase.counterfactual.null_floor import holm
from countercase.errors import InputError
from countercase.evaluation.experiment import measure, table
from countercase.evaluation.metrics import Judged, PerQuery, measure_titles, measures_per_query
from countercase.evaluation.report import Cell, Measure, Plot, Run, Section, Table, bars
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
    shown = {name: runs[name] for name in comparison.titles}
    values = {it: measures_per_query(judged, run, k, relevant_from) for it, run in shown.items()}
    scores = _Scores(comparison, values, measure_titles(k), f"ndcg_graded@{k}", seed)
    tables = (
        *scores.compare(),
        *(scores.by_group(label, group_of) for label, group_of in labels.groups.items()),
        _grounds(judged, shown, relevant_from, known_documents),
        scores.by_query(),
    )
    found = {
        **(details or {}),
        "k": k,
        "relevant_from": relevant_from,
        "seed": seed,
        "baseline": comparison.baseline or None,
        "differences": scores.differences,
        "queries": {
            query: {name: {key: own[key][query] for key in own} for name, own in values.items()}
            for query in judged
        },
    }
    measures, plots = tuple(scores.measures.values()), tuple(scores.plot())
    return Section("retrieval", "Retrieval", measures, tables, plots, found, shown)


@dataclass
class _Scores:
    """Turn the scores of all runs (by name, measure and query) into measures, tables and plots."""

    comparison: Comparison
    values: Mapping[str, PerQuery]
    titles: Mapping[str, str]
    main: str
    seed: int

    def __post_init__(self) -> None:
        names = self.comparison.titles
        self.measures: dict[tuple[str, str], Measure] = {
            (name, key): measure(
                "retrieval.{name}.{measure}",
                mean_estimate(list(per_query[key].values()), self.seed),
                name=name, measure=key, title=title, run=names[name],
            )
            for name, per_query in self.values.items()
            for key, title in self.titles.items()
        }  # fmt: skip
        base = self.comparison.baseline
        self.differences = {}
        for key in self.titles if base else ():
            compared = (base, *self.comparison.ablations)
            rows = {name: list(self.values[name][key].values()) for name in compared}
            self.differences[key] = compare_systems(rows, base, self.seed)
        self.by_run = {name: per_query[self.main] for name, per_query in self.values.items()}

    def _means(self, name: str) -> tuple[Cell, ...]:
        return tuple(self.measures[name, key].value for key in self.titles)

    def _leads(self, name: str) -> dict[str, float]:
        """Return by query how far the baseline is above a run on the main measure."""
        base, other = self.by_run[self.comparison.baseline], self.by_run[name]
        return {query: value - other[query] for query, value in base.items()}

    def compare(self) -> Iterator[Table]:
        """Show the means of every run, what each ablation loses, and how sure that is."""
        comparison, columns = self.comparison, tuple(self.titles.values())
        rows = [(title, *self._means(name)) for name, title in comparison.stages.items()]
        title = "Stages" if comparison.ablations else "Runs"
        yield table("retrieval.means", rows, columns, title=title)
        if not comparison.baseline:
            return
        lost = [(comparison.baseline_title, *self._means(comparison.baseline), *(None,) * 6)]
        sure = []
        for name, title in comparison.ablations.items():
            own = self.differences[self.main][name]
            record = f"{own['wins']}/{own['ties']}/{own['losses']}"
            ends = (own[key] for key in ("mean", "low", "high", "p", "adjusted"))
            lost.append((title, *self._means(name), *ends, record))
            sure.append((title, *(self.differences[key][name]["adjusted"] for key in self.titles)))
        words = {"title": comparison.title, "main": self.titles[self.main]}
        yield table("retrieval.ablations", lost, columns, **words)
        yield table("retrieval.sure", sure, columns)

    def by_group(self, label: str, group_of: Mapping[str, str]) -> Table:
        """Show the main measure of every stage by group, in alphabetical order."""
        shown = self.comparison.stages
        judged = next(iter(self.by_run.values()))
        members = group_by((it for it in judged if it in group_of), group_of.__getitem__)
        rows: list[tuple[Cell, ...]] = []
        for group, own in sorted(members.items()):
            means = (fmean(self.by_run[name][query] for query in own) for name in shown)
            rows.append((group, len(own), *means))
        words = {"main": self.titles[self.main], "label": label}
        return table("retrieval.groups", rows, tuple(shown.values()), **words)

    def by_query(self) -> Table:
        """Show by query the baseline's main measure and its lead over each ablation.

        Without a baseline, the main measure of every run.
        """
        base, compared = self.comparison.baseline, self.comparison.ablations
        shown = {base: self.comparison.baseline_title} if base else self.comparison.stages
        columns = [*map(self.by_run.__getitem__, shown), *map(self._leads, compared)]
        rows = zip(columns[0], *(column.values() for column in columns), strict=True)
        names = (*shown.values(), *(f"− {title}" for title in compared.values()))
        note = "Above 0 the first ranking is better." if compared else ""
        return table("retrieval.queries", rows, names, main=self.titles[self.main], note=note)

    def plot(self) -> Iterator[Plot]:
        """Draw the main measure of every run, and the leads over each ablation query by query."""
        title = self.titles[self.main]
        chosen = (self.measures[name, self.main] for name in self.values)
        heights = [(it.value, it.low, it.high) for it in chosen]
        spread = all(low is not None for _, low, _ in heights)
        labels = list((self.comparison.titles | dict(self.comparison.ablations)).values())
        note = "With 95% bootstrap intervals." if spread else ""
        yield bars(f"{title} per ranking", "ranking", title, labels, {title: heights}, note)
        for name, other in self.comparison.ablations.items():
            leads = self._leads(name)
            order = sorted(leads, key=lambda query: (-leads[query], query))
            yield bars(
                f"Query by query: {self.comparison.baseline_title} − {other}",
                "query", f"difference in {title}", order,
                {other: [(leads[query], None, None) for query in order]},
                "Above 0 the first ranking is better.",
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


def _grounds(
    judged: Judged,
    runs: Mapping[str, Run],
    relevant_from: int,
    known_documents: frozenset[str] | None,
) -> Table:
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
    for name, run in runs.items():
        unranked = sum(not run.get(query) for query in judged)
        beside = len(run.keys() - judged.keys())
        if unranked:
            rows.append((f"queries without a ranking in {name} (all measures 0)", unranked))
        if beside:
            rows.append((f"queries of {name} that were not judged (left out)", beside))
    return table("retrieval.grounds", rows)
