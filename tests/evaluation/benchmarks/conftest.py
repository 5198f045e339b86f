"""A judge on loopback, and attempts without pauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from judge_server import JudgeServer, Reply, Serve


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between attempts, recorded and not slept."""
    recorded: list[float] = []
    monkeypatch.setattr("time.sleep", recorded.append)
    return recorded


@pytest.fixture
def serve() -> Iterator[Serve]:
    running: list[JudgeServer] = []

    def start(scripts: Mapping[str, list[Reply]]) -> JudgeServer:
        running.append(JudgeServer(scripts))
        return running[-1]

    yield start
    for server in running:
        server.close()
