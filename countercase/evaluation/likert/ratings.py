"""Ratings: exported items, sheets for raters, imported ratings, and what they show.

In Label Studio the dimensions are `Rating` tags with five stars (https://labelstud.io/tags/rating);
the export read here is the one that it calls JSON, which keeps every annotation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AliasPath, Field, StringConstraints

from countercase.errors import InputError
from countercase.evaluation.agreement import krippendorff_alpha
from countercase.evaluation.faithfulness.sentences import FORMS, faithfulness, score_sentences
from countercase.evaluation.likert import sheets
from countercase.evaluation.likert.sheets import DIMENSIONS, Item, Key, Rating
from countercase.evaluation.report import Cell, Section
from countercase.evaluation.sets import Row, SourceChunk, json_lines, read_json, read_rows
from countercase.evaluation.statistics import Cells, Estimate, group_by, rank_correlation
from countercase.io import json_text

ITEMS: Final = "items.jsonl"
RATINGS: Final = "ratings.jsonl"

_AGAIN: Final = "; import the sheets again"
_RATER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

_Score = Annotated[int, Field(ge=sheets.LOWEST, le=sheets.HIGHEST)]


@dataclass(frozen=True)
class _RatingRow(Item):
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
    items: Sequence[Item], raters: Sequence[str], seed: int = 0, label_studio: bool = False
) -> dict[str, str]:
    """Make the files of an annotation, text by name, each rater's order drawn with `seed`."""
    files: dict[str, str] = {}
    for name in raters:
        blank = [Rating(item, name, {}) for item in sheets.in_own_order(items, name, seed)]
        files[f"{name}.csv"] = "\ufeff" + sheets.ratings_csv(blank)
    files[ITEMS] = json_lines(map(vars, items))
    if label_studio:
        files["label-studio-tasks.json"] = json_text([{"data": vars(item)} for item in items])
        interface = resources.files(__package__) / "data" / "label-studio.xml"
        files["label-studio.xml"] = interface.read_text(encoding="utf-8")
    return files


def import_ratings(paths: Sequence[Path], folder: Path) -> tuple[list[Rating], list[str]]:
    """Join the ratings stored in `folder` with those of filled sheets or Label Studio exports.

    Returns all ratings, and a line for each file that says what it gave; nothing is written.
    """
    items, stored = folder / ITEMS, folder / RATINGS
    listed = read_rows(items, Item, hint=_AGAIN) if items.is_file() else ()
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
        blank = len(new) * len(DIMENSIONS) - given
        lines.append(f"{path}: {len(new)} explanations, {given} ratings, {blank} left blank")
    return ratings, lines


def merged(before: Sequence[Rating], new: Sequence[Rating]) -> list[Rating]:
    """Join earlier ratings and new ones; the new rating stands where a rater rated anew."""
    by_key = {(rating.annotator_id, *rating.item.key): rating for rating in (*before, *new)}
    return [by_key[key] for key in sorted(by_key)]


def read_ratings(path: Path) -> list[Rating]:
    """Read ratings, the `row` of one a line; InputError names the line that is damaged."""
    ratings = []
    for _, _, row in read_rows(path, _RatingRow, hint=_AGAIN):
        item = Item(*(getattr(row, name) for name in sheets.TEXTS))
        given = {name: getattr(row, name) for name in DIMENSIONS}
        scores = {name: score for name, score in given.items() if score is not None}
        ratings.append(Rating(item, row.annotator_id, scores, row.notes))
    return ratings


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


def read_label_studio(path: Path) -> list[Rating]:
    """Read the ratings of an export; cancelled annotations are left out.

    The rater is `annotator_id` in the task's data where it is given, else the e-mail address or the
    number of the user who made the annotation.
    """
    ratings: dict[tuple[str, ...], Rating] = {}
    for number, task in enumerate(read_json(path, list[_Task])):
        item = Item(*(getattr(task.data, name) for name in sheets.TEXTS))
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
            ratings[rater, *item.key] = Rating(item, rater, scores, "\n".join(lines))
    if not ratings:
        raise InputError(f"{path}: holds no annotation; rate some tasks before exporting")
    return list(ratings.values())


