"""The pages of a case: give it, correct what was read out of it, have it analysed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import ValidationError
from starlette.datastructures import FormData, ImmutableMultiDict, UploadFile

from countercase.errors import CorpusIndexError, InputError
from countercase.explanation.reasons import fact_label
from countercase.facts.case_file import write_case
from countercase.facts.model import FactSheet
from countercase.io import json_text
from countercase.reports.wording import language_note, name_matter
from countercase.text.spans import one_line
from countercase.web.models import MAX_CHARACTERS, AnalysisOptions
from countercase.web.pages import case_edits
from countercase.web.render import attach, html, mark_facts
from countercase.web.service import TheWorker, enqueue, queue_of
from countercase.web.worker import Worker

CaseId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
_LISTS: Final = ("types", "areas")


async def read_form(request: Request) -> FormData:
    """Return the form that is sent, of a bounded size."""
    return await request.form(max_files=1, max_fields=60, max_part_size=4_000_000)


TheForm = Annotated[FormData, Depends(read_form)]


@dataclass(frozen=True)
class Sheets:
    """The facts of a stored case, as they are now and as they were first read."""

    case: str
    now: FactSheet
    first: FactSheet


router = APIRouter(include_in_schema=False)
"""`/`, `/cases` and what is below it."""


def _start(
    worker: Worker, problem: str = "", text: str = "", title: str = "", status: int = 200
) -> Response:
    workspace = worker.workspace
    return html(
        "start.html", status, problem=problem, text=text, title=title,
        examples=sorted(workspace.examples), most=MAX_CHARACTERS,
        latest=workspace.jobs.jobs(12), corpus=workspace.session.snapshot.manifest,
    )  # fmt: skip


@router.get("/")
def show_start(worker: TheWorker) -> Response:
    """Show where a case is given, and the latest analyses."""
    return _start(worker)


@router.post("/cases")
def keep(form: TheForm, worker: TheWorker) -> Response:
    """Read the facts of what the form gives, a file, an example, or a text, and store the case."""
    text, title = _text(form, "text"), _text(form, "title")[:300]
    upload, example = form.get("file"), _text(form, "example")
    workspace = worker.workspace
    try:
        if isinstance(upload, UploadFile) and upload.filename:
            sheet = workspace.read_upload(upload.filename, upload.file.read())
        elif example:
            if example not in workspace.examples:
                raise InputError("there is no such example; choose one of the list")
            sheet = workspace.read_file(workspace.examples[example])
        elif not text.strip():
            raise InputError("paste the facts of the case, choose a file, or pick an example")
        elif len(text) > MAX_CHARACTERS:
            raise InputError(
                f"the text has {len(text):,} characters, more than the {MAX_CHARACTERS:,} that are "
                "analysed here; cut it down to the facts of the case"
            )
        else:
            sheet = workspace.read_text(text.replace("\r\n", "\n"), title)
    except InputError as error:
        return _start(worker, one_line(str(error)), text[:MAX_CHARACTERS], title, 400)
    case = workspace.jobs.put_case(workspace.stored_of(sheet))
    return RedirectResponse(f"/cases/{case}", 303)


def find_case(case: CaseId, worker: TheWorker) -> Sheets:
    """Return a stored case; 404 where there is none, 410 where it cannot be read."""
    return Sheets(case, *map(worker.workspace.sheet_of, worker.workspace.jobs.case(case)))


TheCase = Annotated[Sheets, Depends(find_case)]


def _show(
    of: Sheets, worker: Worker, problem: str = "", status: int = 200,
    form: Mapping[str, Any] = {}, typed: Mapping[str, str] = {},
) -> Response:  # fmt: skip
    """Show a case, with the settings of a `form`, and what was `typed` where it was refused."""
    workspace = worker.workspace
    read, now = ({fact.value for fact in sheet.facts} for sheet in (of.first, of.now))
    own = frozenset(fact.fact_id for fact in of.now.facts if fact.value not in read)
    form = dict(form)
    if "provision" in form:
        form["provision"] = case_edits.writable(form["provision"])
    try:
        corpus = workspace.corpora.get(form.get("corpus", ""))
    except (InputError, CorpusIndexError) as error:
        corpus, problem = workspace.corpora.served, problem or one_line(str(error))
    return html(
        "case.html", status, case=of.case, sheet=of.now, pieces=mark_facts(of.now, own), own=own,
        name=name_matter(of.now.title, of.now.case_id, of.now.narrative),
        facts=[(fact, fact_label(fact), case_edits.fields_of(fact)) for fact in of.now.facts],
        missing=[(it, fact_label(it)) for it in of.first.facts if it.value not in now],
        choices=case_edits.CHOICES, typed=typed, changes=workspace.jobs.changes(of.case),
        note=language_note(of.now.narrative), settings=workspace.session.settings,
        corpus=corpus.snapshot.manifest, corpora=workspace.corpora.choices(),
        areas=corpus.snapshot.areas, queue=queue_of(worker), problem=problem, form=form,
        more=bool(form.keys() - {"corpus", *_LISTS}),
    )  # fmt: skip


@router.get("/cases/{case}")
def show_case(of: TheCase, worker: TheWorker, request: Request) -> Response:
    """Show the case; the address may hold settings of the analysis, as its form names them."""
    return _show(of, worker, form=_settings(request.query_params))


@router.get("/cases/{case}/case.json")
def send_case(of: TheCase) -> Response:
    """Send the case file."""
    return attach("case.json", json_text(write_case(of.now)))


@router.post("/cases/{case}/facts")
def correct(of: TheCase, worker: TheWorker, form: TheForm) -> Response:
    """Correct the facts of a case, as the form says, or undo the last correction."""
    values = {name: _text(form, name)[:2_000] for name in form}
    back = RedirectResponse(f"/cases/{of.case}#facts", 303)
    if values.get("action") == "undo":
        worker.workspace.jobs.undo_change(of.case)
        return back
    try:
        after = case_edits.correct(of.now, of.first, values)
    except InputError as error:
        return _show(of, worker, one_line(str(error)), 400, typed=values)
    if write_case(after) != write_case(of.now):
        worker.workspace.jobs.change_case(of.case, worker.workspace.stored_of(after))
    return back


@router.post("/cases/{case}/analyze")
def analyze(of: TheCase, worker: TheWorker, form: TheForm) -> Response:
    """Queue the analysis of a case, with the settings of the form."""
    given = _settings(form)
    try:
        options = AnalysisOptions.model_validate(given, strict=False)
        job = enqueue(worker, of.now, options, of.case)
    except ValidationError as error:
        faults = []
        for fault in error.errors()[:3]:
            place, told = (
                "".join(map(str, fault["loc"])),
                fault["msg"].removeprefix("Value error, "),
            )
            faults.append(f"{place}: {told}" if place else told)
        return _show(of, worker, "; ".join(faults), 400, given)
    except (InputError, CorpusIndexError) as error:
        return _show(of, worker, one_line(str(error)), 400, given)
    return RedirectResponse(f"/results/{job.id}", 303)


@router.post("/cases/{case}/delete")
def delete(case: CaseId, worker: TheWorker) -> Response:
    """Delete a case; its analyses stay."""
    worker.workspace.jobs.remove_case(case)
    return RedirectResponse("/", 303)


def _settings(form: ImmutableMultiDict[str, Any]) -> dict[str, Any]:
    """Return what a form says of an analysis, without the fields that are empty."""
    given = {name: form.getlist(name) if name in _LISTS else _text(form, name) for name in form}
    return {name: value for name, value in given.items() if value}


def _text(form: ImmutableMultiDict[str, Any], name: str) -> str:
    value = form.get(name)
    text = value.strip() if isinstance(value, str) else ""
    return text.encode(errors="replace").decode()
