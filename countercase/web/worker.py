"""The worker: one analysis at a time, in a thread of its own.

It lets requests that wait go first whenever it reports progress. A cancel takes effect at the next
report; a server that ends lets the running states finish, and keeps what was measured. Whatever an
analysis raises ends that analysis alone, and a thread that ends all the same is replaced.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from countercase.counterfactual.analysis import NULLS, ROOT
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import GROWING, PerturbationTree
from countercase.errors import CounterCaseError, StoreError
from countercase.evaluation.faithfulness.own_explanations import own_explanations, passages
from countercase.evaluation.likert.sheets import Item, items_of
from countercase.facts.model import FactSheet
from countercase.reports.document.content import Content
from countercase.reports.document.word import docx_report
from countercase.reports.evaluation import accuracy_note
from countercase.reports.outline import outline
from countercase.reports.wording import k_line_of
from countercase.reports.write import html_report
from countercase.session import Result
from countercase.web.jobs import Job
from countercase.web.models import AnalysisOptions, Status
from countercase.web.security import place_of
from countercase.web.workspace import Workspace

BETWEEN_STATES: Final = (ROOT, NULLS, GROWING)
"""Reports that come when no state is half ranked."""
MOST_QUOTED: Final = 100
"""Passages quoted of one precedent, at most; there are about as many as facts."""
_IDLE: Final = 0.5

REPORTS: Final[dict[str, Callable[[Content], bytes]]] = {
    "report.html": lambda content: html_report(content).encode(),
    "report.docx": docx_report,
}
"""The reports that are kept of an analysis, by file name."""

_log = logging.getLogger("countercase.web")


def _log_fault(error: BaseException, job: Job | None = None) -> str:
    """Log a fault, without a message that may quote a case; return what a user is told of it."""
    own = isinstance(error, CounterCaseError)
    told = (
        " ".join(str(error).split()) if own else f"A fault of the program ({type(error).__name__})."
    )
    fault = told if isinstance(error, StoreError) else place_of(error)
    _log.error(json.dumps({"job": job.id if job else None, "fault": fault}))
    return told


@dataclass(frozen=True)
class Progress:
    """How far the running analysis is.

    Attributes:
        lines: the states of the tree so far.
        version: grows with every state that is added.
    """

    what: str
    done: int
    of: int
    seconds: float
    lines: tuple[dict[str, Any], ...] = ()
    version: int = 0

    @property
    def left(self) -> float | None:
        """Seconds still to go, by what the states took so far; None before any is ranked."""
        if self.what != GROWING or not self.done:
            return None
        return round(self.seconds / self.done * (self.of - self.done), 1)


def line_documents(tree: PerturbationTree) -> list[dict[str, Any]]:
    """The tree line by line, as pages show it: every state once, depth first."""
    return [
        {
            "state": line.node.node_id,
            "depth": line.depth,
            "status": line.node.status,
            "fact_id": line.edge.edit.fact_id,
            "figure": line.figure,
            "label": line.text,
            "note": line.note,
            "provision": line.edge.edit.provision,
            "reason": line.edge.edit.reason,
        }
        for line in outline(tree)
    ]


def _items(result: Result, passage: Callable[[str], str]) -> list[Item]:
    """The explanations of the precedents, to be rated: one for each passage that is quoted."""
    explained = own_explanations(result.analysis.sheet.case_id, (result.precedents, ()), passage)
    return items_of(explained, len(explained) * MOST_QUOTED)


class Worker:
    """Runs the queued analyses of a workspace, the oldest first."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._watchdog = threading.Thread(target=self._keep_alive, name="watchdog", daemon=True)
        self._thread = self._watchdog
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._cancelled, self._broken_off = set[str](), ""
        self._running: Job | None = None
        self._progress: Progress | None = None

    def start(self) -> None:
        """Begin with the first that waits."""
        self._watchdog.start()

    @property
    def is_alive(self) -> bool:
        """Whether there is a thread that analyses what waits."""
        return self._thread is not self._watchdog and self._thread.is_alive()

    def wake(self) -> None:
        """Say that there is something to do."""
        self._wake.set()

    def cancel(self, job: str) -> None:
        """Break an analysis off that runs."""
        self._cancelled.add(job)

    def stop(self) -> bool:
        """Ask the worker to end when the running states are ranked; whether any is."""
        self._stopping.set()
        self._wake.set()
        return bool(self.running)

    def end(self) -> str:
        """Wait for the worker, close its jobs; the id of the analysis that was broken off, or ""."""
        self.stop()
        if self._watchdog.is_alive():
            self._watchdog.join()
        self.workspace.jobs.close()
        return self._broken_off

    @property
    def stopping(self) -> bool:
        """Whether the server is ending."""
        return self._stopping.is_set()

    @property
    def running(self) -> str:
        """The id of the analysis that runs, or ""."""
        return self._running.id if self._running else ""

    def progress(self, job: str) -> Progress | None:
        """How far an analysis is; None where it does not run."""
        return self._progress if self.running == job else None

    def _keep_alive(self) -> None:
        """Replace the thread of the analyses whenever it ends, until the server does."""
        while not self._stopping.is_set():
            self._thread = threading.Thread(target=self._run, name="analyses", daemon=True)
            self._thread.start()
            self._thread.join()
            self._running = self._progress = None
            self._stopping.wait(_IDLE)

    def _run(self) -> None:
        """Work on what waits, the oldest first; whatever is raised here ends this thread."""
        try:
            while not self._stopping.is_set():
                self._wake.clear()
                try:
                    job = self.workspace.jobs.start_next()
                except StoreError as error:  # a full disk may have room again later
                    _log_fault(error)
                    job = None
                if job is None:
                    self._wake.wait(_IDLE)
                else:
                    self._work_on(job)
        except BaseException as error:  # the watchdog begins another thread
            _log_fault(error)

    def _work_on(self, job: Job) -> None:
        """Analyse a case, store what it gave, and prepare its what-ifs; raises nothing."""
        self._running, self._progress = job, Progress("reading the case", 0, 0, 0.0)
        began = time.monotonic()
        status: Status = "failed"
        try:
            try:
                status, detail, result = self._analyzed(job, began)
                self.workspace.jobs.finish(job.id, status, detail, result)
            except BaseException as error:  # in a thread that must not end, whatever it is
                status = "failed"
                self.workspace.jobs.finish(job.id, status, _log_fault(error, job))
            self._broken_off = job.id if status == "stopped" else ""
            self._cancelled.clear()  # of what was asked too late
            self._running = self._progress = None
            if status == "done":
                self._prepare_what_ifs(job)
        except BaseException as error:  # no room to store it, or no what-ifs: the next case goes on
            _log_fault(error, job)
        finally:
            self._running = self._progress = None
        told = {"job": job.id, "status": status, "s": round(time.monotonic() - began, 1)}
        _log.info(json.dumps(told))

    def _prepare_what_ifs(self, job: Job) -> None:
        """Rank every fact switched off, while nothing else is to be done, so that asking is quick."""
        workspace = self.workspace
        with workspace.turns.turn(patient=True):
            opened = workspace.opened(job)
            edits = list(opened.without.values())
        for edit in edits:
            if self.stopping or workspace.jobs.queue():
                return
            with workspace.turns.turn(patient=True):
                opened.search.rank([State.of([edit])])

    def _analyzed(self, job: Job, began: float) -> tuple[Status, str, dict[str, Any] | None]:
        """Analyse a case on the worker's turn; how it ended, and what it gave."""
        workspace, corpus = self.workspace, self.workspace.corpus_of(job)
        options = AnalysisOptions.model_validate(job.options)
        sheet = workspace.sheet_of(job.case_file)
        trees: list[PerturbationTree] = []
        with workspace.turns.turn(patient=True):
            try:
                result = workspace.analyst_of(options).analyze(
                    sheet, types=options.types, filters=options.filters(), watch=trees.append,
                    progress=self._reporter(job, sheet, began, trees), criterion=options.criterion,
                )  # fmt: skip
            except KeyboardInterrupt:  # before the case as it is was ranked
                return (*self._ended(job), None)
            content = Content(result)
            given = {
                "analysis": content.analysis,
                "tree": content.tree,
                "items": [vars(item) for item in _items(result, passages(corpus.session))],
                "lines": line_documents(result.analysis.tree),
                "notes": [k_line_of(result.analysis), accuracy_note(result)],
            }
        lost = " ".join(self._report_faults(job, content))
        if result.analysis.complete:
            return "done", lost, given
        status, detail = self._ended(job)
        return status, f"{detail} {lost}".strip(), given

    def _report_faults(self, job: Job, content: Content) -> Iterator[str]:
        """Store the reports of an analysis; yield a sentence for each that could not be made."""
        for name, make in REPORTS.items():
            try:
                self.workspace.jobs.put_file(job.id, name, make(content))
            except Exception as error:  # the analysis is whole without it
                yield f"{name} could not be made. {_log_fault(error, job)}"

    def _ended(self, job: Job) -> tuple[Status, str]:
        if job.id in self._cancelled:
            return "cancelled", "It was cancelled; what was measured until then is kept."
        return "stopped", "The server ended; what was measured until then is kept."

    def _reporter(
        self, job: Job, sheet: FactSheet, began: float, trees: list[PerturbationTree]
    ) -> Callable[[str, int, int], None]:
        """What the analysis reports to; it breaks off by KeyboardInterrupt, as Ctrl-C does."""
        workspace = self.workspace

        def report(what: str, done: int, of: int) -> None:
            before = self._progress
            lines = before.lines if before else ()
            version = before.version if before else 0
            if what in BETWEEN_STATES:
                if trees:
                    lines, version = tuple(line_documents(trees[0])), version + 1
                if self.stopping:
                    raise KeyboardInterrupt
                workspace.corpora.trim()
            elif before and before.what == GROWING:  # the steps within a state tell nothing new
                what, done, of = before.what, before.done, before.of
            seconds = round(time.monotonic() - began, 1)
            self._progress = Progress(what, done, of, seconds, lines, version)
            if job.id in self._cancelled:
                raise KeyboardInterrupt
            workspace.turns.let_others()

        return report
