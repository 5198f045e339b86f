"""Indexing through a real Chroma server on the loopback address."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import StoreError

CORPUS = [
    Document("A", "A v State", "The court convicted him of murder under section 302 IPC.", {}),
    Document("B", "B v State", "The cheque was returned unpaid and notice was given.", {}),
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """`chroma run` on a free port, with its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).parent / "chroma"
    command = [str(program), "run", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--path", str(tmp_path / "served")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"127.0.0.1:{port}", process
    process.terminate()
    process.wait(timeout=20)


def test_the_server_gives_the_same_index_as_the_embedded_store(
    server: tuple[str, subprocess.Popen[bytes]], encoders: EmbeddedEncoders
) -> None:
    host, process = server
    local, _ = build_index(CORPUS, "at-home", encoders, 200)
    served, report = build_index(CORPUS, "served-out", encoders, 200, host=host)
    _, again = build_index(CORPUS, "served-out", encoders, 200, host=f"http://{host}")
    assert report.added == 2
    assert again.unchanged == 2
    assert served.manifest.checksum == local.manifest.checksum
    assert np.array_equal(served.sentence, local.sentence)
    process.terminate()
    process.wait(timeout=20)
    with pytest.raises(StoreError, match="chroma run"):
        build_index(CORPUS, "served-out", encoders, 200, host=host)
