"""Hand labels of facts, the texts they belong to, and what was extracted in the same form.

Two sets of labels lie in `tests/gold/`: `facts.jsonl` names narratives by an id, `passages.jsonl`
names a range of characters in a judgment. Neither holds text; the texts are read from a folder
with `charge_sentences/Train-Sent.jsonl` and `aila2019/corpus.jsonl`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from countercase.errors import InputError
from countercase.evaluation.sets import Row, read_rows
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, SectionValue

KINDS: Final = ("provisions", "amounts", "ages", "durations", "evidence")
GOLD: Final = Path(__file__).resolve().parent.parent / "tests" / "gold"
NARRATIVES: Final = Path("charge_sentences") / "Train-Sent.jsonl"
JUDGMENTS: Final = Path("aila2019") / "corpus.jsonl"

Labels = Mapping[str, frozenset[str]]
"""The values of one text, each written as text, for every kind in `KINDS`."""


class _LabelRow(Row):
    provisions: list[str]
    amounts: list[float]
    ages: list[float]
    durations: list[tuple[float, str]]
    evidence: list[str]

    @property
    def labels(self) -> Labels:
        return {
            "provisions": frozenset(self.provisions),
            "amounts": frozenset(map(_figure, self.amounts)),
            "ages": frozenset(map(_figure, self.ages)),
            "durations": frozenset(f"{_figure(value)} {unit}" for value, unit in self.durations),
            "evidence": frozenset(self.evidence),
        }


class _NarrativeRow(_LabelRow):
    factid: str


class Passage(_LabelRow):
    """A labelled range of characters in the text of a judgment.

    Args:
        doc_id: the judgment.
        start, end: the range, end excluded.
        sha256: the first 16 hexadecimal digits of the SHA-256 of the passage.
    """

    doc_id: str
    start: int
    end: int
    sha256: str

    @property
    def name(self) -> str:
        """The name of the passage in reports."""
        return f"{self.doc_id}:{self.start}-{self.end}"


class _Narrative(Row):
    factid: str
    text: list[str]


class _Judgment(Row):
    doc_id: Annotated[str, Field(validation_alias="_id")]
    text: str


def read_gold(path: Path = GOLD / "facts.jsonl") -> dict[str, Labels]:
    """Read the hand labels of the narratives, by `factid`; InputError names a wrong line."""
    return {row.factid: row.labels for _, _, row in read_rows(path, _NarrativeRow)}


def read_passage_gold(path: Path = GOLD / "passages.jsonl") -> list[Passage]:
    """Read the labelled passages; InputError names a wrong line."""
    return [row for _, _, row in read_rows(path, Passage)]


def read_narratives(data: Path, wanted: Iterable[str]) -> dict[str, str]:
    """Read the narratives with these ids, each the sentences of a row joined by one space.

    Raises:
        InputError: the file is missing or damaged, or does not hold every id.
    """
    path, ids = data / NARRATIVES, set(wanted)
    rows = (row for _, _, row in read_rows(path, _Narrative))
    found = {row.factid: " ".join(row.text) for row in rows if row.factid in ids}
    if missing := sorted(ids - found.keys()):
        raise InputError(f"{path} lacks {len(missing)} labelled narratives, first {missing[0]}")
    return found


def read_passages(data: Path, passages: Iterable[Passage]) -> dict[str, str]:
    """Read the text of each passage by its name.

    Raises:
        InputError: the file is missing or damaged, lacks a judgment, or holds another edition of
            it, so that the characters of a passage are not those that were labelled.
    """
    path = data / JUDGMENTS
    texts = {row.doc_id: row.text for _, _, row in read_rows(path, _Judgment)}
    found = {}
    for passage in passages:
        if passage.doc_id not in texts:
            raise InputError(f"{path} lacks the labelled judgment {passage.doc_id}")
        text = texts[passage.doc_id][passage.start : passage.end]
        if hashlib.sha256(text.encode("utf-8")).hexdigest()[:16] != passage.sha256:
            raise InputError(
                f"{path}: {passage.name} is not the passage that was labelled; "
                "use the edition of the collection that tests/gold/README.md names"
            )
        found[passage.name] = text
    return found


def labels_of(sheet: FactSheet) -> Labels:
    """Return what was extracted, in the form of the labels."""
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


def _figure(value: float) -> str:
    return f"{float(value):.10g}"
