"""How well rankings find what was judged relevant, and how sure the differences between them are.

What is compared: the stages and ablations of our own pipeline, or runs of others. Every run is
scored per query by `metrics`; means come with bootstrap intervals, and each compared run is tested
against one baseline, measure by measure, with the p-values of a measure adjusted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final

from countercase.config import RetrievalSettings
from countercase.counterfactual.null_floor import holm
from countercase.errors import InputError
from countercase.evaluation.metrics import Judged, PerQuery, measure_titles, measures_per_query
from countercase.evaluation.report import Cell, Measure, Plot, Rows, Run, Section, Table, bars
from countercase.evaluation.retrieval.systems import available_systems, full_system
from countercase.evaluation.sets import Labels
from countercase.evaluation.statistics import group_by, mean_estimate, randomisation_test

STAGE_TITLES: Final = {
    "dpr": "DPR",
    "chroma": "Chroma",
    "mmr": "MMR",
    "rerank": "cross-encoder alone",
    "no-mmr": "without MMR",
    "no-contrast": "without the contrast vote",
    "classic": "classic reading",
}
"""The pipeline's rankings for people; others go by their names."""

ABLATION_ONLY: Final = ("no-mmr", "no-contrast", "classic")
"""Rankings that are not a stage of the pipeline."""

_TIE: Final = 1e-12


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
    values = {
        name: measures_per_query(judged, run, k, relevant_from) for name, run in shown.items()
    }
    scores = _Scores(comparison, values, measure_titles(k), f"ndcg_graded@{k}", seed)
    return Section(
        "retrieval",
        "Retrieval",
        tuple(scores.measures.values()),
        (
            scores.means_table(),
            *scores.ablation_tables(),
            *(scores.group_table(label, group_of) for label, group_of in labels.groups.items()),
            _grounds_table(judged, shown, relevant_from, known_documents),
            scores.query_table(),
        ),
        (scores.means_plot(), *scores.difference_plots()),
        {
            **(details or {}),
            "k": k,
            "relevant_from": relevant_from,
            "seed": seed,
            "baseline": comparison.baseline or None,
            "differences": scores.differences,
            "queries": {
                query: {
                    name: {key: per_query[key][query] for key in scores.titles}
                    for name, per_query in values.items()
                }
                for query in judged
            },
        },
        shown,
    )


