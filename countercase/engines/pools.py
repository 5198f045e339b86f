"""What an engine is given to do, and how it is done: in processes of this machine, or on Ray.

Each process takes one item at a time, and may end at any moment. Ray is a cluster, or one of its
own that only this machine sees: `RayTasks` does one task an item; of `Actors` each holds one part of
something large, and all answer every question.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final, Generic, TypeVar, cast

from countercase.errors import ConfigError, CounterCaseError, StoreError

Item = TypeVar("Item")
Value = TypeVar("Value")

ATTEMPTS: Final = 3
"""How often an item is tried whose worker ended without an answer."""
TASK_MEMORY: Final = 2 * 2**30
"""Bytes that Ray sets aside for a task: a machine runs as many at once as fit into its memory."""
_CONTEXT: Final = get_context("spawn")


@dataclass(frozen=True)
class Failed:
    """An item that has no result, and why."""

    error: CounterCaseError


def attempt(work: Callable[[Item], Value], item: Item) -> Value | Failed:
    """Return the result of an item, or the error that a user can mend; any other is raised."""
    try:
        return work(item)
    except CounterCaseError as error:
        return Failed(error)


def lost(why: str) -> Failed:
    """Return the failure of an item whose workers all ended without an answer."""
    told = f"{ATTEMPTS} workers ended at it without an answer ({why})"
    advice = "memory may be too small: take fewer --workers, or run the same command again"
    return Failed(StoreError(f"{told}; {advice}"))


class Sendable:
    """A frozen dataclass whose fields but `progress` are sent; what it opened is opened again there."""

    def __getstate__(self) -> dict[str, Any]:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: None if name == "progress" else getattr(self, name) for name in names}


class Processes:
    """A pool of processes, started when they are first needed."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work
        self._busy: dict[Connection, tuple[SpawnProcess, int, Any, int]] = {}
        self._idle: list[tuple[Connection, SpawnProcess]] = []

    def submit(self, at: int, item: Any, attempts: int = 1) -> None:
        """Begin an item."""
        if self._idle:
            channel, process = self._idle.pop()
        else:
            channel, theirs = _CONTEXT.Pipe()
            process = _CONTEXT.Process(target=_serve, args=(theirs, self._work))
            process.start()
            theirs.close()  # so that our end sees when the worker ends
        self._busy[channel] = process, at, item, attempts
        with contextlib.suppress(BrokenPipeError):  # it was killed: its channel ends, see `wait`
            channel.send(item)

    def wait(self) -> tuple[int, Any]:
        """Return position and result of the first item that is finished.

        An item whose worker was killed is given to a new one, up to `ATTEMPTS` times; where it
        failed by an error of the program, that is a RuntimeError, with its traceback on stderr.
        """
        while True:
            channel = cast("Connection", wait(list(self._busy))[0])
            process, at, item, attempts = self._busy.pop(channel)
            try:
                value = channel.recv()
            except (EOFError, OSError):
                channel.close()
                process.join()
                if process.exitcode is None or process.exitcode > 0:
                    raise RuntimeError("a worker failed; its traceback stands above") from None
                if attempts == ATTEMPTS:
                    return at, lost(f"signal {-process.exitcode}")
                self.submit(at, item, attempts + 1)
            else:
                self._idle.append((channel, process))
                return at, value

    def close(self) -> None:
        """Kill the processes that work; the others end when nobody asks any more."""
        for channel, (process, *_) in self._busy.items():
            channel.close()
            process.kill()
        for channel, _ in self._idle:
            channel.close()


