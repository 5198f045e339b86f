"""Analyse every case of a folder, each into a folder of its own; what is finished stays finished."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from countercase import session as sessions
from countercase.config import Settings
from countercase.counterfactual.lawful import Validator, open_validator
from countercase.counterfactual.sensitivity import Criterion
from countercase.engines.engine import PLAIN, Engine
from countercase.engines.pools import Failed, Sendable
from countercase.errors import CorpusIndexError, InputError
from countercase.evaluation.experiment import fingerprint
from countercase.facts.case_file import read_case
from countercase.facts.documents import SUFFIXES, read_bytes
from countercase.facts.model import Side
from countercase.integrity import checksum, code_fingerprint, damage
from countercase.io import Progress, json_text, tell, write_files
from countercase.reports.analysis_json import count_facts
from countercase.reports.view import reports
from countercase.retrieval.base import Filters

RECORD: Final = "finished.json"
"""Beside the reports of a case: what they were made of, their checksums, and the row of the case."""


@dataclass(frozen=True)
class CaseRow:
    """What the table says of one case.

    Attributes:
        file, folder: its file name, and the folder of its reports; empty where none are written.
        error: why it was not analysed; the other fields are then empty.
        moving: how many of its facts move the list of precedents.
        strongest, sensitivity: the label of the fact that moves it most, in places.
        first, weak: the first precedent, and whether all are only the nearest that there were.
        again: whether it was finished before and not analysed again.
        unjudged: how many changes the language model failed to judge.
    """

    file: str
    folder: str = ""
    error: str = ""
    case_id: str = ""
    facts: int = 0
    measured: int = 0
    moving: int = 0
    strongest: str = ""
    sensitivity: float | None = None
    first: str = ""
    weak: bool = False
    again: bool = False
    unjudged: int = 0


@dataclass(frozen=True)
class CaseWork(Sendable):
    """From a case file to its row and its reports by file name.

    `validator` makes one in every worker; `side` is for whom reports are written, None: there are none.
    """

    settings: Settings
    corpus: str
    chroma_host: str | None = None
    models: str = "embedded"
    types: Sequence[str] | None = None
    filters: Filters | None = None
    validator: Callable[[], Validator] = open_validator
    validator_name: str = "rules"
    criterion: Criterion = "threshold"
    side: Side | None = "petitioner"
    progress: Progress | None = None

    @cached_property
    def session(self) -> sessions.Session:
        """The models and the corpus."""
        return sessions.open_session(
            self.settings, self.corpus, chroma_host=self.chroma_host, models=self.models,
            progress=self.progress,
        )  # fmt: skip

    @cached_property
    def judge(self) -> Validator:
        """What refuses implausible changes."""
        return self.validator()

    @cached_property
    def own(self) -> str:
        """A short name of everything that a result depends on beside the case."""
        return fingerprint(
            self.settings.fingerprint(), self.session.models,
            self.session.snapshot.manifest.checksum, list(self.types or ()),
            asdict(self.filters or Filters()), self.validator_name, self.criterion,
            self.side, self.settings.JUDGMENT_URL, code_fingerprint(["."]),
        )  # fmt: skip

    def __call__(self, item: tuple[Path, str]) -> tuple[CaseRow, dict[str, str | bytes]]:
        """Analyse a case: its file, and `own` where the work was given out.

        InputError where it has no fact to change, CorpusIndexError where this worker has other parts.
        """
        path, made_with = item
        if made_with != self.own:
            raise CorpusIndexError(
                "this worker has another corpus, other models or another version of CounterCase "
                "than the machine that gave out the work; make them the same"
            )
        sheet = read_case(path, self.settings.MAX_INPUT_BYTES, **self.settings.reading())
        before = getattr(self.judge, "failures", 0)
        result = self.session.analyze(
            sheet, types=self.types, filters=self.filters, validator=self.judge,
            progress=self.progress, criterion=self.criterion,
        )  # fmt: skip
        if not result.analysis.complete:
            raise KeyboardInterrupt
        first = result.precedents[0] if result.precedents else None
        row = CaseRow(
            file=path.name, case_id=sheet.case_id, **count_facts(result), weak=result.weak,
            first=(first.title or first.case_id) if first else "",
            unjudged=getattr(self.judge, "failures", 0) - before,
        )  # fmt: skip
        return row, reports(result, side=self.side) if self.side else {}


def case_files(folder: Path) -> dict[str, Path]:
    """The case files of a folder, sorted, by the names that the folders of their reports get.

    The name is the file's, with its ending only where another has the same. Hidden files and other
    kinds are left out. InputError where the folder cannot be listed or holds no case.
    """
    try:
        listed = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder}: cannot be listed ({error.strerror})") from error
    kinds = (".json", *SUFFIXES)
    paths = [path for path in listed if path.suffix.lower() in kinds and not path.is_dir()]
    if not paths:
        raise InputError(f"{folder}: holds no case; a case is a {', '.join(kinds)} file")
    names = Counter(name for path in paths for name in (path.stem, path.name))
    return {path.stem if names[path.stem] == 1 else path.name: path for path in paths}


def analyze_folder(
    work: CaseWork, folder: Path, out: Path | None = None, engine: Engine = PLAIN
) -> list[CaseRow]:
    """Analyse every case of a folder; the rows of the table, in the order of the file names.

    With `out` the reports of each finished case are written into a folder of its own, and it is not
    analysed again while they stand there as written, of the same case, settings, models, corpus and
    program. StoreError where `out` cannot be written; else as `case_files` and `open_session`.
    """
    files = case_files(folder)
    rows: dict[str, CaseRow] = {}
    sources: dict[str, str] = {}
    for name, path in files.items():
        try:
            content = read_bytes(path, work.settings.MAX_INPUT_BYTES)
        except InputError as error:
            rows[name] = CaseRow(path.name, error=str(error))
            continue
        sources[name] = fingerprint(work.own, path.name, hashlib.sha256(content).hexdigest())
        if out is not None and (finished := _finished(out / name, sources[name])):
            rows[name] = finished
    waiting = [name for name in files if name not in rows]

    def receive(number: int, result: Any) -> None:
        name = waiting[number]
        if isinstance(result, Failed):
            row = CaseRow(files[name].name, error=str(result.error))
        elif (row := result[0]) and out is not None:
            row = replace(row, folder=str(out / name))
            written = write_files(out / name, result[1])
            sums = {it.name: (it.stat().st_size, checksum(it)) for it in written}
            record = {"source": sources[name], "files": sums, "row": asdict(row)}
            # Last, that they are finished, unless a judgment is missing.
            write_files(out / name, {} if row.unjudged else {RECORD: json_text(record)})
        rows[name] = row
        tell(work.progress, "cases", len(rows), len(files))

    tell(work.progress, "cases", len(rows), len(files))
    engine.run(work, [(files[name].absolute(), work.own) for name in waiting], receive)
    return [rows[name] for name in files]


def _finished(folder: Path, source: str) -> CaseRow | None:
    """The row of a case whose reports stand in `folder` as they were made of `source`."""
    try:
        record = json.loads((folder / RECORD).read_bytes())
        if record["source"] != source or damage(folder, record["files"]):
            return None
        return CaseRow(**record["row"] | {"folder": str(folder), "again": True})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None  # missing or damaged: the case is analysed again
