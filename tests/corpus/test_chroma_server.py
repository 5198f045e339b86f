"""A Chroma server on the loopback address: the same index, and one line for all that goes wrong."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from countercase.corpus.documents import Document
from countercase.corpus.index import build, chroma_calls, preparation
from countercase.corpus.index.build import build_index, index_folder
from countercase.corpus.index.store import CorpusStore, open_client
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CounterCaseError, StoreError

CORPUS = [
    Document("A", "A v State", "The court convicted him of murder under section 302 IPC.", {}),
    Document("B", "B v State", "The cheque was returned unpaid and notice was given.", {}),
]
LATER = Document("C", "C v State", "The tenant was ordered to leave the shop.", {})


class Server:
    """`chroma run` on a free port, ended and begun again on the same files."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.host = f"127.0.0.1:{self._port}"
        self._folder = folder
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        program = Path(sys.executable).parent / "chroma"
        command = [str(program), "run", "--host", "127.0.0.1", "--port", str(self._port)]
        self.process = subprocess.Popen(
            [*command, "--path", str(self._folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return self.process
            time.sleep(0.1)
        raise AssertionError("chroma run does not answer")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=20)


@pytest.fixture(autouse=True)
def each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgment is prepared and written before the next one is read."""
    monkeypatch.setattr(preparation, "BATCH_CHARACTERS", 1)
    monkeypatch.setattr(build, "BLOCK_CHUNKS", 1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("served"))
    yield started
    started.kill()


def with_store(server: Server, name: str) -> CorpusStore:
    """The collections of a corpus as another program would open them."""
    return CorpusStore(open_client(Path(), server.host), name, False)


def interrupted(action: Callable[[], object]) -> Iterator[Document]:
    """A corpus in whose middle something happens."""
    yield CORPUS[0]
    action()
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
    build_index([LATER], "killed-server", encoders, 200, host=server.host)
    with pytest.raises(StoreError) as found:
        build_index(interrupted(server.kill), "killed-server", encoders, 200, host=server.host)
    assert "corpus killed-server: Chroma failed" in one_line(found)
    assert "check the server" in one_line(found)
    with pytest.raises(StoreError, match="chroma run") as found:
        build_index(CORPUS, "killed-server", encoders, 200, host=server.host)
    assert "no Chroma server answers there" in one_line(found)
    server.start()
    snapshot, report = build_index(
        [*CORPUS, LATER], "killed-server", encoders, 200, host=server.host
    )
    assert report.added in (1, 2)  # the first may have been written whole
    assert report.added + report.unchanged == 3
    whole, _ = build_index([*CORPUS, LATER], "never-killed", encoders, 200)
    assert snapshot.manifest.files == whole.manifest.files


def snapshot_bytes(name: str) -> dict[str, bytes]:
    folder = index_folder(name) / "snapshot"
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def drop(store: CorpusStore) -> None:
    store.drop()


def drop_and_make_again(store: CorpusStore) -> None:
    store.drop()
    CorpusStore(store._client, store.corpus, False)


@pytest.mark.parametrize("change", [drop, drop_and_make_again])
def test_collections_deleted_underneath_are_one_line(
    change: Callable[[CorpusStore], None], server: Server, encoders: EmbeddedEncoders
) -> None:
    name = f"under-{change.__name__}".replace("_", "-")
    build_index([LATER], name, encoders, 200, host=server.host)
    before = snapshot_bytes(name)
    other = with_store(server, name)
    with pytest.raises(StoreError) as found:
        build_index(interrupted(lambda: change(other)), name, encoders, 200, host=server.host)
    assert f"corpus {name}: Chroma failed" in one_line(found)
    assert snapshot_bytes(name) == before
    _, report = build_index(CORPUS, name, encoders, 200, host=server.host)
    assert (report.added, report.cases) == (2, 2)


def take_a_mark(store: CorpusStore) -> None:
    store.cases.delete(ids=["C"])


def take_a_judgment(store: CorpusStore) -> None:
    store.delete_cases(["C"])


def take_a_chunk(store: CorpusStore) -> None:
    store.chunks.delete(ids=["C#00000"])


def alter_a_text(store: CorpusStore) -> None:
    [vector] = store.chunks.get(ids=["C#00000"], include=["embeddings"])["embeddings"]
    store.chunks.update(ids=["C#00000"], documents=["Another text."], embeddings=[vector])


def alter_a_vector(store: CorpusStore) -> None:
    vector = np.zeros((1, 384), dtype=np.float32)
    vector[0, 0] = 1
    store.chunks.update(ids=["C#00000"], embeddings=vector)


def alter_a_title(store: CorpusStore) -> None:
    [known] = store.cases.get(ids=["C"])["metadatas"]
    data = json.loads(known["metadata"]) | {"title": "D v State"}
    store.cases.update(ids=["C"], metadatas=[{**known, "metadata": json.dumps(data)}])


def add_a_judgment(store: CorpusStore) -> None:
    [mark] = store.cases.get(ids=["C"], include=["metadatas"])["metadatas"]
    store.cases.add(ids=["D"], metadatas=[mark], embeddings=np.ones((1, 384), dtype=np.float32))


@pytest.mark.parametrize(
    "change",
    [
        take_a_mark, take_a_judgment, take_a_chunk, alter_a_text, alter_a_vector, alter_a_title,
        add_a_judgment,
    ],
)  # fmt: skip
def test_what_another_program_changes_underneath_never_reaches_an_index(
    change: Callable[[CorpusStore], None], server: Server, encoders: EmbeddedEncoders
) -> None:
    name = f"changed-{change.__name__}".replace("_", "-")
    build_index([LATER], name, encoders, 200, host=server.host)
    before = snapshot_bytes(name)
    other = with_store(server, name)

    def documents() -> Iterator[Document]:
        yield LATER
        yield from interrupted(lambda: change(other))

    with pytest.raises(StoreError) as found:
        build_index(documents(), name, encoders, 200, host=server.host)
    assert "another program changed" in one_line(found)
    assert snapshot_bytes(name) == before
    snapshot, _ = build_index([LATER, *CORPUS], name, encoders, 200, host=server.host)
    whole, _ = build_index([*CORPUS, LATER], "never-changed", encoders, 200)
    assert snapshot.manifest.files == whole.manifest.files


@contextmanager
def answering(answer: Callable[[str], tuple[int, bytes]]) -> Iterator[str]:
    """A small server that is no Chroma; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answer(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815, as the library calls it

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as small:
        small.daemon_threads = True
        thread = threading.Thread(target=small.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{small.server_address[1]}"
        finally:
            small.shutdown()
            thread.join(10)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, b'"0.4.24"', "it says '0.4.24' where version 1 is needed"),
        (200, b'"2.1.0"', "it says '2.1.0'"),
        (200, b"<html>welcome</html>", "it says '<html>welcome</html>'"),
        (404, b'{"detail": "Not Found"}', "it says 'status 404'"),
        (500, b"", "it says 'status 500'"),
    ],
)
def test_another_version_or_no_chroma_at_all_is_one_line(
    status: int, body: bytes, said: str, encoders: EmbeddedEncoders
) -> None:
    with answering(lambda path: (status, body)) as host, pytest.raises(StoreError) as found:
        build_index(CORPUS, "other-version", encoders, 200, host=host)
    assert said in one_line(found)
    assert "start one of this version with: chroma run" in one_line(found)


@pytest.mark.parametrize("body", [b"", b"{}", b"nonsense", b'{"nanosecond heartbeat": 1}'])
def test_a_server_that_knows_the_version_and_nothing_else_is_one_line(
    body: bytes, encoders: EmbeddedEncoders
) -> None:
    def answer(path: str) -> tuple[int, bytes]:
        return 200, b'"1.0.0"' if path.endswith("/version") else body

    with answering(answer) as host, pytest.raises(StoreError) as found:
        build_index(CORPUS, "half-a-server", encoders, 200, host=host)
    assert "no Chroma server answers there as it should" in one_line(found)


def test_a_server_that_never_answers_is_one_line(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_calls, "SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreError, match="timed out") as found:
            build_index(CORPUS, "silent", encoders, 200, host=host)
    assert "no Chroma server answers there" in one_line(found)


def test_a_server_that_falls_silent_in_the_middle_is_one_line(
    server: Server, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_calls, "SECONDS", 3.0)
    stop = lambda: server.process.send_signal(signal.SIGSTOP)  # noqa: E731
    try:
        with pytest.raises(StoreError, match="timed out") as found:
            build_index(interrupted(stop), "fell-silent", encoders, 200, host=server.host)
    finally:
        server.process.send_signal(signal.SIGCONT)
    assert "corpus fell-silent: Chroma failed" in one_line(found)
    _, report = build_index(CORPUS, "fell-silent", encoders, 200, host=server.host)
    assert report.cases == 2


def test_a_slow_server_is_waited_for(server: Server, encoders: EmbeddedEncoders) -> None:
    def pause() -> None:
        server.process.send_signal(signal.SIGSTOP)
        threading.Timer(1.0, server.process.send_signal, [signal.SIGCONT]).start()

    _, report = build_index(interrupted(pause), "slow", encoders, 200, host=server.host)
    assert report.cases == 2