@dataclass
class _Scores:
    """Turn the scores of all runs (by name, measure and query) into measures, tables and plots."""

    comparison: Comparison
    values: Mapping[str, PerQuery]
    titles: Mapping[str, str]
    main: str
    seed: int

    def __post_init__(self) -> None:
        tested = self.titles if self.comparison.baseline else ()
        self.differences = {key: self._differences(key) for key in tested}
        self.measures = {
            (name, key): Measure.of(
                f"retrieval.{name}.{key}",
                f"{title}, {self.comparison.titles[name]}",
                mean_estimate(list(per_query[key].values()), self.seed),
            )
            for name, per_query in self.values.items()
            for key, title in self.titles.items()
        }

    def _differences(self, key: str) -> dict[str, dict[str, Any]]:
        """Compare every ablation with the baseline on one measure: above 0 the baseline wins."""
        base = list(self.values[self.comparison.baseline][key].values())
        others = {name: list(self.values[name][key].values()) for name in self.comparison.ablations}
        p = {name: randomisation_test(base, other, self.seed) for name, other in others.items()}
        adjusted = holm(p)
        differences = {}
        for name, other in others.items():
            leads = [ours - theirs for ours, theirs in zip(base, other, strict=True)]
            _, low, high = mean_estimate(leads, self.seed).cells
            wins, losses = (sum(sign * lead > _TIE for lead in leads) for sign in (1, -1))
            differences[name] = {
                "mean": sum(leads) / len(leads), "low": low, "high": high,
                "p": p[name], "adjusted": adjusted[name],
                "wins": wins, "ties": len(leads) - wins - losses, "losses": losses,
            }  # fmt: skip
        return differences

    def _means(self, name: str) -> tuple[Cell, ...]:
        return tuple(self.measures[name, key].value for key in self.titles)

    def _main(self, name: str) -> Mapping[str, float]:
        return self.values[name][self.main]

    def _leads(self, name: str) -> dict[str, float]:
        """By query, how far the baseline is above a run on the main measure."""
        base, other = self._main(self.comparison.baseline), self._main(name)
        return {query: value - other[query] for query, value in base.items()}

    def means_table(self) -> Table:
        """One row a stage, one column a measure."""
        stages = self.comparison.stages.items()
        rows = tuple((title, *self._means(name)) for name, title in stages)
        title = "Stages" if self.comparison.ablations else "Runs"
        return Table(title, ("ranking", *self.titles.values()), rows)

    def ablation_tables(self) -> Iterator[Table]:
        """What each ablation loses on the main measure, and its adjusted p on every measure."""
        comparison = self.comparison
        if not comparison.baseline:
            return
        means = self._means(comparison.baseline)
        rows: list[tuple[Cell, ...]] = [(comparison.baseline_title, *means, *(None,) * 6)]
        sure: list[tuple[Cell, ...]] = []
        for name, title in comparison.ablations.items():
            lost = self.differences[self.main][name]
            record = f"{lost['wins']}/{lost['ties']}/{lost['losses']}"
            ends = (lost[key] for key in ("mean", "low", "high", "p", "adjusted"))
            rows.append((title, *self._means(name), *ends, record))
            sure.append((title, *(self.differences[key][name]["adjusted"] for key in self.titles)))
        columns = ("ranking", *self.titles.values())
        more = ("loses", "low", "high", "p", "p (Holm)", "won/tied/lost")
        yield Table(
            comparison.title,
            (*columns, *more),
            tuple(rows),
            "What a row loses against the first, its 95% interval, p of the paired "
            "randomisation test, p adjusted by Holm's method over the rows, and the queries "
            f"that the first won, tied and lost; all on {self.titles[self.main]}.",
        )
        yield Table(
            "How sure the differences are",
            columns,
            tuple(sure),
            "p of the two-sided paired randomisation test against the first ranking, adjusted "
            "by Holm's method within each measure; under .05 the difference is more than chance.",
        )

    def group_table(self, label: str, group_of: Mapping[str, str]) -> Table:
        """The main measure of every stage by group, in alphabetical order."""
        shown = self.comparison.stages
        judged = self._main(next(iter(self.values)))
        members = group_by((it for it in judged if it in group_of), group_of.__getitem__)
        rows: list[tuple[Cell, ...]] = []
        for group, queries in sorted(members.items()):
            means = (fmean(self._main(name)[query] for query in queries) for name in shown)
            rows.append((group, len(queries), *means))
        columns = (label, "queries", *shown.values())
        return Table(f"{self.titles[self.main]} by {label}", columns, tuple(rows))

    def query_table(self) -> Table:
        """Query by query: the baseline's main measure and its lead over each ablation.

        Without a baseline, the main measure of every run.
        """
        base = self.comparison.baseline
        shown = {base: self.comparison.baseline_title} if base else self.comparison.stages
        compared = self.comparison.ablations if base else {}
        by_query = [*map(self._main, shown), *map(self._leads, compared)]
        rows: Rows = tuple(
            (query, *(column[query] for column in by_query)) for query in by_query[0]
        )
        columns = ("query", *shown.values(), *(f"− {title}" for title in compared.values()))
        note = "Above 0 the first ranking is better." if compared else ""
        return Table(f"Query by query: {self.titles[self.main]}", columns, rows, note)

    def means_plot(self) -> Plot:
        """The main measure of every run as bars with intervals."""
        chosen = [self.measures[name, self.main] for name in self.values]
        spread = all(it.low is not None for it in chosen)
        heights = [
            (it.value or 0.0, (it.low or 0.0, it.high or 0.0) if spread else None) for it in chosen
        ]
        labels = list((self.comparison.titles | dict(self.comparison.ablations)).values())
        title = self.titles[self.main]
        note = "With 95% bootstrap intervals." if spread else ""
        return bars(f"{title} per ranking", "ranking", title, labels, {title: heights}, note)

    def difference_plots(self) -> Iterator[Plot]:
        """For each ablation, the baseline's lead query by query, the greatest first."""
        y_title = f"difference in {self.titles[self.main]}"
        note = "Above 0 the first ranking is better."
        for name, title in self.comparison.ablations.items():
            leads = self._leads(name)
            order = sorted(leads, key=lambda query: (-leads[query], query))
            heights = {title: [(leads[query], None) for query in order]}
            plot_title = f"Query by query: {self.comparison.baseline_title} − {title}"
            yield bars(plot_title, "query", y_title, order, heights, note)


def _grounds_table(
    judged: Judged,
    runs: Mapping[str, Run],
    relevant_from: int,
    known_documents: frozenset[str] | None,
) -> Table:
    """What the figures rest on, and what was missing."""
    relevant = [
        {document for document, grade in row.items() if grade >= relevant_from}
        for row in judged.values()
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
    return Table("What the figures rest on", ("what", "count"), tuple(rows))
