"""The pages of an analysis: precedents, facts, tree, and states side by side; and its ratings.

Explanations are rated from 1 to 5, by the items and with the CSV of `countercase annotate`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from countercase.corpus.judgment.treatment import standing
from countercase.counterfactual.attribution import Game, why_not
from countercase.errors import InputError
from countercase.evaluation.likert import sheets
from countercase.evaluation.likert.ratings import rater_names
from countercase.evaluation.likert.sheets import Item, Rating
from countercase.facts.model import FactSheet, Side
from countercase.law.in_force import Period, facts_period
from countercase.reports.counsel.authorities import Brief, Records
from countercase.reports.counsel.memo import find_smallest_changes
from countercase.reports.drawings.charts import tree_drawing
from countercase.reports.wording import say, strongest_first, verdict_meanings
from countercase.web import service
from countercase.web.corpora import OpenCorpus
from countercase.web.jobs import Job
from countercase.web.render import attach, html, mark_facts, mark_quotes
from countercase.web.service import TheJob, TheWorker
from countercase.web.worker import Worker

SCALE: Final = range(sheets.LOWEST, sheets.HIGHEST + 1)
Rater = Annotated[str, Query(max_length=64)]
_MOST_LISTED: Final = 1_000
"""Decisions of a corpus that are offered to choose from; of a larger one there are too many."""
TheSide = Annotated[Side, Query(description="The side that one acts for.")]


@dataclass(frozen=True)
class Made:
    """An analysis with what it gave so far, for a side."""

    worker: Worker
    job: Job
    result: dict[str, Any]
    side: Side

    @cached_property
    def corpus(self) -> OpenCorpus:
        """The corpus that it searched."""
        return self.worker.workspace.corpora.get(self.job.options.corpus)

    @cached_property
    def when(self) -> Period | None:
        """The days of its facts; None where the case does not state them."""
        return facts_period(self.sheet.occurred_on)

    @cached_property
    def sheet(self) -> FactSheet:
        """The facts that it read."""
        return self.worker.workspace.sheet_of(self.job.case_file)

    def records(self, cases: Iterable[str] = ()) -> Records:
        """Return the records of its corpus for the side, with the titles of `cases`, bad law marked."""
        analysis, held = self.result["analysis"], self.corpus.positions.keys() & set(cases)
        titles = {row["case_id"]: row["title"] for row in analysis["precedents"]}
        titles |= {case: self.corpus.title_of(case, self.when) for case in held}
        source = self.worker.workspace.session.settings.JUDGMENT_URL
        return Records(analysis["corpus"], self.sheet, self.side, titles, source)

    def show(self, template: str, **values: Any) -> HTMLResponse:
        """Return one of its pages, which may say how far it is."""
        job, result, run = self.job, self.result, self.worker.run_of(self.job.id)
        analysis, options = result.get("analysis"), job.options.model_dump(mode="json").items()
        asked = (analysis or {}).get("filters") or job.options.filters().asked
        shown = {
            "job": job, "side": self.side, "analysis": analysis, "notes": result.get("notes", []),
            "changes": find_smallest_changes(result["tree"]) if "tree" in result else {},
            "only": say("only", asked), "position": service.position_of(self.worker, job),
            "query": urlencode({k: v for k, v in options if v not in (None, "", [])}, doseq=True),
            "queue": service.queue_of(self.worker), "run": run,
            "lines": run.lines if run else result.get("lines", []),
        }  # fmt: skip
        return html(template, **shown | values)


def find_made(job: TheJob, worker: TheWorker, side: TheSide = "petitioner") -> Made:
    """Return an analysis with its result, which is empty while it has none."""
    job, result = service.read_result(worker, job)
    return Made(worker, job, result or {}, side)


TheMade = Annotated[Made, Depends(find_made)]


def find_begun(made: TheMade) -> Made:
    """Return an analysis with what it gave so far; where it gave nothing, show why it ended."""
    job, run = made.job, made.worker.run_of(made.job.id)
    if not made.result and job.over:
        raise HTTPException(303, "Nothing was measured.", {"Location": f"/results/{job.id}/tree"})
    return replace(made, result={"analysis": run.first}) if run and not made.result else made


TheBegun = Annotated[Made, Depends(find_begun)]


def find_finished(made: TheBegun) -> Made:
    """Return an analysis with its result; before that, show its first list and how far it is."""
    if not made.job.over:
        raise HTTPException(303, "It is not over yet.", {"Location": f"/results/{made.job.id}"})
    return made


TheAnalysis = Annotated[Made, Depends(find_finished)]

router = APIRouter(include_in_schema=False)
"""`/results/{job}` and most of what is below it."""


@router.get("/results/{job}")
def show_precedents(made: TheBegun) -> Response:
    """Show the precedents of the case as it is, by which way they went for a side.

    They stand there as soon as they are ranked, with what is measured by then.
    """
    brief, sides = None, list[tuple[str, str]]()
    if analysis := made.result.get("analysis"):
        records = made.records()
        brief, sides = Brief(analysis, records), records.sides
    return made.show("precedents.html", sides=sides, brief=brief, title=made.corpus.title_of)


@router.get("/results/{job}/precedents/{case_id:path}")
def show_decision(made: TheBegun, case_id: str) -> Response:
    """Show a decision with the passages that are quoted, in their place."""
    corpus, metadata = made.corpus, made.corpus.metadata_of(case_id)
    analysis = made.result.get("analysis")
    rows = [it for it in analysis["precedents"] if it["case_id"] == case_id] if analysis else []
    quotes = [reason["quote"]["text"] for row in rows for reason in row["reasons"]]
    return made.show(
        "decision.html", case_id=case_id, metadata=metadata,
        turned_on=corpus.quoter.turned_on(case_id),
        later=[treatment.line(made.when) for treatment in metadata.treatment],
        standing=standing(metadata.treatment, made.when),
        pieces=mark_quotes(corpus.text_of(case_id), quotes), row=rows[0] if rows else None,
        it=made.records([case_id]).authority(case_id) if analysis else None,
    )  # fmt: skip


@router.get("/results/{job}/why-not")
def show_why_not(
    made: TheAnalysis, decision: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """Show why a decision is not in the list, and what would bring it in."""
    answer, problem, corpus, words = None, "", made.corpus, decision.lower().split()
    title = corpus.title_of
    found = [it for it in corpus.positions if it == decision.strip()]  # by its id, or its title
    if words and not found:
        found = [it for it in corpus.positions if all(word in title(it).lower() for word in words)]
    rows = [it for it in made.result["analysis"]["precedents"] if [it["case_id"]] == found]
    if len(found) == 1 and not rows:
        with made.worker.workspace.turns.turn():
            opened = made.worker.workspace.opened(made.job)
            try:
                answer = why_not(found[0], Game((), opened.search), corpus.session.retriever)
            except InputError as error:
                problem = str(error).removeprefix(f"{found[0]}: ")
    return made.show(
        "why_not.html", decision=decision.strip(), answer=answer, problem=problem, found=found,
        title=title, row=rows[0] if rows else None,
        decisions=list(corpus.positions) if len(corpus.positions) <= _MOST_LISTED else [],
    )  # fmt: skip


@router.get("/results/{job}/facts")
def show_facts(made: TheAnalysis) -> Response:
    """Show each fact with how far it moves the list, and what its what-ifs do."""
    analysis = made.result["analysis"]
    rows = strongest_first(analysis["facts"])
    return made.show(
        "facts.html", rows=rows, pieces=mark_facts(made.sheet), sheet=made.sheet,
        links=[it for it in made.result["tree"]["links"] if it["source"] == "root"],
        lines={line["state"]: line for line in made.result["lines"]},
        verdicts=verdict_meanings(rows),
        told={what_if["edit_id"]: what_if for what_if in analysis["what_ifs"]},
    )  # fmt: skip


@router.get("/results/{job}/tree")
def show_tree(made: TheMade) -> Response:
    """Show the states of the case; live while the analysis runs."""
    tree, at = made.result.get("tree"), f"/results/{made.job.id}/compare?side={made.side}&s="
    return made.show("tree.html", drawing=tree_drawing(tree, at) if tree else None)


@router.get("/results/{job}/report.{kind}")
def send_report(job: TheJob, worker: TheWorker, kind: Literal["html", "docx"]) -> Response:
    """Send the report, to be kept and sent on."""
    content = worker.workspace.jobs.file(job.id, f"report.{kind}")
    if content is None:
        raise HTTPException(404, "The analysis has no such report.")
    return attach(f"report.{kind}", content, job.title)


@router.post("/results/{job}/cancel")
def stop(job: TheJob, worker: TheWorker) -> Response:
    """Cancel an analysis where it is not over, and show how far it came."""
    if not job.over:
        service.stop(job, worker)
    return RedirectResponse(f"/results/{job.id}/tree", 303)


@router.post("/results/{job}/run")
def again(job: TheJob, worker: TheWorker) -> Response:
    """Run an analysis again, and show how far it is."""
    return RedirectResponse(f"/results/{service.again(job, worker).id}/tree", 303)


@router.post("/results/{job}/delete")
def delete(job: TheJob, worker: TheWorker) -> Response:
    """Delete an analysis."""
    service.forget(job, worker)
    return RedirectResponse("/", 303)


def ratings_of(made: Made, rater: str) -> dict[str, Rating]:
    """Return what a rater says of each passage's explanation, by a short name, in their own order."""
    given, ratings = made.worker.workspace.jobs.ratings(made.job.id, rater), dict[str, Rating]()
    for item in sheets.in_own_order([Item(**item) for item in made.result["items"]], rater):
        key = hashlib.sha256("\x1f".join(item.key).encode()).hexdigest()[:16]
        ratings[key] = Rating(item, rater, *given.get(key, ({}, "")))
    return ratings


