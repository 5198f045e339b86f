"""Actors on Ray: each holds one part of something large, and all answer every question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from countercase.engines.on_ray import TASK_MEMORY, connected
from countercase.engines.work import ATTEMPTS, Failed, Item, Value, attempt, lost
from countercase.errors import StoreError


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
        room = sum(
            int(
                min(
                    node["Resources"].get("CPU", 0),
                    node["Resources"].get("memory", 0) / TASK_MEMORY,
                )
            )
            for node in self._ray.nodes()
            if node["Alive"]
        )
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
