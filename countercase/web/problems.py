"""Refusals as RFC 9457 `application/problem+json`, or as a page where a browser asks for one.

What was sent is never sent back: it may be large, and it is somebody's case.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from countercase.errors import (
    ConfigError,
    CorpusIndexError,
    CounterCaseError,
    InputError,
    ModelError,
    StoreError,
)
from countercase.text.spans import one_line
from countercase.web.render import page
from countercase.web.stored import UnreadableError

MEDIA_TYPE: Final = "application/problem+json"
MOST_FAULTS: Final = 20
"""Faults of one request that are listed."""
_STATUS: Final[dict[type[CounterCaseError], int]] = {
    InputError: 400, ConfigError: 400, CorpusIndexError: 400, ModelError: 503, StoreError: 503,
    UnreadableError: 410,
}  # fmt: skip


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
    request: Request,
    status: int,
    detail: str,
    faults: list[Fault] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Return the answer to a request that is refused."""
    title, request_id = HTTPStatus(status).phrase, getattr(request.state, "request_id", "")
    problem = Problem(
        title=title, status=status, detail=detail, request_id=request_id, errors=faults or []
    )
    if request.headers.get("accept", "").startswith("text/html"):
        return HTMLResponse(page("problem.html", problem=problem), status, headers)
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
        return refusal(request, error.status_code, error.detail, headers=headers)

    @app.exception_handler(CounterCaseError)
    async def failed(request: Request, error: CounterCaseError) -> Response:
        detail = one_line(str(error))
        return refusal(request, _STATUS.get(type(error), 400), detail)
