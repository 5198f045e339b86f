"""Hand labels of facts, the texts they belong to, and what was extracted in the same form.

Two sets of labels lie in `tests/gold/`: `facts.jsonl` names narratives by an id, `passages.jsonl`
names a range of characters in a judgment. Neither holds text; the texts are read from a folder
with `charge_sentences/Train-Sent.jsonl` and `aila2019/corpus.jsonl`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from countercase.errors import InputError
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, SectionValue

KINDS: Final = ("provisions", "amounts", "ages", "durations", "evidence")
GOLD: Final = Path(__file__).resolve().parent.parent / "tests" / "gold"
NARRATIVES: Final = Path("charge_sentences") / "Train-Sent.jsonl"
JUDGMENTS: Final = Path("aila2019") / "corpus.jsonl"

Labels = Mapping[str, frozenset[str]]
"""The values of one text, each written as text, for every kind in `KINDS`."""


@dataclass(frozen=True)
class Passage:
    """A range of characters in the text of a judgment.

    Args:
        doc_id: the judgment.
        start, end: the range, end excluded.
        digest: the first 16 hexadecimal digits of the SHA-256 of the passage.
    """

    doc_id: str
    start: int
    end: int
    digest: str

    @property
    def name(self) -> str:
        """How the passage is called in reports."""
        return f"{self.doc_id}:{self.start}-{self.end}"


def read_gold(path: Path = GOLD / "facts.jsonl") -> dict[str, Labels]:
    """The hand labels of the narratives, by `factid`.

    Raises:
        InputError: a line is not JSON or lacks a key.
    """
    return {row["factid"]: _labels(path, number, row) for number, row in _rows(path, "factid")}


def read_passage_gold(path: Path = GOLD / "passages.jsonl") -> dict[Passage, Labels]:
    """The hand labels of the passages.

    Raises:
        InputError: a line is not JSON or lacks a key.
    """
    return {
        Passage(row["doc_id"], row["start"], row["end"], row["sha256"]): _labels(path, number, row)
        for number, row in _rows(path, "doc_id", "start", "end", "sha256")
    }


def read_narratives(data: Path, wanted: Iterable[str]) -> dict[str, str]:
    """The narratives with these ids, each the sentences of a row joined by one space.

    Raises:
        InputError: the file is missing or damaged, or does not hold every id.
    """
    path, ids = data / NARRATIVES, set(wanted)
    rows = (row for _, row in _rows(path, "factid", "text"))
    found = {row["factid"]: " ".join(row["text"]) for row in rows if row["factid"] in ids}
    if missing := sorted(ids - found.keys()):
        raise InputError(f"{path} lacks {len(missing)} labelled narratives, first {missing[0]}")
    return found


def read_passages(data: Path, wanted: Iterable[Passage]) -> dict[Passage, str]:
    """The text of each passage.

    Raises:
        InputError: the file is missing or damaged, lacks a judgment, or holds another edition of
            it, so that the characters of a passage are not those that were labelled.
    """
    path, passages = data / JUDGMENTS, list(wanted)
    ids = {passage.doc_id for passage in passages}
    rows = (row for _, row in _rows(path, "_id", "text"))
    texts = {row["_id"]: row["text"] for row in rows if row["_id"] in ids}
    if missing := sorted(ids - texts.keys()):
        raise InputError(f"{path} lacks {len(missing)} labelled judgments, first {missing[0]}")
    found = {passage: texts[passage.doc_id][passage.start : passage.end] for passage in passages}
    for passage, text in found.items():
        if hashlib.sha256(text.encode("utf-8")).hexdigest()[:16] != passage.digest:
            raise InputError(
                f"{path}: {passage.name} is not the passage that was labelled; "
                "use the edition of the collection that tests/gold/README.md names"
            )
    return found


def labels_of(sheet: FactSheet) -> Labels:
    """What was extracted, in the form of the labels."""
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for fact in sheet.facts:
        value = fact.value
        if isinstance(value, SectionValue):
            found["provisions"].add(value.provision)
        elif isinstance(value, EvidenceValue):
            found["evidence"].add(value.evidence_type)
        elif isinstance(value, NumericalValue) and value.kind in ("amount", "age"):
            found[f"{value.kind}s"].add(_figure(value.value))
        elif isinstance(value, NumericalValue) and value.kind == "duration":
            found["durations"].add(f"{_figure(value.value)} {value.unit}")
    return {kind: frozenset(values) for kind, values in found.items()}


def _labels(path: Path, number: int, row: Mapping[str, Any]) -> Labels:
    try:
        return {
            "provisions": frozenset(row["provisions"]),
            "amounts": frozenset(_figure(value) for value in row["amounts"]),
            "ages": frozenset(_figure(value) for value in row["ages"]),
            "durations": frozenset(f"{_figure(v)} {unit}" for v, unit in row["durations"]),
            "evidence": frozenset(row["evidence"]),
        }
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}, line {number}: not a label row ({error!r})") from error


def _figure(value: float) -> str:
    return f"{float(value):.10g}"


def _rows(path: Path, *keys: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; check --data") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}, line {number}: not JSON ({error.msg})") from error
        if not isinstance(row, dict) or any(key not in row for key in keys):
            raise InputError(f"{path}, line {number}: expected the keys {' and '.join(keys)}")
        yield number, row
