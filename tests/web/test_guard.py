"""Who may ask, and how much."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from fastapi import FastAPI, Request
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from countercase.errors import ConfigError
from countercase.web.app import check_token, create_app, names_of
from countercase.web.corpora import Hit
from countercase.web.security import MAX_BODY_BYTES, MOST_CLIENTS, Access, Guard, Rate

TOKEN = "a-token-of-24-characters"


class Echo:
    """Finds every query in itself."""

    corpus, documents, rankers = "echo", 1, ("echo",)

    def search(self, query: str, top_k: int) -> list[Hit]:
        return [Hit(id="1", rank=1, score=1.0, text=query)]


def asked(access: Access | None = None, rate: Rate | None = None) -> TestClient:
    app = create_app(Echo(), access, rate=rate)
    return TestClient(app, follow_redirects=False, raise_server_exceptions=False)


def test_another_host_name_is_refused() -> None:
    client = asked(Access(frozenset({"localhost", "[::1]"})))
    for host in ("localhost:99", "LOCALHOST", "[::1]:8642", "[::1]"):
        assert client.get("/health", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "[::2]", ""):
        assert client.get("/health", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[evil"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_another_site_may_not_send(headers: dict[str, str], status: int) -> None:
    answer = asked().post("/search", json={"query": "x"}, headers=headers)
    assert answer.status_code == status


def test_the_token_is_asked_of_everyone() -> None:
    client = asked(Access(token=TOKEN))
    refused = client.get("/health")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert refused.json()["status"] == 401
    for wrong in (f"Bearer {TOKEN}x", "Bearer ", TOKEN, f"Basic {TOKEN}", "Bearer é"):
        headers = {"Authorization": wrong.encode()}
        assert client.get("/health", headers=headers).status_code == 401  # type: ignore[arg-type]
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert client.get("/health", headers=right).status_code == 200


def test_the_sign_in_page_takes_the_token_and_gives_a_cookie_that_is_not_it() -> None:
    client = asked(Access(token=TOKEN))
    page = client.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/sign-in")
    assert client.get("/sign-in").status_code == 200
    assert client.post("/sign-in", data={"token": "wrong"}).status_code == 401
    right = client.post("/sign-in", data={"token": TOKEN})
    assert right.status_code == 303
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    assert client.get("/health").status_code == 200
    client.cookies.clear()
    assert client.get("/health").status_code == 401
    assert asked().post("/sign-in", data={"token": ""}).status_code == 401  # there is none
    assert Access().admits(Headers({}))


def test_a_client_has_a_burst_and_then_a_rate() -> None:
    now = 0.0
    rate = Rate(per_second=2, burst=3, now=lambda: now)
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert rate.wait("b") == 0
    now = 0.5
    assert rate.wait("a") == 0
    assert rate.wait("a") == 0.5
    now = 100.0
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    for number in range(MOST_CLIENTS + 5):
        rate.wait(str(number))
    assert len(rate._left) == MOST_CLIENTS


def test_too_many_requests_are_a_429_that_says_when_to_come_back() -> None:
    client = asked(rate=Rate(per_second=0.1, burst=2, now=lambda: 0.0))
    assert [client.get("/health").status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get("/health")
    assert refused.headers["retry-after"] == "11"
    assert refused.headers["content-type"] == "application/problem+json"
    assert client.get("/static/style.css").status_code == 200


def test_a_declared_size_is_refused_before_it_is_read() -> None:
    client = asked()
    answer = client.post("/search", content=b"x", headers={"Content-Length": "999999999"})
    assert answer.status_code == 413
    assert f"{MAX_BODY_BYTES:,}" in answer.json()["detail"]


def test_every_answer_has_a_policy_without_unsafe_parts() -> None:
    for path in ("/health", "/docs", "/nowhere", "/static/pages.js", "/sign-in"):
        headers = asked().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert len(headers["x-request-id"]) == 12


def test_a_fault_of_ours_is_told_and_logged_without_the_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = FastAPI()

    @app.post("/fault")
    async def fault(request: Request) -> None:
        raise ValueError(f"SECRET {await request.body()!r}")

    app.add_middleware(Guard, access=Access(), rate=Rate())
    client = TestClient(app, raise_server_exceptions=False)
    with caplog.at_level(logging.INFO, "countercase.web"):
        answer = client.post("/fault?q=SECRET", content=b"SECRET")
    assert answer.status_code == 500
    assert "SECRET" not in answer.text
    [line] = [json.loads(record.message) for record in caplog.records]
    assert line["request_id"] == answer.headers["x-request-id"] == answer.json()["request_id"]
    assert (line["path"], line["status"]) == ("/fault", 500)
    assert line["fault"].startswith("ValueError at ") and Path(__file__).name in line["fault"]
    assert "SECRET" not in json.dumps(line)


def test_a_token_is_needed_beyond_loopback_and_must_not_be_guessed() -> None:
    for loopback in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        check_token(loopback, "")
    for beyond in ("0.0.0.0", "::", "10.0.0.1", "example.org"):
        check_token(beyond, TOKEN)
        with pytest.raises(ConfigError, match="needs --token"):
            check_token(beyond, "")
    for short in ("short", "with a line\nbreak in it", "é" * 20):
        with pytest.raises(ConfigError, match="at least 16"):
            check_token("127.0.0.1", short)


def test_the_names_of_a_server() -> None:
    local = {"localhost", "127.0.0.1", "[::1]"}
    assert names_of("127.0.0.1", ()) == local
    assert names_of("::1", ()) == local
    assert names_of("10.0.0.7", ("Cases.example:443",)) == local | {"10.0.0.7", "cases.example"}
    assert local < names_of("0.0.0.0", ()) and "0.0.0.0" not in names_of("0.0.0.0", ())


def test_a_search_comes_between_the_queries_of_a_batch() -> None:
    begun, seen, told = Event(), Event(), list[str]()

    class Slow(Echo):
        def search(self, query: str, top_k: int) -> list[Hit]:
            told.append(query)
            begun.set()
            if query == "alone":
                seen.set()
            seen.wait(0.3)  # the others are slow until it came
            return super().search(query, top_k)

    with ThreadPoolExecutor(1) as pool, TestClient(create_app(Slow())) as client:
        batch = pool.submit(client.post, "/batch_search", json={"queries": ["many"] * 60})
        assert begun.wait(60)
        assert client.post("/search", json={"query": "alone"}).status_code == 200
        assert len(batch.result().json()["results"]) == 60
    assert told[-1] == "many"
