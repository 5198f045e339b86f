"""A Chroma server on the loopback address: the same index, and one line for all that goes wrong."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.corpus.index import chroma, preparation
from countercase.corpus.index.build import build_index, remove_corpus
from countercase.corpus.index.chroma import Collections, open_client
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CounterCaseError, StoreError
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever

CORPUS = [
    Document("A", "A v State", "The court convicted him of murder under section 302 IPC.", {}),
    Document("B", "B v State", "The cheque was returned unpaid and notice was given.", {}),
]
BY_CANDIDATES = RetrievalSettings(search="chroma")
LATER = Document("C", "C v State", "The tenant was ordered to leave the shop.", {})


class Server:
    """`chroma run` on a free port, ended and begun again on the same files."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.host = f"127.0.0.1:{self._port}"
        self._folder = folder
        self.start()

    def start(self) -> None:
        program = Path(sys.executable).parent / "chroma"
        command = [str(program), "run", "--host", "127.0.0.1", "--port", str(self._port)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([*command, "--path", str(self._folder)], **quiet)
        deadline = time.monotonic() + 60
        while not self.answers():
            assert time.monotonic() < deadline, "chroma run does not answer"
            time.sleep(0.1)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=20)


@pytest.fixture(autouse=True)
def each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgment is prepared and written before the next one is read."""
    monkeypatch.setattr(preparation, "BATCH_CHARACTERS", 1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("served"))
    yield started
    started.kill()


def killing(server: Server) -> Iterator[Document]:
    """A corpus in whose middle the server is killed."""
    yield CORPUS[0]
    server.kill()
    yield from CORPUS[1:]


def one_line(found: pytest.ExceptionInfo[CounterCaseError]) -> str:
    text = str(found.value)
    assert "\n" not in text
    assert len(text) < 500
    return text


def test_the_server_gives_the_same_index_as_the_embedded_store(
    server: Server, encoders: EmbeddedEncoders
) -> None:
    local, _ = build_index(CORPUS, "at-home", encoders, 200)
    served, report = build_index(CORPUS, "served-out", encoders, 200, host=server.host)
    _, again = build_index(CORPUS, "served-out", encoders, 200, host=f"http://{server.host}")
    assert report.added == 2
    assert again.unchanged == 2
    assert served.manifest.checksum == local.manifest.checksum
    assert np.array_equal(served.sentence, local.sentence)


def test_a_server_killed_in_the_middle_is_one_line_and_the_next_run_goes_on(
    server: Server, encoders: EmbeddedEncoders
) -> None:
    with pytest.raises(StoreError) as found:
        build_index(killing(server), "killed-server", encoders, 200, host=server.host)
    assert "corpus killed-server: Chroma failed" in one_line(found)
    assert "check the server" in one_line(found)
    with pytest.raises(StoreError, match="chroma run") as found:
        build_index(CORPUS, "killed-server", encoders, 200, host=server.host)
    assert "no Chroma server answers there" in one_line(found)
    server.start()
    snapshot, report = build_index(CORPUS, "killed-server", encoders, 200, host=server.host)
    assert (report.added, report.unchanged) == (0, 2)
    assert Collections(snapshot, open_client(None, server.host)).is_whole


def test_collections_of_the_last_index_go_when_the_next_are_filled(
    server: Server, encoders: EmbeddedEncoders
) -> None:
    client = open_client(None, server.host)

    def names() -> list[str]:
        return [it.name for it in client.list_collections() if it.name.startswith("renewed.")]

    first, _ = build_index(CORPUS, "renewed", encoders, 200, host=server.host)
    before = names()
    second, _ = build_index([*CORPUS, LATER], "renewed", encoders, 200, host=server.host)
    assert len(before) == len(names()) == 2
    assert not set(before) & set(names())
    assert first.manifest.checksum != second.manifest.checksum
    remove_corpus("renewed", server.host)
    assert names() == []


def test_collections_deleted_under_a_search_are_one_line_and_filled_again(
    server: Server, encoders: EmbeddedEncoders
) -> None:
    snapshot, _ = build_index(CORPUS, "under", encoders, 200, host=server.host)
    retriever = HybridRetriever(snapshot, encoders, BY_CANDIDATES, server.host)
    query = Query(("He was convicted of murder.",))
    Collections(snapshot, open_client(None, server.host)).delete()
    with pytest.raises(StoreError) as found:
        retriever.retrieve([query])
    assert "corpus under: Chroma failed" in one_line(found)
    again = HybridRetriever(snapshot, encoders, BY_CANDIDATES, server.host)
    assert again.retrieve([query])[0].results


def test_what_a_stopped_run_left_is_gone_on_with(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma, "BATCH", 1)
    snapshot, _ = build_index([*CORPUS, LATER], "half-filled", encoders, 200)
    collections = Collections(snapshot, open_client(None))

    def stop(what: str, done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collections.fill(stop)
    assert not collections.is_whole
    told: list[int] = []
    collections.fill(lambda what, done, of: told.append(done))
    assert told == [3, 1, 2, 3]
    assert collections.is_whole


@contextmanager
def answering(status: int, version: bytes, other: bytes) -> Iterator[str]:
    """A small server that is no Chroma, with a body for its version and another; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = version if self.path.endswith("/version") else other
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815, as the library calls it

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as small:
        thread = threading.Thread(target=small.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{small.server_address[1]}"
        finally:
            small.shutdown()
            thread.join(10)


@pytest.mark.parametrize(
    ("status", "version", "other", "said"),
    [
        (200, b'"0.4.24"', b"", "it says '0.4.24' where version 1 is needed"),
        (200, b"<html>welcome</html>", b"", "it says '<html>welcome</html>'"),
        (404, b'{"detail": "Not Found"}', b"", "it says 'status 404'"),
        (200, b'"1.0.0"', b"", "no Chroma server answers there as it should"),
        (200, b'"1.0.0"', b"{}", "no Chroma server answers there as it should"),
    ],
)
def test_another_version_or_no_chroma_at_all_is_one_line(
    status: int, version: bytes, other: bytes, said: str, encoders: EmbeddedEncoders
) -> None:
    with answering(status, version, other) as host, pytest.raises(StoreError) as found:
        build_index(CORPUS, "other-version", encoders, 200, host=host)
    line = one_line(found)
    assert said in line
    if version != b'"1.0.0"':
        assert "start one of this version with: chroma run" in line


def test_a_server_that_never_answers_is_one_line(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma, "SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreError, match="timed out") as found:
            build_index(CORPUS, "silent", encoders, 200, host=host)
    assert "no Chroma server answers there" in one_line(found)
