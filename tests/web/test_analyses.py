"""The analysis service: jobs, what is answered at once, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from threading import Event, Timer
from typing import Any

import pytest
from served_case import CASE, wait_for
from starlette.testclient import TestClient

from countercase.facts.model import FactSheet
from countercase.web.jobs import MOST_QUEUED
from countercase.web.models import MAX_CHARACTERS, MAX_QUERIES
from countercase.web.worker import Worker

NOBODY = "0" * 16


def test_an_analysis_is_a_job_whose_result_is_that_of_the_command(
    client: TestClient, worker: Worker, done: str
) -> None:
    from countercase.reports.analysis_json import analysis_document
    from countercase.reports.tree_files import tree_document

    answer = client.get(f"/analyses/{done}").json()
    assert (answer["status"], answer["detail"], answer["position"]) == ("done", "", 0)
    session, sheet = worker.workspace.session, worker.workspace.sheet_of(CASE)
    own = session.analyze(sheet)
    expected = json.loads(json.dumps(analysis_document(own)))
    del answer["analysis"]["timings"], expected["timings"]
    assert answer["analysis"] == expected
    assert answer["tree"] == json.loads(json.dumps(tree_document(own)))


def test_a_new_analysis_says_where_to_look_and_a_deleted_one_is_gone(client: TestClient) -> None:
    answer = client.post("/analyses", json={"case": CASE, "options": {"top_k": 2, "depth": 0}})
    assert answer.status_code == 202
    job = answer.json()["id"]
    assert answer.headers["location"] == f"/analyses/{job}"
    assert answer.json()["links"]["page"] == f"/results/{job}"
    found = wait_for(client, job)
    assert len(found["analysis"]["precedents"]) == 2
    assert found["analysis"]["settings"]["TOP_K"] == 2
    assert [node["id"] for node in found["tree"]["nodes"]] == ["root"]
    assert client.delete(f"/analyses/{job}").status_code == 204
    assert client.get(f"/analyses/{job}").status_code == 404


def test_events_tell_of_the_end(client: TestClient, done: str) -> None:
    answer = client.get(f"/analyses/{done}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text == 'event: over\ndata: {"status": "done", "detail": ""}\n\n'


def test_events_of_a_deleted_analysis_end(client: TestClient, worker: Worker, gate: Event) -> None:
    job = client.post("/analyses", json={"case": CASE}).json()["id"]
    wait_for(client, job, "running")
    deleting = Timer(0.5, worker.workspace.jobs.remove, [job])
    deleting.start()
    told = client.get(f"/analyses/{job}/events").text
    assert told.endswith('data: {"status": "cancelled", "detail": "It was deleted."}\n\n')
    gate.set()


@pytest.fixture
def gate(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """The worker stands before its next case until the gate is set."""
    opened, read = Event(), worker.workspace.sheet_of

    def gated(case_file: Mapping[str, Any]) -> FactSheet:
        assert opened.wait(60)
        return read(case_file)

    monkeypatch.setattr(worker.workspace, "sheet_of", gated)
    yield opened
    opened.set()


def test_a_queued_analysis_is_cancelled_at_once_and_run_again(
    client: TestClient, gate: Event
) -> None:
    first = client.post("/analyses", json={"case": CASE}).json()["id"]
    wait_for(client, first, "running")
    second = client.post("/analyses", json={"case": CASE}).json()
    assert (second["status"], second["position"]) == ("queued", 1)
    again = client.post(f"/analyses/{second['id']}/cancel")
    assert again.json()["status"] == "cancelled"
    assert client.post(f"/analyses/{second['id']}/cancel").status_code == 409
    assert client.delete(f"/analyses/{first}").status_code == 409
    running = client.post(f"/analyses/{first}/cancel")
    assert running.json()["status"] == "running"
    gate.set()
    stopped = wait_for(client, first)
    assert stopped["status"] == "cancelled"
    assert stopped["analysis"] is None or not stopped["analysis"]["complete"]
    assert client.post(f"/analyses/{first}/run").status_code == 202
    assert wait_for(client, first)["status"] == "done"
    assert client.post(f"/analyses/{first}/run").status_code == 409


def test_a_full_queue_is_a_503_with_its_length_shown(
    client: TestClient, worker: Worker, gate: Event
) -> None:
    first = client.post("/analyses", json={"case": CASE}).json()["id"]
    wait_for(client, first, "running")
    held = [worker.workspace.jobs.put(CASE, {}).id for _ in range(MOST_QUEUED)]
    queue = client.get("/health").json()["queue"]
    assert queue.pop("oldest") >= 0
    assert queue == {"running": True, "waiting": MOST_QUEUED, "room": 0, "workers": 1}
    refused = client.post("/analyses", json={"case": CASE})
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "60"
    assert f"{MOST_QUEUED} analyses wait" in refused.json()["detail"]
    for job in (*held, first):
        assert client.post(f"/analyses/{job}/cancel").status_code == 200
    gate.set()
    wait_for(client, first)


def test_facts_are_told_with_their_places(client: TestClient) -> None:
    answer = client.post("/facts", json={"case": CASE}).json()
    [section] = [fact for fact in answer["facts"] if fact["fact_type"] == "Section"]
    [span] = section["spans"]
    assert CASE["text"][span["start"] : span["end"]] == "section 302"
    assert section["value"] == "IPC-302"
    assert answer["case"] == CASE
    assert answer["occurred_on"] == "2015-05-03"


def test_precedents_are_those_of_a_search(client: TestClient, worker: Worker) -> None:
    text = "a dying declaration recorded by a doctor"
    answer = client.post("/retrieve", json={"query": text, "top_k": 3}).json()
    session = worker.workspace.session
    [ranking] = session.retriever.retrieve([session.query(text)], top_k=3)
    assert [row["case_id"] for row in answer["results"]] == list(ranking.case_ids)
    first = answer["results"][0]
    assert first["rank"] == 1 and first["stages"]["fused"]["rank"] >= 1
    assert first["passage"] in worker.workspace.corpora.served.text_of(first["case_id"])
    years = client.post("/retrieve", json={"query": text, "year_to": 1990}).json()["results"]
    assert years and all(row["date"][:4] <= "1990" for row in years)


def test_a_precedent_is_told_as_the_casebook_has_it(client: TestClient, worker: Worker) -> None:
    case_id = worker.workspace.session.snapshot.case_ids[0]
    answer = client.get(f"/precedents/{case_id}").json()
    assert answer["case_id"] == case_id
    assert answer["text"] == worker.workspace.corpora.served.text_of(case_id)
    assert "IPC-302" in answer["provisions"]
    assert client.get("/precedents/none").status_code == 404
    assert client.get("/precedents/..%2F..%2Fetc%2Fpasswd").status_code == 404


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "either text or case"),
        ({"text": "x", "case": CASE}, "either text or case"),
        ({"text": "y" * (MAX_CHARACTERS + 1)}, "at most"),
        ({"case": CASE | {"text": "y" * (MAX_CHARACTERS + 1)}}, "more than"),
        ({"case": CASE | {"nonsense": 1}}, "Extra inputs"),
        ({"case": CASE, "options": {"top_k": 0}}, "greater than"),
        ({"case": CASE, "options": {"top_k": "4"}}, "valid integer"),
        ({"case": CASE, "options": {"depth": 9}}, "less than"),
        ({"case": CASE, "options": {"types": ["Weather"]}}, "no fact type"),
        ({"case": CASE, "options": {"provision": "gibberish"}}, "provision"),
        ({"case": CASE, "options": {"year_from": 2000, "year_to": 1990}}, "swap"),
    ],
)
def test_what_does_not_fit_is_told(client: TestClient, body: dict[str, Any], words: str) -> None:
    answer = client.post("/analyses", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == 422 and problem["title"] == "Unprocessable Entity"
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert words in json.dumps(problem["errors"])
    assert "yyy" not in answer.text


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"text": "It rained."}, "No fact was read"),
        ({"case": CASE, "options": {"year_from": 2190}}, "leave no precedent"),
        ({"case": {"case_id": "empty"}}, "neither a text nor facts"),
    ],
)
def test_what_could_not_be_analysed_is_refused_before_it_is_queued(
    client: TestClient, body: dict[str, Any], words: str
) -> None:
    answer = client.post("/analyses", json=body)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("asked", ["GET ", "GET /events", "POST /cancel", "POST /run", "DELETE "])
def test_an_unknown_analysis_is_a_404(client: TestClient, asked: str) -> None:
    method, path = asked.split(" ")
    answer = client.request(method, f"/analyses/{NOBODY}{path}")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "There is no such analysis."


def test_the_schema_and_its_page_name_every_operation_and_its_refusals(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    for operations in schema["paths"].values():
        for operation in operations.values():
            refused = operation["responses"]["429"]["content"]
            assert list(refused) == ["application/problem+json"]
    models = schema["components"]["schemas"]
    assert models["Problem"]["properties"].keys() >= {"title", "status", "detail", "request_id"}
    queries = models["BatchSearchRequest"]["properties"]["queries"]
    assert (queries["maxItems"], queries["items"]["maxLength"]) == (MAX_QUERIES, MAX_CHARACTERS)
    docs = client.get("/docs")
    assert docs.status_code == 200
    for path in schema["paths"]:
        assert f" {path}</code>" in docs.text.replace("&#39;", "'")
    assert 'src="/static/' in docs.text and "://" not in docs.text
    assert client.get("/redoc").status_code == 404


def test_a_body_with_a_key_twice_is_refused(client: TestClient) -> None:
    for path, body in {
        "/search": '"query": "a", "query": "b"',
        "/facts": '"text": "", "text": "b"',
    }.items():
        answer = client.post(
            path, content=f"{{{body}}}", headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400 and "is given twice in one object" in answer.text
    asked = client.get("/health", headers={"Content-Type": "application/json"})
    assert asked.status_code == 200


def test_a_search_of_a_whole_book_is_refused_at_once(client: TestClient) -> None:
    answer = client.post("/retrieve", json={"query": "He struck. " * 3_000})
    assert answer.status_code == 400
    assert "33,000 characters, more than the 30,000 searched for" in answer.text
