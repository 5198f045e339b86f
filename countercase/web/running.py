"""Run the service: on loopback unless another address is given."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from importlib.util import find_spec
from typing import Final

from countercase.errors import ConfigError

LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
"""Names by which a server on loopback may be asked."""
MOST_CONNECTIONS: Final = 64
"""Connections at a time; a further one gets status 503."""
NEEDED: Final = ("fastapi", "uvicorn")


def check_installed() -> None:
    """Check that FastAPI and uvicorn are installed.

    Raises:
        ConfigError: it names what to install.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"countercase serve needs {' and '.join(missing)}; "
            "install them with: pip install 'countercase[serve]'"
        )


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any that is free.

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
    """The URL of a listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run_app(app: object, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; requests in progress are answered first."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=10,
    )
    Server(config).run(sockets=[listening])
