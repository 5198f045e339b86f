"""Sheets of ratings as a rater sends them back."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from countercase.evaluation.likert.ratings import exported_files
from countercase.evaluation.likert.sheets import Item, harmless

ITEMS = [
    Item("c1", "v#00001", "It answers to rent: “The rent was due.”", "The rent was due. He left."),
    Item("c1", "v#00002", "=HYPERLINK(A1)", "The decree was confirmed.\r\nSo ordered."),
    Item("c2", "w#00001", "-5 marks, 'quoted', \"twice\"; and more", "Fünf, पाँच, 五"),
]


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8"))
    return path


def filled(rater: str, scores: list[tuple[Any, Any, Any]], seed: int = 0) -> list[list[str]]:
    """The rows of an exported sheet with the scores written in, in the order of ITEMS."""
    text = exported_files(ITEMS, [rater], seed)[f"{rater}.csv"].removeprefix("\ufeff")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    by_text = {
        harmless(item.explanation_text): score for item, score in zip(ITEMS, scores, strict=True)
    }
    for row in rows[1:]:
        row[4:7] = [str(cell) for cell in by_text[row[2]]]
    return rows


def sheet_of(rows: list[list[str]], delimiter: str = ",") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()
