"""The records of the casebook and those that were added here: read, look up, add, make documents of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from countercase.corpus.casebook.form import AREAS, Finding, check_form, check_ids
from countercase.corpus.documents import JSON, Document
from countercase.errors import InputError, did_you_mean
from countercase.facts.documents import decode, read_bytes
from countercase.facts.vocabulary import OUTCOMES
from countercase.io import cache_root, parse_json, write_files
from countercase.law.provisions import normal_form
from countercase.locks import locked

CASEBOOK = "casebook"
"""The name of the corpus that ships with the package."""

PRIVATE = "private"
"""The name of the corpus of the records that were added here."""
PRIVATE_FILE = "private-casebook.jsonl"
"""In the home folder; it cannot be made again, so keep a copy."""

PARTS = ("facts", "holding", "catchwords")
"""The fields of a record that its document tells, each under a heading of its own."""


@cache
def casebook_records() -> tuple[dict[str, Any], ...]:
    """Return all records as they are written, by file name and line; see `check` for their fields."""
    files = sorted(Path(__file__).parent.glob("*.jsonl"))
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(json.loads(line) for line in lines if line.strip())


def private_records() -> tuple[dict[str, Any], ...]:
    """Return the records that were added here, in the order of their ids; see `add_records`."""
    path = cache_root() / PRIVATE_FILE
    return read_records(path) if path.is_file() else ()


RECORDS: Mapping[str, Callable[[], tuple[dict[str, Any], ...]]] = {
    CASEBOOK: casebook_records,
    PRIVATE: private_records,
}
"""The corpora that are made of records."""


def read_records(path: Path) -> tuple[dict[str, Any], ...]:
    """Return the records of a JSON Lines file, or of a file of one record; InputError where it
    holds none, cannot be read, or a line is no JSON object.
    """
    text = decode(read_bytes(path, 1 << 30), path)
    if text.startswith(("{\n", "{\r\n")):
        lines = [(str(path), text)]
    else:
        numbered = enumerate(text.splitlines(), start=1)
        lines = [(f"{path}, line {number}", line) for number, line in numbered if line.strip()]
    records = []
    for where, line in lines:
        record = parse_json(line, where)
        if not isinstance(record, dict):
            raise InputError(f"{where}: must be an object")
        records.append(record)
    if not records:
        raise InputError(f"{path}: holds no record")
    return tuple(records)


def load_casebook(corpus: str = CASEBOOK, parts: Sequence[str] = PARTS) -> tuple[Document, ...]:
    """Return a document per record, of the `parts` of it that a query can find; the rest is metadata."""
    documents = []
    for record in RECORDS[corpus]():
        told = record | {"catchwords": "; ".join(record.get("catchwords", ()))}
        texts = (f"{name.capitalize()}\n\n{told[name].strip()}" for name in parts if told[name])
        text, metadata = "\n\n".join(texts), _metadata(record)
        documents.append(Document(record["case_id"], record["title"], text, metadata))
    return tuple(documents)


def casebook_digest(corpus: str = CASEBOOK) -> str:
    """SHA-256 over the documents of a casebook: another one calls for another index."""
    plain = [
        [document.doc_id, document.title, document.text, dict(document.metadata)]
        for document in load_casebook(corpus)
    ]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _metadata(record: dict[str, Any]) -> dict[str, JSON]:
    evidence = dict.fromkeys(item["evidence_type"] for item in record["evidence_items"])
    treatment = {"treatment": record["treatment"]} if record.get("treatment") else {}
    as_written = ("title", "court", "date", "docket", "bench", "outcome", "area", "cites")
    parties: dict[str, JSON] = {}
    for side in ("petitioner", "respondent"):
        parties[side] = record["parties"][side]["name"]
        parties[f"{side}_type"] = record["parties"][side]["type"]
    return treatment | {
        **{name: record[name] for name in as_written},
        "provisions": list(record["sections_cited"]),
        **parties,
        "evidence_types": list(evidence),
        "points": [
            [point["held"], point["otherwise"]]
            for point in record["dispositive"]
            if point.get("held") and point.get("otherwise")
        ],
        "source_collection": record["source"]["collection"],
        "source_id": record["source"]["id"],
    }


def records_of(area: str = "") -> list[Mapping[str, Any]]:
    """Return the records of an area, or all, those that ship first; InputError if it is unknown."""
    if area and area not in AREAS:
        raise InputError(f"--area {area!r}: no such area (known: {', '.join(AREAS)})")
    records = (*casebook_records(), *private_records())
    return [record for record in records if area in ("", record["area"])]


def search_records(
    words: Sequence[str] = (),
    area: str = "",
    provision: str = "",
    year_from: int | None = None,
    year_to: int | None = None,
    outcome: str = "",
) -> list[Mapping[str, Any]]:
    """Return the records that meet every condition given, in the order of the casebook.

    Each of `words` must stand in the title, the facts, the holding or the catchwords, in any case.
    A `provision`, in any form, also finds its parts. InputError where a condition cannot be read.
    """
    if year_from is not None and year_to is not None and year_from > year_to:
        raise InputError(f"--year-from {year_from} is after --year-to {year_to}; swap them")
    wanted = normal_form(provision) if provision else ""
    if outcome and outcome not in OUTCOMES:
        raise InputError(f"--outcome {outcome!r}: no such outcome (known: {', '.join(OUTCOMES)})")

    def meets(record: Mapping[str, Any]) -> bool:
        year = int(record["date"][:4])
        told = [record[key] for key in ("title", "facts", "holding")]
        text = " ".join([*told, *record.get("catchwords", ())]).casefold()
        cited = record["sections_cited"]
        return (
            (year_from is None or year >= year_from)
            and (year_to is None or year <= year_to)
            and outcome in ("", record["outcome"])
            and all(word.casefold() in text for word in words)
            and (not wanted or any(f"{known}-".startswith(f"{wanted}-") for known in cited))
        )

    return [record for record in records_of(area) if meets(record)]


def record_of(case_id: str) -> Mapping[str, Any]:
    """Return one record by its id; InputError with the nearest id where there is none."""
    by_id = {record["case_id"]: record for record in records_of()}
    if case_id not in by_id:
        raise InputError(
            f"{case_id}: not in the casebook{did_you_mean(case_id, by_id)} "
            "(`countercase casebook list` lists all)"
        )
    return by_id[case_id]


@dataclass(frozen=True)
class Added:
    """The ids of new records and of those replaced; with findings against one, none was added."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def add_records(path: Path) -> Added:
    """Add the records of a file to the private casebook, all of them or none.

    A record whose id is known there takes the place of the older one. Errors are those of
    `read_records`, and a StoreError where the private casebook cannot be written.
    """
    given = read_records(path)
    shipped = {record["case_id"] for record in casebook_records()}
    findings = [finding for record in given for finding in check_form(record)] + check_ids(given)
    taken = (name for record in given if (name := record.get("case_id")) in shipped)
    why = "is the id of a decision that ships; choose another"
    findings += [Finding(name, "case_id", why) for name in taken if name]
    if findings:
        return Added(findings=tuple(findings))
    with locked("private-casebook", "waiting: another run adds to the casebook"):
        before = {record["case_id"]: record for record in private_records()}
        after = before | {record["case_id"]: record for record in given}
        lines = [json.dumps(after[name], ensure_ascii=False) + "\n" for name in sorted(after)]
        write_files(cache_root(), {PRIVATE_FILE: "".join(lines)})
    names = [record["case_id"] for record in given]
    added, changed = ([it for it in names if (it in before) == was] for was in (False, True))
    return Added(tuple(added), tuple(changed))
