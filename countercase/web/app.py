"""The application: searches, and over an indexed corpus the analyses and the pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.responses import Response
from starlette.staticfiles import StaticFiles

from countercase import __version__
from countercase.reports.drawings.canvas import drawing_css
from countercase.web import models, service
from countercase.web.pages import about, cases, rating, results, suppose
from countercase.web.problems import Problem, answer_with_problems, problems
from countercase.web.render import html
from countercase.web.searchers import Searcher
from countercase.web.security import Access, Guard, Rate
from countercase.web.service import queue_of
from countercase.web.turns import Turns
from countercase.web.worker import Worker


def create_app(
    searcher: Searcher,
    access: Access | None = None,
    worker: Worker | None = None,
    rate: Rate | None = None,
) -> FastAPI:
    """Return the service over one corpus.

    Args:
        access: who may ask; everyone, under any name, where it is left out.
        worker: what analyses cases; without it there are searches alone.
    """
    access = access or Access()
    turns = worker.workspace.turns if worker else Turns()

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        if worker is not None:
            worker.start()
        yield
        if worker is not None:
            worker.stop()

    # Our own page of /docs: that of FastAPI takes its scripts from another server.
    app = FastAPI(
        title="CounterCase",
        version=__version__,
        summary="Which facts of a case decide which precedents it gets.",
        docs_url=None,
        redoc_url=None,
        lifespan=running,
    )
    app.state.access, app.state.worker, app.state.streams = access, worker, 0

    @app.post("/batch_search", responses=problems())
    def batch_search(request: models.BatchSearchRequest) -> models.BatchSearchResponse:
        """Find the documents most like each of several texts, best first."""
        with turns.turn():
            return models.BatchSearchResponse(
                results=searcher.search(request.queries, request.top_k)
            )

    @app.post("/search", responses=problems())
    def search(request: models.SearchRequest) -> models.SearchResponse:
        """Find the documents most like a text, best first."""
        with turns.turn():
            [hits] = searcher.search([request.query], request.top_k)
        return models.SearchResponse(results=hits)

    @app.get("/health", responses=problems())
    def health() -> models.Health:
        """Tell what is being served, and how many analyses wait."""
        works = worker is None or worker.is_alive
        return models.Health(
            status="stopping" if worker and worker.stopping else "ok" if works else "no worker",
            version=__version__,
            corpus=searcher.corpus,
            documents=searcher.documents,
            rankers=list(searcher.rankers),
            queue=queue_of(worker) if worker else None,
        )

    @app.get("/docs", include_in_schema=False)
    def docs() -> Response:
        """Show the schema as a page."""
        return html("docs.html", schema=app.openapi(), pages=worker is not None)

    @app.get("/drawings.css", include_in_schema=False)
    def drawings() -> Response:
        """Send the colours of the drawings."""
        return Response(drawing_css(), media_type="text/css")

    answer_with_problems(app)
    app.include_router(about.sign_in_router)
    if worker is not None:
        for part in (service, cases, results, suppose, rating, about):
            app.include_router(part.router)
    app.mount("/static", StaticFiles(packages=[("countercase.web", "static")]), name="static")
    app.add_middleware(Guard, access=access, rate=rate or Rate())
    app.openapi = lambda: _schema(app)  # type: ignore[method-assign]
    return app


def _schema(app: FastAPI) -> dict[str, object]:
    """Return the OpenAPI schema, with the model of refusals, which is answered outside of the routes."""
    if app.openapi_schema is None:
        own = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        parts = FastAPI.openapi(app).setdefault("components", {}).setdefault("schemas", {})
        parts |= own.pop("$defs", {}) | {"Problem": own}
    return app.openapi_schema or {}
