"""Write all reports of an analysis into a folder, each file whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from countercase.io import json_text, write_files
from countercase.reports.analysis_json import TREE_FILE
from countercase.reports.document.content import Content
from countercase.reports.document.word import docx_report
from countercase.reports.drawings.shapes import drawing_css
from countercase.reports.graph_files import dot, graphml
from countercase.reports.rendering import render
from countercase.reports.trec import trec_run

if TYPE_CHECKING:
    from countercase.session import Result


MARKED: Final = 4
"""Fact types that have a colour and an underline of their own; all others share one more."""


def reports(result: Result) -> dict[str, str | bytes]:
    """analysis.json, tree.json, tree.graphml, tree.dot, run.trec and the report, by file name.

    The report is there as Markdown, as one HTML page and for Word.
    """
    content = Content(result)
    tree = content.tree
    return {
        "analysis.json": json_text(content.analysis),
        TREE_FILE: json_text(tree),
        "tree.graphml": graphml(tree),
        "tree.dot": dot(result.analysis.tree),
        "run.trec": trec_run(result.analysis.tree),
        "report.md": markdown_report(content),
        "report.html": html_report(content),
        "report.docx": docx_report(content),
    }


def write_reports(result: Result, out: Path) -> list[Path]:
    """Write all `reports` into `out`.

    Raises:
        StoreError: see `write_files`.
    """
    return write_files(out, reports(result))


def html_report(content: Content) -> str:
    """Return the report as HTML. It holds no time of day: same analysis, same text."""
    kinds = {
        fact.number: min(content.kinds[fact.data["fact_type"]], MARKED) for fact in content.facts
    }
    labels = {fact.number: fact.label for fact in content.facts}
    return render(
        "report.html.j2",
        c=content, css=drawing_css(), kind_of=kinds, most_kinds=MARKED, facts=content.facts,
        labels=labels,
    )  # fmt: skip


def markdown_report(content: Content) -> str:
    """Return the report as Markdown. It holds no time of day: same analysis, same text."""
    return render("report.md.j2", c=content)
