"""The files of an annotation: exported items, sheets for raters, imported ratings.

In Label Studio the three dimensions are `Rating` tags with five stars
(https://labelstud.io/tags/rating). The export read here is the one that Label Studio calls JSON,
which keeps every annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from countercase.errors import InputError
from countercase.evaluation.json_files import json_lines, read_rows, read_text
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
from countercase.io import json_text, parse_json

ITEMS: Final = "items.jsonl"
RATINGS: Final = "ratings.jsonl"

_AGAIN: Final = "; import the sheets again"
_RATER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

INTERFACE: Final = """<View>
  <Header value="Explanation"/>
  <Text name="explanation" value="$explanation_text"/>
  <Header value="Passage that it rests on"/>
  <Text name="source" value="$source_chunk_text"/>
  <Header value="Clarity: is it understood without effort?"/>
  <Rating name="clarity" toName="explanation" maxRating="5"/>
  <Header value="Legal accuracy: is it precise and right?"/>
  <Rating name="legal_accuracy" toName="explanation" maxRating="5"/>
  <Header value="Usefulness: does it help research?"/>
  <Rating name="usefulness" toName="explanation" maxRating="5"/>
  <TextArea name="notes" toName="explanation" rows="3" editable="true"/>
</View>
"""
"""The labelling interface that goes with `tasks`."""

_Score = Annotated[int | None, Field(ge=LOWEST, le=HIGHEST)]


@dataclass(frozen=True)
class _RatingRow(Item):
    annotator_id: Annotated[str, Field(min_length=1)]
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
    if wrong := [name for name in names if not _RATER.fullmatch(name)]:
        hint = "use letters, digits, dots and hyphens"
        raise InputError(f"raters: {wrong[0]!r} cannot name a file; {hint}")
    if len({name.lower() for name in names}) < len(names):
        raise InputError("raters: a name stands twice; each rater has a file of their own")
    return names


def exported_files(
    items: Sequence[Item], raters: Sequence[str], seed: int = 0, label_studio: bool = False
) -> dict[str, str]:
    """Make the files of an annotation, text by name, each rater's order drawn with `seed`."""
    files = {f"{name}.csv": "\ufeff" + sheet_csv(items, name, seed) for name in raters}
    files[ITEMS] = items_jsonl(items)
    if label_studio:
        files["label-studio-tasks.json"] = json_text(tasks(items))
        files["label-studio.xml"] = INTERFACE
    return files


