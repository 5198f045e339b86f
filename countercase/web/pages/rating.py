"""Likert ratings of the explanations of an analysis; the items and the CSV of `annotate`."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from countercase.errors import InputError
from countercase.evaluation.likert.files import rater_names
from countercase.evaluation.likert.sheets import (
    DIMENSIONS,
    HIGHEST,
    LOWEST,
    Item,
    Rating,
    in_own_order,
    ratings_csv,
)
from countercase.web.pages.results import finished, show
from countercase.web.service import JobId
from countercase.web.worker import Worker
from countercase.web.workspace import Workspace

QUESTIONS: Final = {
    "clarity": "Clarity: is it understood without effort?",
    "legal_accuracy": "Legal accuracy: is it precise and right?",
    "usefulness": "Usefulness: does it help research?",
}
Rater = Annotated[str, Query(max_length=64)]


def items_of(result: dict[str, Any], rater: str) -> list[Item]:
    """The explanations of an analysis, one for each passage quoted, in the rater's own order."""
    return in_own_order([Item(**item) for item in result["items"]], rater)


def key_of(item: Item) -> str:
    """A short name of an item, for the address of its page."""
    return hashlib.sha256("\x1f".join(item.key).encode()).hexdigest()[:16]


def rater_of(given: str) -> str:
    """The name of a single rater.

    Raises:
        InputError: it is no name, or those of several.
    """
    names = rater_names(given)
    if len(names) > 1:
        raise InputError("give a single name")
    return names[0]


def rating_pages(workspace: Workspace, worker: Worker) -> APIRouter:
    """`/results/{job}/rate` and its CSV."""
    router = APIRouter(include_in_schema=False)

    def rated(job: str, rater: str, result: dict[str, Any]) -> list[Rating]:
        given = workspace.jobs.ratings(job, rater)
        items = items_of(result, rater)
        return [Rating(item, rater, *given.get(key_of(item), ({}, ""))) for item in items]

    @router.get("/results/{job}/rate")
    def rate(
        job: JobId, rater: Rater = "", at: Annotated[int, Query(ge=1, le=10_000)] = 1
    ) -> Response:
        """One explanation to be rated; who rates is asked first."""
        found, result = finished(workspace, job)
        name, problem = "", ""
        if rater:
            try:
                name = rater_of(rater)
            except InputError as error:
                problem = str(error)
        ratings = rated(job, name, result) if name else []
        at = min(at, max(1, len(ratings)))
        return show(
            "rate.html", found, result, rater=name, problem=problem, ratings=ratings, at=at,
            questions=QUESTIONS, scale=range(LOWEST, HIGHEST + 1), key_of=key_of,
            narrative=found.case_file.get("text", ""),
        )  # fmt: skip

    @router.post("/results/{job}/rate/{key}")
    async def store(
        job: JobId, key: Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")], request: Request
    ) -> Response:
        _, result = finished(workspace, job)
        form = await request.form(max_files=0, max_fields=10, max_part_size=20_000)
        rater = rater_of(str(form.get("rater", ""))[:64])
        known = [key_of(item) for item in items_of(result, rater)]
        if key not in known:
            raise HTTPException(404, "The analysis has no such explanation.")
        scores: dict[str, int] = {}
        for name in DIMENSIONS:
            written = str(form.get(name, ""))
            if written and written not in map(str, range(LOWEST, HIGHEST + 1)):
                raise HTTPException(400, f"{name} is a whole number from {LOWEST} to {HIGHEST}.")
            scores |= {name: int(written)} if written else {}
        notes = str(form.get("notes", ""))[:4_000]
        workspace.jobs.rate(job, rater, key, scores, notes)
        further = min(known.index(key) + 2, len(known))
        return RedirectResponse(f"/results/{job}/rate?rater={rater}&at={further}", 303)

    @router.get("/results/{job}/rate.csv")
    def export(job: JobId, rater: Rater) -> Response:
        """The sheet of a rater, as `countercase annotate import` reads it."""
        _, result = finished(workspace, job)
        name = rater_of(rater)
        text = "\ufeff" + ratings_csv(rated(job, name, result))
        named = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
        return HTMLResponse(text, media_type="text/csv", headers=named)

    return router
