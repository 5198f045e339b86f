"""Likert sheets: explanations for people to judge, and their ratings.

A sheet is a CSV file of one rater: an explanation and the passage that it rests on in each row,
and three cells to fill, from 1 to 5.

A cell that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a
line break) gets an apostrophe before it (OWASP, "CSV Injection"), also where it has apostrophes
before that sign, so that `restored` is the exact inverse of `harmless`.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ConfigDict

from countercase.errors import InputError
from countercase.evaluation.faithfulness.own_explanations import OwnExplanation
from countercase.evaluation.json_files import read_text

_SIGNS: Final = frozenset("=+-@＝＋－＠\t\r\n")
_SKIPPED: Final = " \u00a0\u200b\u2060\ufeff\v\f\x00"
"""What a spreadsheet may pass over before it looks for a sign."""

DIMENSIONS: Final = ("clarity", "legal_accuracy", "usefulness")
LOWEST: Final = 1
HIGHEST: Final = 5
RATED: Final = tuple(f"{name}_1_to_5" for name in DIMENSIONS)
TEXTS: Final = ("case_id", "chunk_id", "explanation_text", "source_chunk_text")
COLUMNS: Final = (*TEXTS, *RATED, "annotator_id", "notes")
"""The columns of a sheet, in order."""

_MOST_PROBLEMS: Final = 5
_DELIMITERS: Final = (",", ";", "\t")


Key = tuple[str, str, str]


def harmless(cell: str) -> str:
    """The cell so that a spreadsheet shows it and does not run it."""
    return "'" + cell if _runs(cell) else cell


def restored(cell: str) -> str:
    """What `harmless` was given; a cell that it would not have changed comes back as it is."""
    return cell[1:] if cell.startswith("'") and _runs(cell[1:]) else cell


def _runs(cell: str) -> bool:
    """Whether a cell is a formula, or would be without the apostrophes before it."""
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
        """What tells it from others: its ids and its words, whatever the white space."""
        return self.case_id, self.chunk_id, " ".join(self.explanation_text.split())


@dataclass(frozen=True)
class Rating:
    """One rater's scores of one item, 1 to 5 by dimension; what was left blank is not there."""

    item: Item
    annotator_id: str
    scores: Mapping[str, int]
    notes: str = ""


def items_of(own: Sequence[OwnExplanation], per_case: int, seed: int = 0) -> list[Item]:
    """Draw `per_case` items of each case: all that is said of a precedent on one chunk is one."""
    by_case: dict[str, list[Item]] = {}
    for explanation in own:
        if explanation.kind != "precedent":
            continue
        case_id = explanation.explanation_id.split("/", 1)[0]
        items = by_case.setdefault(case_id, [])
        resting = [sentence for sentence in explanation.sentences if sentence.passage]
        for chunk, passage in {it.chunk_id: it.passage for it in resting}.items():
            text = " ".join(it.text for it in resting if it.chunk_id == chunk)
            items.append(Item(case_id, chunk, text, passage))
    chosen = []
    for case_id, items in by_case.items():
        count = min(per_case, len(items))
        drawn = random.Random(f"{seed}/{case_id}").sample(range(len(items)), count)
        chosen += [items[at] for at in sorted(drawn)]
    return chosen


def in_own_order(items: Sequence[Item], rater: str, seed: int = 0) -> list[Item]:
    """The items in an order of the rater's own, drawn with `seed`.

    An order of one's own keeps raters from tiring at the same explanations.
    """
    order = list(items)
    random.Random(f"{seed}/{rater}").shuffle(order)
    return order


def sheet_csv(items: Sequence[Item], rater: str, seed: int = 0) -> str:
    """The sheet of one rater, in the rater's own order; see `in_own_order`."""
    return ratings_csv([Rating(item, rater, {}) for item in in_own_order(items, rater, seed)])


