"""The pages of a case: give it, correct what was read out of it, have it analysed.

A correction changes the values of the sheet and reads them again as a case file, so that it is
checked and located in the narrative as one that a file states. What stood there stays where it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple, cast, get_args

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import ValidationError
from starlette.datastructures import FormData, ImmutableMultiDict, UploadFile

from countercase.errors import CorpusIndexError, InputError
from countercase.explanation.reasons import fact_label
from countercase.fact_types.roles import role_of
from countercase.facts import model, vocabulary
from countercase.facts.case_file import sheet_from_case, write_case
from countercase.facts.case_schema import parse_case
from countercase.facts.model import Fact, FactSheet, FactValue
from countercase.io import json_text
from countercase.law.provisions import normal_form, provision_name
from countercase.reports.wording import language_note, name_matter
from countercase.text.dates import is_iso_date, read_date
from countercase.text.spans import Span, one_line
from countercase.text.units import RUPEES
from countercase.web.models import MAX_CHARACTERS, AnalysisOptions
from countercase.web.render import BusyError, attach, html, mark_facts
from countercase.web.service import TheWorker, enqueue, queue_of
from countercase.web.worker import Worker

CaseId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
_LISTS: Final = ("types", "areas")


async def read_form(request: Request) -> FormData:
    """Return the form that is sent, of a bounded size."""
    return await request.form(max_files=1, max_fields=60, max_part_size=4_000_000)


TheForm = Annotated[FormData, Depends(read_form)]


class Sheets(NamedTuple):
    """The facts of a stored case, as they are now, in this version, and as they were first read."""

    case: str
    version: str
    now: FactSheet
    first: FactSheet


router = APIRouter(include_in_schema=False)
"""`/`, `/cases` and what is below it."""


def _start(
    worker: Worker, problem: str = "", text: str = "", title: str = "", status: int = 200
) -> Response:
    workspace, jobs = worker.workspace, worker.workspace.jobs
    return html(
        "start.html", status, problem=problem, text=text, title=title,
        examples=sorted(workspace.examples), most=MAX_CHARACTERS,
        cases=[(*case, jobs.jobs(5, case[0])) for case in jobs.cases(12)],
        sent=[job for job in jobs.jobs() if job.corrected is None],
        corpus=workspace.session.snapshot.manifest,
    )  # fmt: skip


@router.get("/")
def show_start(worker: TheWorker) -> Response:
    """Show where a case is given, and the latest analyses."""
    return _start(worker)


@router.post("/cases")
def keep(form: TheForm, worker: TheWorker) -> Response:
    """Read the facts of what the form gives, a file, an example, or a text, and store the case."""
    text, title = _text(form, "text").replace("\r\n", "\n"), _text(form, "title")[:300]
    upload, example = form.get("file"), _text(form, "example")
    workspace = worker.workspace
    try:
        if isinstance(upload, UploadFile) and upload.filename:
            sheet = workspace.read_upload(upload.filename, upload.file.read(), text, title)
        elif example:
            if example not in workspace.examples:
                raise InputError("there is no such example; choose one of the list")
            sheet = workspace.read_file(workspace.examples[example])
        elif not text:
            raise InputError("paste the facts of the case, choose a file, or pick an example")
        else:
            sheet = workspace.read_text(text, title)
    except InputError as error:
        return _start(worker, one_line(str(error)), text[:MAX_CHARACTERS], title, 400)
    except BusyError as error:
        told = f"{error.detail}; what you wrote is kept below"
        return _start(worker, told, text[:MAX_CHARACTERS], title, error.status_code)
    return RedirectResponse(f"/cases/{workspace.jobs.put_case(workspace.stored_of(sheet))}", 303)


def find_case(case: CaseId, worker: TheWorker) -> Sheets:
    """Return a stored case; 404 where there is none, 410 where it cannot be read."""
    workspace, version = worker.workspace, worker.workspace.jobs.version(case)
    return Sheets(case, version, *map(workspace.sheet_of, workspace.jobs.case(case)))


TheCase = Annotated[Sheets, Depends(find_case)]


def _show(
    of: Sheets, worker: Worker, problem: str = "", status: int = 200,
    form: Mapping[str, Any] = {}, typed: Mapping[str, str] = {},
) -> Response:  # fmt: skip
    """Show a case, with the settings of a `form`, and what was `typed` where it was refused."""
    workspace = worker.workspace
    read, now = ({fact.value for fact in sheet.facts} for sheet in (of.first, of.now))
    own = frozenset(fact.fact_id for fact in of.now.facts if fact.value not in read)
    form = {**form, "provision": writable(form.get("provision", ""))}
    try:
        corpus = workspace.corpora.get(form.get("corpus", ""))
    except (InputError, CorpusIndexError) as error:
        corpus, problem = workspace.corpora.served, problem or one_line(str(error))
    return html(
        "case.html", status, case=of.case, sheet=of.now, pieces=mark_facts(of.now, own), own=own,
        name=name_matter(of.now.title, of.now.case_id, of.now.narrative),
        facts=[(fact, fact_label(fact), fields_of(fact)) for fact in of.now.facts], role_of=role_of,
        missing=[(it, _corrected(of, it)) for it in of.first.facts if it.value not in now],
        choices=CHOICES, typed=typed, changes=workspace.jobs.changes(of.case), seen=of.version,
        note=language_note(of.now.narrative), settings=workspace.session.settings,
        corpus=corpus.snapshot.manifest, corpora=workspace.corpora.choices(),
        areas=corpus.snapshot.areas, queue=queue_of(worker), problem=problem, form=form,
        more=any(form[name] for name in form.keys() - {"corpus", *_LISTS}),
        analysed=workspace.jobs.jobs(3, of.case),
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
def change(of: TheCase, worker: TheWorker, form: TheForm) -> Response:
    """Correct the facts of a case, as the form says, or undo the last correction."""
    values = {name: _text(form, name)[:2_000] for name in form}
    workspace, seen = worker.workspace, values.get("seen", of.version)
    try:
        if values.get("action") == "undo":
            workspace.jobs.undo_change(of.case, seen)
        elif write_case(after := correct(of, values)) != write_case(of.now):
            workspace.jobs.change_case(of.case, seen, workspace.stored_of(after))
    except InputError as error:  # what was typed for another version may name another fact
        typed = values if seen == of.version else {}
        return _show(of, worker, one_line(str(error)), 400, typed=typed)
    return RedirectResponse(f"/cases/{of.case}#facts", 303)


@router.post("/cases/{case}/analyze")
def analyze(of: TheCase, worker: TheWorker, form: TheForm) -> Response:
    """Queue the analysis of a case, with the settings of the form."""
    given = _settings(form)
    try:
        options = AnalysisOptions.model_validate(given, strict=False)
        job = enqueue(worker, of.now, options, of.case)
    except ValidationError as error:
        faults = [(*it["loc"], it["msg"].removeprefix("Value error, ")) for it in error.errors()]
        told = "; ".join(": ".join(map(str, fault)) for fault in faults[:3])
        return _show(of, worker, told, 400, given)
    except (InputError, CorpusIndexError) as error:
        return _show(of, worker, one_line(str(error)), 400, given)
    return RedirectResponse(f"/results/{job.id}", 303)


@router.post("/cases/{case}/delete")
def delete(case: CaseId, worker: TheWorker) -> Response:
    """Delete a case with its analyses; one that runs is broken off."""
    run = worker.run_of(worker.running)
    if run and run.job.source == case:
        run.cancelled = True
    worker.workspace.jobs.remove_case(case)
    return RedirectResponse("/", 303)


def _settings(form: ImmutableMultiDict[str, Any]) -> dict[str, Any]:
    """Return what a form says of an analysis, without the fields that are empty."""
    given = {name: form.getlist(name) if name in _LISTS else _text(form, name) for name in form}
    return {name: value for name, value in given.items() if value}


def _text(form: ImmutableMultiDict[str, Any], name: str) -> str:
    value = form.get(name)
    return value.strip().encode(errors="replace").decode() if isinstance(value, str) else ""


CHOICES: Final = {
    "side": vocabulary.SIDES,
    "party_type": vocabulary.PARTY_TYPES,
    "role": ("", *vocabulary.ROLES),
    "evidence_type": vocabulary.EVIDENCE_TYPES,
    "strength": ("full", "weakened", "absent"),
    "kind": get_args(model.NumericalKind),
    "unit": (
        "INR", *vocabulary.DURATION_UNITS, *vocabulary.QUANTITY_UNITS, *vocabulary.COUNT_UNITS,
    ),
}  # fmt: skip
"""What may be chosen in the fields of a fact."""
_NUMBER: Final = re.compile(r"(\d+(,\d+)*(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_GREATEST: Final = 1e15


def correct(of: Sheets, form: Mapping[str, str]) -> FactSheet:
    """Return the facts of a case corrected as a form says by its field `action`.

    An `InputError` is raised where there is no such action or fact, or a field does not fit.
    """
    now, fact_id, facts = of.now, form.get("fact_id", ""), list(of.now.facts)
    match form.get("action", ""):
        case "change":
            fact = _find(now, fact_id)
            facts[facts.index(fact)] = replace(fact, value=_read_value(fact.fact_type, form))
        case "add":
            fact_type = form.get("fact_type", "")
            facts.append(Fact("added", fact_type, _read_value(fact_type, form)))
        case "remove":
            facts.remove(_find(now, fact_id))
        case "put_back":
            first = _find(of.first, fact_id)
            facts = [*(it for it in facts if it is not _corrected(of, first)), first]
        case "date":  # however it is written; what is no date stays as it is
            given = form.get("occurred_on", "")
            month = re.fullmatch(r"(\d{1,2})[./-](\d{4})", given)
            day = f"{month[2]}-{int(month[1]):02}" if month else given
            day = day if month or is_iso_date(day) else read_date(given) or given
            now = replace(now, occurred_on=day, title=form.get("title", ""))
        case _:
            raise InputError("the form says not what to do; load the page again")
    numbered = [Fact(str(at), fact.fact_type, fact.value) for at, fact in enumerate(facts)]
    stated = write_case(replace(now, facts=tuple(numbered)))
    after = sheet_from_case(parse_case(json.dumps(stated), "the case"))
    stood = dict[FactValue, list[tuple[Span, ...]]]()
    for fact in facts:
        stood.setdefault(fact.value, []).append(fact.spans)
    same = (replace(it, spans=stood.get(it.value, [()]).pop(0) or it.spans) for it in after.facts)
    return replace(after, facts=tuple(same))


def _corrected(of: Sheets, first: Fact) -> Fact | None:
    """Return the fact that stands where another one was read first; None where it was taken out."""
    read = {fact.value for fact in of.first.facts}
    own = (it for it in of.now.facts if it.fact_type == first.fact_type and it.value not in read)
    if first.spans:
        return next((it for it in own if it.spans == first.spans), None)
    is_whole = len(of.now.facts) >= len(of.first.facts)  # else a fact may have another's id
    return next((it for it in own if is_whole and it.fact_id == first.fact_id), None)


def fields_of(fact: Fact) -> dict[str, str]:
    """Return what the form of a fact holds; empty for a fact type of another package."""
    value = fact.value
    if isinstance(value, model.SectionValue):
        return {"provision": writable(value.provision)}
    if not isinstance(value, (model.PartyValue, model.EvidenceValue, model.NumericalValue)):
        return {}
    fields = {name: str(field) for name, field in vars(value).items()}
    if isinstance(value, model.NumericalValue):
        upper = "" if value.upper is None else f"{value.upper:.15g}"
        fields |= {"value": f"{value.value:.15g}", "upper": upper}
    return fields


def writable(provision: str) -> str:
    """Return a provision as a lawyer writes it, where that is read back as the same; else as it is."""
    name = provision_name(provision)
    try:
        return name if normal_form(name) == normal_form(provision) else provision
    except InputError:
        return provision


def _find(sheet: FactSheet, fact_id: str) -> Fact:
    try:
        return sheet.fact(fact_id)
    except KeyError:
        raise InputError("the case has no such fact any more; load the page again") from None


def _read_value(fact_type: str, form: Mapping[str, str]) -> FactValue:
    text = {name: " ".join(value.split()) for name, value in form.items()}
    if fact_type == "Section":
        return model.SectionValue(normal_form(text.get("provision", "")))
    if fact_type == "PartyType":
        kind, name, role = (text.get(field, "") for field in ("party_type", "name", "role"))
        return model.PartyValue(cast("Any", text.get("side", "")), kind, name, role)
    if fact_type == "Evidence":
        strength, kind = cast("Any", text.get("strength") or "full"), text.get("evidence_type", "")
        description = text.get("description") or kind.replace("_", " ")
        return model.EvidenceValue(kind, description, strength)
    if fact_type == "Numerical":
        kind, unit = text.get("kind", ""), text.get("unit", "")
        if kind not in CHOICES["kind"]:
            raise InputError(f"kind: choose one of {', '.join(CHOICES['kind'])}")
        value, upper = _read_number(text, "value"), _read_number(text, "upper")
        if value is None:
            raise InputError("write a number")
        if kind == "amount" and (scale := RUPEES.get(unit.lower())):  # any other unit is refused
            value, unit = value * scale, "INR"
            upper = None if upper is None else upper * scale
        return model.NumericalValue(cast("Any", kind), value, unit, text.get("context", ""), upper)
    raise InputError(f"facts of the type {fact_type} cannot be changed here")


def _read_number(text: Mapping[str, str], name: str) -> float | None:
    if not (written := text.get(name, "")):
        return None
    if not _NUMBER.fullmatch(written) or (number := float(written.replace(",", ""))) > _GREATEST:
        raise InputError(f"{written[:40]!r} is not a number to be kept; write it as 1,50,000")
    return number
