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
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Final

from countercase.counterfactual.analysis import NULLS, ROOT, Analysis
from countercase.counterfactual.proposals import propose_nulls
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import GROWING, PerturbationTree
from countercase.errors import CounterCaseError, StoreError
from countercase.evaluation.faithfulness.sentences import own_explanations, passages
from countercase.evaluation.likert.sheets import items_of
from countercase.reports.page import HTML, WORD
from countercase.reports.tree_files import outline
from countercase.reports.view import View
from countercase.session import Analyst
from countercase.text.spans import one_line
from countercase.web.jobs import Job
from countercase.web.models import ProgressOut, Status
from countercase.web.security import place_of
from countercase.web.workspace import Workspace

BETWEEN_STATES: Final = (ROOT, NULLS, GROWING)
"""Reports that come when no state is half ranked."""
MOST_QUOTED: Final = 100
"""Passages quoted of one precedent, at most; there are about as many as facts."""
REPORTS: Final[dict[str, Callable[[View], str | bytes]]] = {**HTML, **WORD}
"""The reports that are kept of an analysis, by file name."""
_IDLE: Final = 0.5

_log = logging.getLogger("countercase.web")


def _log_fault(error: BaseException, job: Job | None = None) -> str:
    """Log a fault, without a message that may quote a case; return what a user is told of it."""
    own = isinstance(error, CounterCaseError)
    told = one_line(str(error)) if own else f"A fault of the program ({type(error).__name__})."
    fault = told if isinstance(error, StoreError) else place_of(error)
    _log.error(json.dumps({"job": job.id if job else None, "fault": fault}))
    return told


@dataclass
class Run:
    """The analysis that runs, and how far it is: the states of its tree so far are `lines`.

    `first` is the analysis with the list of the case as it is alone; empty until that is ranked.
    """

    job: Job
    workspace: Workspace
    stopping: threading.Event
    began: float = field(default_factory=time.monotonic)
    progress: ProgressOut = field(default_factory=ProgressOut)
    tree: PerturbationTree | None = None
    first: dict[str, Any] = field(default_factory=dict)
    lines: tuple[dict[str, Any], ...] = ()
    cancelled: bool = False

    def watch(self, analyst: Analyst, so_far: Callable[[], Analysis]) -> None:
        """Take the tree that is about to grow, and explain the first list, to be shown at once."""
        analysis = so_far()
        self.tree, self.first = analysis.tree, View(analyst.explain(analysis)).analysis
        self.report(ROOT, 1, 1)

    def report(self, what: str, done: int, of: int) -> None:
        """Tell how far the analysis is; break it off by KeyboardInterrupt, as Ctrl-C does."""
        if what in BETWEEN_STATES:
            if self.tree is not None:
                self.lines = tuple(outline(self.tree))
            if self.stopping.is_set():
                raise KeyboardInterrupt
            self.workspace.corpora.trim()
        elif (at := self.progress).what == GROWING:  # the steps within a state tell nothing new
            what, done, of = at.what, at.done, at.of
        seconds = round(time.monotonic() - self.began, 1)
        left = round(seconds / done * (of - done), 1) if what == GROWING and done else None
        self.progress = ProgressOut(what=what, done=done, of=of, seconds=seconds, left=left)
        if self.cancelled:
            raise KeyboardInterrupt
        self.workspace.turns.let_others()

    def analyze(self) -> tuple[Status, str, dict[str, Any] | None]:
        """Analyse the case on the worker's turn; return how it ended, and what it gave."""
        workspace, options = self.workspace, self.job.options
        corpus = workspace.corpora.get(options.corpus)
        sheet = workspace.sheet_of(self.job.case_file)
        with workspace.turns.turn(patient=True):
            analyst = workspace.analyst_of(options)
            try:
                result = analyst.analyze(
                    sheet, types=options.types, filters=options.filters(),
                    watch=partial(self.watch, analyst), progress=self.report,
                    criterion=options.criterion,
                )  # fmt: skip
            except KeyboardInterrupt:  # before the case as it is was ranked
                return (*self._broken_off(), None)
            content, passage = View(result), passages(corpus.session)
            told = own_explanations(sheet.case_id, (result.precedents, ()), passage)
            items = [asdict(item) for item in items_of(told, len(told) * MOST_QUOTED)]
            lines, notes = outline(result.analysis.tree), [content.k_line, content.accuracy]
        given: dict[str, Any] = {"analysis": content.analysis, "tree": content.tree}
        given |= {"items": items, "lines": lines, "notes": notes}
        lost = list[str]()
        for name, make in REPORTS.items():
            try:
                workspace.jobs.put_file(self.job.id, name, make(content))
            except Exception as error:  # the analysis is whole without it
                lost.append(f"{name} could not be made. {_log_fault(error, self.job)}")
        if result.analysis.complete:
            return "done", " ".join(lost), given
        status, detail = self._broken_off()
        return status, " ".join([detail, *lost]), given

    def _broken_off(self) -> tuple[Status, str]:
        if self.cancelled:
            return "cancelled", "It was cancelled; what was measured until then is kept."
        return "stopped", "The server ended; what was measured until then is kept."


