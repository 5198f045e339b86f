"""How well rankings find what was judged relevant, and how sure the differences between them are.

Every run is scored per query by `metrics`; means come with bootstrap intervals, and each compared
run is tested against one baseline, measure by measure, with the p-values of a measure adjusted
together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from countercase.errors import InputError
from countercase.evaluation.metrics import (
    Judged,
    PerQuery,
    mean,
    measure_titles,
    measures_per_query,
)
from countercase.evaluation.report import Cell, Measure, Plot, Run, Section, Table, bars
from countercase.evaluation.retrieval.comparison import Comparison, Difference, Labels, differences

Rows = tuple[tuple[Cell, ...], ...]


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
        raise InputError(f"no judgement reaches grade {relevant_from}; count lower grades too")
    values = {
        name: measures_per_query(labels.judged, runs[name], k, relevant_from)
        for name in comparison.titles
    }
    scores = _Scores(comparison, values, measure_titles(k), f"ndcg_graded@{k}", seed)
    tables = [scores.means_table(), *scores.ablation_tables(), *scores.group_tables(labels.groups)]
    tables += [
        grounds_table(labels.judged, runs, list(values), relevant_from, known_documents),
        scores.query_table(),
    ]
    return Section(
        name="retrieval",
        title="Retrieval",
        measures=tuple(scores.measures.values()),
        tables=tuple(tables),
        plots=(scores.means_plot(), *scores.difference_plots()),
        details={
            **(details or {}),
            "k": k,
            "relevant_from": relevant_from,
            "seed": seed,
            "baseline": comparison.baseline or None,
            "differences": {
                key: {name: vars(difference) for name, difference in row.items()}
                for key, row in scores.differences.items()
            },
            "queries": {
                query: {
                    name: {key: per_query[key][query] for key in scores.titles}
                    for name, per_query in values.items()
                }
                for query in labels.judged
            },
        },
        runs={name: runs[name] for name in values},
    )


@dataclass
class _Scores:
    """The scores of all runs, as measures, tables and plots.

    Args:
        values: by name of a run, measure -> query id -> value.
        titles: of the measures by their keys.
        main: the key of the measure that is tested, grouped and plotted.
    """

    comparison: Comparison
    values: Mapping[str, PerQuery]
    titles: Mapping[str, str]
    main: str
    seed: int

    def __post_init__(self) -> None:
        tested = self.titles if self.comparison.baseline else ()
        self.differences: dict[str, dict[str, Difference]] = {
            key: differences(self.values, self.comparison, key, self.seed) for key in tested
        }
        self.measures = {
            (name, key): Measure.of_mean(
                f"retrieval.{name}.{key}",
                f"{title}, {self.comparison.titles[name]}",
                list(self.values[name][key].values()),
                self.seed,
            )
            for name in self.values
            for key, title in self.titles.items()
        }

    def _means(self, name: str) -> tuple[float, ...]:
        return tuple(mean(self.values[name][key]) for key in self.titles)

    def _main(self, name: str) -> Mapping[str, float]:
        return self.values[name][self.main]

    def means_table(self) -> Table:
        """One row a stage, one column a measure."""
        stages = self.comparison.stages.items()
        rows: Rows = tuple((title, *self._means(name)) for name, title in stages)
        title = "Stages" if self.comparison.ablations else "Runs"
        return Table(title, ("ranking", *self.titles.values()), rows)

    def ablation_tables(self) -> list[Table]:
        """What each ablation loses on the main measure, and its adjusted p on every measure."""
        comparison, titles = self.comparison, self.titles
        if not comparison.baseline:
            return []
        rows: list[tuple[Cell, ...]] = [
            (comparison.baseline_title, *self._means(comparison.baseline), *(None,) * 6)
        ]
        for name, lost in self.differences[self.main].items():
            record = f"{lost.wins}/{lost.ties}/{lost.losses}"
            ends = (lost.mean, lost.low, lost.high, lost.p, lost.adjusted, record)
            rows.append((comparison.ablations[name], *self._means(name), *ends))
        columns = ("loses", "low", "high", "p", "p (Holm)", "won/tied/lost")
        return [
            Table(
                comparison.title,
                ("ranking", *titles.values(), *columns),
                tuple(rows),
                "What a row loses against the first, its 95% interval, p of the paired "
                "randomisation test, p adjusted by Holm's method over the rows, and the queries "
                f"that the first won, tied and lost; all on {titles[self.main]}.",
            ),
            Table(
                "How sure the differences are",
                ("ranking", *titles.values()),
                tuple(
                    (title, *(self.differences[key][name].adjusted for key in titles))
                    for name, title in comparison.ablations.items()
                ),
                "p of the two-sided paired randomisation test against the first ranking, adjusted "
                "by Holm's method within each measure; under .05 the difference is more than "
                "chance.",
            ),
        ]

    def group_tables(self, groups: Mapping[str, Mapping[str, str]]) -> list[Table]:
        """For each grouping, the main measure of every stage by group, in alphabetical order."""
        tables = []
        shown = self.comparison.stages
        for label, group_of in groups.items():
            members: dict[str, list[str]] = {}
            for query in self._main(next(iter(self.values))):
                if query in group_of:
                    members.setdefault(group_of[query], []).append(query)
            rows: Rows = tuple(
                (
                    group,
                    len(queries),
                    *(
                        mean({query: self._main(name)[query] for query in queries})
                        for name in shown
                    ),
                )
                for group, queries in sorted(members.items())
            )
            columns = (label, "queries", *shown.values())
            tables.append(Table(f"{self.titles[self.main]} by {label}", columns, rows))
        return tables

    def query_table(self) -> Table:
        """Query by query: the baseline's main measure and its lead over each ablation.

        Without a baseline, the main measure of every run.
        """
        base = self.comparison.baseline
        shown = {base: self.comparison.baseline_title} if base else self.comparison.stages
        compared = self.comparison.ablations if base else {}
        rows: Rows = tuple(
            (
                query,
                *(self._main(name)[query] for name in shown),
                *(self._main(base)[query] - self._main(name)[query] for name in compared),
            )
            for query in self._main(next(iter(self.values)))
        )
        columns = ("query", *shown.values(), *(f"− {title}" for title in compared.values()))
        note = "Above 0 the first ranking is better." if compared else ""
        return Table(f"Query by query: {self.titles[self.main]}", columns, rows, note)

    def means_plot(self) -> Plot:
        """The main measure of every run as bars with intervals."""
        chosen = [self.measures[name, self.main] for name in self.values]
        spread = all(measure.low is not None for measure in chosen)
        heights = [
            (measure.value or 0.0, (measure.low or 0.0, measure.high or 0.0) if spread else None)
            for measure in chosen
        ]
        labels = [
            self.comparison.ablations.get(name, title)
            for name, title in self.comparison.titles.items()
        ]
        title = self.titles[self.main]
        note = "With 95% bootstrap intervals." if spread else ""
        return bars(f"{title} per ranking", "ranking", title, labels, {title: heights}, note)

    def difference_plots(self) -> list[Plot]:
        """For each ablation, the baseline's lead query by query, the greatest first."""
        plots = []
        measure, comparison = self.titles[self.main], self.comparison
        for name, title in comparison.ablations.items():
            base, other = self._main(comparison.baseline), self._main(name)
            leads = {query: base[query] - other[query] for query in base}
            order = sorted(leads, key=lambda query: (-leads[query], query))
            plots.append(
                bars(
                    f"Query by query: {comparison.baseline_title} − {title}",
                    "query",
                    f"difference in {measure}",
                    order,
                    {title: [(leads[query], None) for query in order]},
                    "Above 0 the first ranking is better.",
                )
            )
        return plots