def import_ratings(paths: Sequence[Path], folder: Path) -> tuple[list[Rating], list[str]]:
    """Join the ratings stored in `folder` with those of filled sheets or Label Studio exports.

    Returns:
        All ratings, and a line for each file that says what it gave. Nothing is written.

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
    return json_lines(vars(item) for item in items)


def ratings_jsonl(ratings: Sequence[Rating]) -> str:
    """The ratings, one JSON object a line; null where nothing was given."""
    return json_lines(
        vars(rating.item)
        | {"annotator_id": rating.annotator_id}
        | {name: rating.scores.get(name) for name in DIMENSIONS}
        | {"notes": rating.notes}
        for rating in ratings
    )


def read_items(path: Path) -> list[Item]:
    """What `items_jsonl` wrote; `InputError` names the line that is damaged."""
    return [item for _, _, item in read_rows(path, Item, hint=_AGAIN)]


def read_ratings(path: Path) -> list[Rating]:
    """What `ratings_jsonl` wrote; `InputError` names the line that is damaged."""
    ratings = []
    for _, _, row in read_rows(path, _RatingRow, hint=_AGAIN):
        given = ((name, getattr(row, name)) for name in DIMENSIONS)
        scores = {name: score for name, score in given if score is not None}
        item = Item(*(getattr(row, name) for name in TEXTS))
        ratings.append(Rating(item, row.annotator_id, scores, row.notes))
    return ratings


# Label Studio


def tasks(items: Sequence[Item]) -> list[dict[str, Any]]:
    """The items as tasks to be imported into Label Studio."""
    return [{"data": dict(vars(item))} for item in items]


def read_label_studio(path: Path) -> list[Rating]:
    """Read the ratings of an export; cancelled annotations are left out.

    The rater is `annotator_id` in the task's data where it is given, else the e-mail address or the
    number of the user who made the annotation.

    Raises:
        InputError: not a JSON export of Label Studio, or a rating not from 1 to 5; file,
            task, annotation and field are named.
    """
    document = parse_json(read_text(path), str(path))
    if not isinstance(document, list):
        raise InputError(f"{path}: not a list of tasks; export from Label Studio as JSON")
    ratings = []
    seen: set[tuple[object, ...]] = set()
    for number, task in enumerate(document, start=1):
        for where, rating in _ratings(f"{path}, task {number}", task):
            key = (rating.annotator_id, *rating.item.key)
            if key in seen:
                raise InputError(f"{where}: {rating.annotator_id} rated this explanation before")
            seen.add(key)
            ratings.append(rating)
    if not ratings:
        raise InputError(f"{path}: holds no annotation; rate some tasks before exporting")
    return ratings


def _ratings(where: str, task: Any) -> Iterator[tuple[str, Rating]]:
    if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise InputError(f"{where}: no data; export from Label Studio as JSON")
    data = task["data"]
    texts = [data.get(name) for name in TEXTS]
    for name, text in zip(TEXTS, texts, strict=True):
        if not isinstance(text, str) or (not text.strip() and name != "source_chunk_text"):
            hint = "import the exported tasks unchanged"
            raise InputError(f"{where}: data.{name} is missing; {hint}")
    annotations = task.get("annotations")
    if not isinstance(annotations, list):
        raise InputError(f"{where}: no annotations; export as JSON and not as JSON-MIN")
    for number, annotation in enumerate(annotations, start=1):
        place = f"{where}, annotation {number}"
        if not isinstance(annotation, dict):
            raise InputError(f"{place}: not an object")
        if annotation.get("was_cancelled"):
            continue
        scores, notes = _results(place, annotation.get("result"))
        yield place, Rating(Item(*texts), _rater(place, data, annotation), scores, notes)


def _rater(where: str, data: dict[str, Any], annotation: dict[str, Any]) -> str:
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    name = data.get("annotator_id") or by
    if isinstance(name, bool) or not isinstance(name, (str, int)) or not str(name).strip():
        raise InputError(f"{where}: completed_by is missing, so the rater is not known")
    return name.strip() if isinstance(name, str) else f"label-studio-{name}"


def _results(where: str, result: Any) -> tuple[dict[str, int], str]:
    if not isinstance(result, list):
        raise InputError(f"{where}: result is not a list")
    scores: dict[str, int] = {}
    notes: list[str] = []
    for answer in result:
        name = str(answer.get("from_name", "")) if isinstance(answer, dict) else ""
        value = answer.get("value") if isinstance(answer, dict) else None
        if not isinstance(value, dict):
            raise InputError(f"{where}: a result without a value")
        dimension = name.removesuffix("_1_to_5")
        if dimension in DIMENSIONS:
            stars = value.get("rating")
            if type(stars) is not int or not LOWEST <= stars <= HIGHEST:
                what = f"{stars!r} is not a whole number from {LOWEST} to {HIGHEST}"
                raise InputError(f"{where}, {name}: {what}")
            if dimension in scores:
                raise InputError(f"{where}, {name}: rated twice")
            scores[dimension] = stars
        elif name == "notes":
            text = value.get("text", "")
            notes += [str(part) for part in text] if isinstance(text, list) else [str(text)]
        else:
            hint = "use the exported labelling interface"
            raise InputError(f"{where}: unknown field {name!r}; {hint}")
    return scores, "\n".join(notes)
