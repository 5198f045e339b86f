"""Write what `countercase eval` measured: eval.json, eval.md, eval.html and TREC runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from countercase.evaluation.report import Measure, Section, Table
from countercase.io import json_text, write_files
from countercase.reports.rendering import render
from countercase.reports.text import figure, rounded
from countercase.reports.trec import run_text


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
        "eval.md": evaluation_text("eval.md.j2", sections, about),
        "eval.html": evaluation_text("eval.html.j2", sections, about),
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


def evaluation_text(template: str, sections: Sequence[Section], about: Mapping[str, Any]) -> str:
    """All sections as Markdown (`eval.md.j2`) or one HTML page (`eval.html.j2`).

    The verdicts come first, then each table. The page holds its pictures as SVG, no script and
    nothing that is fetched.
    """
    shown = [(section, measure_table(section.measures)) for section in sections]
    return render(
        template, sections=shown, about={name: str(value) for name, value in about.items()}
    )


def measure_table(measures: Sequence[Measure]) -> Table:
    """The measures as a table, with the verdict of each."""
    rows = tuple(
        (
            measure.title,
            measure.value,
            "" if measure.low is None else f"{figure(measure.low)} to {figure(measure.high)}",
            measure.n,
            _target(measure),
            measure.verdict,
            measure.note,
        )
        for measure in measures
    )
    return Table("Measures", ("measure", "value", "95%", "n", "target", "verdict", "note"), rows)


def _target(measure: Measure) -> str:
    if measure.target is None:
        return ""
    return f"{'at most' if measure.at_most else 'at least'} {measure.target:g}"
