"""Ratings made in Label Studio: its tasks, its labelling interface and its export.

The three dimensions are `Rating` tags with five stars (https://labelstud.io/tags/rating). The
export read here is the one that Label Studio calls JSON, which keeps every annotation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from countercase.errors import InputError
from countercase.evaluation.likert.sheets import DIMENSIONS, HIGHEST, LOWEST, TEXTS, Item, Rating
from countercase.evaluation.sets import read_text

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


def tasks(items: Sequence[Item]) -> list[dict[str, Any]]:
    """The items as tasks to be imported into Label Studio."""
    return [{"data": dict(vars(item))} for item in items]


def read_label_studio(path: Path) -> list[Rating]:
    """The ratings of an export.

    The rater is `annotator_id` in the task's data where it is given, else the e-mail address or the
    number of the user who made the annotation. Cancelled annotations are left out.

    Raises:
        InputError: not a JSON export of Label Studio, or a rating not from 1 to 5; file,
            task, annotation and field are named.
    """
    try:
        document = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error})") from error
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
    texts = []
    for name in TEXTS:
        text = data.get(name)
        if not isinstance(text, str) or (not text.strip() and name != "source_chunk_text"):
            raise InputError(
                f"{where}: data.{name} is missing; import the exported tasks unchanged"
            )
        texts.append(text)
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
                raise InputError(
                    f"{where}, {name}: {stars!r} is not a whole number from {LOWEST} to {HIGHEST}"
                )
            if dimension in scores:
                raise InputError(f"{where}, {name}: rated twice")
            scores[dimension] = stars
        elif name == "notes":
            text = value.get("text", "")
            notes += [str(part) for part in text] if isinstance(text, list) else [str(text)]
        else:
            raise InputError(
                f"{where}: unknown field {name!r}; use the exported labelling interface"
            )
    return scores, "\n".join(notes)
