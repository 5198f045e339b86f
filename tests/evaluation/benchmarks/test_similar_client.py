"""Search services that answer, and services that misbehave."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from judge_server import Reply, Serve, hangs, hangs_up, raw, refuses

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar import ServiceOptions, ask_service, endpoint_of
from countercase.evaluation.benchmarks.similar_cases import ServiceError


def told(answer: Any) -> Reply:
    return raw(json.dumps(answer).encode())


def like(texts: list[str]) -> list[Any]:
    return [[{"fact_id": 7, "fact": f"like {text}", "score": 0.5}] for text in texts]


def echo(handler: BaseHTTPRequestHandler) -> None:
    """Answers each query with one text like it."""
    told(like(handler.body["queries"]))(handler)  # type: ignore[attr-defined]


QUICK = ServiceOptions(batch=2, timeout=0.5, retries=2, pause=0.01)


def test_queries_go_out_in_batches_and_answers_keep_their_order(serve: Serve) -> None:
    service = serve({"": [echo]})
    seen: list[tuple[str, int, int]] = []
    found = ask_service(service.url, list("abcde"), QUICK, lambda *done: seen.append(done))
    assert [hits[0].text for hits in found] == [f"like {name}" for name in "abcde"]
    assert [len(one["queries"]) for one in service.asked] == [2, 2, 1]
    assert {*service.paths} == {"/v1/batch_search"}
    assert {one["top_k"] for one in service.asked} == {20}
    assert seen == [("queries", done, 5) for done in (0, 2, 4, 5)]
    assert found[0][0].doc_id == "7"


def test_a_service_may_call_them_facts_and_wrap_its_results(serve: Serve) -> None:
    service = serve({"": [told({"results": like(["a", "b"])})]})
    options = ServiceOptions(batch=16, field="facts")
    assert len(ask_service(service.url + "/search", ["a", "b"], options)) == 2
    assert service.asked[0]["facts"] == ["a", "b"]


@pytest.mark.parametrize("reply", [*map(refuses, (429, 500, 503)), hangs_up])
def test_a_batch_that_fails_is_sent_again(serve: Serve, reply: Reply) -> None:
    service = serve({"": [reply, echo]})
    assert len(ask_service(service.url, ["a", "b", "c"], QUICK)) == 3
    assert len(service.asked) == 3


@pytest.mark.parametrize(
    ("reply", "said", "times"),
    [
        (refuses(503), "answers 503, asked 3 times; start .* `countercase serve`", 3),
        (hangs_up, "does not answer", 3),
        (hangs, "does not answer", 3),
        (raw(b"no such page", 404), "answers 404: no such page", 1),
        (raw(b"<html>"), "does not answer with JSON", 1),
        (told([]), "one list of results for each", 1),
        (told({"hits": []}), "lists of results: Input should be a valid list", 1),
        (told(["no"]), "field 0: Input should be a valid list", 1),
        (told([[{"id": "1"}]]), "field 0.0.fact: Field required", 1),
    ],
)
def test_a_failure_is_an_error_and_never_an_empty_ranking(
    serve: Serve, reply: Reply, said: str, times: int
) -> None:
    service = serve({"": [reply]})
    with pytest.raises(ServiceError, match=said):
        ask_service(service.url, ["a"], QUICK)
    assert len(service.asked) == times


@pytest.mark.parametrize("url", ["", "127.0.0.1:80", "ftp://x", "http://", "http://x:port"])
def test_an_address_must_be_one(url: str) -> None:
    with pytest.raises(InputError, match="--url"):
        endpoint_of(url)
