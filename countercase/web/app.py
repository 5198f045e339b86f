"""The HTTP application: /batch_search, /search, /health and /openapi.json.

The OpenAPI schema is made from the models of requests and answers.
"""

from __future__ import annotations

from collections.abc import Collection
from threading import Lock
from typing import Annotated, Any, Final, Literal, Self

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countercase.errors import CounterCaseError
from countercase.web.searchers import Hit, Searcher

MAX_QUERIES: Final = 64
"""Most queries of one request."""
MAX_CHARACTERS: Final = 100_000
"""Most characters of one query."""
MAX_TOP_K: Final = 100
"""Most results of one query."""
MAX_RESULTS: Final = 2_000
"""Most results of one request, over all its queries."""
MAX_BODY_BYTES: Final = 8_000_000
"""Most bytes of one request."""

QueryText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        pattern=r"\S",
        description="A text to find similar cases for: facts, a question, a whole narrative.",
    ),
]
TopK = Annotated[int, Field(ge=1, le=MAX_TOP_K, strict=True, description="Results of a query.")]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchRequest(_Request):
    """One query."""

    query: QueryText
    top_k: TopK = 10


class BatchSearchRequest(_Request):
    """Several queries, each answered as if it were sent alone.

    The list may be called `facts` as well.
    """

    queries: list[QueryText] = Field(
        min_length=1,
        max_length=MAX_QUERIES,
        validation_alias=AliasChoices("queries", "facts"),
        description="The queries; also read under the name `facts`.",
    )
    top_k: TopK = 10

    @model_validator(mode="after")
    def _not_too_many(self) -> Self:
        if len(self.queries) * self.top_k > MAX_RESULTS:
            raise ValueError(f"more than {MAX_RESULTS} results; ask for fewer at a time")
        return self


class SearchResponse(BaseModel):
    """The results of one query, best first."""

    results: list[Hit]


class BatchSearchResponse(BaseModel):
    """The results of each query, in the order of the queries."""

    results: list[list[Hit]]


class Health(BaseModel):
    """What is being served."""

    status: Literal["ok"] = "ok"
    corpus: str
    documents: int
    rankers: list[str]


class Invalid(BaseModel):
    """One thing that is wrong with a request."""

    loc: list[str | int]
    msg: str


class Problem(BaseModel):
    """Why a request was not answered."""

    detail: str | list[Invalid]


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
    summary = "Find the cases that are similar to a text."
    app = FastAPI(title="CounterCase", summary=summary, docs_url=None, redoc_url=None)
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
        rankers = list(searcher.rankers)
        return Health(corpus=searcher.corpus, documents=searcher.documents, rankers=rankers)

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
