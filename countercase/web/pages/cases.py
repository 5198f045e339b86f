"""The pages of a case: give it, correct what was read out of it, have it analysed."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, ImmutableMultiDict, UploadFile
from starlette.exceptions import HTTPException

from countercase.errors import CorpusIndexError, InputError
from countercase.explanation.labels import fact_label
from countercase.facts.case_file import write_case
from countercase.facts.model import FactSheet
from countercase.io import json_text
from countercase.text.hindi import language_note
from countercase.web.jobs import UnreadableError
from countercase.web.models import MAX_CHARACTERS, AnalysisOptions
from countercase.web.pages import case_edits
from countercase.web.pages.views import marked
from countercase.web.render import page
from countercase.web.service import enqueue, queue_of
from countercase.web.worker import Worker
from countercase.web.workspace import Workspace

CaseId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
_LATEST: Final = 12
_MOST_FIELDS: Final = 60
_LISTS: Final = ("types", "areas")
_WHOLE: Final = ("top_k", "depth", "max_states", "year_from", "year_to")


def case_pages(workspace: Workspace, worker: Worker) -> APIRouter:
    """`/`, `/cases` and what is below it."""
    router = APIRouter(include_in_schema=False)
    jobs = workspace.jobs

    def start(problem: str = "", text: str = "", title: str = "", status: int = 200) -> Response:
        return HTMLResponse(
            page(
                "start.html",
                problem=problem,
                text=text,
                title=title,
                examples=sorted(workspace.examples),
                most=MAX_CHARACTERS,
                latest=jobs.jobs(_LATEST),
                corpus=workspace.session.snapshot.manifest,
            ),
            status,
        )

    @router.get("/")
    def give() -> Response:
        return start()

    @router.post("/cases")
    async def keep(request: Request) -> Response:
        form = await _form(request)
        text, title = _text(form, "text"), _text(form, "title")[:300]
        upload, example = form.get("file"), _text(form, "example")
        try:
            sheet = await run_in_threadpool(_read, workspace, text, title, upload, example)
        except InputError as error:
            return start(" ".join(str(error).split()), text[:MAX_CHARACTERS], title, 400)
        return RedirectResponse(f"/cases/{workspace.keep(sheet)}", 303)

    def sheets(case: str) -> tuple[FactSheet, FactSheet]:
        try:
            now, original = jobs.case(case)
        except KeyError:
            raise HTTPException(404, "There is no such case.") from None
        except UnreadableError as error:
            raise HTTPException(410, str(error)) from error
        return workspace.sheet_of(now), workspace.sheet_of(original)

    def show(case: str, problem: str = "", status: int = 200, form: Any = None) -> Response:
        sheet, original = sheets(case)
        own, settings = case_edits.own_facts(sheet, original), workspace.session.settings
        form = dict(form or {})
        if "provision" in form:
            form["provision"] = case_edits.writable(form["provision"])
        try:
            corpus = workspace.corpora.get(form.get("corpus", ""))
        except (InputError, CorpusIndexError) as error:
            corpus, problem = workspace.corpora.served, problem or " ".join(str(error).split())
        return HTMLResponse(
            page(
                "case.html",
                case=case,
                sheet=sheet,
                pieces=marked(sheet, own),
                facts=[(f, fact_label(f), case_edits.fields_of(f)) for f in sheet.facts],
                own=own,
                missing=[(f, fact_label(f)) for f in case_edits.missing_facts(sheet, original)],
                choices=case_edits.CHOICES,
                note=language_note(sheet.narrative),
                settings=settings,
                corpus=corpus.snapshot.manifest,
                corpora=workspace.corpora.choices(),
                areas=corpus.snapshot.areas,
                queue=queue_of(worker),
                problem=problem,
                form=form,
                more=bool(form.keys() - {"corpus", *_LISTS}),
            ),
            status,
        )

    @router.get("/cases/{case}")
    def read(case: CaseId, request: Request) -> Response:
        """The case; the address may hold settings of the analysis, as its form names them."""
        return show(case, form=_settings(request.query_params))

    @router.get("/cases/{case}/case.json")
    def download(case: CaseId) -> Response:
        sheet, _ = sheets(case)
        named = {"Content-Disposition": 'attachment; filename="case.json"'}
        return Response(json_text(write_case(sheet)), media_type="application/json", headers=named)

    @router.post("/cases/{case}/facts")
    async def correct(case: CaseId, request: Request) -> Response:
        form = await _form(request)
        values = {name: _text(form, name)[:2_000] for name in form}
        action, fact_id = values.get("action", ""), values.get("fact_id", "")
        sheet, original = await run_in_threadpool(sheets, case)
        try:
            if action == "change":
                after = case_edits.changed(sheet, fact_id, values)
            elif action == "add":
                after = case_edits.added(sheet, values.get("fact_type", ""), values)
            elif action == "remove":
                after = case_edits.taken_out(sheet, fact_id)
            elif action == "put_back":
                after = case_edits.put_back(sheet, original, fact_id)
            elif action == "date":
                date, title = values.get("occurred_on", ""), values.get("title", "")
                after = case_edits.dated(sheet, date, title)
            else:
                raise HTTPException(400, "The form says not what to do.")
        except InputError as error:
            return await run_in_threadpool(show, case, " ".join(str(error).split()), 400)
        jobs.change_case(case, write_case(after))
        return RedirectResponse(f"/cases/{case}#facts", 303)

    @router.post("/cases/{case}/analyze")
    async def analyze(case: CaseId, request: Request) -> Response:
        form = await _form(request)
        given = _settings(form)
        sheet, _ = await run_in_threadpool(sheets, case)
        try:
            whole = {name: _whole(name, given[name]) for name in _WHOLE if name in given}
            options = AnalysisOptions.model_validate(given | whole)
            job = await run_in_threadpool(enqueue, worker, sheet, options, case)
        except (ValidationError, InputError, CorpusIndexError) as error:
            return await run_in_threadpool(show, case, _in_words(error), 400, given)
        return RedirectResponse(f"/results/{job.id}/tree", 303)

    @router.post("/cases/{case}/delete")
    def delete(case: CaseId) -> Response:
        jobs.remove_case(case)
        return RedirectResponse("/", 303)

    return router


def _read(workspace: Workspace, text: str, title: str, upload: Any, example: str) -> FactSheet:
    """The facts of what the form gives: a file, an example, or a text."""
    if isinstance(upload, UploadFile) and upload.filename:
        return workspace.read_upload(upload.filename, upload.file.read())
    if example:
        if example not in workspace.examples:
            raise InputError("there is no such example; choose one of the list")
        return workspace.read_file(workspace.examples[example])
    if not text.strip():
        raise InputError("paste the facts of the case, choose a file, or pick an example")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the text has {len(text):,} characters, more than the {MAX_CHARACTERS:,} that are "
            "analysed here; cut it down to the facts of the case"
        )
    return workspace.read_text(text.replace("\r\n", "\n"), title)


async def _form(request: Request) -> FormData:
    return await request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=4_000_000)


def _settings(form: ImmutableMultiDict[str, Any]) -> dict[str, Any]:
    """What a form says of an analysis; fields that are left empty are left out."""
    given = {name: form.getlist(name) if name in _LISTS else _text(form, name) for name in form}
    return {name: value for name, value in given.items() if value}


def _text(form: ImmutableMultiDict[str, Any], name: str) -> str:
    value = form.get(name)
    text = value.strip() if isinstance(value, str) else ""
    return text.encode(errors="replace").decode()


def _whole(name: str, written: str) -> int:
    try:
        return int(written)
    except ValueError:
        raise InputError(f"{name}: {written[:40]!r} is not a whole number") from None


def _in_words(error: ValidationError | InputError | CorpusIndexError) -> str:
    if not isinstance(error, ValidationError):
        return " ".join(str(error).split())
    faults = error.errors()[:3]
    places = ["".join(str(part) for part in fault["loc"]) for fault in faults]
    messages = [fault["msg"].removeprefix("Value error, ") for fault in faults]
    return "; ".join(
        f"{place}: {said}" if place else said for place, said in zip(places, messages, strict=True)
    )
