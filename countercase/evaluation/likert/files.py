"""The files of an annotation: exported items, sheets for raters, imported ratings.

In Label Studio the three dimensions are `Rating` tags with five stars
(https://labelstud.io/tags/rating). The export read here is the one that Label Studio calls JSON,
which keeps every annotation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AliasPath, Field, StringConstraints

from countercase.errors import InputError
from countercase.evaluation.likert import sheets
from countercase.evaluation.sets import Row, json_lines, read_json, read_rows
from countercase.io import json_text

ITEMS: Final = "items.jsonl"
RATINGS: Final = "ratings.jsonl"

_AGAIN: Final = "; import the sheets again"
_RATER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

_Score = Annotated[int, Field(ge=sheets.LOWEST, le=sheets.HIGHEST)]


@dataclass(frozen=True)
class _RatingRow(sheets.Item):
    annotator_id: Annotated[str, Field(min_length=1)]
    clarity: _Score | None
    legal_accuracy: _Score | None
    usefulness: _Score | None
    notes: str


def rater_names(listed: str) -> list[str]:
    """Read the raters' names of a list with commas."""
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if not names:
        raise InputError("raters: no name; give them with commas between, like A,B")
    if wrong := [name for name in names if not _RATER.fullmatch(name)]:
        hint = "use letters, digits, dots and hyphens"
        raise InputError(f"raters: {wrong[0]!r} cannot name a file; {hint}")
    if len({name.lower() for name in names}) < len(names):
        raise InputError("raters: a name stands twice; each rater has a file of their own")
    return names


def exported_files(
    items: Sequence[sheets.Item], raters: Sequence[str], seed: int = 0, label_studio: bool = False
) -> dict[str, str]:
    """Make the files of an annotation, text by name, each rater's order drawn with `seed`."""
    files = {f"{name}.csv": "\ufeff" + sheets.sheet_csv(items, name, seed) for name in raters}
    files[ITEMS] = json_lines(map(vars, items))
    if label_studio:
        files["label-studio-tasks.json"] = json_text([{"data": vars(item)} for item in items])
        interface = resources.files(__package__) / "data" / "label-studio.xml"
        files["label-studio.xml"] = interface.read_text(encoding="utf-8")
    return files


def import_ratings(paths: Sequence[Path], folder: Path) -> tuple[list[sheets.Rating], list[str]]:
    """Join the ratings stored in `folder` with those of filled sheets or Label Studio exports.

    Returns:
        All ratings, and a line for each file that says what it gave. Nothing is written.

    Raises:
        InputError: a cell is wrong, or two files have ratings of one rater.
    """
    items, stored = folder / ITEMS, folder / RATINGS
    listed = read_rows(items, sheets.Item, hint=_AGAIN) if items.is_file() else ()
    known = [item for _, _, item in listed]
    ratings = read_ratings(stored) if stored.is_file() else []
    source: dict[str, Path] = {}
    lines = []
    for path in paths:
        exported = path.suffix.lower() == ".json"
        new = read_label_studio(path) if exported else sheets.read_sheet(path, known)
        for rater in dict.fromkeys(rating.annotator_id for rating in new):
            if (other := source.setdefault(rater, path)) is not path:
                there = f"ratings of {rater!r} stand in {other} too"
                raise InputError(f"{path}: {there}; import one file each")
        ratings = merged(ratings, new)
        given = sum(len(rating.scores) for rating in new)
        blank = len(new) * len(sheets.DIMENSIONS) - given
        lines.append(f"{path}: {len(new)} explanations, {given} ratings, {blank} left blank")
    return ratings, lines


def merged(before: Sequence[sheets.Rating], new: Sequence[sheets.Rating]) -> list[sheets.Rating]:
    """Join earlier ratings and new ones; the new rating stands where a rater rated anew."""
    by_key = {(rating.annotator_id, *rating.item.key): rating for rating in (*before, *new)}
    return [by_key[key] for key in sorted(by_key)]


def ratings_jsonl(ratings: Sequence[sheets.Rating]) -> str:
    """Write the ratings, one JSON object a line; null where nothing was given."""
    return json_lines(rating.row for rating in ratings)


def read_ratings(path: Path) -> list[sheets.Rating]:
    """Read what `ratings_jsonl` wrote; InputError names the line that is damaged."""
    return [sheets.rating_of(vars(row)) for _, _, row in read_rows(path, _RatingRow, hint=_AGAIN)]


_Words = Annotated[str, StringConstraints(pattern=r"\S")]


class _Data(Row):
    case_id: _Words
    chunk_id: _Words
    explanation_text: _Words
    source_chunk_text: str
    annotator_id: str | None = None


class _Stars(Row):
    from_name: Literal["clarity", "legal_accuracy", "usefulness"]
    rating: _Score = Field(validation_alias=AliasPath("value", "rating"))


class _Notes(Row):
    from_name: Literal["notes"]
    text: str | list[str] = Field("", validation_alias=AliasPath("value", "text"))


class _User(Row):
    email: str = ""
    id: int | None = None


class _Annotation(Row):
    was_cancelled: bool = False
    completed_by: int | _Words | _User | None = None
    result: list[Annotated[_Stars | _Notes, Field(discriminator="from_name")]]


class _Task(Row):
    data: _Data
    annotations: list[_Annotation]


def read_label_studio(path: Path) -> list[sheets.Rating]:
    """Read the ratings of an export; cancelled annotations are left out.

    The rater is `annotator_id` in the task's data where it is given, else the e-mail address or the
    number of the user who made the annotation.
    """
    ratings: dict[tuple[str, ...], sheets.Rating] = {}
    for number, task in enumerate(read_json(path, list[_Task])):
        item = sheets.Item(*(getattr(task.data, name) for name in sheets.TEXTS))
        for at, annotation in enumerate(task.annotations):
            if annotation.was_cancelled:
                continue
            where, by = f"{path}: field {number}.annotations.{at}", annotation.completed_by
            by = by.email or by.id if isinstance(by, _User) else by
            by = f"label-studio-{by}" if isinstance(by, int) else by
            rater = (task.data.annotator_id or by or "").strip()
            if not rater:
                raise InputError(f"{where}: completed_by is missing, so the rater is not known")
            if (rater, *item.key) in ratings:
                raise InputError(f"{where}: {rater} rated this explanation before")
            stars = [it for it in annotation.result if isinstance(it, _Stars)]
            notes = [it.text for it in annotation.result if isinstance(it, _Notes)]
            scores: dict[str, int] = {it.from_name: it.rating for it in stars}
            if len(scores) < len(stars):
                raise InputError(f"{where}.result: a dimension is rated twice")
            lines = [line for text in notes for line in ([text] if isinstance(text, str) else text)]
            ratings[rater, *item.key] = sheets.Rating(item, rater, scores, "\n".join(lines))
    if not ratings:
        raise InputError(f"{path}: holds no annotation; rate some tasks before exporting")
    return list(ratings.values())
