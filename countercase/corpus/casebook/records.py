"""The shipped records, and the documents that an index is made of."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from typing import Any

from countercase.corpus.documents import JSON, Document

CASEBOOK = "casebook"
"""The name of the corpus that ships with the package."""

TREATMENTS = ("followed", "distinguished", "doubted", "overruled", "superseded")
"""What a later decision or statute did to a decision; the last two make it bad law."""

FACTS_HEADING = "Facts"
HOLDING_HEADING = "Holding"


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


def load_casebook() -> tuple[Document, ...]:
    """One document per record: its facts and its holding, each under a heading of its own.

    Everything else that a record says stands in the metadata, the outcome included; the text
    alone is what a query can find.
    """
    return tuple(_document(record) for record in casebook_records())


def casebook_digest() -> str:
    """SHA-256 over the documents of the casebook: another one calls for another index."""
    plain = [
        [document.doc_id, document.title, document.text, dict(document.metadata)]
        for document in load_casebook()
    ]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


@cache
def _points() -> dict[str, tuple[str, ...]]:
    return {
        record["case_id"]: tuple(f"{p['fact']}: {p['why']}" for p in record["dispositive"])
        for record in casebook_records()
    }


def turned_on(case_id: str) -> tuple[str, ...]:
    """The facts that a decision turned on, each with the reason, as its record says."""
    return _points().get(case_id, ())


@cache
def _later() -> dict[str, tuple[str, ...]]:
    return {record["case_id"]: tuple(record.get("later", ())) for record in casebook_records()}


def later_treatment(case_id: str) -> tuple[str, ...]:
    """What later decisions did to one of the casebook; empty where its record names nothing."""
    return _later().get(case_id, ())


def _document(record: dict[str, Any]) -> Document:
    parts = [FACTS_HEADING, record["facts"], HOLDING_HEADING, record["holding"]]
    return Document(
        doc_id=record["case_id"],
        title=record["title"],
        text="\n\n".join(part.strip() for part in parts),
        metadata=_metadata(record),
    )


def _metadata(record: dict[str, Any]) -> dict[str, JSON]:
    evidence = dict.fromkeys(item["evidence_type"] for item in record["evidence_items"])
    return {
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
