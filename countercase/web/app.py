"""The application: searches, and over an indexed corpus the analyses and the pages; and how it is run.

Here are also the pages that say what is searched and with what, and that ask for the token. It runs
on loopback unless another address is given, and then with a token.
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from json import detect_encoding
from types import FrameType
from typing import Annotated, Any, Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from countercase import __version__
from countercase.counterfactual.sensitivity import CRITERIA
from countercase.errors import ConfigError
from countercase.io import parse_json
from countercase.reports.drawings.canvas import drawing_css
from countercase.reports.evaluation import kept_accuracy
from countercase.web import models, service
from countercase.web.corpora import Searcher
from countercase.web.pages import cases, results, suppose
from countercase.web.render import Problem, answer_with_problems, html, problems
from countercase.web.security import COOKIE, Access, Guard, Rate, is_loopback, name_of
from countercase.web.service import TheWorker, queue_of
from countercase.web.worker import Worker
from countercase.web.workspace import Turns

SHORTEST_TOKEN: Final = 16
MOST_CONNECTIONS: Final = 128
"""Connections at a time; a further one gets status 503."""

about_router = APIRouter(include_in_schema=False)
sign_in_router = APIRouter(include_in_schema=False)
"""`/about`; and `/sign-in`, which takes the token once and gives a cookie for it."""


@about_router.get("/about")
def show_about(worker: TheWorker, corpus: Annotated[models.CorpusName, Query()] = "") -> Response:
    """Show what is searched, with which models and settings."""
    corpora = worker.workspace.corpora
    session = corpora.get(corpus).session
    snapshot = session.snapshot
    decades = sorted(Counter(m.year // 10 * 10 for m in snapshot.metadata if m.year).items())
    courts = Counter(metadata.court or "not known" for metadata in snapshot.metadata)
    return html(
        "about.html", corpus=snapshot.manifest, corpora=corpora.choices(), models=session.models,
        settings=session.settings.fingerprint(), courts=courts.most_common(20),
        accuracy={name: kept for name in CRITERIA if (kept := kept_accuracy(name))},
        areas=[(name.replace("_", " "), n) for name, n in snapshot.areas.items()], decades=decades,
    )  # fmt: skip


@sign_in_router.get("/sign-in")
def show_sign_in() -> Response:
    """Ask for the token."""
    return html("sign_in.html", wrong=False)


@sign_in_router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Give a cookie for the token."""
    access: Access = request.app.state.access
    body = (await request.body())[:4_096].decode(errors="replace")
    given = parse_qs(body).get("token", [""])[0].strip()
    if not access.token or not access.is_token(given):
        return html("sign_in.html", 401, wrong=True)
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, access.cookie, httponly=True, samesite="strict", secure=secure)
    return response


async def check_json(request: Request) -> None:
    """Raise an `InputError` for a body of JSON that no file may hold, such as one with a key twice."""
    kind = request.headers.get("content-type", "").lower()
    if "json" in kind and (body := await request.body()):
        parse_json(body.decode(detect_encoding(body), "replace"), "the request")