def ratings_csv(ratings: Sequence[Rating]) -> str:
    """Ratings as a sheet; what was not rated is blank."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for rating in ratings:
        texts = [getattr(rating.item, name) for name in TEXTS]
        scores = [str(rating.scores.get(name, "")) for name in DIMENSIONS]
        cells = (*texts, *scores, rating.annotator_id, rating.notes)
        writer.writerow([harmless(cell) for cell in cells])
    return out.getvalue()


def read_sheet(path: Path, known: Sequence[Item] = ()) -> list[Rating]:
    """Read the ratings of a sheet, every cell checked.

    Args:
        path: a CSV file with the columns `COLUMNS`, in any order and with any usual delimiter.
        known: the items that were exported; a row must be of one of them, where any is given.

    Raises:
        InputError: the file cannot be read, a column is missing, or cells are wrong: the first few
            of them are named by file, row, column and cell.
    """
    rows = _rows(path)
    header = [name.strip() for name in next(rows, [])]
    _check_header(path, header)
    at = {name: header.index(name) for name in COLUMNS}
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
        values = {name: restored(cells[place]) for name, place in at.items()}
        item = Item(*(values[name] for name in TEXTS))
        problems = list(_problems(values, item.key, ratings, items))
        if item.key in seen:
            problems.append(("explanation_text", f"stands in row {seen[item.key]} too"))
        seen.setdefault(item.key, number)
        for name, what in problems:
            wrong.append(f"row {number}, column {name} ({_letters(at[name])}{number}): {what}")
        graded = zip(DIMENSIONS, (values[column] for column in RATED), strict=True)
        scores = {name: int(cell) for name, cell in graded if _score(cell)}
        rater, notes = values["annotator_id"].strip(), values["notes"]
        ratings.append(Rating(items.get(item.key, item), rater, scores, notes))
    if wrong:
        more = f"; and {len(wrong) - _MOST_PROBLEMS} more" if len(wrong) > _MOST_PROBLEMS else ""
        raise InputError(f"{path}: {'; '.join(wrong[:_MOST_PROBLEMS])}{more}")
    if not ratings:
        raise InputError(f"{path}: no row under the header; export the sheet again")
    return ratings


def _problems(
    values: Mapping[str, str], key: Key, before: Sequence[Rating], items: Mapping[Key, Item]
) -> Iterator[tuple[str, str]]:
    """What is wrong with the cells of a row: column and what to do."""
    for name in ("case_id", "chunk_id", "explanation_text", "annotator_id"):
        if not values[name].strip():
            yield name, "empty; restore it from the exported sheet"
    rater = values["annotator_id"].strip()
    if before and rater and before[0].annotator_id and rater != before[0].annotator_id:
        yield "annotator_id", f"{rater!r} in a sheet of {before[0].annotator_id!r}; one file each"
    for name in RATED:
        if values[name].strip() and not _score(values[name]):
            yield name, f"{values[name]!r} is not a whole number from {LOWEST} to {HIGHEST}"
    if items and key not in items:
        if key[:2] in {known[:2] for known in items}:
            yield "explanation_text", "not as exported; restore the text"
        else:
            yield "chunk_id", f"{key[1]!r} of case {key[0]!r} was not exported"


def _score(cell: str) -> bool:
    return cell.strip() in map(str, range(LOWEST, HIGHEST + 1))


def _check_header(path: Path, header: Sequence[str]) -> None:
    for name in COLUMNS:
        if header.count(name) != 1:
            what = "stands twice" if name in header else "is missing"
            raise InputError(f"{path}, row 1: column {name!r} {what}; keep the exported header")
    for place, name in enumerate(header):
        if name not in COLUMNS:
            where = f"{path}, row 1, cell {_letters(place)}1"
            raise InputError(f"{where}: unknown column {name!r}; put remarks into notes")


def _rows(path: Path) -> Iterator[list[str]]:
    text = read_text(path, hint="save it as CSV UTF-8")
    delimiter = max(_DELIMITERS, key=text.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from reader
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error})") from error


def _letters(place: int) -> str:
    """The name of a column in a spreadsheet: A for 0, Z for 25, AA for 26."""
    before, rest = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + rest)
