"""What the service works on: one session, whose turn it is, the jobs, the cases that are open.

One at a time, first come first served: the models and the caches of a corpus have one user. An
analysis takes its turn for long and lets those who wait go first whenever it reports progress.
"""

from __future__ import annotations

import re
import tempfile
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath
from threading import Condition
from typing import Any, Final

from countercase.config import Settings
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.states import State, StateSearch
from countercase.errors import InputError
from countercase.facts.case_file import id_of_file, read_case, sheet_from_case, write_case
from countercase.facts.documents import SUFFIXES, check_characters, read_document
from countercase.facts.edits import Edit
from countercase.facts.extraction import LONGEST, extract
from countercase.facts.model import FactSheet
from countercase.reports.wording import UNNAMED
from countercase.retrieval.base import Ranking
from countercase.session import Analyst, Session
from countercase.web.corpora import Corpora, OpenCorpus
from countercase.web.jobs import Job, Jobs
from countercase.web.models import MAX_CHARACTERS, AnalysisOptions, CaseInput, StoredCase
from countercase.web.render import BusyError

MOST_WAITING: Final = 24
"""Requests that wait for their turn; a further one is refused."""
LONGEST_WAIT: Final = 30.0
"""Seconds after which a request that waits is refused."""


class Turns:
    """A fair lock: at most `most` wait, no more than `seconds`; `after` is done at the end of a turn."""

    def __init__(
        self, most: int = MOST_WAITING, seconds: float = LONGEST_WAIT,
        after: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._most, self._seconds, self._after = most, seconds, after
        self._changed, self._waiting = Condition(), deque[object]()
        self._taken = False

    @contextmanager
    def turn(self, *, patient: bool = False) -> Iterator[None]:
        """Hold the turn; who is `patient` waits without a bound, as the worker does.

        A `BusyError` is raised where too many wait already, or the turn did not come in time.
        """
        self._take(patient)
        with ExitStack() as ending:  # what is added last is done first
            ending.callback(self._give)
            ending.callback(self._after)
            yield

    def let_others(self) -> None:
        """Let those who wait now go first; called by the one whose turn it is."""
        if self._waiting:
            self._give()
            self._take(patient=True)

    def _take(self, patient: bool) -> None:
        mine = object()
        with self._changed:
            if not patient and len(self._waiting) >= self._most:
                raise BusyError(f"{self._most} requests wait already; ask again in a moment")
            self._waiting.append(mine)
            came = self._changed.wait_for(
                lambda: not self._taken and self._waiting[0] is mine,
                None if patient else self._seconds,
            )
            self._waiting.remove(mine)
            self._taken = self._taken or came
            if not came:
                self._changed.notify_all()
                raise BusyError(f"no turn came within {self._seconds:g} s; ask again in a moment")

    def _give(self) -> None:
        with self._changed:
            self._taken = False
            self._changed.notify_all()


MOST_OPEN: Final = 8
"""Cases whose states are kept ready to be changed."""
_LONGEST: Final = (MAX_CHARACTERS, LONGEST[1])
UPLOAD_SECONDS: Final = 20.0
"""What reading the text of a file may take; a case to be pasted takes a second."""


@dataclass(frozen=True)
class Opened:
    """An analysed case, ready to be changed: what ranks its states, and the changes on offer."""

    analyst: Analyst
    sheet: FactSheet
    search: StateSearch

    @cached_property
    def base(self) -> Ranking:
        """The ranking of the case as it is."""
        [ranking] = self.search.rank([State()])
        return ranking

    @cached_property
    def proposed(self) -> dict[str, Edit]:
        """The changes that the law gives a reason for, by id."""
        return {edit.edit_id: edit for edit in propose(self.sheet)}


class Workspace:
    """One session and the jobs on it, and `examples`: files that `read_case` reads, to begin with."""

    def __init__(self, session: Session, jobs: Jobs, examples: tuple[Path, ...] = ()) -> None:
        self.session, self.jobs = session, jobs
        self.corpora = Corpora(session, self._forget)
        self.turns, self._readings = Turns(after=self.corpora.trim), Turns()
        self.examples = {path.stem: path for path in examples}
        self._open: OrderedDict[tuple[str, float], Opened] = OrderedDict()

    # Cases

    def read_text(self, text: str, title: str = "", case_id: str = UNNAMED) -> FactSheet:
        """Return the facts of a text; an `InputError` for control characters, or what cannot be read."""
        tagger = self.session.settings.FACT_TAGGER
        with self.turns.turn():
            return extract(text, case_id, title, tagger=tagger, longest=_LONGEST)

    def read_input(self, given: CaseInput) -> FactSheet:
        """Return the facts of what a program sent: a case file, or a text."""
        if given.case is not None:
            with self.turns.turn():
                return sheet_from_case(given.case, tagger=self.session.settings.FACT_TAGGER)
        return self.read_text(given.text or "")

    def read_upload(self, name: str, content: bytes, notes: str = "", title: str = "") -> FactSheet:
        """Return the facts of a file that was sent, as `read_file`; an `InputError` has the name sent."""
        plain = PurePath(name.replace("\\", "/")).name
        usable = "".join(c for c in plain if c.isalnum() or c in " ._-")[-80:].strip(" .")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / (usable or "case")
            path.write_bytes(content)
            try:
                return self.read_file(path, notes, title)
            except InputError as error:
                told = str(error).replace(str(path), plain[:80] or "the file")
                raise InputError(re.sub(r" \(\w+Error\)", "", told)) from error

    def read_file(self, path: Path, notes: str = "", title: str = "") -> FactSheet:
        """Return the facts of a file, its text behind the `notes`, under the `title` if there is one."""
        most, tagger = self.session.settings.MAX_INPUT_BYTES, self.session.settings.FACT_TAGGER
        if path.suffix.lower() not in SUFFIXES:
            with self.turns.turn():
                sheet = read_case(path, most, tagger=tagger, longest=_LONGEST)
            if notes:
                raise InputError(f"{path} has its own narrative and facts; give it without notes")
            return replace(sheet, title=check_characters(title, "the title") or sheet.title)
        with self._readings.turn():  # meanwhile others may have theirs
            text = read_document(path, most, UPLOAD_SECONDS).text
        text = f"{notes}\n\n{text}" if notes else text
        return self.read_text(text, title, id_of_file(path))

    @staticmethod
    def stored_of(sheet: FactSheet) -> dict[str, Any]:
        """Return a case as it is stored."""
        mentions = {fact.fact_id: [asdict(it) for it in fact.spans] for fact in sheet.facts}
        return write_case(sheet) | {"mentions": mentions}

    @staticmethod
    def sheet_of(stored: Mapping[str, Any]) -> FactSheet:
        """Return the facts of a stored case, which states all of them."""
        case = StoredCase.model_validate(stored)
        sheet, known = sheet_from_case(case), case.mentions
        facts = [replace(it, spans=tuple(known.get(it.fact_id, it.spans))) for it in sheet.facts]
        return replace(sheet, facts=tuple(facts))

    # Analyses

    def analyst_of(self, options: AnalysisOptions) -> Analyst:
        """Return who analyses with these options, on the retriever of their corpus."""
        settings = Settings(**{**self.session.settings.model_dump(), **options.settings()})
        return Analyst(settings, self.corpora.get(options.corpus).session.retriever)

    def opened(self, job: Job) -> Opened:
        """Return the case of an analysis, ready to be changed; call it only on one's turn."""
        key = (job.id, job.started)
        if key not in self._open:
            analyst, sheet = self.analyst_of(job.options), self.sheet_of(job.case_file)
            self._open[key] = Opened(analyst, sheet, analyst.states(sheet, job.options.filters()))
        self._open.move_to_end(key)
        if len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
        return self._open[key]

    def _forget(self, corpus: OpenCorpus) -> None:
        for key, opened in list(self._open.items()):
            if opened.analyst.retriever is corpus.session.retriever:
                self._open.pop(key, None)
