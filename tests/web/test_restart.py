"""A server that is killed or asked to end in the middle of an analysis, over a live socket."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from served_case import CASE

from countercase.corpus.casebook.records import load_casebook
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.io import cache_root
from countercase.web.jobs import Jobs

pytestmark = pytest.mark.slow

CORPUS = "restart-cases"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EXAMPLE = EXAMPLES / "sudden-fight.json"
LONG = (EXAMPLE, EXAMPLES / "trap-case.json", EXAMPLES / "bus-stand-robbery.json")
"""Told together, and with every change kept, they make a tree of many batches."""


@pytest.fixture(scope="module")
def indexed(home: Path, encoders: EmbeddedEncoders) -> Path:
    """A home with a small index."""
    documents = [d for d in load_casebook() if "IPC-302" in d.metadata["provisions"]][:20]
    build_index(documents, CORPUS, encoders, 200)
    return home


class Server:
    """`countercase serve` as a process of its own."""

    def __init__(self, *flags: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "countercase", "serve", "--corpus", CORPUS, "--port", "0", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
        )  # fmt: skip
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        if not told.startswith("serving "):
            raise AssertionError(self.process.communicate(timeout=30))
        self.url = told.split(" at ")[1].split(";")[0]
        assert self.process.stdout.readline() == f"To begin, open {self.url} in your browser.\n"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = httpx.request(method, self.url + path, json=body, timeout=60, trust_env=False)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def wait(self, job: str, *wanted: str) -> dict[str, Any]:
        for _ in range(1200):
            found: dict[str, Any] = self.ask("GET", f"/analyses/{job}")
            if found["status"] in wanted:
                return found
            time.sleep(0.05)
        raise AssertionError(f"{job}: {found['status']}")

    def start(self, case: dict[str, Any], **options: Any) -> str:
        body = {"case": case, "options": options}
        job: str = self.ask("POST", "/analyses", body)["id"]
        return job

    def end(self, how: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=90)
        return self.process.returncode, said


def test_killed_and_started_again(indexed: Path) -> None:
    case = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    server = Server()
    try:
        finished = server.start(CASE, depth=0)
        server.wait(finished, "done")
        first = server.ask("GET", f"/analyses/{finished}")
        killed = server.start(case, max_states=200)
        queued = server.start(CASE, depth=0, top_k=3)
        server.wait(killed, "running")
    finally:
        code, _ = server.end(signal.SIGKILL)
    assert code == -signal.SIGKILL
    again = Server()
    try:
        assert again.ask("GET", f"/analyses/{finished}") == first
        broken = again.ask("GET", f"/analyses/{killed}")
        assert broken["status"] == "broken"
        assert "killed in the middle" in broken["detail"] and "Run it again" in broken["detail"]
        assert len(again.wait(queued, "done")["analysis"]["precedents"]) == 3
        assert again.ask("POST", f"/analyses/{killed}/run")["status"] in ("queued", "running")
        again.wait(killed, "running", "done")
    finally:
        code, said = again.end(signal.SIGTERM)
    assert code == 0
    assert said.splitlines()[-1] == "stopped"


def start_long(server: Server) -> str:
    """Begin an analysis of many batches."""
    narratives = [json.loads(path.read_text(encoding="utf-8"))["text"] for path in LONG]
    case = {"case_id": "SECRET", "title": "SECRET", "text": " ".join(narratives)}
    return server.start(case, max_states=500, depth=4, max_children=200, min_displacement=0)


def test_sigterm_lets_the_running_state_finish_and_says_so(indexed: Path) -> None:
    server = Server("--log")
    try:
        job = start_long(server)
        for _ in range(300):  # each a line of log, which nobody reads yet
            now = server.ask("GET", f"/analyses/{job}")["progress"]
            if now and now["what"] == "the tree of changes" and now["done"] < now["of"]:
                break
            time.sleep(0.1)
    finally:
        code, said = server.end(signal.SIGTERM)
    assert code == 0
    lines = said.splitlines()
    assert "stopping: the running state is finished first" in lines
    assert lines[-2:] == [
        f"analysis {job} was stopped; what was measured is kept", "stopped",
    ]  # fmt: skip
    assert "SECRET" not in said
    logged = [json.loads(line) for line in lines if line.startswith("{")]
    assert any(line.get("path") == "/analyses" and line["status"] == 202 for line in logged)
    assert {"job", "status", "s"} <= set(logged[-1])
    jobs = Jobs(cache_root() / "web")
    assert jobs.job(job).status == "stopped"
    found = jobs.result(job)
    jobs.close()
    assert found is not None and found["analysis"]["complete"] is False
    ranked = [node for node in found["tree"]["nodes"] if node["ranking"]]
    assert len(ranked) >= 2
    assert ranked[0]["id"] == "root"


def test_a_stop_is_heard_while_the_log_waits_for_its_reader(indexed: Path) -> None:
    """Nobody reads the log: the pipe fills, and the server waits in the middle of a line."""
    server = Server("--log")
    asked = server.url + "/" + "x" * 199  # a long line of log each
    for _ in range(150):
        httpx.get(asked, timeout=60, trust_env=False)
    start_long(server)
    with contextlib.suppress(httpx.ReadTimeout):
        while True:
            httpx.get(asked, timeout=1, trust_env=False)
    code, said = server.end(signal.SIGTERM)
    assert code == 0
    assert said.splitlines()[-1] == "stopped"
    assert "stopping: the running state is finished first" in said
