"""What is searched and with what; and the page that asks for the token."""

from __future__ import annotations

from collections import Counter
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from countercase.counterfactual.sensitivity import CRITERIA
from countercase.reports.evaluation import kept_accuracy
from countercase.web.models import CorpusName
from countercase.web.render import html
from countercase.web.security import COOKIE, Access
from countercase.web.service import TheWorker

router = APIRouter(include_in_schema=False)
"""`/about`."""
sign_in_router = APIRouter(include_in_schema=False)
"""`/sign-in`: takes the token once and gives a cookie for it."""


@router.get("/about")
def show_about(worker: TheWorker, corpus: Annotated[CorpusName, Query()] = "") -> Response:
    """Show what is searched, with which models and settings."""
    corpora = worker.workspace.corpora
    session = corpora.get(corpus).session
    snapshot = session.snapshot
    decades = Counter(m.year // 10 * 10 for m in snapshot.metadata if m.year)
    courts = Counter(metadata.court or "not known" for metadata in snapshot.metadata)
    return html(
        "about.html",
        corpus=snapshot.manifest,
        corpora=corpora.choices(),
        models=session.models,
        settings=session.settings.fingerprint(),
        accuracy={name: kept for name in CRITERIA if (kept := kept_accuracy(name))},
        decades=sorted(decades.items()),
        courts=courts.most_common(20),
        areas=[(name.replace("_", " "), n) for name, n in snapshot.areas.items()],
    )


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
