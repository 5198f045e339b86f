"""What the evaluation of similar cases found, as measures, tables and a summary in plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar_cases.scores import (
    CUTS,
    METRICS,
    RECALL_OF,
    TASKS,
    SimilarResult,
    result_document,
    score_table,
)
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.evaluation.statistics import bootstrap_interval

Figures = Mapping[str, Mapping[str, Mapping[int, float]]]
"""Task -> metric -> cut -> value."""

TITLES: Final = {
    "precision": "Precision",
    "recall": "Recall",
    "hit_rate": "Hit Rate",
    "macro_f1": "Macro-F1",
    "micro_f1": "Micro-F1",
}
_WIDTH: Final = 80
_ROW: Final = re.compile(
    r"^(?P<task>[A-Za-z]*)\s*\|\s*(?P<metric>[A-Za-z][A-Za-z0-9 -]*?)\s*\|(?P<values>.*%.*)$"
)
_RECALL_NOTE: Final = (
    f"Recall is matches / {RECALL_OF}; precision is matches / K, however few came."
)


@dataclass(frozen=True)
class SimilarSource:
    """Where the figures come from, for the heading of the summary."""

    dataset: str
    service: str


def similar_section(
    results: Sequence[SimilarResult],
    source: SimilarSource,
    seed: int = 0,
    references: Mapping[str, Figures] | None = None,
) -> Section:
    """The evaluation as a section; the same results give the same bytes.

    Args:
        seed: of the bootstrap intervals.
        references: figures of other systems by their names, to stand beside.
    """
    figures = score_table(results)
    return Section(
        name="similar",
        title="Similar cases",
        measures=tuple(_measures(results, figures, seed)),
        tables=(
            _table(figures),
            *((_beside(figures, references),) if references else ()),
            _counts(results),
        ),
        details={
            "dataset": source.dataset,
            "service": source.service,
            "scores": {
                task: {
                    metric: {f"@{k}": value for k, value in cuts.items()}
                    for metric, cuts in metrics.items()
                }
                for task, metrics in figures.items()
            },
            "queries": [result_document(one) for one in results],
        },
        runs={
            "similar": {
                one.query_id: {hit.doc_id: -float(at) for at, hit in enumerate(one.found, start=1)}
                for one in results
            }
        },
    )


def summary_text(results: Sequence[SimilarResult], source: SimilarSource) -> str:
    """`evaluate_summary.txt`, in the layout of the published evaluation, with Micro-F1."""
    figures = score_table(results)
    rule = "-" * _WIDTH
    cuts = "".join(f" | {f'@{k}':<10}" for k in CUTS)
    lines = [
        "=" * _WIDTH,
        "EVALUATION REPORT - SIMILAR CASES",
        f"Dataset: {source.dataset}",
        f"Total Queries: {len(results)}",
        f"Positives per Query: {RECALL_OF}",
        f"Service URL: {source.service}",
        "=" * _WIDTH,
        "",
        f"{'Task':<15} | {'Metric':<10}{cuts}".rstrip(),
        rule,
    ]
    for task in TASKS:
        for metric in METRICS:
            name = task.capitalize() if metric == METRICS[0] else ""
            values = "".join(f" | {f'{figures[task][metric][k]:.2%}':<10}" for k in CUTS)
            lines.append(f"{name:<15} | {TITLES[metric]:<10}{values}".rstrip())
        lines.append(rule)
    return "\n".join(lines) + "\n"


def read_summary(path: Path) -> Figures:
    """The figures of an `evaluate_summary.txt`, ours or another system's.

    Raises:
        InputError: it cannot be read, or holds no figure of a known task and metric.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error})") from error
    metrics = {title.lower(): metric for metric, title in TITLES.items()}
    figures: dict[str, dict[str, dict[int, float]]] = {}
    task = ""
    for number, line in enumerate(lines, start=1):
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
        raise InputError(
            f"{path}: holds no figure of {', '.join(TASKS)}; give an evaluate_summary.txt"
        )
    return figures


def _measures(results: Sequence[SimilarResult], figures: Figures, seed: int) -> list[Measure]:
    found = []
    for task in TASKS:
        for k in CUTS:
            interval = bootstrap_interval([one.precision(task, k) for one in results], seed)
            low, high = interval or (None, None)
            found.append(
                Measure(
                    f"similar.{task}.precision@{k}",
                    f"{task.capitalize()}, Precision@{k}",
                    figures[task]["precision"][k],
                    len(results),
                    low,
                    high,
                )
            )
        k = max(CUTS)
        for metric in METRICS[1:]:
            found.append(
                Measure(
                    f"similar.{task}.{metric}@{k}",
                    f"{task.capitalize()}, {TITLES[metric]}@{k}",
                    figures[task][metric][k],
                    len(results),
                )
            )
    return found


def _table(figures: Figures) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (task.capitalize(), TITLES[metric], *(figures[task][metric][k] for k in CUTS))
        for task in TASKS
        for metric in METRICS
    ]
    columns = ("task", "metric", *(f"@{k}" for k in CUTS))
    return Table("All tasks", columns, tuple(rows), _RECALL_NOTE)


def _beside(figures: Figures, references: Mapping[str, Figures]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            task.capitalize(),
            f"Precision@{k}",
            figures[task]["precision"][k],
            *(other.get(task, {}).get("precision", {}).get(k) for other in references.values()),
        )
        for task in TASKS
        for k in CUTS
    ]
    return Table(
        "Beside other systems",
        ("task", "metric", "this service", *references),
        tuple(rows),
        "Figures compare only where both searched the same documents.",
    )


def _counts(results: Sequence[SimilarResult]) -> Table:
    few = sum(len(one.found) < max(CUTS) for one in results)
    rows: tuple[tuple[Cell, ...], ...] = (
        ("queries", len(results)),
        ("results dropped: the query itself", sum(one.itself for one in results)),
        ("results dropped: a text that came before", sum(one.repeated for one in results)),
        (f"queries with fewer than {max(CUTS)} results", few),
    )
    return Table("What the figures rest on", ("what", "count"), rows)