def _serve(channel: Connection, work: Callable[[Any], Any]) -> None:
    """Answer each item until nobody asks any more; Ctrl-C is for the one who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            item = channel.recv()
        except EOFError:
            return
        channel.send(attempt(work, item))


class RayTasks:
    """A pool of tasks, one an item, on Ray as it is `connected`.

    What the program raises by mistake comes as Ray's error with the worker's traceback.
    """

    def __init__(self, work: Callable[[Any], Any], workers: int, address: str) -> None:
        self._ray = connected(workers, address)
        options = {"num_cpus": 1, "memory": TASK_MEMORY, "max_retries": ATTEMPTS - 1}
        self._task = self._ray.remote(**options)(_answer)
        self._sent = [self._ray.put(work)]  # in a list Ray leaves it to the worker to fetch it
        self._running: dict[Any, int] = {}

    def submit(self, at: int, item: Any) -> None:
        """Begin an item."""
        self._running[self._task.remote(self._sent, item)] = at

    def wait(self) -> tuple[int, Any]:
        """Return position and result of the first that is finished; Ray retries what was lost."""
        [ready], _ = self._ray.wait(list(self._running), num_returns=1)
        return self._running.pop(ready), _fetch(self._ray, ready, "WorkerCrashedError")

    def close(self) -> None:
        """Leave Ray."""
        self._ray.shutdown()


def _fetch(ray: Any, ready: Any, *lost_by: str) -> Any:
    """Return an answer, or the failure of what was lost by an error of one of these names."""
    names = (*lost_by, "OutOfMemoryError", "NodeDiedError")
    try:
        return ray.get(ready)
    except tuple(getattr(ray.exceptions, name) for name in names) as error:
        return lost(str(error).splitlines()[0])


def _answer(sent: list[Any], item: Any) -> Any:
    return attempt(_fetched(sent[0]), item)


@lru_cache(maxsize=1)
def _fetched(reference: Any) -> Callable[[Any], Any]:
    """Return the work, once for all tasks of a worker, so that it opens what it needs once."""
    import ray

    work: Callable[[Any], Any] = ray.get(reference)
    return work


def connected(workers: int, address: str) -> Any:
    """Return Ray, joined to the running cluster at `host:port`, or else started for ourselves.

    A `ConfigError` is raised where Ray is not installed, and a `StoreError` where it cannot be
    started or reached, or no machine has the memory of a task.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        host, _, port = address.rpartition(":")
        try:  # Ray itself would try for minutes
            socket.create_connection((host, int(port)), timeout=5.0).close()
        except (OSError, ValueError, OverflowError) as error:
            raise StoreError(
                f"Ray {address} cannot be reached ({error}); give host:port of a cluster that "
                "`ray start --head` began"
            ) from error
        options["address"] = address
    else:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # everything listens on loopback
        os.environ["RAY_enable_metrics_collection"] = "0"  # noqa: SIM112, as Ray spells it
        options |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
        options["object_store_memory"] = 128 * 2**20
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ConfigError(
            "--engine ray needs Ray; install it with: pip install 'countercase[cluster]', or take "
            "--engine processes"
        ) from error
    where = address or "on this machine"
    try:
        ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise StoreError(f"Ray {where} cannot be used: {error}") from error
    try:
        if not address and ray.util.get_node_ip_address() != "127.0.0.1":
            raise StoreError(
                "Ray was imported before and would listen to other machines; set "
                "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0, or name a cluster with --ray-address"
            )
        most = max(node["Resources"].get("memory", 0) for node in ray.nodes() if node["Alive"])
        if most < TASK_MEMORY:
            raise StoreError(
                f"Ray {where} has at most {most / 2**30:.1f} GiB on one machine, and a task needs "
                f"{TASK_MEMORY / 2**30:.0f}; free some memory, or take --engine plain"
            )
    except StoreError:
        ray.shutdown()
        raise
    return ray


class Actors(Generic[Item, Value]):
    """One actor a part, on Ray as it is `connected`; the end of a `with` statement leaves Ray.

    An actor opens what its part needs, see `Sendable`, and answers with it. One that is killed is
    started again and asked again, up to `ATTEMPTS` times a question. Where there is no room for all
    of them at once, that is a `StoreError`.
    """

    def __init__(self, parts: Sequence[Callable[[Item], Value]], address: str = "") -> None:
        self._ray = connected(len(parts), address)
        try:
            nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
            fits = (min(it.get("CPU", 0), it.get("memory", 0) / TASK_MEMORY) for it in nodes)
            if (room := sum(map(int, fits))) < len(parts):  # the others would wait for ever
                raise StoreError(
                    f"Ray has room for {room} workers at once, of one processor and "
                    f"{TASK_MEMORY / 2**30:.0f} GiB each, not for {len(parts)}; take fewer --workers"
                )
            again = {"max_restarts": -1, "max_task_retries": ATTEMPTS - 1}
            actor = self._ray.remote(num_cpus=1, memory=TASK_MEMORY, **again)(_Actor)
            self._actors = [actor.remote(part) for part in parts]
        except StoreError:
            self.__exit__()
            raise

    def ask(self, question: Item) -> list[Value]:
        """Return the answer of each actor, in the order of the parts.

        What a part raised is raised here; a `StoreError` where an actor was lost `ATTEMPTS` times.
        """
        shared, answers = self._ray.put(question), list[Value]()
        for waiting in [actor.answer.remote(shared) for actor in self._actors]:
            answer: Value | Failed = _fetch(self._ray, waiting, "RayActorError")
            if isinstance(answer, Failed):
                raise answer.error
            answers.append(answer)
        return answers

    def __enter__(self) -> Actors[Item, Value]:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()


class _Actor:
    def __init__(self, part: Callable[[Any], Any]) -> None:
        self._part = part

    def answer(self, question: Any) -> Any:
        return attempt(self._part, question)
