"""What the store holds of cases and analyses, and what becomes of it where it cannot be read."""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache, partial
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from countercase.facts.case_schema import CaseFile
from countercase.reports.wording import name_matter
from countercase.text.spans import Span
from countercase.web.models import AnalysisOptions, Status
from countercase.web.render import UnreadableError

RUN_AGAIN: Final = ("cancelled", "stopped", "failed", "broken")
"""How an analysis ends that may be run again."""
Rows = list[dict[str, Any]]


class StoredCase(CaseFile):
    """A case file with where its text mentions each fact, by the fact's id, as it was first read.

    Looked up again, a mention may be longer or shorter, and the search would read another text.
    """

    model_config = ConfigDict(strict=False)

    mentions: dict[str, list[Span]] = Field(default_factory=dict)


class StoredResult(BaseModel):
    """What an analysis gave, as far as its pages rest on it."""

    class Analysis(BaseModel):
        """The parts of an analysis that its pages cannot do without."""

        precedents: Rows
        facts: Rows
        what_ifs: Rows
        settings: dict[str, Any]
        filters: Any
        complete: bool

    class Tree(BaseModel):
        """Those of its tree."""

        nodes: Rows
        links: Rows

    analysis: Analysis
    tree: Tree
    items: Rows
    lines: Rows
    notes: list[str]


def read_object(kind: Any, text: object) -> dict[str, Any]:
    """Return a stored JSON object of a kind, or raise an `UnreadableError`."""
    try:
        given: dict[str, Any] = json.loads(str(text))
        TypeAdapter(kind).validate_python(given)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("what is stored of it cannot be read; begin it again") from error
    return given


read_result: Final = lru_cache(maxsize=4)(partial(read_object, StoredResult))
"""Read what an analysis gave, which its pages read again and again and nobody changes."""


class Job(BaseModel, frozen=True):
    """One analysis, without its result.

    Attributes:
        source: id of the case on whose page it was asked for; "" where a program sent it.
        started: seconds since 1970; 0 where it did not start.
        case_file: as `StoredCase` has it.
        detail: why it failed, or what was left unmeasured.
    """

    id: str
    source: str = ""
    status: Status = "unreadable"
    started: float = 0.0
    case_file: dict[str, Any]
    options: AnalysisOptions
    detail: str = "What is stored of this analysis cannot be read. Delete it."

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status not in ("queued", "running")

    @property
    def title(self) -> str:
        """What its case is called."""
        names = (str(self.case_file.get(name, "")) for name in ("title", "case_id", "text"))
        return name_matter(*names)


FIELDS: Final = ", ".join(Job.model_fields)


def read_job(row: sqlite3.Row) -> Job:
    """Return a row as an analysis; one that cannot be read is an analysis that says so."""
    kinds = {"case_file": StoredCase, "options": AnalysisOptions}
    try:
        read = {name: read_object(kind, row[name]) for name, kind in kinds.items()}
        return Job.model_validate({**row, **read})
    except (ValidationError, UnreadableError):
        named = str(row["id"])
        return Job(
            id=named, case_file={"case_id": named}, options=AnalysisOptions.model_validate({})
        )
