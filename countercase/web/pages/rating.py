"""Likert ratings of the explanations of an analysis; the items and the CSV of `annotate`."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from countercase.errors import InputError
from countercase.evaluation.likert import sheets
from countercase.evaluation.likert.files import rater_names
from countercase.evaluation.likert.sheets import Item, Rating
from countercase.web.pages.results import Finished, TheAnalysis
from countercase.web.render import attach

SCALE: Final = range(sheets.LOWEST, sheets.HIGHEST + 1)
Rater = Annotated[str, Query(max_length=64)]


def items_of(made: Finished, rater: str) -> dict[str, Item]:
    """Return the explanations by a short name, one for each passage, in the rater's own order."""
    items = sheets.in_own_order([Item(**item) for item in made.result["items"]], rater)
    return {hashlib.sha256("\x1f".join(item.key).encode()).hexdigest()[:16]: item for item in items}


def ratings_of(made: Finished, rater: str) -> dict[str, Rating]:
    """Return what a rater says of each explanation, by its short name."""
    given = made.workspace.jobs.ratings(made.job.id, rater)
    return {
        key: Rating(item, rater, *given.get(key, ({}, "")))
        for key, item in items_of(made, rater).items()
    }


def check_rater(given: str) -> str:
    """Return the name of a single rater; an `InputError` where it is no name, or several."""
    names = rater_names(given)
    if len(names) > 1:
        raise InputError("give a single name")
    return names[0]


router = APIRouter(include_in_schema=False)
"""`/results/{job}/rate` and its CSV."""


@router.get("/results/{job}/rate")
def show_rating(
    made: TheAnalysis, rater: Rater = "", at: Annotated[int, Query(ge=1, le=10_000)] = 1
) -> Response:
    """Show one explanation to be rated; who rates is asked first."""
    name, problem = "", ""
    if rater:
        try:
            name = check_rater(rater)
        except InputError as error:
            problem = str(error)
    ratings = list(ratings_of(made, name).items()) if name else []
    return made.show(
        "rate.html", rater=name, problem=problem, ratings=ratings,
        at=min(at, max(1, len(ratings))), scale=SCALE,
        narrative=made.job.case_file.get("text", ""),
    )  # fmt: skip


@router.post("/results/{job}/rate/{key}")
async def store_rating(
    made: TheAnalysis, key: Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")], request: Request
) -> Response:
    """Store what a rater says of an explanation, and show the next one."""
    form = await request.form(max_files=0, max_fields=10, max_part_size=20_000)
    rater = check_rater(str(form.get("rater", ""))[:64])
    known = list(items_of(made, rater))
    if key not in known:
        raise HTTPException(404, "The analysis has no such explanation.")
    grades, scores = {str(grade): grade for grade in SCALE}, dict[str, int]()
    for name in filter(form.get, sheets.DIMENSIONS):
        if form[name] not in grades:
            span = f"{sheets.LOWEST} to {sheets.HIGHEST}"
            raise HTTPException(400, f"{name} is a whole number from {span}.")
        scores[name] = grades[str(form[name])]
    made.workspace.jobs.rate(made.job.id, rater, key, scores, str(form.get("notes", ""))[:4_000])
    further = min(known.index(key) + 2, len(known))
    return RedirectResponse(f"/results/{made.job.id}/rate?rater={rater}&at={further}", 303)


@router.get("/results/{job}/rate.csv")
def send_ratings(made: TheAnalysis, rater: Rater) -> Response:
    """Send the sheet of a rater, as `countercase annotate import` reads it."""
    name = check_rater(rater)
    rows = sheets.ratings_csv(list(ratings_of(made, name).values()))
    return attach(f"{name}.csv", f"\ufeff{rows}")
