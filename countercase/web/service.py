"""The service for programs: analyses as jobs, and what is answered at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from countercase.corpus.judgment.treatment import standing
from countercase.counterfactual.tree import GROWING
from countercase.explanation.labels import fact_label
from countercase.explanation.strength import is_weak
from countercase.facts.case_file import write_case
from countercase.facts.model import FactSheet
from countercase.law.in_force import facts_period
from countercase.retrieval.base import RankedCase
from countercase.text.dates import date_of_occurrence
from countercase.web.corpora import OpenCorpus
from countercase.web.jobs import MOST_QUEUED, RUN_AGAIN, Job
from countercase.web.models import (
    AnalysisOptions,
    AnalysisRequest,
    AnalysisResponse,
    CaseInput,
    CorpusName,
    FactOut,
    FactsResponse,
    PrecedentResponse,
    ProgressOut,
    Queue,
    RetrievedPrecedent,
    RetrieveRequest,
    RetrieveResponse,
)
from countercase.web.problems import problems
from countercase.web.worker import Worker
from countercase.web.workspace import Workspace

JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="The id of an analysis.")]
POLL: Final = 0.2
BEAT: Final = 10.0
"""Seconds between two looks at a job, and between two signs of life of a stream."""
MOST_STREAMS: Final = 24
LONGEST_STREAM: Final = 900.0
"""Seconds after which a stream ends; a browser then opens it again."""


def queue_of(worker: Worker) -> Queue:
    """The analyses that wait."""
    jobs = worker.workspace.jobs
    waiting = len(jobs.queue())
    return Queue(
        running=bool(worker.running),
        waiting=waiting,
        room=max(0, MOST_QUEUED - waiting),
        workers=int(worker.is_alive),
        oldest=round(jobs.oldest_wait(), 1),
    )


def enqueue(worker: Worker, sheet: FactSheet, options: AnalysisOptions, source: str = "") -> Job:
    """Queue the analysis of a case; refuses what could not be analysed."""
    workspace = worker.workspace
    if worker.stopping:
        raise HTTPException(503, "The server is ending.", {"Retry-After": "60"})
    if not sheet.facts:
        raise HTTPException(400, "No fact was read out of the case, so there is none to change.")
    corpus = workspace.corpora.get(options.corpus)
    options.filters().of_facts(sheet.occurred_on).allowed(corpus.snapshot)
    options = options.model_copy(update={"corpus": corpus.name})
    job = workspace.jobs.put(write_case(sheet), options.model_dump(mode="json"), source)
    worker.wake()
    return job


def job_or_404(workspace: Workspace, job: str) -> Job:
    """The analysis of this id."""
    try:
        return workspace.jobs.job(job)
    except KeyError:
        raise HTTPException(404, "There is no such analysis.") from None


def read_result(workspace: Workspace, job: str) -> tuple[Job, dict[str, Any] | None]:
    """An analysis and what it gave: None where that is nothing yet, or nothing that can be read."""
    found = job_or_404(workspace, job)
    if not found.over or found.status == "unreadable":
        return found, None
    result = workspace.jobs.result(job)
    return (found if result else job_or_404(workspace, job)), result


def remove(workspace: Workspace, job: str) -> None:
    """Delete an analysis with its case; 409 where it is not over."""
    if not job_or_404(workspace, job).over:
        raise HTTPException(409, "Cancel the analysis first.")
    workspace.jobs.remove(job)


def cancel(worker: Worker, job: Job) -> None:
    """Cancel an analysis that waits or runs; 409 where it is over."""
    if job.over:
        raise HTTPException(409, f"The analysis is over ({job.status}).")
    if not worker.workspace.jobs.cancel_queued(job.id):
        worker.cancel(job.id)


def run_again(worker: Worker, job: Job) -> Job:
    """Queue an analysis that ended without being done; 409 where it was done or is not over."""
    if job.status not in RUN_AGAIN:
        raise HTTPException(409, f"Only a broken-off analysis is run again; it is {job.status}.")
    again = worker.workspace.jobs.put_again(job.id)
    worker.wake()
    return again


def progress_of(worker: Worker, job: Job) -> ProgressOut | None:
    """How far a running analysis is."""
    at = worker.progress(job.id)
    return None if at is None else ProgressOut.model_validate(at, from_attributes=True)


async def events(worker: Worker, job: str, request: Request) -> AsyncIterator[str]:
    """`progress` whenever something was done, `tree` when states were added, `over` at the end."""
    told, version, silent, lasted = "", -1, 0.0, 0.0
    while not worker.stopping and lasted < LONGEST_STREAM and not await request.is_disconnected():
        at = await asyncio.to_thread(worker.workspace.jobs.job, job)
        if at.over:
            yield f"event: over\ndata: {json.dumps({'status': at.status, 'detail': at.detail})}\n\n"
            return
        now = progress_of(worker, at)
        values = {"status": at.status, "position": position_of(worker.workspace, at)}
        told_now = json.dumps(values | {"progress": now.model_dump() if now else None})
        if told_now != told:
            told, silent = told_now, 0.0
            yield f"event: progress\ndata: {told_now}\n\n"
        state = worker.progress(job)
        if state is not None and state.version != version and state.what == GROWING:
            version = state.version
            yield f'event: tree\ndata: {{"states": {len(state.lines)}}}\n\n'
        if silent >= BEAT:
            silent = 0.0
            yield ": waiting\n\n"
        await asyncio.sleep(POLL)
        silent, lasted = silent + POLL, lasted + POLL


def position_of(workspace: Workspace, job: Job) -> int:
    """The place of an analysis in the queue, from 1; 0 where it does not wait."""
    queue = workspace.jobs.queue() if job.status == "queued" else []
    return queue.index(job.id) + 1 if job.id in queue else 0


def response_of(worker: Worker, job: Job, full: bool) -> AnalysisResponse:
    """An analysis as the service tells it."""
    result: dict[str, Any] | None = None
    if full:
        job, result = read_result(worker.workspace, job.id)
    result = result or {}
    at = f"/analyses/{job.id}"
    links = {"self": at, "events": f"{at}/events", "cancel": f"{at}/cancel", "run": f"{at}/run"}
    return AnalysisResponse(
        **{name: getattr(job, name) for name in ("id", "status", "title", "detail")},
        case_id=str(job.case_file["case_id"]),
        position=position_of(worker.workspace, job),
        progress=progress_of(worker, job),
        links=links | {"page": f"/results/{job.id}"},
        analysis=result.get("analysis"),
        tree=result.get("tree"),
    )


def service(workspace: Workspace, worker: Worker) -> APIRouter:
    """The routes of the service but for the searches."""
    router = APIRouter()
    streams = 0

    def read(case: CaseInput) -> FactSheet:
        if case.case is not None:
            return workspace.read_case_file(case.case)
        return workspace.read_text(case.text or "")

    @router.post("/analyses", status_code=202, responses=problems())
    def analyze(request: AnalysisRequest, response: Response) -> AnalysisResponse:
        """Queue the analysis of a case; the answer says where to look for it."""
        job = enqueue(worker, read(request), request.options)
        response.headers["Location"] = f"/analyses/{job.id}"
        return response_of(worker, job, full=False)

    @router.get("/analyses/{job}", responses=problems(404))
    def analysis(job: JobId) -> AnalysisResponse:
        """How far an analysis is, and once it is over what it gave."""
        return response_of(worker, job_or_404(workspace, job), full=True)

    @router.delete("/analyses/{job}", status_code=204, responses=problems(404, 409))
    def forget(job: JobId) -> None:
        """Delete an analysis with its case; it must be over."""
        remove(workspace, job)

    @router.post("/analyses/{job}/cancel", responses=problems(404, 409))
    def stop(job: JobId) -> AnalysisResponse:
        """Break an analysis off; what was measured until then is kept."""
        cancel(worker, job_or_404(workspace, job))
        return response_of(worker, job_or_404(workspace, job), full=False)

    @router.post("/analyses/{job}/run", status_code=202, responses=problems(404, 409))
    def again(job: JobId) -> AnalysisResponse:
        """Run an analysis again that was cancelled, stopped, broken, or failed."""
        queued = run_again(worker, job_or_404(workspace, job))
        return response_of(worker, queued, full=False)

    @router.get(
        "/analyses/{job}/events",
        response_class=StreamingResponse,
        responses={
            **problems(404),
            200: {
                "description": "Events `progress`, `tree` and `over`, until the analysis is over.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
        },
    )
    async def listen(job: JobId, request: Request) -> StreamingResponse:
        """How far an analysis is, as server-sent events."""
        nonlocal streams
        job_or_404(workspace, job)
        if streams >= MOST_STREAMS:
            raise HTTPException(503, "Too many listen already.", {"Retry-After": "10"})
        streams += 1

        async def stream() -> AsyncIterator[str]:
            nonlocal streams
            try:
                async for event in events(worker, job, request):
                    yield event
            finally:
                streams -= 1

        return StreamingResponse(stream(), media_type="text/event-stream")

    @router.post("/facts", responses=problems())
    def facts(request: CaseInput) -> FactsResponse:
        """The facts of a case, with their places in the narrative, and a case file of them."""
        sheet = read(request)
        return FactsResponse(
            facts=[
                FactOut(
                    fact_id=fact.fact_id,
                    fact_type=fact.fact_type,
                    value=str(fact.value),
                    label=fact_label(fact),
                    spans=list(fact.spans),
                )
                for fact in sheet.facts
            ],
            occurred_on=sheet.occurred_on,
            case=write_case(sheet),
        )

    @router.post("/retrieve", responses=problems())
    def retrieve(request: RetrieveRequest) -> RetrieveResponse:
        """The precedents of a text, each with its trace through the stages."""
        corpus = workspace.corpora.get(request.corpus)
        session = corpus.session
        with workspace.turns.turn():
            query = session.query(request.query)
            day = date_of_occurrence(query.text)
            [ranking] = session.retriever.retrieve(
                [query], top_k=request.top_k, filters=request.filters().of_facts(day)
            )
            weak = is_weak(ranking, session.snapshot, session.encoders)
        return RetrieveResponse(
            results=[_precedent(corpus, result, day) for result in ranking.results],
            weak_match=weak,
        )

    @router.get("/precedents/{case_id:path}", responses=problems(404))
    def precedent(case_id: str, corpus: Annotated[CorpusName, Query()] = "") -> PrecedentResponse:
        """One decision of a corpus, with what it turned on and what became of it."""
        held = workspace.corpora.get(corpus)
        if case_id not in held.positions:
            raise HTTPException(404, "The corpus holds no such decision.")
        metadata = held.metadata_of(case_id)
        names = (
            "title", "court", "date", "docket", "outcome", "bench", "provisions", "areas",
            "treatment",
        )  # fmt: skip
        return PrecedentResponse(
            case_id=case_id,
            **{name: getattr(metadata, name) for name in names},
            turned_on=list(held.quoter.turned_on(case_id)),
            standing=standing(metadata.treatment, None),
            later=[treatment.line(None) for treatment in metadata.treatment],
            text=held.text_of(case_id),
        )

    return router


def _precedent(corpus: OpenCorpus, result: RankedCase, day: str) -> RetrievedPrecedent:
    snapshot, metadata = corpus.snapshot, corpus.metadata_of(result.case_id)
    passage = snapshot.text(result.matches[0].chunk) if result.matches else ""
    return RetrievedPrecedent(
        **{name: getattr(metadata, name) for name in ("date", "court", "outcome")},
        **{name: getattr(result, name) for name in ("case_id", "rank", "score")},
        title=metadata.title or result.case_id,
        standing=standing(metadata.treatment, facts_period(day)),
        stages=dict(result.stages),
        passage=passage,
    )