def create_app(
    searcher: Searcher,
    access: Access | None = None,
    worker: Worker | None = None,
    rate: Rate | None = None,
) -> FastAPI:
    """Return the service over one corpus, for everyone where no access is given.

    Without a worker that analyses cases there are searches alone.
    """
    access = access or Access()
    turns = worker.workspace.turns if worker else Turns()
    answer, later = (turns.turn(patient=it)(searcher.search) for it in (False, True))

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        if worker is not None:
            worker.start()
        yield
        if worker is not None:
            worker.stop()

    # Our own page of /docs: that of FastAPI takes its scripts from another server.
    app = FastAPI(
        title="CounterCase", version=__version__, docs_url=None, redoc_url=None, lifespan=running,
        summary="Which facts of a case decide which precedents it gets.",
        dependencies=[Depends(check_json)],
    )  # fmt: skip
    app.state.access, app.state.worker, app.state.streams = access, worker, 0

    @app.post("/batch_search", responses=problems())
    def batch_search(request: models.BatchSearchRequest) -> models.BatchSearchResponse:
        """Find the documents most like each of several texts, best first; others may come between."""
        first, *others = request.queries
        found = [answer(first, request.top_k), *(later(it, request.top_k) for it in others)]
        return models.BatchSearchResponse(results=found)

    @app.post("/search", responses=problems())
    def search(request: models.SearchRequest) -> models.SearchResponse:
        """Find the documents most like a text, best first."""
        return models.SearchResponse(results=answer(request.query, request.top_k))

    @app.get("/health", responses=problems())
    def health() -> models.Health:
        """Tell what is being served, and how many analyses wait."""
        works = worker is None or worker.is_alive
        return models.Health(
            status="stopping" if worker and worker.stopping.is_set() else "ok" if works else "no worker",
            version=__version__, corpus=searcher.corpus, documents=searcher.documents,
            rankers=list(searcher.rankers), queue=queue_of(worker) if worker else None,
        )  # fmt: skip

    @app.get("/docs", include_in_schema=False)
    def docs() -> Response:
        """Show the schema as a page."""
        return html("docs.html", schema=app.openapi(), pages=worker is not None)

    @app.get("/drawings.css", include_in_schema=False)
    def drawings() -> Response:
        """Send the colours of the drawings."""
        return Response(drawing_css(), media_type="text/css")

    answer_with_problems(app)
    app.include_router(sign_in_router)
    if worker is not None:
        for part in (service, cases, results, suppose):
            app.include_router(part.router)
        app.include_router(about_router)
    app.mount("/static", StaticFiles(packages=[("countercase.web", "static")]), name="static")
    app.add_middleware(Guard, access=access, rate=rate or Rate())

    def schema() -> dict[str, Any]:
        if app.openapi_schema is None:  # refusals are answered outside of the routes
            own = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            parts = FastAPI.openapi(app).setdefault("components", {}).setdefault("schemas", {})
            parts |= own.pop("$defs", {}) | {"Problem": own}
        return app.openapi_schema or {}

    app.openapi = schema  # type: ignore[method-assign]
    return app


def check_token(host: str, token: str) -> None:
    """Raise a `ConfigError` where others can reach the server without a token that is hard to guess."""
    if token and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ConfigError(
            f"--token: at least {SHORTEST_TOKEN} plain characters; "
            'python3 -c "import secrets; print(secrets.token_urlsafe(32))" prints a good one'
        )
    if not token and not is_loopback(host):
        raise ConfigError(
            f"--host {host}: other machines can reach it, so it needs --token (or the environment "
            "variable COUNTERCASE_TOKEN)"
        )


def names_of(host: str, further: Sequence[str]) -> frozenset[str]:
    """Return by which names a server on `host` may be asked: this machine's and those allowed `further`."""
    own, here = [host], ("localhost", "127.0.0.1", "[::1]")
    if host in ("0.0.0.0", "::"):
        own = [socket.gethostname()]
        with contextlib.suppress(OSError):  # a machine whose name has no address
            found = socket.getaddrinfo(own[0], None, type=socket.SOCK_STREAM)
            own += [str(address[0]) for *_, address in found]
    written = [f"[{name}]" if ":" in name else name for name in own]
    return frozenset(name_of(name) for name in (*here, *written, *further))


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket, at port 0 any free one; a `ConfigError` where it cannot be had."""
    stream, passive = socket.SOCK_STREAM, socket.AI_PASSIVE
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=stream, flags=passive)[0]
        return socket.create_server(address[:2], family=family, backlog=MOST_CONNECTIONS)
    except OSError as error:
        raise ConfigError(
            f"--host {host} --port {port}: cannot be used ({error.strerror}); choose another"
        ) from error


def run_app(app: object, listening: socket.socket, stopping: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM, which call `stopping`; requests in progress are answered first."""
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if sig == signal.SIGTERM:  # not raised again: the command ends in its own words
                self.should_exit = True
            else:
                super().handle_exit(sig, frame)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            stopping()  # not in the handler of a signal, which may come in the middle of a line of log
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning", access_log=False, server_header=False,
        limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=10,
    )  # fmt: skip
    Server(config).run(sockets=[listening])
