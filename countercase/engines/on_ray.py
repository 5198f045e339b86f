"""Work on Ray: a cluster, or one of its own that only this machine sees.

`RayTasks` does one task an item; of `Actors` each holds one part of something large, and all answer
every question.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, Generic

from countercase.engines.work import ATTEMPTS, Failed, Item, Value, attempt, lost
from countercase.errors import ConfigError, StoreError

TASK_MEMORY: Final = 2 * 2**30
"""Bytes that Ray sets aside for a task: a machine runs as many at once as fit into its memory."""

_OBJECT_STORE: Final = 128 * 2**20
_SECONDS_TO_REACH: Final = 5.0
_LOOPBACK: Final = "127.0.0.1"


class RayTasks:
    """A pool of tasks, one an item.

    What the program raises by mistake comes as Ray's error with the worker's traceback.

    Args:
        address: a running cluster, as `host:port`; empty for one of our own.

    Raises:
        ConfigError: Ray is not installed.
        StoreError: it cannot be started or reached, or no machine has the memory of a task.
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


def _reach(address: str) -> None:
    """Make sure that something listens there: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _SECONDS_TO_REACH).close()
    except (OSError, ValueError, OverflowError) as error:
        raise StoreError(
            f"Ray {address} cannot be reached ({error}); give host:port of a cluster that "
            "`ray start --head` began"
        ) from error


def connected(workers: int, address: str) -> Any:
    """Return Ray, joined to the cluster or started."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        _reach(address)
        options["address"] = address
    else:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # everything listens on loopback
        os.environ["RAY_enable_metrics_collection"] = "0"  # noqa: SIM112, as Ray spells it
        options |= {
            "address": "local",
            "num_cpus": workers,
            "include_dashboard": False,
            "object_store_memory": _OBJECT_STORE,
        }
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
        if not address and ray.util.get_node_ip_address() != _LOOPBACK:
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
    """One actor a part; use it in a `with` statement, whose end leaves Ray.

    An actor that is killed is started again and asked again, up to `ATTEMPTS` times a question.

    Args:
        parts: what each actor holds and answers with; Ray sends it, and it opens what it needs in the
            actor; see `Sendable`.
        address: a running cluster, as `host:port`; empty for one of our own.

    Raises:
        ConfigError: Ray is not installed.
        StoreError: it cannot be started or reached, or has no room for all actors at once.
    """

    def __init__(self, parts: Sequence[Callable[[Item], Value]], address: str = "") -> None:
        self._ray = connected(len(parts), address)
        try:
            self._check_room(len(parts))
            again = {"max_restarts": -1, "max_task_retries": ATTEMPTS - 1}
            actor = self._ray.remote(num_cpus=1, memory=TASK_MEMORY, **again)(_Actor)
            self._actors = [actor.remote(part) for part in parts]
        except StoreError:
            self.__exit__()
            raise

    def _check_room(self, wanted: int) -> None:
        """Refuse what would wait for ever: all actors are needed at once."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        fits = (min(it.get("CPU", 0), it.get("memory", 0) / TASK_MEMORY) for it in nodes)
        room = sum(map(int, fits))
        if room < wanted:
            raise StoreError(
                f"Ray has room for {room} workers at once, of one processor and "
                f"{TASK_MEMORY / 2**30:.0f} GiB each, not for {wanted}; take fewer --workers"
            )

    def ask(self, question: Item) -> list[Value]:
        """Return the answer of each actor, in the order of the parts.

        Raises:
            StoreError: an actor was lost `ATTEMPTS` times.
            CounterCaseError: what a part raised.
        """
        shared = self._ray.put(question)
        waiting = [actor.answer.remote(shared) for actor in self._actors]
        return [self._answer(one) for one in waiting]

    def _answer(self, waiting: Any) -> Value:
        answer: Value | Failed = _fetch(self._ray, waiting, "RayActorError")
        if isinstance(answer, Failed):
            raise answer.error
        return answer

    def __enter__(self) -> Actors[Item, Value]:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()


class _Actor:
    """What runs in the actor's process."""

    def __init__(self, part: Callable[[Any], Any]) -> None:
        self._part = part

    def answer(self, question: Any) -> Any:
        return attempt(self._part, question)
