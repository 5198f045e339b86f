"""Write all reports of an analysis into a folder, each file whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from countercase.errors import StoreError
from countercase.reports.analysis_json import TREE_FILE, analysis_document
from countercase.reports.graph_files import dot, graphml
from countercase.reports.markdown import markdown_report
from countercase.reports.trec import trec_run
from countercase.reports.tree_json import tree_document

if TYPE_CHECKING:
    from countercase.session import Result


def write_reports(result: Result, out: Path) -> list[Path]:
    """Write analysis.json, tree.json, tree.graphml, tree.dot, run.trec and report.md into `out`.

    All are written beside their places first and moved there only when every one is complete.

    Raises:
        StoreError: the folder cannot be made or written (a full disk, no permission); what
            stood there before is as it was.
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


def json_text(document: Any) -> str:
    """`document` as every JSON file of the project is written; keys keep their order."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_files(out: Path, texts: dict[str, str]) -> list[Path]:
    """Write `texts`, by file name, into the folder `out`; returns the files in that order.

    Raises:
        StoreError: see `write_reports`.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            staging = out / f".{name}.{os.getpid()}.new"
            staged.append((staging, out / name))
            with staging.open("w", encoding="utf-8", errors="replace", newline="\n") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
        for staging, target in staged:
            staging.replace(target)
    except OSError as error:
        raise StoreError(
            f"{out}: cannot be written ({error.strerror}); free some space or choose another "
            "folder with --out"
        ) from error
    finally:
        for staging, _ in staged:
            with contextlib.suppress(OSError):  # the first error is the one to tell
                staging.unlink()
    return [target for _, target in staged]
