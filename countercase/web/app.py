"""The HTTP application: /batch_search, /search, /health and /openapi.json."""

from __future__ import annotations

from collections.abc import Collection
from threading import Lock
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countercase.errors import CounterCaseError
from countercase.web.models import (
    MAX_BODY_BYTES,
    BatchSearchRequest,
    BatchSearchResponse,
    Health,
    Problem,
    SearchRequest,
    SearchResponse,
)
from countercase.web.searchers import Searcher

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The corpus cannot be searched for this."},
    413: {"model": Problem, "description": "The request is too large."},
    422: {"model": Problem, "description": "A field is missing, wrong or out of bounds."},
}


class BodyLimit:
    """Answers 413 as soon as a request's body has more than `max_bytes`, declared or not.

    Kept by hand because Starlette bounds the parts of forms, but not the body of a request.
    """

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app, self._max_bytes = app, max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, counting the bytes of its body as they come."""
        bytes_read = 0

        async def counted() -> Message:
            nonlocal bytes_read
            message = await receive()
            bytes_read += len(message.get("body", b""))
            if bytes_read > self._max_bytes:
                raise HTTPException(413, f"larger than {self._max_bytes:,} bytes")
            return message

        await self._app(scope, counted, send)


def create_app(searcher: Searcher, hosts: Collection[str] | None = None) -> FastAPI:
    """The service over one corpus.

    Args:
        hosts: names by which it may be asked, IPv6 addresses in brackets; None for any. A web
            page that someone has open can reach a server on loopback under a name of its own (DNS
            rebinding), which is why the name counts.

    Searches run one at a time, so that a ranking does not depend on what else is asked.
    """
    # Without the pages of /docs, whose scripts would come from another server.
    app = FastAPI(
        title="CounterCase",
        summary="Find the cases that are similar to a text.",
        docs_url=None,
        redoc_url=None,
    )
    one_at_a_time = Lock()

    @app.post("/batch_search", responses=_PROBLEMS)
    def batch_search(request: BatchSearchRequest) -> BatchSearchResponse:
        """The documents most like each of several texts, best first."""
        with one_at_a_time:
            return BatchSearchResponse(results=searcher.search(request.queries, request.top_k))

    @app.post("/search", responses=_PROBLEMS)
    def search(request: SearchRequest) -> SearchResponse:
        """The documents most like a text, best first."""
        with one_at_a_time:
            [hits] = searcher.search([request.query], request.top_k)
        return SearchResponse(results=hits)

    @app.get("/health")
    def health() -> Health:
        """What is being served."""
        return Health(
            corpus=searcher.corpus,
            documents=searcher.documents,
            rankers=list(searcher.rankers),
        )

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        # What was sent is not sent back: it may be large, and it is somebody's case.
        problems = [{"loc": list(e["loc"]), "msg": e["msg"]} for e in error.errors()[:20]]
        return JSONResponse({"detail": problems}, status_code=422)

    @app.exception_handler(CounterCaseError)
    async def failed(request: Request, error: CounterCaseError) -> JSONResponse:
        return JSONResponse({"detail": " ".join(str(error).split())}, status_code=400)

    app.add_middleware(BodyLimit, max_bytes=MAX_BODY_BYTES)
    if hosts is not None:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return app
