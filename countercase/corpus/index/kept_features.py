"""The features of every judgment of a corpus: its facts as typed tokens, kept beside its index.

The facts of a record of the casebook are those that it states; those of any other judgment are
read out of its text, which takes seconds for a long one. Each judgment is kept under a checksum of
what it was read from and of the program that read it, so that a changed judgment or another version
of the program is read anew, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from countercase.corpus.casebook.records import RECORDS
from countercase.corpus.casebook.sheets import sheet_of_record
from countercase.corpus.index.snapshot import Snapshot
from countercase.fact_types.base import tokens
from countercase.facts.extraction import extract, within_length
from countercase.facts.model import FactSheet
from countercase.integrity import DamageWarning, code_fingerprint, seal, unsealed
from countercase.io import Progress, write_files
from countercase.locks import locked

FEATURES_FILE: Final = "features.json"
"""Beside the snapshot, so that it outlives one that is written anew."""

CODE: Final = ("text", "law", "facts", "fact_types", "corpus/casebook/sheets.py")
"""The parts of the program that decide the features of a judgment."""

AT_LEAST: Final = 50
"""Judgments that are read between two writings of the file, at least; a tenth of those known."""

Features = tuple[str, ...]


@dataclass(frozen=True)
class _Source:
    """What the facts of a judgment are read from, its checksum, and how they are read."""

    key: str
    sheet: Callable[[], FactSheet]

    def features(self) -> Features:
        """The distinct tokens of its facts, sorted."""
        sheet = self.sheet()
        return tuple(sorted({token for fact in sheet.facts for token in tokens(fact, sheet)}))


def case_features(corpus: Snapshot, progress: Progress | None = None) -> list[Features]:
    """The features of each judgment, in the order of the index; of an index they are kept.

    Of a text longer than `facts.extraction.LONGEST` the beginning is read.

    Raises:
        StoreError: what was read of an index cannot be written.
    """
    sources = _sources(corpus)
    if corpus.folder is None:
        return _completed({}, sources, None, progress)
    path = corpus.folder.with_name(FEATURES_FILE)
    known, _ = _read(path)
    if all(source.key in known for source in sources):
        return [known[source.key] for source in sources]
    name = corpus.folder.parent.name
    with locked(f"features-{name}", f"waiting: facts of {name} are read by another run", progress):
        known, problem = _read(path)
        if problem:
            warnings.warn(f"{problem}; the facts are read anew", DamageWarning, stacklevel=2)
        return _completed(known, sources, path, progress)


def _completed(
    known: dict[str, Features], sources: list[_Source], path: Path | None, progress: Progress | None
) -> list[Features]:
    wanted = {source.key for source in sources}
    known = {key: features for key, features in known.items() if key in wanted}
    unwritten = 0
    for at, source in enumerate(sources, start=1):
        if source.key not in known:
            known[source.key] = source.features()
            unwritten += 1
        full = unwritten >= max(AT_LEAST, len(known) // 10)
        if path is not None and unwritten and (full or at == len(sources)):
            document = seal({"features": {key: list(known[key]) for key in sorted(known)}})
            write_files(path.parent, {path.name: json.dumps(document)})
            unwritten = 0
        if progress is not None:
            progress("reading the facts of the judgments", at, len(sources))
    return [known[source.key] for source in sources]


def _read(path: Path) -> tuple[dict[str, Features], str]:
    """What is kept, by key, and what is wrong with the file; nothing is where there is none."""
    try:
        features = unsealed(path.read_bytes())["features"]
        return {key: tuple(listed) for key, listed in features.items()}, ""
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, KeyError) as error:
        return {}, f"{path}: damaged ({error})"


def _sources(corpus: Snapshot) -> list[_Source]:
    code = code_fingerprint(CODE)
    known = RECORDS.get(corpus.manifest.corpus, tuple)()
    records: dict[str, dict[str, Any]] = {record["case_id"]: record for record in known}
    return [
        _of_record(records[case_id], code) if case_id in records else _of_text(corpus, at, code)
        for at, case_id in enumerate(corpus.case_ids)
    ]


def _of_record(record: dict[str, Any], code: str) -> _Source:
    return _Source(_key(code, json.dumps(record, sort_keys=True)), lambda: sheet_of_record(record))


def _of_text(corpus: Snapshot, at: int, code: str) -> _Source:
    title, text = corpus.metadata[at].title, corpus.case_text(at)

    def sheet() -> FactSheet:
        # The title names the parties; the tagger would add none and take longest.
        read = within_length(corpus.case_text(at))
        return extract(read, corpus.case_ids[at], title, tagger=False)

    return _Source(_key(code, title, text), sheet)


def _key(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:24]
