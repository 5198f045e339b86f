"""What `countercase eval` writes: eval.json, eval.md, eval.html and TREC runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.reports.evaluation_html import html_report
from countercase.reports.text import plain, rounded
from countercase.reports.trec import run_text
from countercase.reports.write import json_text, write_files


def write_evaluation(
    sections: Sequence[Section], about: Mapping[str, Any], out: Path
) -> list[Path]:
    """Write the sections into the folder `out`; returns the files.

    Args:
        about: what was measured with: settings, models, corpus, sets. Nothing that changes from
            run to run belongs here, so that equal results are equal files.

    Raises:
        StoreError: the folder cannot be written; what stood there is as it was.
    """
    files = {
        "eval.json": json_text(evaluation_document(sections, about)),
        "eval.md": markdown(sections, about),
        "eval.html": html_report(sections, about),
    }
    for section in sections:
        for name, run in section.runs.items():
            files[f"{section.name}.{name}.trec"] = run_text(run, f"countercase-{name}")
    return write_files(out, files)


def evaluation_document(sections: Sequence[Section], about: Mapping[str, Any]) -> dict[str, Any]:
    """All sections as one JSON document."""
    document: dict[str, Any] = rounded(
        {"about": dict(about), "sections": [section.to_dict() for section in sections]}
    )
    return document


def markdown(sections: Sequence[Section], about: Mapping[str, Any]) -> str:
    """All sections as Markdown: the verdicts first, then each table."""
    lines = ["# CounterCase: evaluation", ""]
    lines += [f"- {name}: {plain(str(value))}" for name, value in about.items()]
    for section in sections:
        lines += ["", f"## {section.title}", ""]
        lines += _markdown_table(measure_table(section.measures))
        for table in section.tables:
            lines += ["", f"### {plain(table.title)}", ""]
            lines += _markdown_table(table)
            if table.note:
                lines += ["", plain(table.note)]
    return "\n".join(lines) + "\n"


def measure_table(measures: Sequence[Measure]) -> Table:
    """The measures as a table: one line of verdict each."""
    rows = tuple(
        (
            one.title,
            one.value,
            f"{figure(one.low)} to {figure(one.high)}" if one.low is not None else "",
            one.n,
            ""
            if one.target is None
            else f"{'at most' if one.at_most else 'at least'} {one.target:g}",
            one.verdict,
            one.note,
        )
        for one in measures
    )
    return Table("Measures", ("measure", "value", "95%", "n", "target", "verdict", "note"), rows)


def figure(value: Cell) -> str:
    """A cell as people read it: fractions with four decimals, whole numbers as they are."""
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:.4f}"
    return plain(str(value))


def _markdown_table(table: Table) -> list[str]:
    def line(cells: Sequence[Cell]) -> str:
        return "| " + " | ".join(figure(cell).replace("|", "\\|") for cell in cells) + " |"

    return [line(table.columns), "|" + "---|" * len(table.columns), *map(line, table.rows)]
