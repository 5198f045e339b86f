"""Ask a service for the cases similar to each query of a gold set, and report how well it did."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Final

from countercase.errors import InputError
from countercase.evaluation.benchmarks.json_files import read_text
from countercase.evaluation.benchmarks.similar_cases.cases import read_gold, read_records
from countercase.evaluation.benchmarks.similar_cases.service import (
    CUTS,
    METRICS,
    RECALL_OF,
    TASKS,
    Figures,
    ServiceOptions,
    SimilarResult,
    ask_service,
    endpoint_of,
    judge_results,
    labelled_with,
    score_table,
)
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.io import Progress

_WIDTH: Final = 80
_ROW: Final = re.compile(
    r"^(?P<task>[A-Za-z]*)\s*\|\s*(?P<metric>[A-Za-z][A-Za-z0-9 -]*?)\s*\|(?P<values>.*%.*)$"
)


def evaluate_similar(
    url: str,
    gold: Path,
    *,
    options: ServiceOptions | None = None,
    records: Sequence[Path] = (),
    references: Sequence[Path] = (),
    encoding: str = "",
    limit: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Section, str]:
    """Ask a running service for similar cases and score its answers.

    Args:
        url: address of the service.
        gold: the gold set.
        records: files with the labels of the documents, where the service gives none.
        references: summaries of other systems, shown beside; named after their files.
        encoding: of the records; see `read_records`.
        limit: only the first `limit` queries.
        seed: of the bootstrap intervals.

    Returns:
        The section, and the summary in plain text.

    Raises:
        InputError: a file or the address is not valid.
        ServiceError: the service fails, or gives a result without labels.
    """
    source = (str(gold), endpoint_of(url))
    labels = labelled_with([case for path in records for case in read_records(path, encoding)])
    others = {path.stem: read_summary(path) for path in references}
    queries = read_gold(gold)[:limit]
    facts = [query.query.fact for query in queries]
    answers = ask_service(url, facts, options or ServiceOptions(), progress)
    results = [
        judge_results(query, hits, labels) for query, hits in zip(queries, answers, strict=True)
    ]
    return similar_section(results, *source, seed, others), summary_text(results, *source)


def similar_section(
    results: Sequence[SimilarResult],
    dataset: str,
    service: str,
    seed: int = 0,
    references: Mapping[str, Figures] | None = None,
) -> Section:
    """The evaluation as a section; the same results give the same bytes.

    Args:
        dataset, service: where the figures come from.
        seed: of the bootstrap intervals.
        references: figures of other systems by their names, shown beside.
    """
    figures = score_table(results)
    scores = {
        task: {name: {f"@{k}": cuts[k] for k in cuts} for name, cuts in figures[task].items()}
        for task in TASKS
    }
    run = {
        result.query_id: {hit.doc_id: -float(at) for at, hit in enumerate(result.hits, start=1)}
        for result in results
    }
    beside = [_comparison(figures, references)] if references else []
    return Section(
        name="similar",
        title="Similar cases",
        measures=tuple(_measures(results, figures, seed)),
        tables=(_table(figures), *beside, _counts(results)),
        details={
            "dataset": dataset,
            "service": service,
            "scores": scores,
            "queries": [result.to_dict() for result in results],
        },
        runs={"similar": run},
    )


def summary_text(results: Sequence[SimilarResult], dataset: str, service: str) -> str:
    """`evaluate_summary.txt`, in the layout of the published evaluation, with Micro-F1."""
    figures = score_table(results)
    rule = "-" * _WIDTH

    def row(task: str, metric: str, cells: Sequence[str]) -> str:
        return "".join((f"{task:<15} | {metric:<10}", *(f" | {cell:<10}" for cell in cells)))

    lines = [
        "=" * _WIDTH,
        "EVALUATION REPORT - SIMILAR CASES",
        f"Dataset: {dataset}",
        f"Total Queries: {len(results)}",
        f"Positives per Query: {RECALL_OF}",
        f"Service URL: {service}",
        "=" * _WIDTH,
        "",
        row("Task", "Metric", [f"@{k}" for k in CUTS]).rstrip(),
        rule,
    ]
    for task in TASKS:
        for metric, title in METRICS.items():
            name = task.capitalize() if metric == "precision" else ""
            cells = [f"{figures[task][metric][k]:.2%}" for k in CUTS]
            lines.append(row(name, title, cells).rstrip())
        lines.append(rule)
    return "\n".join(lines) + "\n"


def read_summary(path: Path) -> Figures:
    """The figures of an `evaluate_summary.txt`, ours or another system's.

    Raises:
        InputError: it cannot be read, or holds no figure of a known task and metric.
    """
    metrics = {title.lower(): metric for metric, title in METRICS.items()}
    figures: dict[str, dict[str, dict[int, float]]] = {}
    task = ""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        row = _ROW.match(line.strip())
        if row is None:
            continue
        task = row["task"].lower() or task
        metric = metrics.get(row["metric"].lower())
        if task not in TASKS or metric is None:
            continue
        cells = [cell.strip().rstrip("%") for cell in row["values"].split("|")]
        try:
            values = [round(float(cell) / 100, 9) for cell in cells if cell]
        except ValueError as error:
            raise InputError(f"{path}, line {number}: not a percentage ({error})") from error
        if len(values) != len(CUTS):
            raise InputError(f"{path}, line {number}: {len(values)} figures; expected {len(CUTS)}")
        figures.setdefault(task, {})[metric] = dict(zip(CUTS, values, strict=True))
    if not figures:
        known = ", ".join(TASKS)
        raise InputError(f"{path}: holds no figure of {known}; give an evaluate_summary.txt")
    return figures


def _measures(results: Sequence[SimilarResult], figures: Figures, seed: int) -> list[Measure]:
    measures = []
    deepest = max(CUTS)
    for task in TASKS:
        for k in CUTS:
            key, title = f"similar.{task}.precision@{k}", f"{task.capitalize()}, Precision@{k}"
            values = [result.matches(task, k) / k for result in results]
            measures.append(Measure.of_mean(key, title, values, seed))
        for metric, title in list(METRICS.items())[1:]:
            key, title = f"similar.{task}.{metric}@{deepest}", f"{title}@{deepest}"
            value = figures[task][metric][deepest]
            measures.append(Measure(key, f"{task.capitalize()}, {title}", value, len(results)))
    return measures


def _table(figures: Figures) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (task.capitalize(), title, *(figures[task][metric][k] for k in CUTS))
        for task in TASKS
        for metric, title in METRICS.items()
    ]
    note = f"Recall is matches / {RECALL_OF}; precision is matches / K, however few came."
    return Table("All tasks", ("task", "metric", *(f"@{k}" for k in CUTS)), tuple(rows), note)


def _comparison(figures: Figures, references: Mapping[str, Figures]) -> Table:
    systems = (figures, *references.values())
    rows: list[tuple[Cell, ...]] = []
    for task, k in product(TASKS, CUTS):
        precisions = (system.get(task, {}).get("precision", {}).get(k) for system in systems)
        rows.append((task.capitalize(), f"Precision@{k}", *precisions))
    columns = ("task", "metric", "this service", *references)
    note = "Figures compare only where both searched the same documents."
    return Table("Beside other systems", columns, tuple(rows), note)


def _counts(results: Sequence[SimilarResult]) -> Table:
    few = sum(len(result.hits) < max(CUTS) for result in results)
    rows = (
        ("queries", len(results)),
        ("results dropped: the query itself", sum(result.itself for result in results)),
        ("results dropped: a text that came before", sum(result.repeated for result in results)),
        (f"queries with fewer than {max(CUTS)} results", few),
    )
    return Table("What the figures rest on", ("what", "count"), rows)
