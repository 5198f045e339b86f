"""The tables and plots of the retrieval evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from countercase.evaluation.metrics import Judged, PerQuery, mean
from countercase.evaluation.report import Cell, Measure, Plot, Run, Series, Table

if TYPE_CHECKING:
    from countercase.evaluation.retrieval.comparison import Comparison, Difference

_Values = Mapping[str, PerQuery]


def means_table(
    shown: Mapping[str, str], values: _Values, titles: Mapping[str, str], title: str
) -> Table:
    """One row a run, one column a measure."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (shown[name], *(mean(values[name][key]) for key in titles)) for name in shown
    )
    return Table(title, ("ranking", *titles.values()), rows)


def ablation_table(
    comparison: Comparison,
    values: _Values,
    differences: Mapping[str, Difference],
    titles: Mapping[str, str],
    main_key: str,
) -> Table:
    """Every ablation under the baseline: its means, and what it loses on the main measure."""
    base = comparison.baseline
    rows: list[tuple[Cell, ...]] = [
        (comparison.baseline_title, *(mean(values[base][key]) for key in titles), *(None,) * 6)
    ]
    for name, one in differences.items():
        means = (mean(values[name][key]) for key in titles)
        ends = (one.mean, one.low, one.high, one.p, one.adjusted)
        record = f"{one.wins}/{one.ties}/{one.losses}"
        rows.append((comparison.ablations[name], *means, *ends, record))
    return Table(
        comparison.title,
        ("ranking", *titles.values(), "loses", "low", "high", "p", "p (Holm)", "won/tied/lost"),
        tuple(rows),
        "What a row loses against the first, its 95% interval, p of the paired randomisation test, "
        "p adjusted by Holm's method over the rows, and the queries that the first won, tied and "
        f"lost; all on {titles[main_key]}.",
    )


def adjusted_table(
    comparison: Comparison,
    differences: Mapping[str, Mapping[str, Difference]],
    titles: Mapping[str, str],
) -> Table:
    """Holm-adjusted p of every comparison on every measure."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (title, *(differences[key][name].adjusted for key in titles))
        for name, title in comparison.ablations.items()
    )
    return Table(
        "How sure the differences are",
        ("ranking", *titles.values()),
        rows,
        "p of the two-sided paired randomisation test against the first ranking, adjusted by "
        "Holm's method within each measure; under .05 the difference is more than chance.",
    )


def group_tables(
    groups: Mapping[str, Mapping[str, str]],
    comparison: Comparison,
    values: _Values,
    titles: Mapping[str, str],
    main_key: str,
) -> list[Table]:
    """For each grouping, the main measure of every stage by group, in alphabetical order."""
    shown = [name for name in comparison.stages if name in values]
    tables = []
    for label, group_of in groups.items():
        members: dict[str, list[str]] = {}
        for query in next(iter(values.values()))[main_key]:
            if query in group_of:
                members.setdefault(group_of[query], []).append(query)
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                group,
                len(queries),
                *(mean({q: values[name][main_key][q] for q in queries}) for name in shown),
            )
            for group, queries in sorted(members.items())
        )
        columns = (label, "queries", *(comparison.stages[name] for name in shown))
        tables.append(Table(f"{titles[main_key]} by {label}", columns, rows))
    return tables


def difference_table(
    comparison: Comparison, values: _Values, main_key: str, main_title: str
) -> Table:
    """Query by query: the baseline's main measure and its lead over each ablation.

    Without a baseline, the main measure of every run.
    """
    base = comparison.baseline
    each = {name: row[main_key] for name, row in values.items()}
    shown = {base: comparison.baseline_title} if base else comparison.stages
    leads = comparison.ablations if base else {}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            query,
            *(each[name][query] for name in shown),
            *(each[base][query] - each[name][query] for name in leads),
        )
        for query in next(iter(each.values()))
    )
    columns = ("query", *shown.values(), *(f"− {title}" for title in leads.values()))
    note = "Above 0 the first ranking is better." if leads else ""
    return Table(f"Query by query: {main_title}", columns, rows, note)


def grounds_table(
    judged: Judged,
    runs: Mapping[str, Run],
    shown: Sequence[str],
    relevant_from: int,
    known_documents: frozenset[str] | None,
) -> Table:
    """What the figures rest on, and what was missing."""
    relevant = {
        query: {doc for doc, grade in row.items() if grade >= relevant_from}
        for query, row in judged.items()
    }
    rows: list[tuple[Cell, ...]] = [
        ("queries judged", len(judged)),
        (
            "of them with nothing relevant (all measures 0)",
            sum(not one for one in relevant.values()),
        ),
        ("judgements", sum(len(row) for row in judged.values())),
        (f"of them relevant (grade {relevant_from} or more)", sum(map(len, relevant.values()))),
    ]
    if known_documents is not None:
        missing = sum(len(one - known_documents) for one in relevant.values())
        rows.append(("relevant, but not in the corpus (never found)", missing))
    for name in shown:
        unranked = sum(not runs[name].get(query) for query in judged)
        if unranked:
            rows.append((f"queries without a ranking in {name} (all measures 0)", unranked))
        beside = sum(query not in judged for query in runs[name])
        if beside:
            rows.append((f"queries of {name} that were not judged (left out)", beside))
    return Table("What the figures rest on", ("what", "count"), tuple(rows))


def means_plot(
    comparison: Comparison, measures: Sequence[Measure], main_title: str, main_key: str
) -> Plot:
    """The main measure of every run as bars with intervals."""
    shown = {**comparison.stages, **comparison.ablations}
    by_key = {one.key: one for one in measures}
    chosen = [by_key[f"retrieval.{name}.{main_key}"] for name in shown]
    spread = all(one.low is not None and one.high is not None for one in chosen)
    series = Series(
        main_title,
        tuple(float(at) for at in range(len(chosen))),
        tuple(one.value or 0.0 for one in chosen),
        tuple(one.low or 0.0 for one in chosen) if spread else (),
        tuple(one.high or 0.0 for one in chosen) if spread else (),
    )
    return Plot(
        f"{main_title} per ranking",
        "bars",
        "ranking",
        main_title,
        (series,),
        tuple(shown.values()),
        "With 95% bootstrap intervals." if spread else "",
    )


def difference_plots(
    comparison: Comparison, values: _Values, main_key: str, main_title: str
) -> list[Plot]:
    """For each ablation, the baseline's lead query by query, the greatest first."""
    base = values[comparison.baseline][main_key]
    plots = []
    for name, title in comparison.ablations.items():
        leads = {query: base[query] - values[name][main_key][query] for query in base}
        order = sorted(leads, key=lambda query: (-leads[query], query))
        places = tuple(float(at) for at in range(len(order)))
        plots.append(
            Plot(
                f"Query by query: {comparison.baseline_title} − {title}",
                "bars",
                "query",
                f"difference in {main_title}",
                (Series(title, places, tuple(leads[query] for query in order)),),
                tuple(order),
                "Above 0 the first ranking is better.",
            )
        )
    return plots
