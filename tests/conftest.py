"""Fixtures: a home of its own for each test run, the real encoders in it, a model on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings
from judge_server import JudgeServer, Reply, Serve

from countercase.encoders.base import EncoderOptions
from countercase.encoders.cache import VectorCache
from countercase.encoders.embedded.suite import EmbeddedEncoders

settings.register_profile("tests", deadline=None)  # a first call reads tables, compiles patterns
settings.load_profile("tests")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow files, so that no process is at work long after the others."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder that the processes of this run share; COUNTERCASE_HOME points to it."""
    of_run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        of_run = of_run.parent
    folder = of_run / "home"
    folder.mkdir(exist_ok=True)
    before = os.environ.get("COUNTERCASE_HOME")
    os.environ["COUNTERCASE_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["COUNTERCASE_HOME"]
    else:
        os.environ["COUNTERCASE_HOME"] = before


@pytest.fixture(scope="session")
def encoders(home: Path) -> EmbeddedEncoders:
    """The shipped models."""
    return EmbeddedEncoders(EncoderOptions(cache=VectorCache(home / "cache" / "vectors.sqlite")))


@pytest.fixture
def data() -> Path:
    """The folder of public data sets, where there is one."""
    folder = os.environ.get("COUNTERCASE_DATA")
    if not folder:
        pytest.skip("COUNTERCASE_DATA is not set")
    return Path(folder)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between attempts, recorded and not slept."""
    recorded: list[float] = []
    monkeypatch.setattr("time.sleep", recorded.append)
    return recorded


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A language model on loopback that replies as a test says."""
    running: list[JudgeServer] = []

    def start(scripts: Mapping[str, list[Reply]]) -> JudgeServer:
        running.append(JudgeServer(scripts))
        return running[-1]

    yield start
    for server in running:
        server.close()
