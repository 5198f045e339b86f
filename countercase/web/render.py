"""Answers: pages of the templates in `web/templates`, in which every value stays text, and refusals.

A refusal is RFC 9457 `application/problem+json`, or a page where a browser asks for one. What was sent
is never sent back: it may be large, and it is somebody's case.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from countercase.errors import CounterCaseError, ModelError, StoreError
from countercase.explanation.model import Quote
from countercase.explanation.reasons import fact_label
from countercase.facts.model import Fact, FactSheet
from countercase.io import read_table
from countercase.reports.drawings.charts import facts_drawing
from countercase.reports.text import legible, stretches
from countercase.reports.wording import short_label, templates
from countercase.text.spans import Span, one_line

MEDIA_TYPES: Final = {row["ending"]: row["type"] for row in read_table("web/media_types", dict)}
"""The media types of the files that are given to keep, by the ending of their names."""


def html(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a template as the answer to a request."""
    return HTMLResponse(_environment().get_template(template).render(values), status)


def attach(name: str, content: str | bytes, title: str = "") -> Response:
    """Return a file to be kept, its name in plain characters, behind a title cut at a word."""
    words = re.split(r"[^\w.]+", f"{short_label(title)} {name[-99:]}", flags=re.ASCII)
    plain = "-".join(filter(None, words))
    named = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return Response(content, media_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=named)


@cache
def _environment() -> Environment:
    def safe(value: Any) -> Any:
        return legible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = templates("countercase.web", safe)
    environment.filters |= {"fact_label": fact_label, "place": lambda it: Quote(**it).place}
    environment.globals |= {"facts_drawing": facts_drawing, "svg": lambda it: Markup(it.svg)}
    return environment


def mark_facts(sheet: FactSheet, own: Container[str] = ()) -> list[tuple[str, list[Fact], bool]]:
    """Return the narrative in pieces, cut wherever a mention of a fact begins or ends.

    Beside each text stand the facts that it states, that of the shortest mention first, and whether
    the user corrected or added one of them.
    """
    spans = [(number, span) for number, fact in enumerate(sheet.facts) for span in fact.spans]
    pieces = []
    for stretch in stretches(sheet.narrative, spans):
        facts = [sheet.facts[number] for number in stretch.facts]
        pieces.append((stretch.text, facts, any(fact.fact_id in own for fact in facts)))
    return pieces


def mark_quotes(text: str, quotes: Sequence[str]) -> list[tuple[str, bool]]:
    """Return a decision in pieces, the quoted sentences apart from the rest.

    Quotes have their white space on one line; the decision has it as it was written.
    """
    patterns = [r"\s+".join(map(re.escape, quote.split())) for quote in quotes if quote]
    found = filter(None, (re.search(pattern, text) for pattern in patterns))
    spans = [(0, Span(*match.span())) for match in found]
    return [(it.text, bool(it.facts)) for it in stretches(text, spans)]


MEDIA_TYPE: Final = "application/problem+json"
MOST_FAULTS: Final = 20
"""Faults of one request that are listed."""


class UnreadableError(StoreError):
    """What the store holds of a case or an analysis cannot be read."""


class MissingError(StoreError):
    """The store holds no such case or analysis."""


class BusyError(HTTPException):
    """Too many wait already, or the turn did not come in time; ask again after `seconds`."""

    def __init__(self, detail: str, seconds: int = 5) -> None:
        super().__init__(503, detail, {"Retry-After": str(seconds)})


_STATUS: Final[dict[type[CounterCaseError], int]] = {
    ModelError: 503, StoreError: 503, UnreadableError: 410, MissingError: 404,
}  # fmt: skip
"""The status of errors of the package; of all others it is 400."""


class Fault(BaseModel):
    """One thing that is wrong with a request."""

    loc: list[str | int]
    msg: str


class Problem(BaseModel):
    """Why a request was not answered (RFC 9457)."""

    type: str = "about:blank"
    title: str = Field(description="The name of the status.")
    status: int
    detail: str = Field(description="What was wrong, and what to do.")
    request_id: str = Field(description="Stands in the log beside this request.")
    errors: list[Fault] = []


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what an operation says of its refusals in the OpenAPI schema."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in sorted({400, 403, 413, 422, 429, 503, *statuses})
    }


def refusal(
    request: Request, status: int, detail: str,
    faults: list[Fault] | None = None, headers: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    """Return the answer to a request that is refused."""
    title, request_id = HTTPStatus(status).phrase, getattr(request.state, "request_id", "")
    problem = Problem(
        title=title, status=status, detail=detail, request_id=request_id, errors=faults or []
    )
    if request.headers.get("accept", "").startswith("text/html"):
        answer = html("problem.html", status, problem=problem)
        answer.headers.update(headers or {})
        return answer
    return JSONResponse(problem.model_dump(), status, headers, MEDIA_TYPE)


def answer_with_problems(app: FastAPI) -> None:
    """Have every refusal of `app` answered by `refusal`."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        faults = [Fault.model_validate(fault) for fault in error.errors()[:MOST_FAULTS]]
        return refusal(request, 422, "The request does not fit its schema.", faults)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        headers = dict(error.headers) if error.headers else None
        is_page = request.headers.get("accept", "").startswith("text/html")
        above = request.url.path.rpartition("/")[0]
        if error.status_code == 405 and is_page and request.method == "GET" and above[1:]:
            return RedirectResponse(above, 303)  # the address of a form, opened again
        return refusal(request, error.status_code, error.detail, headers=headers)

    @app.exception_handler(CounterCaseError)
    async def failed(request: Request, error: CounterCaseError) -> Response:
        return refusal(request, _STATUS.get(type(error), 400), one_line(str(error)))
