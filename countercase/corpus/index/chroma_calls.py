"""Calls of Chroma, embedded or on a server: all that goes wrong in them is one kind of error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

SECONDS: Final = 120.0
"""How long a server may be silent before it counts as gone."""

_MAJOR: Final = "1"
"""Version of the server's interface that is spoken here, as `GET /api/v2/version` tells it."""


class ChromaCallError(Exception):
    """Chroma or the way to it failed; the message is one short line."""


@contextmanager
def chroma_failures() -> Iterator[None]:
    """Raise as `ChromaCallError` what Chroma raises.

    What a server says in words that Chroma's client does not know comes as a bare Exception.
    """
    import httpx
    from chromadb.errors import ChromaError

    expected = (
        ChromaError, httpx.HTTPError, OSError, RuntimeError, ValueError, TypeError, KeyError,
    )  # fmt: skip
    try:
        yield
    except BaseException as error:  # a Rust panic is no Exception; its class cannot be imported
        panic = type(error).__name__ == "PanicException"
        if not (panic or type(error) is Exception or isinstance(error, expected)):
            raise
        raise ChromaCallError(_short(error)) from error


def connect(host: str) -> Any:
    """A client of the server at `host`: `name:port` or a URL.

    Raises:
        ChromaCallError: it does not answer within `SECONDS`, or is another version or no Chroma.
    """
    import chromadb
    import httpx
    from chromadb.config import Settings

    parts = urlsplit(host if "//" in host else f"http://{host}")
    with chroma_failures():
        name, port = parts.hostname or "127.0.0.1", parts.port or 8000
        secure = parts.scheme == "https"
        # Asked first, since a new client of Chroma waits for ever.
        shown = f"[{name}]" if ":" in name else name
        address = f"{'https' if secure else 'http'}://{shown}:{port}/api/v2/version"
        answer = httpx.get(address, timeout=SECONDS)
        version = answer.text.strip().strip('"')
        if answer.status_code != httpx.codes.OK or version.split(".")[0] != _MAJOR:
            said = version if answer.is_success else f"status {answer.status_code}"
            raise RuntimeError(f"it says {said!r} where version {_MAJOR} is needed")
        client = chromadb.HttpClient(
            name, port, secure, settings=Settings(anonymized_telemetry=False)
        )
        client._server._session.timeout = SECONDS  # it has no setting for this
        client.heartbeat()
    return client


def _short(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 160 else text[:157] + "..."
