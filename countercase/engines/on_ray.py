"""Work on Ray: a cluster, or one of its own that only this machine sees.

`over_ray` does one task an item; of `Actors` each holds one part of something large, and all answer
every question.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Generic

from countercase.engines.work import ATTEMPTS, Failed, Item, Supply, Value, attempt, lost
from countercase.errors import ConfigError, StoreError

TASK_MEMORY: Final = 2 * 2**30
"""Bytes that Ray sets aside for a task: a machine runs as many at once as fit into its memory."""

_OBJECT_STORE: Final = 128 * 2**20
_SECONDS_TO_REACH: Final = 5.0
_LOOPBACK: Final = "127.0.0.1"


def over_ray(
    work: Callable[[Item], Value], supply: Supply[Item], workers: int, address: str
) -> Iterator[tuple[int, Value | Failed]]:
    """Yield position and result of each item as it is finished; close it to leave Ray.

    An item whose worker or machine was lost is given to another, up to `ATTEMPTS` times. What
    the program raises by mistake comes as Ray's error with the worker's traceback.

    Args:
        address: a running cluster, as `host:port`; empty for one of our own.

    Raises:
        ConfigError: Ray is not installed.
        StoreError: it cannot be started or reached, or no machine has the memory of a task.
    """
    first = supply.take()
    if first is None:
        return
    ray = connected(workers, address)
    try:
        task = ray.remote(num_cpus=1, memory=TASK_MEMORY, max_retries=ATTEMPTS - 1)(_answer)
        sent = [ray.put(work)]  # in a list Ray leaves it to the worker to fetch it
        running: dict[Any, int] = {}

        def give_out(taken: tuple[int, Item] | None) -> None:
            while taken is not None:
                at, item = taken
                running[task.remote(sent, item)] = at
                taken = supply.take() if len(running) < workers else None

        give_out(first)
        while running:
            [ready], _ = ray.wait(list(running), num_returns=1)
            at = running.pop(ready)
            supply.finished(at)
            give_out(supply.take())
            yield at, _result(ray, ready)
    finally:
        ray.shutdown()


def _result(ray: Any, ready: Any) -> Any:
    errors = ray.exceptions
    try:
        return ray.get(ready)
    except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
        return lost(str(error).splitlines()[0])


def _answer(sent: list[Any], item: Any) -> Any:
    return attempt(_fetched(sent[0]), item)


@lru_cache(maxsize=1)
def _fetched(reference: Any) -> Callable[[Any], Any]:
    """The work, once for all tasks of a worker, so that it opens what it needs once."""
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
    """Ray, joined to the cluster or started; what is set before its import it reads then."""
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
            options = {
                "num_cpus": 1,
                "memory": TASK_MEMORY,
                "max_restarts": -1,
                "max_task_retries": ATTEMPTS - 1,
            }
            actor = self._ray.remote(**options)(_Actor)
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
        """The answer of each actor, in the order of the parts.

        Raises:
            StoreError: an actor was lost `ATTEMPTS` times.
            CounterCaseError: what a part raised.
        """
        shared = self._ray.put(question)
        waiting = [actor.answer.remote(shared) for actor in self._actors]
        return [self._answered(one) for one in waiting]

    def _answered(self, one: Any) -> Value:
        errors = self._ray.exceptions
        try:
            answer: Value | Failed = self._ray.get(one)
        except (errors.RayActorError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
            answer = lost(str(error).splitlines()[0])
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
