"""The files of an annotation: exported items, sheets for raters, imported ratings."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from countercase.errors import InputError
from countercase.evaluation.likert.label_studio import INTERFACE, read_label_studio, tasks
from countercase.evaluation.likert.sheets import (
    DIMENSIONS,
    HIGHEST,
    LOWEST,
    TEXTS,
    Item,
    Rating,
    read_sheet,
    sheet_csv,
)
from countercase.evaluation.sets import read_rows
from countercase.io import json_text

ITEMS: Final = "items.jsonl"
RATINGS: Final = "ratings.jsonl"

_RATER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


_Score = Annotated[int | None, Field(ge=LOWEST, le=HIGHEST)]


class _ItemRow(BaseModel):
    model_config = ConfigDict(extra="forbid")

    case_id: str
    chunk_id: str
    explanation_text: str
    source_chunk_text: str

    @property
    def item(self) -> Item:
        return Item(*(getattr(self, name) for name in TEXTS))


class _RatingRow(_ItemRow):
    annotator_id: str = Field(min_length=1)
    clarity: _Score
    legal_accuracy: _Score
    usefulness: _Score
    notes: str


def rater_names(listed: str) -> list[str]:
    """The raters' names of a list with commas.

    Raises:
        InputError: there is none, one stands twice, or one cannot name a file.
    """
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if not names:
        raise InputError("raters: no name; give them with commas between, like A,B")
    for name in names:
        if not _RATER.fullmatch(name):
            raise InputError(
                f"raters: {name!r} cannot name a file; use letters, digits, dots and hyphens"
            )
    if len({name.lower() for name in names}) < len(names):
        raise InputError("raters: a name stands twice; each rater has a file of their own")
    return names


def exported_files(
    items: Sequence[Item], raters: Sequence[str], seed: int = 0, label_studio: bool = False
) -> dict[str, str]:
    """The files to be written for an annotation, text by name.

    Args:
        seed: of each rater's order.
        label_studio: tasks and interface for Label Studio too.
    """
    files = {f"{name}.csv": "\ufeff" + sheet_csv(items, name, seed) for name in raters}
    files[ITEMS] = items_jsonl(items)
    if label_studio:
        files["label-studio-tasks.json"] = json_text(tasks(items))
        files["label-studio.xml"] = INTERFACE
    return files


def import_ratings(paths: Sequence[Path], folder: Path) -> tuple[list[Rating], list[str]]:
    """The ratings stored in `folder` with those of filled sheets or Label Studio exports.

    Of an item that a rater rated anew the new rating stands. Nothing is written.

    Returns:
        All ratings, and a line for each file that says what it gave.

    Raises:
        InputError: a cell is wrong, or two files have ratings of one rater.
    """
    known = read_items(folder / ITEMS) if (folder / ITEMS).is_file() else []
    ratings = read_ratings(folder / RATINGS) if (folder / RATINGS).is_file() else []
    source: dict[str, Path] = {}
    lines = []
    for path in paths:
        exported = path.suffix.lower() == ".json"
        new = read_label_studio(path) if exported else read_sheet(path, known)
        for rater in dict.fromkeys(rating.annotator_id for rating in new):
            if (other := source.setdefault(rater, path)) is not path:
                there = f"ratings of {rater!r} stand in {other} too"
                raise InputError(f"{path}: {there}; import one file each")
        ratings = merged(ratings, new)
        given = sum(len(rating.scores) for rating in new)
        blank = len(new) * len(DIMENSIONS) - given
        lines.append(f"{path}: {len(new)} explanations, {given} ratings, {blank} left blank")
    return ratings, lines


def merged(before: Sequence[Rating], new: Sequence[Rating]) -> list[Rating]:
    """Earlier ratings and new ones; of an item that a rater rated anew the new rating stands."""
    by_key = {(rating.annotator_id, *rating.item.key): rating for rating in (*before, *new)}
    return [by_key[key] for key in sorted(by_key)]


def items_jsonl(items: Sequence[Item]) -> str:
    """The items, one JSON object a line."""
    return "".join(_line(vars(item)) for item in items)


def ratings_jsonl(ratings: Sequence[Rating]) -> str:
    """The ratings, one JSON object a line; null where nothing was given."""
    return "".join(
        _line(
            vars(rating.item)
            | {"annotator_id": rating.annotator_id}
            | {name: rating.scores.get(name) for name in DIMENSIONS}
            | {"notes": rating.notes}
        )
        for rating in ratings
    )


def read_items(path: Path) -> list[Item]:
    """What `items_jsonl` wrote; `InputError` names the line that is damaged."""
    return [row.item for _, row in read_rows(path, _ItemRow, "; import the sheets again")]


def read_ratings(path: Path) -> list[Rating]:
    """What `ratings_jsonl` wrote; `InputError` names the line that is damaged."""
    ratings = []
    for _, row in read_rows(path, _RatingRow, "; import the sheets again"):
        given = {name: getattr(row, name) for name in DIMENSIONS}
        scores = {name: score for name, score in given.items() if score is not None}
        ratings.append(Rating(row.item, row.annotator_id, scores, row.notes))
    return ratings


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"
