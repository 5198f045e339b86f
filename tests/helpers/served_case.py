"""A small case for the web application, and how its analysis is waited for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from example_cases import FOLDER
from starlette.testclient import TestClient

from countercase.corpus.casebook.records import load_casebook
from countercase.corpus.documents import Document
from countercase.session import Session
from countercase.web.jobs import Jobs
from countercase.web.worker import Worker
from countercase.web.workspace import Workspace

CASE: dict[str, Any] = {
    "case_id": "quarrel",
    "title": "Ramu v. State of Bihar",
    "text": "Ramu stabbed his neighbour with a knife in a sudden quarrel on 3 May 2015. He was "
    "convicted under section 302 of the Indian Penal Code. The accused is aged 24 years. The "
    "dying declaration was recorded by a doctor.",
    "occurred_on": "2015-05-03",
    "parties": {
        "petitioner": {"name": "Ramu", "type": "Individual", "role": "accused"},
        "respondent": {"name": "State of Bihar", "type": "State"},
    },
    "sections_cited": ["IPC-302"],
    "evidence_items": [
        {"evidence_type": "dying_declaration", "description": "recorded by a doctor"}
    ],
    "numerical_facts": {
        "amounts": [],
        "ages": [{"value": 24, "unit": "years", "descriptor": "accused"}],
        "durations": [],
        "quantities": [],
        "counts": [],
    },
}


@contextmanager
def working(session: Session, folder: Path) -> Iterator[Worker]:
    """The worker of an application that keeps its analyses in `folder` and offers two examples."""
    examples = (FOLDER / "sudden-fight.json", FOLDER / "shop-tenancy.txt")
    worker = Worker(Workspace(session, Jobs(folder), examples))
    yield worker
    worker.end()


def wait_for(client: TestClient, job: str, *wanted: str) -> dict[str, Any]:
    """An analysis once its status is wanted, or else once it is over."""
    for _ in range(1200):
        found: dict[str, Any] = client.get(f"/analyses/{job}").json()
        over = found["status"] not in ("queued", "running")
        if found["status"] in wanted if wanted else over:
            return found
        time.sleep(0.05)
    raise AssertionError(f"still {found['status']}")


def of_area(name: str, provision: str = "") -> list[Document]:
    """The decisions of the casebook of one area of law, or those that cite a provision too."""
    return [
        decision
        for decision in load_casebook()
        if decision.metadata["area"] == name
        and (not provision or provision in decision.metadata["provisions"])  # type: ignore[operator]
    ]


def facts_of(client: TestClient, case: str) -> dict[str, Any]:
    """The case file of the page of a case."""
    found: dict[str, Any] = client.get(f"{case}/case.json").json()
    return found


def pasted(client: TestClient) -> str:
    """The address of the page of a case with the text of CASE."""
    return str(client.post("/cases", data={"text": CASE["text"]}).headers["location"])


def analysed(client: TestClient, page: str = "", **asked: Any) -> str:
    """The id of a finished analysis, by the form on the page of a case, or of CASE by the service."""
    if page:
        job = client.post(f"{page}/analyze", data=asked).headers["location"].split("/")[2]
    else:
        job = client.post("/analyses", json={"case": CASE, "options": asked}).json()["id"]
    assert wait_for(client, job)["status"] == "done"
    return str(job)
