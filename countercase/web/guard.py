"""What stands before the application: the size of a request, and the name it was sent to."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """Lets through requests of bounded size to a known name.

    A web page that someone has open can reach servers on loopback under a name of its own (DNS
    rebinding), which is why the name counts. A body is read whole before the application sees it,
    so that one without a declared length is bounded too.

    Args:
        app: the application.
        max_bytes: of a request's body.
        hosts: names by which the server may be asked; None for any.
    """

    def __init__(self, app: App, max_bytes: int, hosts: Collection[str] | None) -> None:
        self._app, self._max_bytes, self._hosts = app, max_bytes, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 400 or 413, or hand the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        if self._hosts is not None and _host(headers.get("host", b"")) not in self._hosts:
            await _refuse(send, 400, "asked under a name that is not this server's")
            return
        declared = headers.get("content-length", b"0")
        if not declared.isdigit() or int(declared[:20]) > self._max_bytes:
            await _refuse(send, 413, f"larger than {self._max_bytes:,} bytes")
            return
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if len(body) > self._max_bytes:
                await _refuse(send, 413, f"larger than {self._max_bytes:,} bytes")
                return
            if not message.get("more_body", False):
                break
        await self._app(scope, _replayed(bytes(body), receive), send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body in one message, then whatever follows it."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _host(header: bytes) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit("//" + header.decode("latin-1")).hostname or ""
    except ValueError:
        return ""


async def _refuse(send: Send, status: int, detail: str) -> None:
    body = json.dumps({"detail": detail}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