class Worker:
    """Runs the queued analyses of a workspace, the oldest first, when `woken` and until `stopping`."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._watchdog = threading.Thread(target=self._keep_alive, name="watchdog", daemon=True)
        self._thread: threading.Thread | None = None
        self.woken, self.stopping = threading.Event(), threading.Event()
        self._run: Run | None = None
        self._broken_off = ""

    def start(self) -> None:
        """Begin with the first that waits."""
        self._watchdog.start()

    @property
    def is_alive(self) -> bool:
        """Whether there is a thread that analyses what waits."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> bool:
        """Ask the worker to end when the running states are ranked; return whether any is."""
        self.stopping.set()
        self.woken.set()
        return bool(self.running)

    def end(self) -> str:
        """Wait for the worker, close its jobs; return the id of the analysis it broke off, or ""."""
        self.stop()
        if self._watchdog.is_alive():
            self._watchdog.join()
        self.workspace.jobs.close()
        return self._broken_off

    @property
    def running(self) -> str:
        """The id of the analysis that runs, or ""."""
        return self._run.job.id if self._run else ""

    def run_of(self, job: str) -> Run | None:
        """Return the run of an analysis; None where it does not run."""
        return run if (run := self._run) is not None and run.job.id == job else None

    def _keep_alive(self) -> None:
        """Replace the thread of the analyses whenever it ends, until the server does."""
        while not self.stopping.is_set():
            self._thread = threading.Thread(target=self._work, name="analyses", daemon=True)
            self._thread.start()
            self._thread.join()
            self.stopping.wait(_IDLE)

    def _work(self) -> None:
        """Work on what waits, the oldest first; whatever is raised here ends this thread."""
        try:
            while not self.stopping.is_set():
                self.woken.clear()
                try:
                    job = self.workspace.jobs.start_next()
                except StoreError as error:  # a full disk may have room again later
                    _log_fault(error)
                    job = None
                if job is None:
                    self.woken.wait(_IDLE)
                else:
                    self._work_on(job)
        except BaseException as error:  # the watchdog begins another thread
            _log_fault(error)

    def _work_on(self, job: Job) -> None:
        """Analyse a case, store what it gave, and prepare its what-ifs; raise nothing."""
        run = self._run = Run(job, self.workspace, self.stopping)
        status: Status = "failed"
        try:
            try:
                status, detail, result = run.analyze()
                self.workspace.jobs.finish(job.id, status, detail, result)
            except BaseException as error:  # else every later job would wait for ever
                status = "failed"
                self.workspace.jobs.finish(job.id, status, _log_fault(error, job))
            self._broken_off = job.id if status == "stopped" else ""
            self._run = None
            if status == "done":
                self._prepare_what_ifs(job)
        except BaseException as error:  # no room to store it, or no what-ifs: the next case goes on
            _log_fault(error, job)
        finally:
            self._run = None
        told = {"job": job.id, "status": status, "s": round(time.monotonic() - run.began, 1)}
        _log.info(json.dumps(told))

    def _prepare_what_ifs(self, job: Job) -> None:
        """Rank what Suppose offers, while nothing else is to be done, so that asking is quick."""
        workspace = self.workspace
        with workspace.turns.turn(patient=True):
            opened = workspace.opened(job)
            edits = [*opened.proposed.values(), *propose_nulls(opened.sheet)]
        for edit in edits:
            if self.stopping.is_set() or workspace.jobs.queue():
                return
            with workspace.turns.turn(patient=True):
                opened.search.rank([State.of([edit])])
