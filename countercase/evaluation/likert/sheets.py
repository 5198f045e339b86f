"""Likert sheets: explanations for people to judge, and their ratings, one CSV file for each rater.

A cell that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a
line break) gets an apostrophe before it (OWASP, "CSV Injection"), also where it has apostrophes
before that sign, so that `restored` is the exact inverse of `harmless`.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ConfigDict

from countercase.errors import InputError
from countercase.evaluation.counterfactual.labels import choose
from countercase.evaluation.faithfulness.sentences import OwnExplanation
from countercase.evaluation.sets import read_text
from countercase.evaluation.statistics import group_by

_SIGNS: Final = frozenset("=+-@＝＋－＠\t\r\n")
_SKIPPED: Final = " \u00a0\u200b\u2060\ufeff\v\f\x00"
"""What a spreadsheet may pass over before it looks for a sign."""

DIMENSIONS: Final = ("clarity", "legal_accuracy", "usefulness")
LOWEST: Final = 1
HIGHEST: Final = 5
GRADES: Final = {str(grade): grade for grade in range(LOWEST, HIGHEST + 1)}
"""Every rating as it is written."""
RATED: Final = tuple(f"{name}_1_to_5" for name in DIMENSIONS)
TEXTS: Final = ("case_id", "chunk_id", "explanation_text", "source_chunk_text")
COLUMNS: Final = (*TEXTS, *RATED, "annotator_id", "notes")
"""The columns of a sheet, in order."""

_MOST_PROBLEMS: Final = 5
_DELIMITERS: Final = (",", ";", "\t")

Key = tuple[str, str, str]


def harmless(cell: str) -> str:
    """Return the cell so that a spreadsheet shows it and does not run it."""
    return "'" + cell if _runs(cell) else cell


def restored(cell: str) -> str:
    """Return what `harmless` was given; a cell that it would not have changed stays as it is."""
    return cell[1:] if cell.startswith("'") and _runs(cell[1:]) else cell


def _runs(cell: str) -> bool:
    """Tell whether a cell is a formula, or would be without the apostrophes before it."""
    return cell.lstrip("'").lstrip(_SKIPPED)[:1] in _SIGNS if cell.strip("'") else False


@dataclass(frozen=True)
class Item:
    """An explanation to be judged, with the passage that it rests on."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    case_id: str
    chunk_id: str
    explanation_text: str
    source_chunk_text: str

    @property
    def key(self) -> Key:
        """Its ids and its words, whatever the white space, which tell it from others."""
        return self.case_id, self.chunk_id, " ".join(self.explanation_text.split())


@dataclass(frozen=True)
class Rating:
    """One rater's scores of one item, 1 to 5 by dimension; what was left blank is not there."""

    item: Item
    annotator_id: str
    scores: Mapping[str, int]
    notes: str = ""

    @property
    def row(self) -> dict[str, Any]:
        """Everything under one name each; None where nothing was given."""
        scores = {name: self.scores.get(name) for name in DIMENSIONS}
        return {**vars(self.item), "annotator_id": self.annotator_id, **scores, "notes": self.notes}


def items_of(own: Sequence[OwnExplanation], per_case: int, seed: int = 0) -> list[Item]:
    """Draw `per_case` items of each case: all that is said of a precedent on one chunk is one."""
    told = []
    for explanation in (it for it in own if it.kind == "precedent"):
        case_id = explanation.explanation_id.split("/", 1)[0]
        resting = (sentence for sentence in explanation.sentences if sentence.passage)
        for chunk, said in group_by(resting, lambda sentence: sentence.chunk_id).items():
            text = " ".join(it.text for it in said)
            told.append(Item(case_id, chunk, text, said[0].passage))
    chosen = []
    for case_id, items in group_by(told, lambda item: item.case_id).items():
        chosen += choose(items, per_case, f"{seed}/{case_id}")
    return chosen


def in_own_order(items: Sequence[Item], rater: str, seed: int = 0) -> list[Item]:
    """Return the items in an order of the rater's own, so that raters tire at different ones."""
    order = list(items)
    random.Random(f"{seed}/{rater}").shuffle(order)
    return order


def ratings_csv(ratings: Sequence[Rating]) -> str:
    """Write ratings as a sheet; what was not rated is blank."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for rating in ratings:
        scores = [str(rating.scores.get(name, "")) for name in DIMENSIONS]
        cells = (*vars(rating.item).values(), *scores, rating.annotator_id, rating.notes)
        writer.writerow([harmless(cell) for cell in cells])
    return out.getvalue()


def read_sheet(path: Path, known: Sequence[Item] = ()) -> list[Rating]:
    """Read the ratings of a sheet, every cell checked; an InputError names the first wrong ones.

    The columns are `COLUMNS`, in any order. A row must be of a `known` item, where any is given.
    """
    text = read_text(path, hint="save it as CSV UTF-8")
    delimiter = max(_DELIMITERS, key=text.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        first, *rows = [*reader] or [[]]
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error})") from error
    header = [name.strip() for name in first]
    for name in (*COLUMNS, *header):
        if header.count(name) != 1 or name not in COLUMNS:
            what = "is missing" if name not in header else "stands twice"
            what = what if name in COLUMNS else "is unknown; put remarks into notes"
            raise InputError(f"{path}, row 1: column {name!r} {what}; keep the exported header")
    items = {item.key: item for item in known}
    ratings: list[Rating] = []
    wrong: list[str] = []
    seen: dict[Key, int] = {}
    for number, cells in enumerate(rows, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            wrong.append(f"row {number}: {len(cells)} cells under {len(header)} columns")
            continue
        values = dict(zip(header, map(restored, cells), strict=True))
        item = Item(*(values[name] for name in TEXTS))
        rater = values["annotator_id"].strip()
        asked = ("case_id", "chunk_id", "explanation_text", "annotator_id")
        blank = "empty; restore it from the exported sheet"
        problems = [(name, blank) for name in asked if not values[name].strip()]
        for name in RATED:
            if values[name].strip() not in ("", *GRADES):
                what = f"{values[name]!r} is not a whole number from {LOWEST} to {HIGHEST}"
                problems.append((name, what))
        if items and item.key[:2] not in {key[:2] for key in items}:
            what = f"{item.chunk_id!r} of case {item.case_id!r} was not exported"
            problems.append(("chunk_id", what))
        elif items and item.key not in items:
            problems.append(("explanation_text", "not as exported; restore the text"))
        if ratings and rater and rater != ratings[0].annotator_id:
            other = ratings[0].annotator_id
            problems.append(("annotator_id", f"{rater!r} in a sheet of {other!r}; one file each"))
        if (before := seen.setdefault(item.key, number)) != number:
            problems.append(("explanation_text", f"stands in row {before} too"))
        for name, what in problems:
            cell = f"{chr(ord('A') + header.index(name))}{number}"
            wrong.append(f"row {number}, column {name} ({cell}): {what}")
        given = zip(DIMENSIONS, (values[name].strip() for name in RATED), strict=True)
        scores = {name: GRADES[text] for name, text in given if text in GRADES}
        ratings.append(Rating(items.get(item.key, item), rater, scores, values["notes"]))
    if wrong:
        more = f"; and {len(wrong) - _MOST_PROBLEMS} more" if len(wrong) > _MOST_PROBLEMS else ""
        raise InputError(f"{path}: {'; '.join(wrong[:_MOST_PROBLEMS])}{more}")
    if not ratings:
        raise InputError(f"{path}: no row under the header; export the sheet again")
    return ratings
