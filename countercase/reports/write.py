"""Write all reports of an analysis into a folder, each file whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from countercase.io import json_text, write_files
from countercase.reports.analysis_json import TREE_FILE
from countercase.reports.document.content import Content
from countercase.reports.document.page import html_report, markdown_report
from countercase.reports.document.word import docx_report
from countercase.reports.graph_files import dot, graphml
from countercase.reports.trec import trec_run

if TYPE_CHECKING:
    from countercase.session import Result


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
