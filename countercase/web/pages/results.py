"""The pages of an analysis: precedents, facts, tree, and states side by side."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from countercase.corpus.judgment.treatment import standing
from countercase.counterfactual.attribution.attribute import Game
from countercase.counterfactual.why_not import why_not
from countercase.errors import InputError
from countercase.explanation.model import Quote
from countercase.facts.edits import Edit, compatible
from countercase.reports.drawings.compare import compare_drawing, ranked_lists
from countercase.reports.drawings.tree import tree_drawing
from countercase.reports.wording import VERDICTS, filter_words, strength
from countercase.web.corpora import OpenCorpus
from countercase.web.jobs import Job
from countercase.web.models import AnalysisOptions
from countercase.web.pages.views import STAGES, beside, marked, quoted, ranking_of
from countercase.web.render import page
from countercase.web.service import (
    JobId,
    cancel,
    job_or_404,
    position_of,
    progress_of,
    queue_of,
    read_result,
    remove,
    run_again,
)
from countercase.web.worker import Worker
from countercase.web.workspace import Opened, Workspace

MEDIA_TYPES: Final = {
    "report.html": "text/html; charset=utf-8",
    "report.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
MOST_BESIDE: Final = 6
"""States that are compared at once."""
_MOST_LISTED: Final = 1_000


def finished(workspace: Workspace, job: str) -> tuple[Job, dict[str, Any]]:
    """An analysis and what it gave; where it gave nothing, on to the page that says why."""
    found, result = read_result(workspace, job)
    if result is None:
        raise HTTPException(303, "Nothing was measured yet.", {"Location": f"/results/{job}/tree"})
    return found, result


def show(template: str, job: Job, result: dict[str, Any], **values: Any) -> HTMLResponse:
    """A page of an analysis."""
    analysis = result.get("analysis")
    shown = {"job": job, "analysis": analysis, "notes": result.get("notes", [])}
    asked = analysis and analysis["filters"]
    asked = asked or AnalysisOptions.model_validate(job.options).filters().asked
    query = urlencode({k: v for k, v in job.options.items() if v not in (None, "", [])}, doseq=True)
    return HTMLResponse(page(template, **shown, only=filter_words(asked), query=query, **values))


def state_names(result: dict[str, Any]) -> dict[str, str]:
    """What each state of a tree changes, in words; the path from the root, by its id."""
    names = {"root": "the case as it is"}
    path: list[str] = []
    for line in result["lines"]:
        del path[line["depth"] - 1 :]
        path.append(line["label"])
        if line["status"] != "rejected":
            names[line["state"]] = " and ".join(path)
    return names


def result_pages(workspace: Workspace, worker: Worker) -> APIRouter:
    """`/results/{job}` and most of what is below it."""
    router = APIRouter(include_in_schema=False)

    def titles_of(job: Job, result: dict[str, Any]) -> dict[str, str]:
        corpus, when = workspace.corpus_of(job), workspace.facts_period(job)
        return {
            case: corpus.title_of(case, when)
            for node in result["tree"]["nodes"]
            for case in ranking_of(node)
            if case in corpus.positions
        }

    @router.get("/results/{job}")
    def precedents(job: JobId) -> Response:
        """The precedents of the case as it is."""
        found, result = finished(workspace, job)
        return show("precedents.html", found, result, stages=STAGES, place_of=_place_of)

    @router.get("/results/{job}/precedents/{case_id:path}")
    def decision(job: JobId, case_id: str) -> Response:
        """A decision with the passages that are quoted, in their place."""
        found, result = finished(workspace, job)
        corpus = workspace.corpus_of(found)
        if case_id not in corpus.positions:
            raise HTTPException(404, "The corpus holds no such decision.")
        metadata, when = corpus.metadata_of(case_id), workspace.facts_period(found)
        rows = [row for row in result["analysis"]["precedents"] if row["case_id"] == case_id]
        quotes = [reason["quote"]["text"] for row in rows for reason in row["reasons"]]
        return show(
            "decision.html",
            found,
            result,
            case_id=case_id,
            metadata=metadata,
            turned_on=corpus.quoter.turned_on(case_id),
            later=[treatment.line(when) for treatment in metadata.treatment],
            standing=standing(metadata.treatment, when),
            pieces=quoted(corpus.text_of(case_id), quotes),
            row=rows[0] if rows else None,
        )

    @router.get("/results/{job}/why-not")
    def absent(job: JobId, decision: Annotated[str, Query(max_length=300)] = "") -> Response:
        """Why a decision is not in the list, and what would bring it in."""
        found, result = finished(workspace, job)
        answer, problem, corpus = None, "", workspace.corpus_of(found)
        if wanted := decision.strip():
            case_id = _named(corpus, wanted) or wanted
            with workspace.turns.turn():
                opened = workspace.opened(found)
                try:
                    game = _game(opened)
                    answer = why_not(case_id, game, corpus.session.retriever)
                except InputError as error:
                    problem = str(error)
        labels = {f["fact_id"]: f["label"] for f in result["analysis"]["facts"]}
        return show(
            "why_not.html", found, result, decision=decision, answer=answer, problem=problem,
            stages=STAGES, labels=labels, title=corpus.title_of, decisions=_decisions(corpus),
        )  # fmt: skip

    @router.get("/results/{job}/facts")
    def facts(job: JobId) -> Response:
        """Each fact with how far it moves the list, and what its what-ifs do."""
        found, result = finished(workspace, job)
        analysis = result["analysis"]
        rows = sorted(analysis["facts"], key=lambda it: strength(it["verdict"], it["sensitivity"]))
        edits: dict[str, list[dict[str, Any]]] = {}
        for link in result["tree"]["links"]:
            if link["source"] == "root":
                edits.setdefault(link["edit"]["fact_id"], []).append(link)
        lines = {line["state"]: line for line in result["lines"]}
        sheet = workspace.sheet_of(found.case_file)
        return show(
            "facts.html", found, result, rows=rows, edits=edits, lines=lines,
            verdicts=dict(VERDICTS), told={it["edit_id"]: it for it in analysis["what_ifs"]},
            pieces=marked(sheet), sheet=sheet,
        )  # fmt: skip

    @router.get("/results/{job}/tree")
    def tree(job: JobId) -> Response:
        """The states of the case; live while the analysis runs."""
        found, given = read_result(workspace, job)
        result = given or {}
        return show(
            "tree.html", found, result, lines=lines_of(found, result),
            progress=progress_of(worker, found), position=position_of(workspace, found),
            queue=queue_of(worker),
            drawing=tree_drawing(result["tree"], f"/results/{job}/compare?s=") if result else None,
        )  # fmt: skip

    @router.get("/results/{job}/tree/lines")
    def tree_lines(job: JobId) -> Response:
        """The states so far, to be put into the page of the tree."""
        found, given = read_result(workspace, job)
        result = given or {}
        return HTMLResponse(page("_tree.html", job=found, lines=lines_of(found, result)))

    def lines_of(job: Job, result: dict[str, Any]) -> list[dict[str, Any]]:
        live = worker.progress(job.id)
        return list(live.lines) if live else result.get("lines", [])

    @router.get("/results/{job}/compare")
    def compare(
        job: JobId,
        s: Annotated[list[str], Query(max_length=MOST_BESIDE)] = [],  # noqa: B006
    ) -> Response:
        """States side by side, each beside the case as it is."""
        found, result = finished(workspace, job)
        nodes = {node["id"]: node for node in result["tree"]["nodes"]}
        names = state_names(result)
        unknown = [state for state in s if state not in names]
        if unknown:
            raise HTTPException(404, "The tree has no such state.")
        if not s:
            s = _furthest(result, nodes)
        chosen = [state for state in dict.fromkeys(s) if state != "root"]
        base, titles = ranking_of(nodes["root"]), titles_of(found, result)
        analysis, top_k = result["analysis"], result["analysis"]["settings"]["TOP_K"]
        lists = ranked_lists(result["tree"], ["root", *chosen], analysis)
        columns = [
            (state, names[state], beside(base, ranked.case_ids, titles, top_k, ranked.floor or 0.0))
            for state, ranked in zip(chosen, lists[1:], strict=True)
        ]
        return show(
            "compare.html", found, result, names=names, chosen=chosen, columns=columns,
            base=[(case, titles.get(case, case)) for case in base],
            drawing=compare_drawing(lists, titles, top_k) if chosen else None,
        )  # fmt: skip

    @router.get("/results/{job}/report.{kind}")
    def report(job: JobId, kind: Literal["html", "docx"]) -> Response:
        """The report, to be kept and sent on."""
        found, name = job_or_404(workspace, job), f"report.{kind}"
        content = workspace.jobs.file(job, name)
        if content is None:
            raise HTTPException(404, "The analysis has no report yet.")
        case_id = "".join(
            c if c.isascii() and (c.isalnum() or c in "-_.") else "-"
            for c in str(found.case_file["case_id"])[:80]
        )
        named = {"Content-Disposition": f'attachment; filename="{case_id}-{name}"'}
        return Response(content, media_type=MEDIA_TYPES[name], headers=named)

    @router.post("/results/{job}/cancel")
    def stop(job: JobId) -> Response:
        found = job_or_404(workspace, job)
        if not found.over:
            cancel(worker, found)
        return RedirectResponse(f"/results/{job}/tree", 303)

    @router.post("/results/{job}/run")
    def again(job: JobId) -> Response:
        run_again(worker, job_or_404(workspace, job))
        return RedirectResponse(f"/results/{job}/tree", 303)

    @router.post("/results/{job}/delete")
    def delete(job: JobId) -> Response:
        remove(workspace, job)
        return RedirectResponse("/", 303)

    return router


def _place_of(quote: dict[str, Any]) -> str:
    """Where a quoted sentence stands, in words."""
    return Quote(**quote).place


def _furthest(result: dict[str, Any], nodes: dict[str, Any]) -> list[str]:
    """The two states with different lists that one change moved furthest."""
    links = [link for link in result["tree"]["links"] if link["source"] == "root"]
    links.sort(key=lambda link: -(link["mean_displacement"] or 0.0))
    by_list: dict[tuple[str, ...], str] = {}
    for link in links:
        if link["mean_displacement"]:
            by_list.setdefault(tuple(ranking_of(nodes[link["target"]])), link["target"])
    return list(by_list.values())[:2]


def _game(opened: Opened) -> Game:
    """One change of each fact, with every fact and every two of them changed once."""
    chosen: list[Edit] = []
    for edit in opened.proposed.values():
        if all(edit.fact_id != other.fact_id for other in chosen) and compatible([*chosen, edit]):
            chosen.append(edit)
    game = Game(tuple(chosen), opened.search)
    singles = [1 << at for at in range(len(chosen))]
    game.rank([0, *singles, *(a | b for a in singles for b in singles if a < b)])
    return game


def _decisions(corpus: OpenCorpus) -> list[tuple[str, str]]:
    """Ids and titles to choose from; none where the corpus is too large for a list."""
    if len(corpus.positions) > _MOST_LISTED:
        return []
    return [(case_id, corpus.title_of(case_id)) for case_id in corpus.positions]


def _named(corpus: OpenCorpus, words: str) -> str:
    """The id of the only decision whose title has the words; "" where there is not one."""
    if words in corpus.positions:
        return words
    cases = zip(corpus.snapshot.case_ids, corpus.snapshot.metadata, strict=True)
    hits = [case for case, metadata in cases if words.lower() in metadata.title.lower()]
    return hits[0] if len(hits) == 1 else ""
