"""The shipped records, and the documents that an index is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from countercase.corpus.documents import JSON, Document
from countercase.errors import InputError
from countercase.io import cache_root, parse_json

CASEBOOK = "casebook"
"""The name of the corpus that ships with the package."""

PRIVATE = "private"
"""The name of the corpus of the records that were added here."""
PRIVATE_FILE = "private-casebook.jsonl"
"""In the home folder; it cannot be made again, so keep a copy."""

PARTS = ("facts", "holding", "catchwords")
"""The fields of a record that its document tells, each under a heading of its own."""


def casebook_records() -> tuple[dict[str, Any], ...]:
    """All records as they are written, by file name and line; see `check` for their fields."""
    folder = resources.files(__package__)
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".jsonl")),
        key=lambda file: file.name,
    )
    return tuple(
        json.loads(line)
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    )


def private_records() -> tuple[dict[str, Any], ...]:
    """The records that were added here, in the order of their ids; see `add_records`."""
    path = cache_root() / PRIVATE_FILE
    return read_records(path) if path.is_file() else ()


RECORDS: Mapping[str, Callable[[], tuple[dict[str, Any], ...]]] = {
    CASEBOOK: casebook_records,
    PRIVATE: private_records,
}
"""The corpora that are made of records."""


def read_records(path: Path) -> tuple[dict[str, Any], ...]:
    """The records of a JSON Lines file, or of a file that is one record in JSON.

    Raises:
        InputError: the file cannot be read, holds no record, or a line is not a JSON object.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error
    if text.startswith("{\n"):
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
    """Return one document per record, of the `parts` of its text that a query can find.

    Everything else that a record says stands in the metadata, the outcome included.
    """
    return tuple(_document(record, parts) for record in RECORDS[corpus]())


def casebook_digest(corpus: str = CASEBOOK) -> str:
    """SHA-256 over the documents of a casebook: another one calls for another index."""
    plain = [
        [document.doc_id, document.title, document.text, dict(document.metadata)]
        for document in load_casebook(corpus)
    ]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _document(record: dict[str, Any], parts: Sequence[str]) -> Document:
    told = record | {"catchwords": "; ".join(record.get("catchwords", ()))}
    texts = (f"{name.capitalize()}\n\n{told[name].strip()}" for name in parts if told[name])
    return Document(
        doc_id=record["case_id"],
        title=record["title"],
        text="\n\n".join(texts),
        metadata=_metadata(record),
    )


def _metadata(record: dict[str, Any]) -> dict[str, JSON]:
    evidence = dict.fromkeys(item["evidence_type"] for item in record["evidence_items"])
    treatment = {"treatment": record["treatment"]} if record.get("treatment") else {}
    return treatment | {
        "title": record["title"],
        "court": record["court"],
        "date": record["date"],
        "docket": record["docket"],
        "bench": list(record["bench"]),
        "provisions": list(record["sections_cited"]),
        "outcome": record["outcome"],
        "area": record["area"],
        "petitioner": record["parties"]["petitioner"]["name"],
        "petitioner_type": record["parties"]["petitioner"]["type"],
        "respondent": record["parties"]["respondent"]["name"],
        "respondent_type": record["parties"]["respondent"]["type"],
        "evidence_types": list(evidence),
        "cites": list(record["cites"]),
        "source_collection": record["source"]["collection"],
        "source_id": record["source"]["id"],
    }
