"""Who may ask, and how much: the guard that every request passes before anything reads it.

In order: a request id and a log line without case text; the host name (DNS rebinding); the origin
(other pages that the user has open); the token; the rate; the declared and then the real size of
the body. Answers carry a Content-Security-Policy without `unsafe-inline` and `unsafe-eval`.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from traceback import extract_tb
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countercase.io import read_table
from countercase.web.render import refusal

COOKIE: Final = "countercase"
"""Set by the sign-in page; it holds a hash of the token and never the token."""
OPEN_PATHS: Final = ("/sign-in", "/static/", "/drawings.css")
"""What is answered without the token: the page that asks for it, and its style."""
MAX_BODY_BYTES: Final = 8_000_000
"""Most bytes of one request."""
MAX_UPLOAD_BYTES: Final = 21_000_000
"""Most bytes of a file that is dropped on the page of a case."""
REQUESTS_PER_SECOND: Final = 40.0
BURST: Final = 120
"""What one client may ask in the long run, and at once."""
MOST_CLIENTS: Final = 4_096

HEADERS: Final = {row["name"]: row["value"] for row in read_table("web/headers", dict)}
"""What every answer carries."""

_log = logging.getLogger("countercase.web")


@dataclass(frozen=True)
class Access:
    """Who may ask: under these names of the server (any where empty), with this token if there is one.

    A name has no port, and an IPv6 address brackets.
    """

    hosts: frozenset[str] = frozenset()
    token: str = ""

    def knows(self, host: str) -> bool:
        """Return whether the server may be asked under this `Host`."""
        return not self.hosts or name_of(host) in self.hosts

    def admits(self, headers: Headers) -> bool:
        """Return whether a request carries the token, or the cookie that the sign-in page gave for it."""
        if not self.token:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        return _equal(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""), self.cookie)

    def is_token(self, given: str) -> bool:
        """Return whether `given` is the token, compared in constant time."""
        return _equal(given, self.token)

    @property
    def cookie(self) -> str:
        """What the cookie holds for the token."""
        return hmac.new(self.token.encode(), b"countercase sign-in", hashlib.sha256).hexdigest()


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), wanted.encode())


def name_of(host: str) -> str:
    """Return a `Host` without its port, in lower case."""
    end = host.find("]") + 1 if host.startswith("[") else host.find(":")
    return (host[:end] if end > 0 else host).lower()


class Rate:
    """A token bucket for each client: `BURST` at once, `per_second` in the long run."""

    def __init__(
        self, per_second: float = REQUESTS_PER_SECOND, burst: int = BURST,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._per_second, self._burst, self._now = per_second, burst, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Return seconds until the client may ask again; 0 where it may now, which is then counted."""
        now = self._now()
        left, since = self._left.pop(client, (float(self._burst), now))
        left = min(self._burst, left + (now - since) * self._per_second)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._per_second


class Guard:
    """Checks every request before the application sees it; see the module."""

    def __init__(self, app: ASGIApp, access: Access, rate: Rate) -> None:
        self._app, self._access, self._rate = app, access, rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or hand on one request; a websocket is closed, as nothing here speaks it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id, began = secrets.token_hex(6), time.perf_counter()
        status = bytes_read = 0
        scope.setdefault("state", {})["request_id"] = request_id

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        async def counted() -> Message:  # Starlette bounds the parts of forms, but not a body
            nonlocal bytes_read
            message = await receive()
            bytes_read += len(message.get("body", b""))
            if bytes_read > most:
                raise HTTPException(413, f"larger than {most:,} bytes")
            return message

        request = Request(scope)
        most = MAX_UPLOAD_BYTES if scope["path"] == "/cases" else MAX_BODY_BYTES
        fault = ""
        try:
            self._check(request, most)
            await self._app(scope, counted, answered)
        except HTTPException as error:  # of the guard, or of a body whose size nothing else caught
            headers = dict(error.headers or {})
            told = refusal(request, error.status_code, error.detail, headers=headers)
            await told(scope, receive, answered)
        except Exception as error:  # a fault of ours: logged without its message, which may quote
            fault = place_of(error)
            if status:
                raise
            detail = "The server failed. Its log names the place beside the request id."
            await refusal(request, 500, detail)(scope, receive, answered)
        finally:  # one line of JSON: no query string, no body, no name of a file
            line = {
                "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "request_id": request_id,
                "method": request.method, "path": request.url.path[:200], "status": status,
                "ms": round((time.perf_counter() - began) * 1000, 1), "fault": fault or None,
            }  # fmt: skip
            _log.log(logging.ERROR if fault else logging.INFO, json.dumps(line))

    def _check(self, request: Request, most: int) -> None:
        headers, access = request.headers, self._access
        host = headers.get("host", "")
        if not access.knows(host):
            raise HTTPException(400, "This server is not asked under that host name.")
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            origin = headers.get("origin")
            foreign = origin is not None and origin.partition("://")[2].lower() != host.lower()
            if foreign or headers.get("sec-fetch-site") == "cross-site":
                raise HTTPException(403, "Another site may not send this.")
        if not request.url.path.startswith(OPEN_PATHS) and not access.admits(headers):
            if headers.get("accept", "").startswith("text/html") and request.method == "GET":
                raise HTTPException(303, "Sign in first.", {"Location": "/sign-in"})
            asked = {"WWW-Authenticate": "Bearer"}
            raise HTTPException(401, "Send the token: Authorization: Bearer TOKEN.", asked)
        client = request.client.host if request.client else ""
        if not request.url.path.startswith("/static/") and (wait := self._rate.wait(client)):
            seconds = {"Retry-After": str(int(wait) + 1)}
            raise HTTPException(429, "Too many requests; ask again in a moment.", seconds)
        declared = headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise HTTPException(413, f"larger than {most:,} bytes", {"Connection": "close"})


def is_loopback(host: str) -> bool:
    """Return whether only programs on this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def place_of(error: BaseException) -> str:
    """Return what failed and where, without a message that may quote a case."""
    places = [f" at {it.filename}:{it.lineno}" for it in extract_tb(error.__traceback__, -1)]
    return "".join([type(error).__name__, *places])
