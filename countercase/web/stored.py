"""What the store holds of cases and analyses, and what becomes of it where it cannot be read."""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from countercase.errors import StoreError
from countercase.facts.case_schema import CaseFile
from countercase.reports.wording import name_matter
from countercase.text.spans import Span
from countercase.web.models import AnalysisOptions, Status

OVER: Final = ("done", "cancelled", "stopped", "failed", "broken", "unreadable")
RUN_AGAIN: Final = ("cancelled", "stopped", "failed", "broken")
"""How an analysis ends that may be run again."""


class UnreadableError(StoreError):
    """What the store holds of a case or an analysis cannot be read."""


class StoredCase(CaseFile):
    """A case file with where its text mentions each fact, by the fact's id, as it was first read.

    Looked up again, a mention may be longer or shorter, and the search would read another text.
    """

    model_config = ConfigDict(strict=False)

    mentions: dict[str, list[Span]] = Field(default_factory=dict)


class Job(BaseModel, frozen=True):
    """One analysis, without its result.

    Attributes:
        source: id of the case on whose page it was asked for; "" where a program sent it.
        started: seconds since 1970; 0 where it did not start.
        case_file: as `StoredCase` has it.
        detail: why it failed, or what was left unmeasured.
    """

    id: str
    source: str
    status: Status
    started: float
    case_file: dict[str, Any]
    options: AnalysisOptions
    detail: str

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in OVER

    @property
    def title(self) -> str:
        """What its case is called."""
        names = (str(self.case_file.get(name, "")) for name in ("title", "case_id", "text"))
        return name_matter(*names)


class _Analysis(BaseModel):
    """The parts of an analysis that its pages cannot do without."""

    precedents: list[dict[str, Any]]
    facts: list[dict[str, Any]]
    what_ifs: list[dict[str, Any]]
    settings: dict[str, Any]
    filters: Any
    complete: bool


class _Tree(BaseModel):
    nodes: list[dict[str, Any]]
    links: list[dict[str, Any]]


class StoredScores(RootModel[dict[str, int]]):
    """What a rater gave an explanation, by dimension."""


class StoredResult(BaseModel):
    """What an analysis gave, as far as its pages rest on it."""

    analysis: _Analysis
    tree: _Tree
    items: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    notes: list[str]


def read_object(model: type[BaseModel], text: object) -> dict[str, Any]:
    """Return a stored JSON object, which `model` must accept.

    Raises:
        UnreadableError: it does not, or there is no such object.
    """
    try:
        given: dict[str, Any] = json.loads(str(text))
        model.model_validate(given)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("what is stored of it cannot be read; begin it again") from error
    return given


@lru_cache(maxsize=4)
def read_stored_result(text: str) -> dict[str, Any]:
    """Return what an analysis gave, which its pages read again and again and nobody changes."""
    return read_object(StoredResult, text)


def read_job(row: sqlite3.Row) -> Job:
    """Return a row as an analysis; one that cannot be read is an analysis that says so."""
    columns = dict(row)
    try:
        for name, model in (("case_file", StoredCase), ("options", AnalysisOptions)):
            columns[name] = read_object(model, columns[name])
        return Job.model_validate(columns)
    except (ValidationError, UnreadableError):
        return Job(
            id=str(row["id"]), source="", status="unreadable", started=0.0,
            case_file={"case_id": str(row["id"])}, options=AnalysisOptions.model_validate({}),
            detail="What is stored of this analysis cannot be read. Delete it.",
        )  # fmt: skip


FIELDS: Final = ", ".join(Job.model_fields)
