"""Write all reports of an analysis into a folder, each file whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from countercase.io import json_text, write_files
from countercase.reports.analysis_json import TREE_FILE, analysis_document
from countercase.reports.graph_files import dot, graphml
from countercase.reports.markdown import markdown_report
from countercase.reports.trec import trec_run
from countercase.reports.tree_json import tree_document

if TYPE_CHECKING:
    from countercase.session import Result


def write_reports(result: Result, out: Path) -> list[Path]:
    """Write analysis.json, tree.json, tree.graphml, tree.dot, run.trec and report.md into `out`.

    Raises:
        StoreError: see `write_files`.
    """
    tree = tree_document(result)
    return write_files(
        out,
        {
            "analysis.json": json_text(analysis_document(result)),
            TREE_FILE: json_text(tree),
            "tree.graphml": graphml(tree),
            "tree.dot": dot(result.analysis.tree),
            "run.trec": trec_run(result.analysis.tree),
            "report.md": markdown_report(result),
        },
    )
