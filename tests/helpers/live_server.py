"""The application on a free port of this machine, in a thread, for clients that need a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def listening(app: ASGIApp) -> Iterator[str]:
    """Serve `app`; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as own:
        up = threading.Event()

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                up.set()

        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=5
        )
        server = Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [own]}, daemon=True)
        thread.start()
        assert up.wait(60), "the server did not start"
        try:
            yield f"http://127.0.0.1:{own.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)
