"""Search services that answer, and services that misbehave."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar import ServiceOptions, ask_service, endpoint_of
from countercase.evaluation.benchmarks.similar_cases import ServiceError

Answer = Callable[[dict[str, Any], int], tuple[int, Any]]


class Service:
    """A search service on loopback that answers as a test says."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append({"path": self.path, **body})
                status, said = answer(body, len(outer.asked))
                if status == 0:
                    self.connection.close()
                    return
                raw = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def serving() -> Iterator[Callable[[Answer], Service]]:
    services: list[Service] = []

    def start(answer: Answer) -> Service:
        services.append(Service(answer))
        return services[-1]

    yield start
    for service in services:
        service.close()


def echo(body: dict[str, Any], _: int) -> tuple[int, Any]:
    queries = body.get("queries") or body["facts"]
    return 200, [[{"fact_id": 7, "fact": f"like {text}", "score": 0.5}] for text in queries]


QUICK = ServiceOptions(batch=2, timeout=0.5, retries=2, pause=0.01)


def test_queries_go_out_in_batches_and_answers_keep_their_order(
    serving: Callable[[Answer], Service],
) -> None:
    service = serving(echo)
    seen: list[tuple[str, int, int]] = []
    found = ask_service(service.url, list("abcde"), QUICK, lambda *done: seen.append(done))
    assert [hits[0].text for hits in found] == [f"like {name}" for name in "abcde"]
    assert [len(one["queries"]) for one in service.asked] == [2, 2, 1]
    assert {one["path"] for one in service.asked} == {"/batch_search"}
    assert {one["top_k"] for one in service.asked} == {20}
    assert seen == [("queries", done, 5) for done in (0, 2, 4, 5)]
    assert found[0][0].doc_id == "7"


def test_a_service_may_call_them_facts_and_wrap_its_results(
    serving: Callable[[Answer], Service],
) -> None:
    service = serving(lambda body, at: (200, {"results": echo(body, at)[1]}))
    options = ServiceOptions(batch=16, field="facts")
    assert len(ask_service(service.url + "/search", ["a", "b"], options)) == 2
    assert service.asked[0]["facts"] == ["a", "b"]


@pytest.mark.parametrize("status", [429, 500, 503, 0])
def test_a_batch_that_fails_is_sent_again(
    serving: Callable[[Answer], Service], status: int
) -> None:
    service = serving(lambda body, at: (status, {}) if at == 1 else echo(body, at))
    assert len(ask_service(service.url, ["a", "b", "c"], QUICK)) == 3
    assert len(service.asked) == 3


def hang(body: dict[str, Any], at: int) -> tuple[int, Any]:
    time.sleep(1.5)
    return echo(body, at)


@pytest.mark.parametrize(
    ("answer", "said", "times"),
    [
        (lambda body, at: (503, {}), "answers 503, asked 3 times", 3),
        (lambda body, at: (0, None), "does not answer", 3),
        (hang, "does not answer", 3),
        (lambda body, at: (404, b"no such page"), "answers 404: no such page", 1),
        (lambda body, at: (200, b"<html>"), "does not answer with JSON", 1),
        (lambda body, at: (200, []), "one list of results for each", 1),
        (lambda body, at: (200, {"hits": []}), "lists of results: Input should be a valid list", 1),
        (lambda body, at: (200, ["no"]), "field 0: Input should be a valid list", 1),
        (lambda body, at: (200, [[{"id": "1"}]]), "field 0.0.fact: Field required", 1),
    ],
)
def test_a_failure_is_an_error_and_never_an_empty_ranking(
    serving: Callable[[Answer], Service], answer: Answer, said: str, times: int
) -> None:
    service = serving(answer)
    with pytest.raises(ServiceError, match=said):
        ask_service(service.url, ["a"], QUICK)
    assert len(service.asked) == times


def test_nobody_listening_is_an_error() -> None:
    with pytest.raises(ServiceError, match="countercase serve"):
        ask_service("http://127.0.0.1:9", ["a"], ServiceOptions(retries=0))


@pytest.mark.parametrize("url", ["", "127.0.0.1:80", "ftp://x", "http://", "http://x:port"])
def test_an_address_must_be_one(url: str) -> None:
    with pytest.raises(InputError, match="--url"):
        endpoint_of(url)
