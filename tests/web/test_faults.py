"""Whatever fails costs the one thing that failed: never the worker, the start page or the rest."""

from __future__ import annotations

import json
import logging
import re
import time
from pathlib import Path
from typing import Any

import pytest
from served_case import CASE, pasted, wait_for
from starlette.testclient import TestClient

from countercase.errors import StoreError
from countercase.web import worker as worker_module
from countercase.web.jobs import Jobs
from countercase.web.worker import Worker

PAGE = {"Accept": "text/html"}
BRIEF = {"top_k": 2, "depth": 0}


def analyzed(client: TestClient) -> dict[str, Any]:
    """A further analysis of CASE once it is over."""
    answer = client.post("/analyses", json={"case": CASE, "options": BRIEF})
    assert answer.status_code == 202, answer.text
    return wait_for(client, answer.json()["id"])


def raising(error: BaseException) -> Any:
    """A function that raises `error` whatever it is called with."""

    def raise_it(*_: object, **__: object) -> Any:
        raise error

    return raise_it


FAULTS = {
    "A fault of the program (RuntimeError).": RuntimeError("SECRET"),
    "A fault of the program (SystemExit).": SystemExit("SECRET"),
    "A fault of the program (MemoryError).": MemoryError("SECRET"),
    "the disk is full": StoreError("the disk\nis full"),
}


