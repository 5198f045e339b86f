"""Items that were exported and ratings that were imported, kept as JSON Lines beside the sheets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countercase.errors import InputError
from countercase.evaluation.likert.sheets import DIMENSIONS, HIGHEST, LOWEST, Item, Rating

ITEMS: Final = "items.jsonl"
RATINGS: Final = "ratings.jsonl"


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid")

    case_id: str
    chunk_id: str
    explanation_text: str
    source_chunk_text: str

    @property
    def item(self) -> Item:
        return Item(self.case_id, self.chunk_id, self.explanation_text, self.source_chunk_text)


class _Rating(_Item):
    annotator_id: str = Field(min_length=1)
    clarity: int | None = Field(ge=LOWEST, le=HIGHEST)
    legal_accuracy: int | None = Field(ge=LOWEST, le=HIGHEST)
    usefulness: int | None = Field(ge=LOWEST, le=HIGHEST)
    notes: str


def items_jsonl(items: Sequence[Item]) -> str:
    """The items, one JSON object a line."""
    return "".join(_line(_texts(item)) for item in items)


def ratings_jsonl(ratings: Sequence[Rating]) -> str:
    """The ratings, one JSON object a line; null where nothing was given."""
    return "".join(
        _line(
            _texts(one.item)
            | {"annotator_id": one.annotator_id}
            | {name: one.scores.get(name) for name in DIMENSIONS}
            | {"notes": one.notes}
        )
        for one in ratings
    )


def read_items(path: Path) -> list[Item]:
    """What `items_jsonl` wrote; `InputError` names the line that is damaged."""
    return [row.item for row in _rows(path, _Item)]


def read_ratings(path: Path) -> list[Rating]:
    """What `ratings_jsonl` wrote; `InputError` names the line that is damaged."""
    found = []
    for row in _rows(path, _Rating):
        assert isinstance(row, _Rating)
        given = {name: getattr(row, name) for name in DIMENSIONS}
        scores = {name: value for name, value in given.items() if value is not None}
        found.append(Rating(row.item, row.annotator_id, scores, row.notes))
    return found


def merged(before: Sequence[Rating], new: Sequence[Rating]) -> list[Rating]:
    """Earlier ratings and new ones; of an item that a rater rated anew the new rating stands."""
    again = {(one.annotator_id, *one.item.key) for one in new}
    kept = [one for one in before if (one.annotator_id, *one.item.key) not in again]
    return sorted([*kept, *new], key=lambda one: (one.annotator_id, *one.item.key))


def _texts(item: Item) -> dict[str, Any]:
    return {
        "case_id": item.case_id,
        "chunk_id": item.chunk_id,
        "explanation_text": item.explanation_text,
        "source_chunk_text": item.source_chunk_text,
    }


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _rows(path: Path, model: type[_Item]) -> Iterator[_Item]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield model.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise InputError(
                f"{path}, line {number}: {where}: {first['msg']}; import the sheets again"
            ) from error
