"""Engines: the same results everywhere, in their places, whatever happens to a worker."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from engine_work import KilledOnce, SlowFirst, Squares, broken
from ray_cluster import FOLDERS, needs_ray

from countercase.engines.engine import AHEAD, Engine, choose_engine
from countercase.engines.pools import ATTEMPTS, Failed
from countercase.errors import ConfigError, InputError, StoreError

RAY = pytest.param("ray", marks=needs_ray)


@pytest.fixture(autouse=True)
def helpers_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers on Ray find the modules of these tests."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, FOLDERS)))


def results(engine: Engine, work: Any, items: Sequence[Any]) -> list[Any]:
    """What comes of each item, in their order; each must come once."""
    received: list[tuple[int, Any]] = []
    engine.run(work, items, lambda *one: received.append(one))
    assert sorted(at for at, _ in received) == [*range(len(items))]
    return [result for _, result in sorted(received, key=lambda one: one[0])]


@pytest.mark.parametrize(
    "engine",
    [
        Engine(),
        Engine("processes", 1),
        Engine("processes", 2),
        pytest.param(Engine("ray", 1), marks=needs_ray),
        pytest.param(Engine("ray", 2), marks=needs_ray),
    ],
    ids=lambda engine: f"{engine.name}-{engine.workers}",
)
def test_every_engine_gives_each_result_and_error_in_its_place(
    engine: Engine, tmp_path: Path
) -> None:
    items = [1, 2, "three", 4, "damaged", *range(6, 12)]
    found = results(engine, Squares(tmp_path, lambda *_: None), items)
    failed = [one for one in found if isinstance(one, Failed)]
    squares = [1, 4, 16, 36, 49, 64, 81, 100, 121]
    assert [one for one in found if not isinstance(one, Failed)] == squares
    assert [found.index(one) for one in failed] == [2, 4]
    told = [(InputError, "three is no number"), (StoreError, "damaged")]
    assert [(type(one.error), str(one.error)) for one in failed] == told
    assert 1 <= len(list(tmp_path.glob("opened-*"))) <= engine.workers


@pytest.mark.parametrize("name", ["processes", RAY])
def test_a_worker_killed_in_the_middle_loses_nothing(name: Any, tmp_path: Path) -> None:
    work = KilledOnce(tmp_path, victim=3)
    assert results(Engine(name, 2), work, range(6)) == [0, 1, 4, 9, 16, 25]
    assert (tmp_path / "begun").exists()


@pytest.mark.parametrize("name", ["processes", RAY])
def test_an_item_that_kills_every_worker_fails_alone(name: Any, tmp_path: Path) -> None:
    found = results(Engine(name, 2), KilledOnce(tmp_path, victim=1, always=True), range(4))
    assert [found[0], *found[2:]] == [0, 4, 9]
    assert isinstance(found[1], Failed)
    assert isinstance(found[1].error, StoreError)
    assert f"{ATTEMPTS} workers ended at it without an answer" in str(found[1].error)


def test_an_error_of_the_program_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        results(Engine(), broken, [1])
    with pytest.raises(RuntimeError, match="a worker failed"):
        results(Engine("processes", 1), broken, [1])
    assert "ZeroDivisionError: 1" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["plain", "processes", RAY])
def test_a_stream_is_worked_on_in_order_and_taken_as_it_is_needed(
    name: Any, tmp_path: Path
) -> None:
    """The first item is the slowest, yet comes first, and few are taken before it is given out."""
    workers = 1 if name == "plain" else 2
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            yield number

    results = Engine(name, workers).map(SlowFirst(tmp_path), items())
    assert taken == []
    assert next(results) == 0
    assert len(taken) <= workers * (AHEAD + 1)
    assert list(results) == [number * number for number in range(1, 30)]
    assert taken == list(range(30))


@pytest.mark.parametrize("name", ["plain", "processes"])
def test_an_error_of_the_stream_is_raised(name: Any, tmp_path: Path) -> None:
    def items() -> Iterator[Any]:
        yield 1
        yield "two"
        raise InputError("line 3")

    with pytest.raises(InputError, match="line 3"):
        list(Engine(name, 1).map(Squares(tmp_path), items()))


def test_what_was_opened_and_the_progress_stay_behind(tmp_path: Path) -> None:
    work = Squares(tmp_path, lambda *_: None)
    assert results(Engine("processes", 2), work, []) == []
    assert list(tmp_path.iterdir()) == []  # no items start nothing
    assert work(2) == 4
    copy = pickle.loads(pickle.dumps(work))
    assert vars(copy) == {"folder": tmp_path, "progress": None}


def test_several_workers_are_processes_and_an_address_is_ray() -> None:
    assert choose_engine(None, None) == Engine("plain", 1)
    assert choose_engine(None, 3) == Engine("processes", 3)
    assert choose_engine(None, 3, "10.0.0.1:6379") == Engine("ray", 3, "10.0.0.1:6379")
    assert choose_engine("processes", 1) == Engine("processes", 1)
    assert choose_engine("processes", None).workers >= 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("cluster", 1), "choose plain or processes or ray"),
        (("plain", 2), "--engine plain has one worker"),
        (("processes", 2, "10.0.0.1:6379"), "--ray-address is for --engine ray"),
    ],
)
def test_options_that_do_not_go_together_are_named(options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_engine(*options)


def test_without_ray_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install 'countercase\[cluster\]'"):
        results(Engine("ray", 1), Squares(tmp_path), [1])


CLOSED = """
import os
from countercase.engines.pools import connected
ray = connected(1, "")
import psutil
from ray._common.usage.usage_lib import usage_stats_enabled
from ray._private.authentication.authentication_utils import is_token_auth_enabled
me = psutil.Process()
ports = [
    connection.laddr.ip.removeprefix("::ffff:")
    for process in (me, *me.children(recursive=True))
    for connection in process.net_connections(kind="inet")
    if connection.status == psutil.CONN_LISTEN
]
ray.shutdown()
print(set(ports), len(ports) > 3, usage_stats_enabled(), is_token_auth_enabled())
"""


@needs_ray
def test_a_ray_of_our_own_is_closed_to_other_machines() -> None:
    """Every port is on loopback, every call needs a token, and nothing is reported to anyone."""
    run = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[-2] == "{'127.0.0.1'} True False True"


@needs_ray
@pytest.mark.parametrize("address", ["127.0.0.1:9", "127.0.0.1:99999", "nowhere"])
def test_a_cluster_that_cannot_be_reached_is_one_error(address: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"Ray {address} cannot be reached"):
        results(Engine("ray", 1, address), Squares(tmp_path), [1])
