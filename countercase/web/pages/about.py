"""What is searched and with what; and the page that asks for the token."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from countercase.corpus.index.snapshot import Snapshot
from countercase.counterfactual.sensitivity import CRITERIA
from countercase.reports.evaluation import kept_accuracy
from countercase.web.models import CorpusName
from countercase.web.render import page
from countercase.web.security import COOKIE, Access
from countercase.web.worker import Worker
from countercase.web.workspace import Workspace

_LICENCES: Final = (
    ("CounterCase: program, casebook records, trained adapters", "MIT"),
    ("all-MiniLM-L6-v2: the base of the embedded models", "Apache-2.0"),
    ("htmx: the only foreign script of these pages", "0BSD"),
)


def about_pages(workspace: Workspace, worker: Worker) -> APIRouter:
    """`/about`."""
    router = APIRouter(include_in_schema=False)

    def coverage(snapshot: Snapshot) -> dict[str, Any]:
        decades = Counter(m.year // 10 * 10 for m in snapshot.metadata if m.year)
        courts = Counter(metadata.court or "not known" for metadata in snapshot.metadata)
        return {
            "decades": sorted(decades.items()),
            "courts": courts.most_common(20),
            "areas": [(name.replace("_", " "), n) for name, n in snapshot.areas.items()],
        }

    @router.get("/about")
    def about(corpus: Annotated[CorpusName, Query()] = "") -> HTMLResponse:
        session = workspace.corpora.get(corpus).session
        return HTMLResponse(
            page(
                "about.html",
                corpus=session.snapshot.manifest,
                corpora=workspace.corpora.choices(),
                models=session.models,
                settings=session.settings.fingerprint(),
                licences=_LICENCES,
                accuracy={name: kept for name in CRITERIA if (kept := kept_accuracy(name))},
                **coverage(session.snapshot),
            )
        )

    return router


def sign_in(access: Access) -> APIRouter:
    """`/sign-in`: takes the token once and gives a cookie for it."""
    router = APIRouter(include_in_schema=False)

    @router.get("/sign-in")
    def ask() -> HTMLResponse:
        return HTMLResponse(page("sign_in.html", wrong=False))

    @router.post("/sign-in")
    async def check(request: Request) -> Response:
        body = (await request.body())[:4_096].decode(errors="replace")
        given = parse_qs(body).get("token", [""])[0].strip()
        if not access.token or not access.is_token(given):
            return HTMLResponse(page("sign_in.html", wrong=True), 401)
        response = RedirectResponse("/", 303)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, access.cookie, httponly=True, samesite="strict", secure=secure)
        return response

    return router