def grounds_table(
    judged: Judged,
    runs: Mapping[str, Run],
    shown: Sequence[str],
    relevant_from: int,
    known_documents: frozenset[str] | None,
) -> Table:
    """What the figures rest on, and what was missing."""
    relevant = {
        query: {document for document, grade in row.items() if grade >= relevant_from}
        for query, row in judged.items()
    }
    nothing = sum(not documents for documents in relevant.values())
    rows: list[tuple[Cell, ...]] = [
        ("queries judged", len(judged)),
        ("of them with nothing relevant (all measures 0)", nothing),
        ("judgements", sum(len(row) for row in judged.values())),
        (f"of them relevant (grade {relevant_from} or more)", sum(map(len, relevant.values()))),
    ]
    if known_documents is not None:
        missing = sum(len(documents - known_documents) for documents in relevant.values())
        rows.append(("relevant, but not in the corpus (never found)", missing))
    for name in shown:
        unranked = sum(not runs[name].get(query) for query in judged)
        if unranked:
            rows.append((f"queries without a ranking in {name} (all measures 0)", unranked))
        beside = sum(query not in judged for query in runs[name])
        if beside:
            rows.append((f"queries of {name} that were not judged (left out)", beside))
    return Table("What the figures rest on", ("what", "count"), tuple(rows))