def test_a_job_that_raises_is_failed_and_the_next_one_is_done(
    client: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    for words, error in FAULTS.items():
        with monkeypatch.context() as patch, caplog.at_level(logging.INFO, "countercase.web"):
            patch.setattr(worker.workspace, "analyst_of", raising(error))
            found = analyzed(client)
        assert (found["status"], found["detail"]) == ("failed", words)
        assert "SECRET" not in caplog.text
    with monkeypatch.context() as patch:  # a result that cannot be stored
        patch.setattr(worker_module, "outline", lambda tree: [{"figure": float("nan")}])
        assert analyzed(client)["status"] == "failed"
    assert analyzed(client)["status"] == "done"


def test_a_fault_while_what_ifs_are_prepared_costs_nothing_else(
    client: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    for error in (RuntimeError(), SystemExit(), KeyboardInterrupt()):
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "countercase.web"):
            patch.setattr(worker.workspace, "opened", raising(error))
            found = analyzed(client)
            assert (found["status"], found["detail"]) == ("done", "")
        assert type(error).__name__ in caplog.text
        assert worker.is_alive
    assert analyzed(client)["status"] == "done"


def test_a_worker_that_dies_is_replaced_and_health_says_so_meanwhile(
    client: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = worker._thread
    assert dead is not None
    with monkeypatch.context() as patch:
        patch.setattr(worker.workspace.jobs, "start_next", raising(SystemExit()))
        job = client.post("/analyses", json={"case": CASE, "options": BRIEF}).json()["id"]
        dead.join(10)
        for _ in range(200):
            health = client.get("/health").json()
            if health["status"] == "no worker":
                break
            time.sleep(0.01)
        assert health["status"] == "no worker"
        assert health["queue"]["workers"] == 0
        time.sleep(0.15)
        assert client.get("/health").json()["queue"]["oldest"] > 0
    assert wait_for(client, job)["status"] == "done"
    assert worker._thread is not dead
    health = client.get("/health").json()
    assert (health["status"], health["queue"]["workers"]) == ("ok", 1)
    assert health["queue"]["oldest"] == 0


def test_what_nothing_runs_is_broken_off(client: TestClient, worker: Worker, done: str) -> None:
    worker.workspace.jobs._do("UPDATE jobs SET status = 'running' WHERE id = ?", done)
    found = wait_for(client, done)
    assert (found["status"], found["detail"]) == (
        "broken", "It ended without an answer. Run it again.",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["report.html", "report.docx"])
def test_a_report_that_cannot_be_made_costs_that_report_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(worker_module.REPORTS, name, raising(ValueError("SECRET")))
        found = analyzed(client)
    assert (found["status"], found["detail"]) == (
        "done", f"{name} could not be made. A fault of the program (ValueError).",
    )  # fmt: skip
    assert found["analysis"]["precedents"]
    assert f"{name} could not be made" in client.get(f"/results/{found['id']}/tree").text
    for kind in worker_module.REPORTS:
        status = client.get(f"/results/{found['id']}/{kind}").status_code
        assert status == (404 if kind == name else 200)


@pytest.fixture(scope="module")
def spare(client: TestClient) -> str:
    """The id of an analysis whose row may be spoilt; one who spoils it mends it again."""
    return str(analyzed(client)["id"])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("case_file", "{"), ("case_file", "[]"), ("case_file", '{"text": "no id"}'),
        ("case_file", None), ("options", "x"), ("options", '{"depth": 99}'), ("status", "weird"),
        ("status", None), ("started", "yesterday"), ("detail", None),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_read_is_its_own_state(
    client: TestClient, worker: Worker, spare: str, column: str, value: object
) -> None:
    jobs = worker.workspace.jobs
    [[before]] = jobs._do(f"SELECT {column} FROM jobs WHERE id = ?", spare)
    jobs._do(f"UPDATE jobs SET {column} = ? WHERE id = ?", value, spare)
    start = client.get("/")
    assert start.status_code == 200
    assert f'<a href="/results/{spare}">{spare}</a> <span class="badge unreadable">' in start.text
    found = client.get(f"/analyses/{spare}").json()
    assert found["status"] == "unreadable"
    assert found["detail"] == "What is stored of this analysis cannot be read. Delete it."
    page = client.get(f"/results/{spare}", headers=PAGE)
    assert (page.status_code, page.headers["location"]) == (303, f"/results/{spare}/tree")
    tree = client.get(f"/results/{spare}/tree")
    assert tree.status_code == 200
    assert "Delete it." in tree.text and "Run it again" not in tree.text
    assert client.post(f"/analyses/{spare}/run").status_code == 409
    jobs._do(f"UPDATE jobs SET {column} = ? WHERE id = ?", before, spare)


def test_an_unreadable_result_is_made_again(client: TestClient, worker: Worker, spare: str) -> None:
    spoil = "UPDATE jobs SET status = 'done', result = ? WHERE id = ?"
    for result in ("{", "[]", "{}", '{"analysis": {}}', '{"analysis": 1, "tree": {"nodes": []}}'):
        worker.workspace.jobs._do(spoil, result, spare)
        page = client.get(f"/results/{spare}/facts", headers=PAGE)
        assert (page.status_code, page.headers["location"]) == (303, f"/results/{spare}/tree")
        tree = client.get(f"/results/{spare}/tree").text
        assert "Its stored result cannot be read." in tree and "Run it again" in tree
    assert client.post(f"/results/{spare}/run").status_code == 303
    assert wait_for(client, spare)["status"] == "done"
    assert client.get(f"/results/{spare}/facts").status_code == 200


def test_a_waiting_row_that_cannot_be_read_holds_nobody_up(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    first, second, third = (jobs.put(CASE, {}).id for _ in range(3))
    jobs._do("UPDATE jobs SET case_file = '{' WHERE id = ?", first)
    started = jobs.start_next()
    assert started is not None and started.id == second
    assert jobs.job(first).status == "unreadable"
    assert jobs.queue() == [third]
    assert [job.id for job in jobs.jobs()] == [third, second, first]
    jobs.close()


def test_a_case_that_cannot_be_read_says_so(client: TestClient, worker: Worker) -> None:
    address = pasted(client)
    worker.workspace.jobs._do("UPDATE cases SET original = '{' WHERE id = ?", address[-16:])
    page = client.get(address, headers=PAGE)
    assert page.status_code == 410
    assert "what is stored of it cannot be read; begin it again" in page.text
    assert client.post(f"{address}/delete").status_code == 303
    assert client.get(address).status_code == 404


def test_ratings_that_cannot_be_read_say_so(client: TestClient, worker: Worker, done: str) -> None:
    page = client.get(f"/results/{done}/rate?rater=Nobody").text
    [key] = set(re.findall(rf"/results/{done}/rate/([0-9a-f]{{16}})", page))
    form = {"rater": "Nobody", "clarity": "5"}
    assert client.post(f"/results/{done}/rate/{key}", data=form).status_code == 303
    for scores in ("{", "[]", '{"clarity": "very"}', None):
        worker.workspace.jobs._do("UPDATE ratings SET scores = ? WHERE rater = 'Nobody'", scores)
        for path in ("rate", "rate.csv"):
            answer = client.get(f"/results/{done}/{path}?rater=Nobody")
            assert answer.status_code == 410
            assert "what is stored of it cannot be read" in answer.json()["detail"]
    assert client.get(f"/results/{done}/rate?rater=Other").status_code == 200


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f"])
def test_control_characters_are_refused_at_the_door(client: TestClient, character: str) -> None:
    text = f"{CASE['text']}\n{character} He fled."
    named = f"U+{ord(character):04X} in line 2; take it out"
    case_file = ("a.json", json.dumps(CASE | {"text": text}).encode())
    forms: list[dict[str, Any]] = [{"data": {"text": text}}, {"files": {"file": case_file}}]
    if character != "\x00":  # a file with that is a binary file
        forms.append({"files": {"file": ("a.txt", text.encode())}})
    for form in forms:
        answer = client.post("/cases", headers=PAGE, **form)
        assert answer.status_code == 400
        assert named in answer.text
    assert client.post("/cases", data={"text": CASE["text"], "title": text}).status_code == 400
    for path in ("/analyses", "/facts"):
        stated = client.post(path, json={"text": text})
        assert (stated.status_code, named in stated.json()["detail"]) == (400, True)
        in_file = client.post(path, json={"case": CASE | {"text": text}})
        assert in_file.status_code == 422
        assert named in json.dumps(in_file.json()["errors"])


def test_a_changed_byte_of_a_case_or_a_result_is_found(client: TestClient, worker: Worker) -> None:
    jobs, changed = worker.workspace.jobs, "replace({}, '302', '307')"
    address = pasted(client)
    jobs._do(f"UPDATE cases SET case_file = {changed.format('case_file')}")
    assert client.get(address, headers=PAGE).status_code == 410
    job = analyzed(client)["id"]
    jobs._do(f"UPDATE jobs SET result = {changed.format('result')} WHERE id = ?", job)
    assert client.get(f"/analyses/{job}").json()["status"] == "broken"
    jobs._do(f"UPDATE jobs SET case_file = {changed.format('case_file')} WHERE id = ?", job)
    assert client.get(f"/analyses/{job}").json()["status"] == "unreadable"
    assert client.post(f"/results/{job}/delete").status_code == 303
    assert job not in client.get("/").text