# What the ratings show

_Scores: TypeAlias = Mapping[str, Mapping[str, Mapping[Key, int]]]
"""Dimension -> rater -> item -> score."""


def mean_interval(values: Sequence[float]) -> Estimate:
    """Compute the mean and its 95% interval, mean ± t(.975, n − 1) · s / √n, within the scale 1 to 5.

    Of one value there is no interval.

    Source: Student, "The probable error of a mean", Biometrika 6, 1908.
    """
    if len(values) < 2:
        return Estimate(float(values[0]) if values else None, len(values))
    from scipy import stats

    mean, error = fmean(values), float(stats.sem(values))
    low, high = mean, mean
    if error:
        low, high = map(float, stats.t.interval(0.95, len(values) - 1, loc=mean, scale=error))
    return Estimate(mean, len(values), max(sheets.LOWEST, low), min(sheets.HIGHEST, high))


def likert_section(ratings: Sequence[Rating], seed: int = 0) -> Section:
    """Report everything that the ratings show.

    An item's score is the mean of its raters'; means and intervals are over items, so that a
    second rater of the same items does not narrow an interval.
    """
    by_rater = group_by(ratings, lambda rating: rating.annotator_id)
    scores: _Scores = {
        name: {
            rater: {it.item.key: it.scores[name] for it in own if name in it.scores}
            for rater, own in by_rater.items()
        }
        for name in DIMENSIONS
    }
    items = {rating.item.key: rating.item for rating in ratings}
    faith = {key: _faithfulness(item) for key, item in items.items()}
    found = Section("likert", "Likert: what raters think of the explanations")
    correlations: list[tuple[Cell, ...]] = []
    heights: dict[str, list[Cells]] = {}
    for name in DIMENSIONS:
        title = name.replace("_", " ").capitalize()
        raters = list(scores[name].values())
        given = group_by((pair for own in raters for pair in own.items()), itemgetter(0))
        means = {key: fmean(score for _, score in own) for key, own in given.items()}
        for form in ("content words", *FORMS):
            of_items = [faith[key][form] for key in means]
            strictest = rank_correlation(list(means.values()), of_items, seed)
            correlations.append((title.lower(), form, strictest.value, strictest.p, strictest.n))
        alpha = krippendorff_alpha(raters, "ordinal", seed)
        rho, mean = Estimate(strictest.value, strictest.n), mean_interval(list(means.values()))
        for key, figure in (("", mean), (".alpha", alpha), (".faithfulness", rho)):
            found.add_measure(f"likert.{{name}}{key}", figure, name=name, title=title)
        listed = [score for own in raters for score in own.values()]
        shares = (listed.count(grade) / max(len(listed), 1) for grade in sheets.GRADES.values())
        heights[name.replace("_", " ")] = [(height, None, None) for height in shares]
    rows: list[tuple[Cell, ...]] = []
    for rater, rated in sorted(by_rater.items()):
        for name in DIMENSIONS:
            mean = mean_interval(list(scores[name][rater].values()))
            rows.append((rater, name.replace("_", " "), mean.n, len(rated) - mean.n, *mean.cells))
    found.add_table("likert.raters", rows)
    found.add_table("likert.faithfulness", correlations)
    found.add_bars("Ratings given", "rating", "share of ratings", list(sheets.GRADES), heights)
    found.details["items"] = []
    for at, item in items.items():
        given_to = {
            name: {rater: own[at] for rater, own in of_raters.items() if at in own}
            for name, of_raters in scores.items()
        }
        row = vars(item) | {"ratings": given_to, "faithfulness": faith[at]}
        del row["source_chunk_text"]
        found.details["items"].append(row)
    return found


def _faithfulness(item: Item) -> dict[str, float]:
    source = SourceChunk(chunk_id=item.chunk_id, text=item.source_chunk_text)
    sentences = score_sentences(item.explanation_text, [source])
    words = fmean(sentence.overlap for sentence in sentences) if sentences else 0.0
    return {"content words": words} | {form: faithfulness(sentences, form) or 0.0 for form in FORMS}
