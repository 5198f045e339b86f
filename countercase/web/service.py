"""The service for programs: analyses as jobs, and what is answered at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from countercase.corpus.judgment.treatment import standing
from countercase.counterfactual.tree import GROWING
from countercase.errors import InputError
from countercase.explanation.reasons import fact_label
from countercase.facts.case_file import write_case
from countercase.facts.extraction import find_occurrence
from countercase.facts.model import FactSheet
from countercase.law.in_force import facts_period
from countercase.retrieval.strength import is_weak
from countercase.web import models
from countercase.web.jobs import MOST_QUEUED, Job
from countercase.web.models import AnalysisOptions
from countercase.web.render import MissingError, problems
from countercase.web.worker import Worker

RUN_AGAIN: Final = ("cancelled", "stopped", "failed", "broken")
"""How an analysis ends that may be run again."""
POLL: Final = 0.2
"""Seconds between two looks at a job."""
MOST_STREAMS: Final = 24
LONGEST_STREAM: Final = 900.0
"""Seconds after which a stream ends; a browser then opens it again."""


def worker_of(request: Request) -> Worker:
    """Return the worker of the application that is asked."""
    worker: Worker = request.app.state.worker
    return worker


TheWorker = Annotated[Worker, Depends(worker_of)]


def find_job(
    job: Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="The id of an analysis.")],
    worker: TheWorker,
) -> Job:
    """Return the analysis of this id; 404 where there is none."""
    return worker.workspace.jobs.job(job)


TheJob = Annotated[Job, Depends(find_job)]


def queue_of(worker: Worker) -> models.Queue:
    """Return how many analyses wait, and who works on them."""
    jobs = worker.workspace.jobs
    waiting = len(jobs.queue())
    return models.Queue(
        running=bool(worker.running), waiting=waiting, room=max(0, MOST_QUEUED - waiting),
        workers=int(worker.is_alive), oldest=round(jobs.oldest_wait(), 1),
    )  # fmt: skip


def enqueue(worker: Worker, sheet: FactSheet, options: AnalysisOptions, source: str = "") -> Job:
    """Queue the analysis of a case; refuse what could not be analysed."""
    workspace = worker.workspace
    if worker.stopping.is_set():
        raise HTTPException(503, "The server is ending.", {"Retry-After": "60"})
    if not sheet.facts:
        raise InputError("No fact was read out of the case, so there is none to change; add one.")
    corpus = workspace.corpora.get(options.corpus)
    options.filters().of_facts(sheet.occurred_on).allowed(corpus.snapshot)
    options = options.model_copy(update={"corpus": corpus.name})
    job = workspace.jobs.put(workspace.stored_of(sheet), options.model_dump(mode="json"), source)
    worker.woken.set()
    return job


def read_result(worker: Worker, job: Job) -> tuple[Job, dict[str, Any] | None]:
    """Return an analysis and what it gave: None where that is nothing yet, or cannot be read."""
    if not job.over or job.status == "unreadable":
        return job, None
    result = worker.workspace.jobs.result(job.id)
    return (job if result else find_job(job.id, worker)), result


def position_of(worker: Worker, job: Job) -> int:
    """Return the place of an analysis in the queue, from 1; 0 where it does not wait."""
    queue = worker.workspace.jobs.queue() if job.status == "queued" else []
    return queue.index(job.id) + 1 if job.id in queue else 0


def describe(
    worker: Worker, job: Job, result: dict[str, Any] | None = None
) -> models.AnalysisResponse:
    """Return an analysis as the service tells it, with the `result` that it gave."""
    at, given, run = f"/analyses/{job.id}", result or {}, worker.run_of(job.id)
    links = {"self": at} | {name: f"{at}/{name}" for name in ("events", "cancel", "run")}
    return models.AnalysisResponse(
        **vars(job), title=job.title, case_id=str(job.case_file["case_id"]),
        position=position_of(worker, job), progress=run.progress if run else None,
        links=links | {"page": f"/results/{job.id}"},
        analysis=given.get("analysis"), tree=given.get("tree"),
    )  # fmt: skip


async def limit_streams(request: Request) -> AsyncIterator[None]:
    """Count the streams that are open; 503 where there are too many."""
    state = request.app.state
    if state.streams >= MOST_STREAMS:
        raise HTTPException(503, "Too many listen already.", {"Retry-After": "10"})
    state.streams += 1
    try:
        yield
    finally:
        state.streams -= 1


router = APIRouter()
"""The routes of the service but for the searches."""


@router.post("/analyses", status_code=202, responses=problems())
def analyze(
    request: models.AnalysisRequest, response: Response, worker: TheWorker
) -> models.AnalysisResponse:
    """Queue the analysis of a case; the answer says where to look for it."""
    job = enqueue(worker, worker.workspace.read_input(request), request.options)
    response.headers["Location"] = f"/analyses/{job.id}"
    return describe(worker, job)


@router.get("/analyses/{job}", responses=problems(404))
def analysis(job: TheJob, worker: TheWorker) -> models.AnalysisResponse:
    """Tell how far an analysis is, and once it is over what it gave."""
    return describe(worker, *read_result(worker, job))


@router.delete("/analyses/{job}", status_code=204, responses=problems(404, 409))
def forget(job: TheJob, worker: TheWorker) -> None:
    """Delete an analysis with its case; it must be over."""
    if not job.over:
        raise HTTPException(409, "Cancel the analysis first.")
    worker.workspace.jobs.remove(job.id)


@router.post("/analyses/{job}/cancel", responses=problems(404, 409))
def stop(job: TheJob, worker: TheWorker) -> models.AnalysisResponse:
    """Break an analysis off; what was measured until then is kept."""
    if job.over:
        raise HTTPException(409, f"The analysis is over ({job.status}).")
    if not worker.workspace.jobs.cancel_queued(job.id) and (run := worker.run_of(job.id)):
        run.cancelled = True
    return describe(worker, find_job(job.id, worker))


@router.post("/analyses/{job}/run", status_code=202, responses=problems(404, 409))
def again(job: TheJob, worker: TheWorker) -> models.AnalysisResponse:
    """Run an analysis again that was cancelled, stopped, broken, or failed."""
    if job.status not in RUN_AGAIN:
        raise HTTPException(409, f"Only a broken-off analysis is run again; it is {job.status}.")
    queued = worker.workspace.jobs.put_again(job.id)
    worker.woken.set()
    return describe(worker, queued)


@router.get(
    "/analyses/{job}/events",
    response_class=EventSourceResponse,
    dependencies=[Depends(limit_streams)],
    responses={
        **problems(404),
        200: {"description": "Events `progress`, `tree` and `over`, until the analysis is over."},
    },
)
async def listen(
    job: TheJob, worker: TheWorker, request: Request
) -> AsyncIterator[ServerSentEvent]:
    """Tell how far an analysis is, as server-sent events."""
    told, lasted, lines, stops = "", 0.0, None, worker.stopping.is_set
    while not stops() and lasted < LONGEST_STREAM and not await request.is_disconnected():
        try:
            now = await asyncio.to_thread(find_job, job.id, worker)
        except MissingError:
            now = job.model_copy(update={"status": "cancelled", "detail": "It was deleted."})
        if now.over:
            ended = json.dumps({"status": now.status, "detail": now.detail})
            yield ServerSentEvent(event="over", raw_data=ended)
            return
        run = worker.run_of(job.id)
        progress = describe(worker, now).model_dump(include={"status", "position", "progress"})
        if (telling := json.dumps(progress)) != told:
            told = telling
            yield ServerSentEvent(event="progress", raw_data=told)
        if run is not None and run.lines is not lines and run.progress.what == GROWING:
            lines = run.lines
            yield ServerSentEvent(event="tree", raw_data=json.dumps({"states": len(run.lines)}))
        await asyncio.sleep(POLL)
        lasted += POLL


@router.post("/facts", responses=problems())
def facts(request: models.CaseInput, worker: TheWorker) -> models.FactsResponse:
    """Read the facts of a case, with their places in the narrative, and a case file of them."""
    sheet = worker.workspace.read_input(request)
    listed = [
        models.FactOut(**vars(it) | {"value": str(it.value), "label": fact_label(it)})
        for it in sheet.facts
    ]
    return models.FactsResponse(facts=listed, occurred_on=sheet.occurred_on, case=write_case(sheet))


@router.post("/retrieve", responses=problems())
def retrieve(request: models.RetrieveRequest, worker: TheWorker) -> models.RetrieveResponse:
    """Find the precedents of a text, each with its trace through the stages."""
    corpus = worker.workspace.corpora.get(request.corpus)
    session = corpus.session
    with worker.workspace.turns.turn():
        query = session.query(request.query)
        day = find_occurrence(query.text)
        filters, top_k = request.filters().of_facts(day), request.top_k
        [ranking] = session.retriever.retrieve([query], top_k=top_k, filters=filters)
        weak = is_weak(ranking, session.snapshot, session.encoders)
    results = list[models.RetrievedPrecedent]()
    for it in ranking.results:
        metadata = corpus.metadata_of(it.case_id)
        told = vars(metadata) | vars(it) | {"title": metadata.title or it.case_id}
        results.append(models.RetrievedPrecedent(
            **told, standing=standing(metadata.treatment, facts_period(day)),
            passage=corpus.snapshot.text(it.matches[0].chunk) if it.matches else "",
        ))  # fmt: skip
    return models.RetrieveResponse(results=results, weak_match=weak)


@router.get("/precedents/{case_id:path}", responses=problems(404))
def precedent(
    case_id: str, worker: TheWorker, corpus: Annotated[models.CorpusName, Query()] = ""
) -> models.PrecedentResponse:
    """Show one decision of a corpus, with what it turned on and what became of it."""
    held = worker.workspace.corpora.get(corpus)
    metadata = held.metadata_of(case_id)
    return models.PrecedentResponse(
        **vars(metadata), case_id=case_id, turned_on=list(held.quoter.turned_on(case_id)),
        standing=standing(metadata.treatment, None), text=held.text_of(case_id),
        later=[treatment.line(None) for treatment in metadata.treatment],
    )  # fmt: skip
