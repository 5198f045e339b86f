"""What a server holds in memory has bounds that are stated; nothing it answers depends on them."""

from __future__ import annotations

import time

import pytest
from served_case import CASE, analysed, wait_for
from starlette.testclient import TestClient

from countercase.web import corpora, workspace
from countercase.web.worker import Worker

PAUSE = 0.25
"""Seconds between two questions, so that there are not too many."""

TEXTS = [f"The accused struck {n} blows with a lathi in quarrel number {n}." for n in range(12)]


def held(worker: Worker) -> int:
    """Bytes of scores and readings, over all corpora."""
    opened = worker.workspace.corpora.opened()
    return sum(corpus.session.retriever.cached_bytes for corpus in opened)


def asked(client: TestClient, text: str) -> list[object]:
    """What is found for a text, on both ways to ask."""
    bodies = (
        ("/retrieve", {"query": text, "top_k": 3}),
        ("/batch_search", {"queries": [text], "top_k": 3}),
    )
    return [client.post(path, json=body).json() for path, body in bodies]


def test_scores_are_dropped_at_the_end_of_a_turn(
    client: TestClient, worker: Worker, done: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [asked(client, text) for text in TEXTS]
    what_if = f"/results/{done}/suppose?n=numerical:age:1="
    moved = [client.get(f"{what_if}{age}").text for age in (17, 19, 30)]
    unbounded = held(worker)
    bound = unbounded // 4
    monkeypatch.setattr(corpora, "KEPT_BYTES", bound)
    for text, found in zip(TEXTS, before, strict=True):
        assert asked(client, text) == found
        assert held(worker) <= bound
    for age, page in zip((17, 19, 30), moved, strict=True):
        assert client.get(f"{what_if}{age}").text == page
        assert held(worker) <= bound


def test_an_analysis_gives_the_same_with_no_memory_to_keep(
    client: TestClient, worker: Worker, done: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.get(f"/analyses/{done}").json()
    monkeypatch.setattr(corpora, "KEPT_BYTES", 0)
    job = client.post("/analyses", json={"case": CASE}).json()["id"]
    while client.get(f"/analyses/{job}").json()["status"] in ("queued", "running"):
        client.post("/retrieve", json={"query": TEXTS[0], "top_k": 1})  # empties in the middle
        time.sleep(PAUSE)
    after = wait_for(client, job)
    assert after["tree"] == before["tree"]
    assert {**after["analysis"], "timings": 0} == {**before["analysis"], "timings": 0}
    with worker.workspace.turns.turn():  # the what-ifs of the case are prepared meanwhile
        assert held(worker) == 0


def test_few_cases_are_held_open(
    client: TestClient, worker: Worker, done: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "MOST_OPEN", 1)
    job = analysed(client, depth=0)
    jobs, kept = worker.workspace.jobs, worker.workspace
    with kept.turns.turn():
        first = kept.opened(jobs.job(done))
        assert kept.opened(jobs.job(done)) is first
        kept.opened(jobs.job(job))
        assert kept.opened(jobs.job(done)) is not first