def check_rater(given: str) -> str:
    """Return the name of a single rater; an `InputError` where it is no name, or several."""
    names = rater_names(given)
    if len(names) > 1:
        raise InputError("give a single name")
    return names[0]


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
    known = list(ratings_of(made, rater))
    if key not in known:
        raise HTTPException(404, "The analysis has no such explanation.")
    given = {name: form[name] for name in filter(form.get, sheets.DIMENSIONS)}
    scores = {name: grade for name, it in given.items() for grade in SCALE if it == str(grade)}
    notes = str(form.get("notes", ""))[:4_000]
    if scores.keys() != given.keys() or not (scores or notes.strip()):
        span = f"{sheets.LOWEST} to {sheets.HIGHEST}"
        raise HTTPException(400, f"Choose a score, a whole number from {span}, or write a note.")
    made.worker.workspace.jobs.rate(made.job.id, rater, key, scores, notes)
    further = min(known.index(key) + 2, len(known))
    side = "&side=respondent" if made.side == "respondent" else ""
    return RedirectResponse(f"/results/{made.job.id}/rate?rater={rater}&at={further}{side}", 303)


@router.get("/results/{job}/rate.csv")
def send_ratings(made: TheAnalysis, rater: Rater) -> Response:
    """Send the sheet of a rater, as `countercase annotate import` reads it."""
    name = check_rater(rater)
    rows = sheets.ratings_csv(list(ratings_of(made, name).values()))
    return attach(f"{name}.csv", f"\ufeff{rows}")
