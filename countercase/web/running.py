"""Run the service: on loopback unless another address is given, and then with a token."""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Final

from countercase.errors import ConfigError
from countercase.web.security import is_loopback, name_of

LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
"""Names by which a server on loopback may be asked."""
ANY_ADDRESS: Final = ("0.0.0.0", "::")
SHORTEST_TOKEN: Final = 16
MOST_CONNECTIONS: Final = 128
"""Connections at a time; a further one gets status 503."""


def check_token(host: str, token: str) -> None:
    """Check that whoever else can reach the server has to know a token.

    Raises:
        ConfigError: it listens beyond this machine without one, or the token is easily guessed.
    """
    if token and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ConfigError(
            f"--token: at least {SHORTEST_TOKEN} plain characters; "
            'python3 -c "import secrets; print(secrets.token_urlsafe(32))" prints a good one'
        )
    if not token and not is_loopback(host):
        raise ConfigError(
            f"--host {host}: other machines can reach it, so it needs --token (or the environment "
            "variable COUNTERCASE_TOKEN)"
        )


def names_of(host: str, further: Sequence[str]) -> frozenset[str]:
    """Return the names by which a server that listens on `host` may be asked.

    Args:
        further: names that the user allows beside those of this machine.
    """
    own = [host]
    if host in ANY_ADDRESS:
        own = [socket.gethostname()]
        with contextlib.suppress(OSError):  # a machine whose name has no address
            found = socket.getaddrinfo(own[0], None, type=socket.SOCK_STREAM)
            own += [str(address[0]) for *_, address in found]
    written = [f"[{name}]" if ":" in name else name for name in own]
    return frozenset(name_of(name) for name in (*LOCAL_NAMES, *written, *further))


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any that is free.

    Raises:
        ConfigError: the address is not this machine's, or the port is taken or not allowed.
    """
    stream, passive = socket.SOCK_STREAM, socket.AI_PASSIVE
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=stream, flags=passive)[0]
        return socket.create_server(address[:2], family=family, backlog=MOST_CONNECTIONS)
    except OSError as error:
        raise ConfigError(
            f"--host {host} --port {port}: cannot be used ({error.strerror}); choose another"
        ) from error


def address_of(listening: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def log_to_stderr() -> None:
    """Write the log of the service, one JSON object a line, to stderr."""
    log = logging.getLogger("countercase.web")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


def run_app(app: object, listening: socket.socket, stopping: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; requests in progress are answered first.

    Args:
        stopping: called when the end is asked for.
    """
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if sig == signal.SIGTERM:  # not raised again: the command ends in its own words
                self.should_exit = True
            else:
                super().handle_exit(sig, frame)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            stopping()  # not in the handler of a signal, which may come in the middle of a line of log
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning", access_log=False, server_header=False,
        limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=10,
    )  # fmt: skip
    Server(config).run(sockets=[listening])
