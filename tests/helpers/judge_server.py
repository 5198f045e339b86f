"""A small server on loopback that answers what is posted as it is told: a chat model, or a search."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[BaseHTTPRequestHandler], None]


class JudgeServer:
    """Replies as scripted for the first phrase of `scripts` that stands in what it is asked.

    Each script is gone through reply by reply; its last one is given again and again.
    """

    def __init__(self, scripts: Mapping[str, list[Reply]]) -> None:
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.released = threading.Event()
        outer = self
        gone: dict[str, int] = {}

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(body)
                outer.paths.append(self.path)
                outer.keys.append(self.headers["Authorization"])
                self.released, self.body = outer.released, body
                text = body["messages"][-1]["content"] if "messages" in body else str(body)
                phrase = next(phrase for phrase in scripts if phrase in text)
                turn = gone[phrase] = gone.get(phrase, 0) + 1
                scripts[phrase][min(turn, len(scripts[phrase])) - 1](self)

            def log_message(self, *_: object) -> None:
                """Silence."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Silence: a client that stopped waiting is part of the test."""

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


def says(content: object, status: int = 200) -> Reply:
    """A chat completion whose message is `content` (as JSON unless it is a string)."""
    text = content if isinstance(content, str) else json.dumps(content)
    return raw(json.dumps({"choices": [{"message": {"content": text}}]}).encode(), status)


def scores(score: int, rationale: str = "As the rubric has it.") -> Reply:
    return says({"score": score, "rationale": rationale})


def refuses(status: int, message: str = "no", **headers: str) -> Reply:
    return raw(json.dumps({"error": {"message": message}}).encode(), status, **headers)


def raw(body: bytes, status: int = 200, **headers: str) -> Reply:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def hangs(handler: BaseHTTPRequestHandler) -> None:
    """Says nothing until the server is closed."""
    handler.released.wait(30)  # type: ignore[attr-defined]


def drips(handler: BaseHTTPRequestHandler) -> None:
    """Sends a blank now and then, and never the answer."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    while not handler.released.wait(0.02):  # type: ignore[attr-defined]
        handler.wfile.write(b" ")
        handler.wfile.flush()


def floods(handler: BaseHTTPRequestHandler) -> None:
    """Sends blanks as fast as they are taken, without end."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.released.is_set():  # type: ignore[attr-defined]
        handler.wfile.write(b" " * 65_536)


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    """Promises a body and closes the connection within it."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


Serve = Callable[[Mapping[str, list[Reply]]], JudgeServer]
"""Starts a server with its replies."""
KEY = "sk-a-secret-that-is-never-shown"
